// Columns of 64 points of which 64 lie side by side: rows of cores have all of these, whole columns of
// planes of their own, two at a time; rows of a plane are one run. Along the first dimension two rows that lie one behind the
// other are a run. Where cores have no room for whole columns, they share them as before.
// RUN: cat %target_sw26010 %s | weft-opt - --factor-transform --simplify-butterflies --fuse --tile-for-ldm | FileCheck %s
// RUN: cat %target_sw26010 %s | weft-opt - --factor-transform --simplify-butterflies --fuse --tile-for-ldm --remarks-filter=tile-for-ldm --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: decided {{.*}}: 1024 of its columns at a time, whole, by 8 rows of cores", Why="blocks of whole columns have runs of 512 bytes, and these of 65536; a row has all 64 that lie side by side of 2 indices, and moves them together; in 4 rounds, 16 columns a core"
// NOTE: decided {{.*}}: 1024 of its columns at a time, whole, by 8 rows of cores", Why="blocks of whole columns have runs of 512 bytes, and these of 2048; a row
// NOTE: decided {{.*}}: 2048 of its columns at a time, whole, by 8 rows of cores", Why="blocks of whole columns have runs of 512 bytes, and these of 4096; a row
// NOTE: decided {{.*}}: each of its columns by the 8 cores of a column of the mesh, 128 at a time"

// CHECK-DAG: #[[$PLANES:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0 + d3, d2, d1 + d4)>
// CHECK-DAG: #[[$ROWS:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d2, d0 + d3, d1 + d4)>
// CHECK-LABEL: func.func @planes
// CHECK:         weft.blocks [0, 0] to [64, 64] steps [16, 64] places [#[[$PLANES]]]
// CHECK:           weft.map [0, 0, 0, 0] to [16, 8, 1, 64]
// CHECK:             : tensor<64x16x64xcomplex<f64>>
// CHECK:           weft.map [0, 0, 0, 0] to [16, 1, 8, 64]
// CHECK-LABEL: func.func @rows
// CHECK:         weft.blocks [0, 0] to [64, 64] steps [16, 64] places [#[[$ROWS]]]
// Of 8 and 4 points: no crossing that cores could share columns at.
// CHECK-LABEL: func.func @uncrossed
// CHECK:         weft.blocks [0, 0] to [128, 128] steps [16, 128]
// CHECK-LABEL: func.func @no_room
// CHECK:         weft.blocks [0, 0] to [64, 128] steps [1, 128]
module attributes {weft.target = #target} {
func.func @planes(%x: tensor<64x64x64xcomplex<f64>>) -> tensor<64x64x64xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<64x64x64xcomplex<f64>>
  return %y : tensor<64x64x64xcomplex<f64>>
}
func.func @rows(%x: tensor<64x64x64xcomplex<f64>>) -> tensor<64x64x64xcomplex<f64>> {
  %y = weft.dft %x axis 0 sign -1 : tensor<64x64x64xcomplex<f64>>
  return %y : tensor<64x64x64xcomplex<f64>>
}
func.func @uncrossed(%x: tensor<32x128x128xcomplex<f64>>) -> tensor<32x128x128xcomplex<f64>> {
  %y = weft.dft %x axis 0 sign -1 : tensor<32x128x128xcomplex<f64>>
  return %y : tensor<32x128x128xcomplex<f64>>
}
func.func @no_room(%x: tensor<64x128x128xcomplex<f64>>) -> tensor<64x128x128xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<64x128x128xcomplex<f64>>
  return %y : tensor<64x128x128xcomplex<f64>>
}
}
