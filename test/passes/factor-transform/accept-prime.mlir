// A large prime: chirp in the first stage, which knows the zeros behind it, then transform, product, inverse transform, chirp.
// One less than 83 is twice a prime without a butterfly.
// RUN: weft-opt %s --factor-transform | FileCheck %s
// RUN: weft-opt %s --factor-transform --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: decided {{.*}}What="a value of type tensor<3x83xcomplex<f64>>: the factor 83 by Bluestein's convolution", Why="butterflies end at 31"
// NOTE: decided {{.*}}What="a value of type tensor<3x83xcomplex<f64>>: 83 points in stages of radix 83", Why="primes without a butterfly come first: their lines are longest there"

// CHECK-LABEL: func.func @n83(
// CHECK-SAME:  %[[X:.*]]: tensor<3x83xcomplex<f64>>)
// CHECK:         %[[FIRST:.*]] = weft.map [0, 0, 0] to [3, 12, 1]
// CHECK-COUNT-7:   tensor.extract %[[X]]
// CHECK-NOT:       tensor.extract %[[X]]
// CHECK:         %[[SPECTRUM:.*]] = weft.butterfly %[[FIRST]] axis 1 radix 12 done 16 sign -1
// CHECK:         %[[PRODUCT:.*]] = weft.map [0, 0] to [3, 192]
// CHECK:           tensor.extract %[[SPECTRUM]]
// CHECK:         weft.butterfly %[[PRODUCT]] axis 1 radix 16 done 1 sign 1
// CHECK:         weft.map [0, 0, 0, 0] to [3, 83, 1, 1]
func.func @n83(%x: tensor<3x83xcomplex<f64>>) -> tensor<3x83xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<3x83xcomplex<f64>>
  return %y : tensor<3x83xcomplex<f64>>
}
