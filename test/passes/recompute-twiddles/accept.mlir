// RUN: cat %target_sw26010 %s | weft-opt - --factor-transform --simplify-butterflies --cse --recompute-twiddles --remarks-filter=recompute-twiddles --remark-policy=all 2>%t \
// RUN:   | FileCheck %s
// RUN: FileCheck %s --check-prefix=NOTE < %t
// As many powers as there is room for, and products of the others: of two, of more where even
// these do not fit. Of an inverse transform's, the scale comes once into each product.

// NOTE-DAG: tensor<64x1280xcomplex<f64>>: 11 of 15 powers of the twiddles {{.*}} in a table, the others computed", Why="a line takes 40960 bytes and its tables 20352, of 57344 that a core has; 15232 are left of the tables, and a butterfly has 4 products more"
// NOTE-DAG: tensor<64x1440xcomplex<f64>>: 4 of 11 powers {{.*}} a butterfly has 7 products more
// NOTE-DAG: tensor<64x2560xcomplex<f32>>: 11 of 15 powers {{.*}}a line takes 40960 bytes and its tables 20416

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @two
// CHECK:       weft.table {{.*}} : tensor<11x80xcomplex<f64>>
// CHECK-NOT:   tensor<15x80xcomplex<f64>>
// CHECK:       ^bb0(%{{.*}}: index, %[[P:.*]]: index, %{{.*}}: index)
// CHECK-COUNT-11: tensor.extract %{{.*}}[%{{.*}}, %[[P]]] : tensor<11x80xcomplex<f64>>
// CHECK-NOT:   tensor<11x80xcomplex<f64>>
func.func @two(%x: tensor<64x1280xcomplex<f64>>) -> tensor<64x1280xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<64x1280xcomplex<f64>>
  return %y : tensor<64x1280xcomplex<f64>>
}

// The powers 1, 2, 4 and 8; the third is that of the second and the first without its scale.
// CHECK-LABEL: func.func @more
// CHECK:       %[[W:.*]] = weft.table {{.*}} : tensor<4x120xcomplex<f64>>
// CHECK:       ^bb0(%{{.*}}: index, %[[P:.*]]: index, %{{.*}}: index)
// CHECK:         %[[SCALE:.*]] = arith.constant 2.000000e+00
// CHECK:         %[[ONE:.*]] = tensor.extract %[[W]][%{{.*}}, %[[P]]]
// CHECK:         %[[ONERE:.*]] = complex.re %[[ONE]]
// CHECK:         %[[ONEIM:.*]] = complex.im %[[ONE]]
// CHECK:         %[[TWO:.*]] = tensor.extract %[[W]][%{{.*}}, %[[P]]]
// CHECK:         %[[TWORE:.*]] = complex.re %[[TWO]]
// CHECK:         %[[TWOIM:.*]] = complex.im %[[TWO]]
// CHECK:         %[[PLAINRE:.*]] = arith.mulf %[[ONERE]], %[[SCALE]]
// CHECK:         %[[PLAINIM:.*]] = arith.mulf %[[ONEIM]], %[[SCALE]]
// CHECK:         %[[IMIM:.*]] = arith.mulf %[[TWOIM]], %[[PLAINIM]]
// CHECK:         %[[MINUS:.*]] = arith.negf %[[IMIM]]
// CHECK:         math.fma %[[TWORE]], %[[PLAINRE]], %[[MINUS]]
// CHECK:         %[[IMRE:.*]] = arith.mulf %[[TWOIM]], %[[PLAINRE]]
// CHECK:         math.fma %[[TWORE]], %[[PLAINIM]], %[[IMRE]]
func.func @more(%x: tensor<64x1440xcomplex<f64>>) -> tensor<64x1440xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign 1 {scale = 0.5 : f64} : tensor<64x1440xcomplex<f64>>
  return %y : tensor<64x1440xcomplex<f64>>
}

// CHECK-LABEL: func.func @single
// CHECK:       weft.table {{.*}} : tensor<11x160xcomplex<f32>>
func.func @single(%x: tensor<64x2560xcomplex<f32>>) -> tensor<64x2560xcomplex<f32>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<64x2560xcomplex<f32>>
  return %y : tensor<64x2560xcomplex<f32>>
}

// Lines of two arrays share what is left of the table.
// CHECK-LABEL: func.func @both
// CHECK:       %[[W:.*]] = weft.table {{.*}} : tensor<11x80xcomplex<f64>>
// CHECK-NOT:   weft.table {{.*}} : tensor<{{15|11}}x80xcomplex<f64>>
// CHECK:       return
func.func @both(%x: tensor<64x1280xcomplex<f64>>, %z: tensor<64x1280xcomplex<f64>>)
    -> (tensor<64x1280xcomplex<f64>>, tensor<64x1280xcomplex<f64>>) {
  %y = weft.dft %x axis 1 sign -1 : tensor<64x1280xcomplex<f64>>
  %u = weft.dft %z axis 1 sign -1 : tensor<64x1280xcomplex<f64>>
  return %y, %u : tensor<64x1280xcomplex<f64>>, tensor<64x1280xcomplex<f64>>
}
}
