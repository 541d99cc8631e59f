// Beyond 65536 twiddles two small tables are multiplied.
// RUN: weft-opt %s --simplify-butterflies | FileCheck %s --implicit-check-not=weft.table

// CHECK: weft.table {{.*}} : tensor<512xcomplex<f64>>
// CHECK: weft.table {{.*}} : tensor<512xcomplex<f64>>
// CHECK: weft.map
module attributes {weft.target = {name = "test", fma = false}} {
func.func @stage(%x: tensor<262144xcomplex<f64>>) -> tensor<262144xcomplex<f64>> {
  %y = weft.butterfly %x axis 0 radix 2 done 1 sign -1 : tensor<262144xcomplex<f64>>
  return %y : tensor<262144xcomplex<f64>>
}
}
