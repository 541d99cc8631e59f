// A core that has room for a line with its tables, as the result takes its place, has the line for itself;
// without a part of the tables (recompute-twiddles) rows of cores share it, and where the schedule says so.
// RUN: cat %target_sw26010 %s | weft-opt - --factor-transform --simplify-butterflies --recompute-twiddles --tile-for-ldm --remarks-filter=tile-for-ldm --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefixes=CHECK,PART
// RUN: cat %target_sw26010 %s | weft-opt - --factor-transform --simplify-butterflies --tile-for-ldm --remarks-filter=tile-for-ldm --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefixes=CHECK,WHOLE

// PART-DAG: tensor<64x1440xcomplex<f64>>: its stages (3) over blocks of a line, vectors along it
// WHOLE-DAG: tensor<64x1440xcomplex<f64>>: each of its lines by
// CHECK-DAG: tensor<64x1792xcomplex<f64>>: each of its lines by
// CHECK-DAG: tensor<16x1440xcomplex<f64>>: each of its lines by the 4 cores of a part of a row
module attributes {weft.target = #target} {
func.func @fits(%x: tensor<64x1440xcomplex<f64>>) -> tensor<64x1440xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<64x1440xcomplex<f64>>
  return %y : tensor<64x1440xcomplex<f64>>
}
func.func @too_long(%x: tensor<64x1792xcomplex<f64>>) -> tensor<64x1792xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<64x1792xcomplex<f64>>
  return %y : tensor<64x1792xcomplex<f64>>
}
func.func @asked(%x: tensor<16x1440xcomplex<f64>>) -> tensor<16x1440xcomplex<f64>> attributes {weft.split = 4 : i64} {
  %y = weft.dft %x axis 1 sign -1 : tensor<16x1440xcomplex<f64>>
  return %y : tensor<16x1440xcomplex<f64>>
}
}
