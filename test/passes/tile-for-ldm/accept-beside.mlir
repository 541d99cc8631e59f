// Butterflies whose points have enough others beside them lie along these: blocks of one line where there are
// several stages, no blocks where there is one. Two of c128 fill half of a vector, the rest of which is left out;
// beside two of c64 lines are packed.
// RUN: cat %target_avx512 %s | weft-opt - --factor-transform --simplify-butterflies --tile-for-ldm | FileCheck %s
// RUN: cat %target_avx2 %s | weft-opt - --factor-transform --simplify-butterflies --tile-for-ldm | FileCheck %s --check-prefix=WHOLE

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @stages
// CHECK:         weft.blocks [0] to [20] steps [1] {{.*}}weft.along_lines
// CHECK:           weft.map [0, 0, 0] to [4, 5, 1] {{.*}}weft.lane_index = 1
// CHECK:           weft.map [0, 0, 0] to [1, 20, 1] {{.*}}weft.lane_index = 1
// WHOLE-LABEL: func.func @stages
// WHOLE:         weft.blocks [0] to [20] steps [1] {{.*}}weft.along_lines
func.func @stages(%x: tensor<20x16x5xcomplex<f64>>) -> tensor<20x16x5xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 {radices = array<i64: 4, 4>} : tensor<20x16x5xcomplex<f64>>
  return %y : tensor<20x16x5xcomplex<f64>>
}

// CHECK-LABEL: func.func @one
// CHECK-NOT:     weft.blocks
// CHECK:         weft.map [0, 0, 0] to [20, 1, 5]
func.func @one(%x: tensor<20x4x5xcomplex<f64>>) -> tensor<20x4x5xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<20x4x5xcomplex<f64>>
  return %y : tensor<20x4x5xcomplex<f64>>
}

// CHECK-LABEL: func.func @masked
// CHECK:         weft.blocks [0] to [20] steps [1] {{.*}}weft.along_lines
func.func @masked(%x: tensor<20x16x2xcomplex<f64>>) -> tensor<20x16x2xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 {radices = array<i64: 4, 4>} : tensor<20x16x2xcomplex<f64>>
  return %y : tensor<20x16x2xcomplex<f64>>
}

// CHECK-LABEL: func.func @packed
// CHECK:         weft.blocks {{.*}} steps [16]
// CHECK:           weft.map [0, 0] to [32, 16]
func.func @packed(%x: tensor<32x16x2xcomplex<f32>>) -> tensor<32x16x2xcomplex<f32>> {
  %y = weft.dft %x axis 1 sign -1 {radices = array<i64: 4, 4>} : tensor<32x16x2xcomplex<f32>>
  return %y : tensor<32x16x2xcomplex<f32>>
}

// CHECK-LABEL: func.func @three
// CHECK:         weft.blocks [0] to [32] steps [1] {{.*}}weft.along_lines
func.func @three(%x: tensor<32x16x3xcomplex<f32>>) -> tensor<32x16x3xcomplex<f32>> {
  %y = weft.dft %x axis 1 sign -1 {radices = array<i64: 4, 4>} : tensor<32x16x3xcomplex<f32>>
  return %y : tensor<32x16x3xcomplex<f32>>
}

// The second stage has five points done, where a vector has eight lanes: vectors along the line all the same.
// CHECK-LABEL: func.func @empty_lanes
// CHECK:         weft.blocks [0] to [20] steps [1] {{.*}}weft.along_lines
func.func @empty_lanes(%x: tensor<20x150xcomplex<f32>>) -> tensor<20x150xcomplex<f32>> {
  %y = weft.dft %x axis 1 sign -1 {radices = array<i64: 5, 3, 10>} : tensor<20x150xcomplex<f32>>
  return %y : tensor<20x150xcomplex<f32>>
}
}
