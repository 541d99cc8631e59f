// What makes the columns point by point is read by others, too: the first stage makes them, and the
// rounds have them as a second result, in place of what they are made of where that is at the same
// elements. Not where a single round would be, nor where a core has no
// room for them until its end.
// RUN: cat %target_sw26010 %s | weft-opt - --factor-transform --simplify-butterflies --fuse --tile-for-ldm | FileCheck %s
// RUN: cat %target_sw26010 %s | weft-opt - --factor-transform --simplify-butterflies --fuse --tile-for-ldm --remarks-filter=tile-for-ldm --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: decided {{.*}}its first stage makes what it reads", Why="others read it as well; 55040 bytes are in use until the end of a round"
// NOTE: rejected {{.*}}its first stage makes what it reads", Why="a core has 57344 bytes, and {{[0-9]+}} would be in use until the end of a round"

// CHECK-LABEL: func.func @damped
// CHECK:         %[[BOTH:.*]]:2 = weft.blocks [0] to [64] steps [32] {{.*}}weft.own_elements = 1
// CHECK:           %[[FIRST:.*]]:2 = weft.map [0, 0, 0, 0] to [8, 1, 16, 32] {{.*}} into [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
// CHECK-COUNT-16:    tensor.extract %arg0[
// CHECK-NOT:         tensor.extract %arg0[
// CHECK:           : tensor<2048x32xcomplex<f64>>, tensor<2048x32xcomplex<f64>>
// CHECK:           weft.map [0, 0, 0, 0] to [8, 8, 2, 32]
// CHECK:             tensor.extract %[[FIRST]]#0
// CHECK:           weft.yield %{{.*}}, %[[FIRST]]#1
// CHECK:         return %[[BOTH]]#1, %[[BOTH]]#0

// CHECK-LABEL: func.func @single_round
// CHECK:         weft.map [0, 0] to [2048, 32]
// CHECK:         weft.blocks [0] to [32] steps [32]

// CHECK-LABEL: func.func @no_room
// CHECK:         weft.map [0, 0] to [2048, 64]
// CHECK:         weft.blocks [0] to [64] steps [32]

// CHECK-LABEL: func.func @of_others
// CHECK:         weft.blocks [0] to [64] steps [32]
// CHECK-NOT:     weft.own_elements
#id = affine_map<(i, j) -> (i, j)>
module attributes {weft.target = #target} {
func.func @damped(%x: tensor<2048x64xcomplex<f64>>)
    -> (tensor<2048x64xcomplex<f64>>, tensor<2048x64xcomplex<f64>>) {
  %p = weft.map [0, 0] to [2048, 64] stores [#id] {
  ^bb0(%i: index, %j: index):
    %a = tensor.extract %x[%i, %j] : tensor<2048x64xcomplex<f64>>
    %b = complex.mul %a, %a : complex<f64>
    weft.yield %b : complex<f64>
  } : tensor<2048x64xcomplex<f64>>
  %y = weft.dft %p axis 0 sign -1 : tensor<2048x64xcomplex<f64>>
  return %p, %y : tensor<2048x64xcomplex<f64>>, tensor<2048x64xcomplex<f64>>
}
func.func @single_round(%x: tensor<2048x32xcomplex<f64>>)
    -> (tensor<2048x32xcomplex<f64>>, tensor<2048x32xcomplex<f64>>) {
  %p = weft.map [0, 0] to [2048, 32] stores [#id] {
  ^bb0(%i: index, %j: index):
    %a = tensor.extract %x[%i, %j] : tensor<2048x32xcomplex<f64>>
    %b = complex.mul %a, %a : complex<f64>
    weft.yield %b : complex<f64>
  } : tensor<2048x32xcomplex<f64>>
  %y = weft.dft %p axis 0 sign -1 : tensor<2048x32xcomplex<f64>>
  return %p, %y : tensor<2048x32xcomplex<f64>>, tensor<2048x32xcomplex<f64>>
}
func.func @no_room(%x: tensor<2048x64xcomplex<f64>>, %u: tensor<2048xcomplex<f64>>)
    -> (tensor<2048x64xcomplex<f64>>, tensor<2048x64xcomplex<f64>>) {
  %p = weft.map [0, 0] to [2048, 64] stores [#id] {
  ^bb0(%i: index, %j: index):
    %a = tensor.extract %x[%i, %j] : tensor<2048x64xcomplex<f64>>
    %c = tensor.extract %u[%i] : tensor<2048xcomplex<f64>>
    %b = complex.mul %a, %c : complex<f64>
    weft.yield %b : complex<f64>
  } : tensor<2048x64xcomplex<f64>>
  %y = weft.dft %p axis 0 sign -1 : tensor<2048x64xcomplex<f64>>
  return %p, %y : tensor<2048x64xcomplex<f64>>, tensor<2048x64xcomplex<f64>>
}
func.func @of_others(%x: tensor<2048x64xcomplex<f64>>)
    -> (tensor<2048x64xcomplex<f64>>, tensor<2048x64xcomplex<f64>>) {
  %p = weft.map [0, 0] to [2048, 64] stores [#id] {
  ^bb0(%i: index, %j: index):
    %k = affine.apply affine_map<(i) -> (2047 - i)>(%i)
    %a = tensor.extract %x[%k, %j] : tensor<2048x64xcomplex<f64>>
    %b = complex.mul %a, %a : complex<f64>
    weft.yield %b : complex<f64>
  } : tensor<2048x64xcomplex<f64>>
  %y = weft.dft %p axis 0 sign -1 : tensor<2048x64xcomplex<f64>>
  return %p, %y : tensor<2048x64xcomplex<f64>>, tensor<2048x64xcomplex<f64>>
}
}
