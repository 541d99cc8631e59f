// Columns that a core has room for and that stay whole: all of them may stay with the cores; few lie
// side by side; their stages have no crossing for eight cores.
// RUN: cat %target_sw26010 %s | weft-opt - --factor-transform --simplify-butterflies --fuse --tile-for-ldm --remarks-filter=tile-for-ldm --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not="decided {{.*}}of the mesh"

// CHECK: rejected {{.*}}each of its columns by the 8 cores of a column of the mesh", Why="its 1048576 bytes may stay with the cores"
// CHECK: decided {{.*}}over blocks of 4 lines
// CHECK: rejected {{.*}}each of its columns by the 8 cores of a column of the mesh", Why="their runs of memory would have 512 bytes, and 1024 are long (long_run_bytes)"
// CHECK: decided {{.*}}over blocks of 2 lines
// CHECK: rejected {{.*}}each of its columns by the 8 cores of a column of the mesh", Why="its stages have no two factors that 8 cores can share"
// CHECK: decided {{.*}}over blocks of 4 lines
module attributes {weft.target = #target} {
func.func @stays(%x: tensor<16x64x64xcomplex<f64>>) -> tensor<16x64x64xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<16x64x64xcomplex<f64>>
  return %y : tensor<16x64x64xcomplex<f64>>
}
func.func @narrow(%x: tensor<64x512x32xcomplex<f64>>) -> tensor<64x512x32xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<64x512x32xcomplex<f64>>
  return %y : tensor<64x512x32xcomplex<f64>>
}
func.func @odd(%x: tensor<100x1024xcomplex<f64>>) -> tensor<100x1024xcomplex<f64>> {
  %y = weft.dft %x axis 0 sign -1 : tensor<100x1024xcomplex<f64>>
  return %y : tensor<100x1024xcomplex<f64>>
}
}
