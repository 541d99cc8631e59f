// RUN: cat %target_avx512 %s | weft-opt - --factor-transform --simplify-butterflies --fuse --tile-for-ldm | FileCheck %s
// Two transforms behind each other that stay apart.

module attributes {weft.target = #target} {
// Along short lines, whose second transform would wait for what the first one has just stored.
// CHECK-LABEL: func.func @short
// CHECK:       weft.blocks [0] to [64]
// CHECK:       weft.blocks [0] to [64]
// CHECK:       return
func.func @short(%x: tensor<64x60xcomplex<f64>>) -> tensor<64x60xcomplex<f64>> {
  %a = weft.dft %x axis 1 sign -1 : tensor<64x60xcomplex<f64>>
  %y = weft.dft %a axis 1 sign 1 : tensor<64x60xcomplex<f64>>
  return %y : tensor<64x60xcomplex<f64>>
}

// Along different axes.
// CHECK-LABEL: func.func @plane
// CHECK:       weft.blocks [0] to [256]
// CHECK:       weft.blocks [0] to [256]
// CHECK:       return
func.func @plane(%x: tensor<256x256xcomplex<f64>>) -> tensor<256x256xcomplex<f64>> {
  %a = weft.dft %x axis 1 sign -1 : tensor<256x256xcomplex<f64>>
  %y = weft.dft %a axis 0 sign 1 : tensor<256x256xcomplex<f64>>
  return %y : tensor<256x256xcomplex<f64>>
}

// A spectrum that somebody else reads, too.
// CHECK-LABEL: func.func @kept
// CHECK:       %[[A:.*]] = weft.blocks [0] to [64]
// CHECK:       %[[Y:.*]] = weft.blocks [0] to [64]
// CHECK:       return %[[A]], %[[Y]]
func.func @kept(%x: tensor<64x256xcomplex<f64>>) -> (tensor<64x256xcomplex<f64>>, tensor<64x256xcomplex<f64>>) {
  %a = weft.dft %x axis 1 sign -1 : tensor<64x256xcomplex<f64>>
  %y = weft.dft %a axis 1 sign 1 : tensor<64x256xcomplex<f64>>
  return %a, %y : tensor<64x256xcomplex<f64>>, tensor<64x256xcomplex<f64>>
}

// Lines of each other.
// CHECK-LABEL: func.func @mirrored
// CHECK:       weft.blocks [0] to [64]
// CHECK:       weft.blocks [0] to [64]
// CHECK:       return
func.func @mirrored(%x: tensor<64x256xcomplex<f64>>) -> tensor<64x256xcomplex<f64>> {
  %a = weft.dft %x axis 1 sign -1 : tensor<64x256xcomplex<f64>>
  %p = weft.map [0, 0] to [64, 256] stores [affine_map<(i, j) -> (i, j)>] {
  ^bb0(%i: index, %j: index):
    %m = affine.apply affine_map<(i) -> (63 - i)>(%i)
    %u = tensor.extract %a[%m, %j] : tensor<64x256xcomplex<f64>>
    weft.yield %u : complex<f64>
  } : tensor<64x256xcomplex<f64>>
  %y = weft.dft %p axis 1 sign 1 : tensor<64x256xcomplex<f64>>
  return %y : tensor<64x256xcomplex<f64>>
}
}
