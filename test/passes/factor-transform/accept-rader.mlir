// Points in the order of a generator's powers: a convolution of one point less. 36 is 4 times 9, so that its stages need no
// twiddles; 100 has no two factors that are coprime and both have butterflies. The first element comes from the product's.
// RUN: weft-opt %s --factor-transform | FileCheck %s
// RUN: weft-opt %s --factor-transform --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: decided {{.*}}: the factor 37 by Rader's convolution", Why="butterflies end at 31; of 36 points rather than 96"
// NOTE: decided {{.*}}: the factor 101 by Rader's convolution", Why="butterflies end at 31; of 100 points rather than

// CHECK-LABEL: func.func @n37(
// CHECK-SAME:  %[[X:.*]]: tensor<3x37xcomplex<f64>>)
// CHECK:         %[[ORDER:.*]] = weft.table dense<[1, 31, 36, 6, {{.*}}]> : tensor<36xi32>
// CHECK:         %[[FIRST:.*]] = weft.map [0, 0, 0] to [3, 4, 1]
// CHECK:           %[[NUMBER:.*]] = tensor.extract %[[ORDER]]
// CHECK:           %[[POINT:.*]] = arith.index_cast %[[NUMBER]] : i32 to index
// CHECK:           tensor.extract %[[X]][%{{.*}}, %[[POINT]]]
// CHECK:         %[[SPECTRUM:.*]] = weft.butterfly %[[FIRST]] axis 1 radix 4 done 9 sign -1 coprime
// CHECK:         %[[PRODUCT:.*]] = weft.map [0, 0] to [3, 36]
// CHECK:           tensor.extract %[[SPECTRUM]]
// CHECK:         %[[BACK:.*]] = weft.butterfly %[[PRODUCT]] axis 1 radix 4 done 1 sign 1 coprime
// CHECK:         %[[SUMS:.*]] = weft.butterfly %[[BACK]] axis 1 radix 9 done 4 sign 1 coprime
// CHECK:         %[[OTHERS:.*]] = weft.map [0, 1, 0, 0] to [3, 37, 1, 1] init
// CHECK:           tensor.extract %[[SUMS]]
// CHECK:         weft.map [0, 0, 0, 0] to [3, 1, 1, 1] init(%[[OTHERS]]
// CHECK:           tensor.extract %[[PRODUCT]]
func.func @n37(%x: tensor<3x37xcomplex<f64>>) -> tensor<3x37xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<3x37xcomplex<f64>>
  return %y : tensor<3x37xcomplex<f64>>
}
// CHECK-LABEL: func.func @n101(
// CHECK-NOT:     coprime
func.func @n101(%x: tensor<3x101xcomplex<f64>>) -> tensor<3x101xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<3x101xcomplex<f64>>
  return %y : tensor<3x101xcomplex<f64>>
}
