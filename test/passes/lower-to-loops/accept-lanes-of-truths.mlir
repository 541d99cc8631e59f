// A row of truth values has as many lanes as the numbers that they are found by: 62 of f32 go by vectors
// of 16. Rows of fewer than a vector are lanes where these may be masked, of seven numbers or more.
// RUN: cat %target_avx512 %s | weft-opt - --lower-to-loops | FileCheck %s
// RUN: cat %target_avx2 %s | weft-opt - --lower-to-loops | FileCheck %s --check-prefix=AVX2

module attributes {weft.target = #target} {
  // CHECK-LABEL: @above
  // CHECK:       } {weft.independent, weft.lane}
  // AVX2-LABEL:  @above
  // AVX2:        } {weft.independent, weft.lane}
  func.func @above(%x: tensor<9x62xf32>, %b: tensor<62xf32>) -> tensor<9x62xi1> {
    %y = weft.map [0, 0] to [9, 62] stores [affine_map<(i, j) -> (i, j)>] {
    ^bb0(%i: index, %j: index):
      %v = tensor.extract %x[%i, %j] : tensor<9x62xf32>
      %w = tensor.extract %b[%j] : tensor<62xf32>
      %c = arith.cmpf ogt, %v, %w : f32
      weft.yield %c : i1
    } : tensor<9x62xi1>
    return %y : tensor<9x62xi1>
  }
  // CHECK-LABEL: @short
  // CHECK:       } {weft.independent, weft.lane}
  // AVX2-LABEL:  @short
  // AVX2-NOT:    weft.lane
  func.func @short(%x: tensor<9x7xf32>, %b: tensor<7xf32>) -> tensor<9x7xi1> {
    %y = weft.map [0, 0] to [9, 7] stores [affine_map<(i, j) -> (i, j)>] {
    ^bb0(%i: index, %j: index):
      %v = tensor.extract %x[%i, %j] : tensor<9x7xf32>
      %w = tensor.extract %b[%j] : tensor<7xf32>
      %c = arith.cmpf ogt, %v, %w : f32
      weft.yield %c : i1
    } : tensor<9x7xi1>
    return %y : tensor<9x7xi1>
  }
  // CHECK-LABEL: @shorter
  // CHECK-NOT:   weft.lane
  // CHECK-LABEL: @chosen
  // CHECK:       } {weft.independent, weft.lane}
  func.func @shorter(%x: tensor<9x6xf32>, %b: tensor<6xf32>) -> tensor<9x6xi1> {
    %y = weft.map [0, 0] to [9, 6] stores [affine_map<(i, j) -> (i, j)>] {
    ^bb0(%i: index, %j: index):
      %v = tensor.extract %x[%i, %j] : tensor<9x6xf32>
      %w = tensor.extract %b[%j] : tensor<6xf32>
      %c = arith.cmpf ogt, %v, %w : f32
      weft.yield %c : i1
    } : tensor<9x6xi1>
    return %y : tensor<9x6xi1>
  }
  func.func @chosen(%k: tensor<9x6xi1>, %x: tensor<9x6xf32>, %b: tensor<6xf32>) -> tensor<9x6xf32> {
    %y = weft.map [0, 0] to [9, 6] stores [affine_map<(i, j) -> (i, j)>] {
    ^bb0(%i: index, %j: index):
      %c = tensor.extract %k[%i, %j] : tensor<9x6xi1>
      %v = tensor.extract %x[%i, %j] : tensor<9x6xf32>
      %w = tensor.extract %b[%j] : tensor<6xf32>
      %d = arith.select %c, %v, %w : f32
      weft.yield %d : f32
    } : tensor<9x6xf32>
    return %y : tensor<9x6xf32>
  }
}
