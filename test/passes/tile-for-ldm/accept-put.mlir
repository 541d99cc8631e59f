// A copy that only changes the order of axes: the last stage stores where the copy has its elements.
// Rows become columns from vectors across them; columns that become rows are turned in their block.
// RUN: cat %target_avx512 %s | weft-opt - --factor-transform --simplify-butterflies --fuse --tile-for-ldm | FileCheck %s
// RUN: cat %target_avx512 %s | weft-opt - --factor-transform --simplify-butterflies --fuse --tile-for-ldm --remarks-filter=.* --remark-policy=all 2>&1 | FileCheck %s --check-prefix=NOTE

// NOTE: decided {{.*}}over blocks of 8 lines, packed line beside line", Why="stored where 'y' has them", lines=8

// CHECK-DAG:   #[[$ROWS:.*]] = affine_map<(d0, d1, d2) -> (d1, d0 + d2)>
// CHECK-DAG:   #[[$COLUMNS:.*]] = affine_map<(d0, d1, d2) -> (d0 + d2, d1)>
// CHECK-LABEL: func.func @rows
// CHECK:         %[[Y:.*]] = weft.blocks [0] to [512] steps [8] places [#[[$ROWS]]]
// CHECK-NOT:     weft.own_lines
// CHECK:         return %[[Y]] : tensor<64x512xcomplex<f64>>
// CHECK-LABEL: func.func @columns
// CHECK:         %[[Y:.*]] = weft.blocks [0] to [512] steps [{{[0-9]+}}] places [#[[$COLUMNS]]]
// CHECK:           %[[LINES:.*]] = weft.map [0, 0] to [64, {{[0-9]+}}]
// CHECK:           weft.yield %[[LINES]]
// CHECK:         return %[[Y]] : tensor<512x64xcomplex<f64>>
module attributes {weft.target = #target} {
func.func @rows(%x: tensor<512x64xcomplex<f64>>) -> tensor<64x512xcomplex<f64>> {
  %a = weft.dft %x axis 1 sign -1 : tensor<512x64xcomplex<f64>>
  %y = weft.transpose %a perm [1, 0] : tensor<512x64xcomplex<f64>> -> tensor<64x512xcomplex<f64>> loc("y")
  return %y : tensor<64x512xcomplex<f64>>
}
func.func @columns(%x: tensor<64x512xcomplex<f64>>) -> tensor<512x64xcomplex<f64>> {
  %a = weft.dft %x axis 0 sign -1 : tensor<64x512xcomplex<f64>>
  %y = weft.transpose %a perm [1, 0] : tensor<64x512xcomplex<f64>> -> tensor<512x64xcomplex<f64>> loc("y")
  return %y : tensor<512x64xcomplex<f64>>
}
}
