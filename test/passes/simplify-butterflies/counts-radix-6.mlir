// Radix 6: 36 additions, 8 multiplications; with FMA 24, 0 and 12 FMAs.
// RUN: weft-opt %s --simplify-butterflies -o %t && FileCheck %s --check-prefix=ADD < %t && FileCheck %s --check-prefix=MUL < %t
// RUN: sed "s/fma = false/fma = true/" %s | weft-opt - --simplify-butterflies -o %t && FileCheck %s --check-prefix=FADD < %t && FileCheck %s --check-prefix=FMUL < %t && FileCheck %s --check-prefix=FMA < %t

// ADD-LABEL: func.func @radix6(
// ADD-COUNT-36: arith.{{addf|subf}}
// ADD-NOT: arith.{{addf|subf}}
// MUL-LABEL: func.func @radix6(
// MUL-COUNT-8: arith.mulf
// MUL-NOT: arith.mulf
// FADD-LABEL: func.func @radix6(
// FADD-COUNT-24: arith.{{addf|subf}}
// FADD-NOT: arith.{{addf|subf}}
// FMUL-LABEL: func.func @radix6(
// FMUL-NOT: arith.mulf
// FMA-LABEL: func.func @radix6(
// FMA-COUNT-12: math.fma
// FMA-NOT: math.fma
module attributes {weft.target = {name = "test", fma = false}} {
func.func @radix6(%x: tensor<6xcomplex<f64>>) -> tensor<6xcomplex<f64>> {
  %y = weft.butterfly %x axis 0 radix 6 done 1 sign -1 : tensor<6xcomplex<f64>>
  return %y : tensor<6xcomplex<f64>>
}
}
