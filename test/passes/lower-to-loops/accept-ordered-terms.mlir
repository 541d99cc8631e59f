// Terms of a reduction that go across rows are taken in the order of memory, whose rows are lanes, or one
// row where they are whole. Not where elements of the result lie side by side, where what is read goes
// along rows of the last index as well, where rows are parts and short, and on a mesh of cores. A long
// column alone stays as it is; its order is free.
// RUN: cat %target_avx512 %s | weft-opt - --lower-to-loops --mlir-print-local-scope | FileCheck %s
// RUN: cat %target_avx512 %s | weft-opt - --lower-to-loops --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE
// RUN: cat %target_sw26010 %s | weft-opt - --lower-to-loops --mlir-print-local-scope | FileCheck %s --check-prefix=MESH

// NOTE: decided {{.*}}: terms in the order of memory", Why="the last index went across rows, and another one goes along them"

module attributes {weft.target = #target} {
  // CHECK-LABEL: @whole
  // CHECK:         %[[X:.*]] = memref.reinterpret_cast %arg0 {{.*}} to memref<6000xf32>
  // CHECK:         affine.for %[[I:.*]] = 0 to 6000 iter_args
  // CHECK:           affine.load %[[X]][%[[I]]]
  // CHECK:         } {weft.lane, weft.reassociate}
  // MESH-LABEL: @whole
  // MESH:          to 60 iter_args
  // MESH:            to 100 iter_args
  func.func @whole(%x: tensor<100x60xf32>) -> tensor<f32> {
    %y = weft.map [] to [] stores [affine_map<() -> ()>] {
      %sum = weft.reduce sum [0, 0] to [60, 100] {
      ^bb0(%j: index, %i: index):
        %a = tensor.extract %x[%i, %j] : tensor<100x60xf32>
        weft.yield %a : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<f32>
    return %y : tensor<f32>
  }
  // CHECK-LABEL: @inside
  // CHECK:         affine.for %[[K:.*]] = 1 to 9 iter_args
  // CHECK:           affine.for %[[I:.*]] = 1 to 99 iter_args
  // CHECK:             affine.for %[[J:.*]] = 1 to 59 iter_args
  // CHECK:               affine.load %arg0[%[[K]], %[[I]], %[[J]]]
  // CHECK:             } {weft.lane, weft.reassociate}
  func.func @inside(%x: tensor<10x100x60xf32>) -> tensor<f32> {
    %y = weft.map [] to [] stores [affine_map<() -> ()>] {
      %sum = weft.reduce sum [1, 1, 1] to [59, 9, 99] {
      ^bb0(%j: index, %k: index, %i: index):
        %a = tensor.extract %x[%k, %i, %j] : tensor<10x100x60xf32>
        %b = arith.mulf %a, %a : f32
        weft.yield %b : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<f32>
    return %y : tensor<f32>
  }
  // CHECK-LABEL: @beside
  // CHECK:         affine.for %[[C:.*]] = 0 to 64
  // CHECK:           affine.for %[[J:.*]] = 0 to 60 iter_args
  // CHECK:             affine.for %[[I:.*]] = 0 to 100 iter_args
  func.func @beside(%x: tensor<100x60x64xf32>) -> tensor<64xf32> {
    %y = weft.map [0] to [64] stores [affine_map<(c) -> (c)>] {
    ^bb0(%c: index):
      %sum = weft.reduce sum [0, 0] to [60, 100] {
      ^bb0(%j: index, %i: index):
        %a = tensor.extract %x[%i, %j, %c] : tensor<100x60x64xf32>
        weft.yield %a : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<64xf32>
    return %y : tensor<64xf32>
  }
  // CHECK-LABEL: @both_ways
  // CHECK:         affine.for %[[J:.*]] = 0 to 60 iter_args
  // CHECK:           affine.for %[[I:.*]] = 0 to 100 iter_args
  func.func @both_ways(%x: tensor<100x60xf32>, %z: tensor<60x100xf32>) -> tensor<f32> {
    %y = weft.map [] to [] stores [affine_map<() -> ()>] {
      %sum = weft.reduce sum [0, 0] to [60, 100] {
      ^bb0(%j: index, %i: index):
        %a = tensor.extract %x[%i, %j] : tensor<100x60xf32>
        %b = tensor.extract %z[%j, %i] : tensor<60x100xf32>
        %c = arith.mulf %a, %b : f32
        weft.yield %c : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<f32>
    return %y : tensor<f32>
  }
  // CHECK-LABEL: @short_parts
  // CHECK:         affine.for %[[J:.*]] = 0 to 3 iter_args
  // CHECK:           affine.for %[[I:.*]] = 0 to 100 iter_args
  func.func @short_parts(%x: tensor<100x60xf32>) -> tensor<f32> {
    %y = weft.map [] to [] stores [affine_map<() -> ()>] {
      %sum = weft.reduce sum [0, 0] to [3, 100] {
      ^bb0(%j: index, %i: index):
        %a = tensor.extract %x[%i, %j] : tensor<100x60xf32>
        weft.yield %a : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<f32>
    return %y : tensor<f32>
  }
  // CHECK-LABEL: @column
  // CHECK:         affine.for %[[I:.*]] = 0 to 100 iter_args
  // CHECK:         } {weft.reassociate}
  // MESH-LABEL: @column
  // MESH-NOT:      weft.reassociate
  func.func @column(%x: tensor<100x60xf32>) -> tensor<f32> {
    %y = weft.map [] to [] stores [affine_map<() -> ()>] {
      %sum = weft.reduce sum [0] to [100] {
      ^bb0(%i: index):
        %j = arith.constant 3 : index
        %a = tensor.extract %x[%i, %j] : tensor<100x60xf32>
        weft.yield %a : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<f32>
    return %y : tensor<f32>
  }
}
