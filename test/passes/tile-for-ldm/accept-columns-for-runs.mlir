// Columns of 512, of which a core has room for two: blocks of those would come in runs of 32 bytes,
// or 256 by a row of cores where there are planes for the rows. Shared by the cores of a column of
// the mesh 128 come at a time.
// RUN: cat %target_sw26010 %s | weft-opt - --factor-transform --simplify-butterflies --fuse --tile-for-ldm | FileCheck %s
// RUN: cat %target_sw26010 %s | weft-opt - --factor-transform --simplify-butterflies --fuse --tile-for-ldm --remarks-filter=tile-for-ldm --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: decided {{.*}}each of its columns by the 8 cores of a column of the mesh, 128 at a time", Why="blocks of whole columns have runs of 256 bytes, and these of 2048; they exchange their parts of 64 points
// NOTE: decided {{.*}}each of its columns by the 8 cores of a column of the mesh, 128 at a time", Why="blocks of whole columns have runs of 32 bytes, and these of 2048; they exchange

// CHECK-LABEL: func.func @planes
// CHECK:         weft.blocks [0, 0] to [8, 512] steps [1, 128]
// CHECK:           weft.map [0, 0, 0, 0] to [8, 1, 8, 128]
// CHECK-LABEL: func.func @plane
// CHECK:         weft.blocks [0] to [512] steps [128]
module attributes {weft.target = #target} {
func.func @planes(%x: tensor<8x512x512xcomplex<f64>>) -> tensor<8x512x512xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<8x512x512xcomplex<f64>>
  return %y : tensor<8x512x512xcomplex<f64>>
}
func.func @plane(%x: tensor<512x512xcomplex<f64>>) -> tensor<512x512xcomplex<f64>> {
  %y = weft.dft %x axis 0 sign -1 : tensor<512x512xcomplex<f64>>
  return %y : tensor<512x512xcomplex<f64>>
}
}
