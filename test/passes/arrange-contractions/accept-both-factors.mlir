// What is both factors, and computed here, is copied for the columns: no layout suits both. Cores that
// have products of their own leave it as it is, also what is an input.
// RUN: cat %target_avx512 %s | weft-opt - --arrange-contractions | FileCheck %s
// RUN: cat %target_sw26010 %s | weft-opt - --arrange-contractions | FileCheck %s --check-prefix=MESH
// RUN: cat %target_sw26010 %s | weft-opt - --arrange-contractions --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: decided {{.*}}a copy of what is both factors", Why="no one layout suits rows and columns"
// NOTE: rejected {{.*}}columns of what is both factors in an order of their own", Why="cores have products of their own, 64 of them, each of 24576 bytes with its factor and what that is made of"

module attributes {weft.target = #target} {
  // CHECK-LABEL: func.func @gram(
  // CHECK:         %[[C:.*]] = weft.map [0, 0] to [640, 64]
  // CHECK:           arith.addf
  // CHECK:         %[[COPY:.*]] = weft.map [0, 0] to [640, 64]
  // CHECK:           tensor.extract %[[C]]
  // CHECK-NEXT:      weft.yield
  // CHECK:         weft.reduce sum [0] to [640]
  // CHECK:           tensor.extract
  // CHECK-NEXT:      tensor.extract %[[COPY]]
  // MESH-LABEL: func.func @gram(
  // MESH:         weft.map [0, 0] to [640, 64]
  // MESH:         weft.map [0, 0] to [640, 64]
  func.func @gram(%x: tensor<640x64xf64>) -> tensor<64x64xf64> {
    %c = weft.map [0, 0] to [640, 64] stores [affine_map<(d0, d1) -> (d0, d1)>] {
    ^bb0(%i: index, %j: index):
      %v = tensor.extract %x[%i, %j] : tensor<640x64xf64>
      %w = arith.addf %v, %v : f64
      weft.yield %w : f64
    } : tensor<640x64xf64>
    %z = weft.map [0, 0] to [64, 64] stores [affine_map<(d0, d1) -> (d0, d1)>] {
    ^bb0(%i: index, %j: index):
      %s = weft.reduce sum [0] to [640] {
      ^bb0(%k: index):
        %a = tensor.extract %c[%k, %i] : tensor<640x64xf64>
        %b = tensor.extract %c[%k, %j] : tensor<640x64xf64>
        %p = arith.mulf %a, %b : f64
        weft.yield %p : f64
      } : f64
      weft.yield %s : f64
    } : tensor<64x64xf64>
    return %z : tensor<64x64xf64>
  }

  // MESH-LABEL: func.func @own(
  // MESH:         %[[C:.*]] = weft.map [0, 0, 0] to [64, 32, 32]
  // MESH:         weft.reduce sum [0] to [32]
  // MESH:           tensor.extract %[[C]]
  // MESH-NEXT:      tensor.extract %[[C]]
  func.func @own(%x: tensor<64x32x32xf64>) -> tensor<64x32x32xf64> {
    %c = weft.map [0, 0, 0] to [64, 32, 32] stores [affine_map<(d0, d1, d2) -> (d0, d1, d2)>] {
    ^bb0(%b: index, %i: index, %j: index):
      %v = tensor.extract %x[%b, %i, %j] : tensor<64x32x32xf64>
      %w = arith.addf %v, %v : f64
      weft.yield %w : f64
    } : tensor<64x32x32xf64>
    %z = weft.map [0, 0, 0] to [64, 32, 32] stores [affine_map<(d0, d1, d2) -> (d0, d1, d2)>] {
    ^bb0(%b: index, %i: index, %j: index):
      %s = weft.reduce sum [0] to [32] {
      ^bb0(%k: index):
        %a = tensor.extract %c[%b, %i, %k] : tensor<64x32x32xf64>
        %d = tensor.extract %c[%b, %j, %k] : tensor<64x32x32xf64>
        %p = arith.mulf %a, %d : f64
        weft.yield %p : f64
      } : f64
      weft.yield %s : f64
    } : tensor<64x32x32xf64>
    return %z : tensor<64x32x32xf64>
  }

  // MESH-LABEL: func.func @input(
  // MESH-NOT:     weft.reshape
  // MESH:         weft.reduce sum [0] to [32]
  // MESH:           tensor.extract %arg0
  // MESH-NEXT:      tensor.extract %arg0
  func.func @input(%x: tensor<64x32x32xf64>) -> tensor<64x32x32xf64> {
    %z = weft.map [0, 0, 0] to [64, 32, 32] stores [affine_map<(d0, d1, d2) -> (d0, d1, d2)>] {
    ^bb0(%b: index, %i: index, %j: index):
      %s = weft.reduce sum [0] to [32] {
      ^bb0(%k: index):
        %a = tensor.extract %x[%b, %i, %k] : tensor<64x32x32xf64>
        %d = tensor.extract %x[%b, %j, %k] : tensor<64x32x32xf64>
        %p = arith.mulf %a, %d : f64
        weft.yield %p : f64
      } : f64
      weft.yield %s : f64
    } : tensor<64x32x32xf64>
    return %z : tensor<64x32x32xf64>
  }
}
