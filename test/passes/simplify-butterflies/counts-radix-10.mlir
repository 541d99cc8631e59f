// Radix 10: 84 additions, 24 multiplications; with FMA 64, 8 and 20 FMAs.
// RUN: weft-opt %s --simplify-butterflies -o %t && FileCheck %s --check-prefix=ADD < %t && FileCheck %s --check-prefix=MUL < %t
// RUN: sed "s/fma = false/fma = true/" %s | weft-opt - --simplify-butterflies -o %t && FileCheck %s --check-prefix=FADD < %t && FileCheck %s --check-prefix=FMUL < %t && FileCheck %s --check-prefix=FMA < %t

// ADD-LABEL: func.func @radix10(
// ADD-COUNT-84: arith.{{addf|subf}}
// ADD-NOT: arith.{{addf|subf}}
// MUL-LABEL: func.func @radix10(
// MUL-COUNT-24: arith.mulf
// MUL-NOT: arith.mulf
// FADD-LABEL: func.func @radix10(
// FADD-COUNT-64: arith.{{addf|subf}}
// FADD-NOT: arith.{{addf|subf}}
// FMUL-LABEL: func.func @radix10(
// FMUL-COUNT-8: arith.mulf
// FMUL-NOT: arith.mulf
// FMA-LABEL: func.func @radix10(
// FMA-COUNT-20: math.fma
// FMA-NOT: math.fma
module attributes {weft.target = {name = "test", fma = false}} {
func.func @radix10(%x: tensor<10xcomplex<f64>>) -> tensor<10xcomplex<f64>> {
  %y = weft.butterfly %x axis 0 radix 10 done 1 sign -1 : tensor<10xcomplex<f64>>
  return %y : tensor<10xcomplex<f64>>
}
}
