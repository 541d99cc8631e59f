// Maps that fill one result together, and read what more than one stage before has given, stay in one block.
// RUN: cat %target_avx512 %s | weft-opt - --factor-transform --simplify-butterflies --tile-for-ldm | FileCheck %s

// CHECK-LABEL: func.func @n37(
// CHECK:         weft.blocks
// CHECK-COUNT-9:   weft.map
// CHECK-NOT:       weft.map
// CHECK:         return
module attributes {weft.target = #target} {
func.func @n37(%x: tensor<16x37xcomplex<f64>>) -> tensor<16x37xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<16x37xcomplex<f64>>
  return %y : tensor<16x37xcomplex<f64>>
}
}
