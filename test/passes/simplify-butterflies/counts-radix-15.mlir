// Radix 15: 156 additions, 56 multiplications; with FMA 96, 12 and 60 FMAs.
// RUN: weft-opt %s --simplify-butterflies -o %t && FileCheck %s --check-prefix=ADD < %t && FileCheck %s --check-prefix=MUL < %t
// RUN: sed "s/fma = false/fma = true/" %s | weft-opt - --simplify-butterflies -o %t && FileCheck %s --check-prefix=FADD < %t && FileCheck %s --check-prefix=FMUL < %t && FileCheck %s --check-prefix=FMA < %t

// ADD-LABEL: func.func @radix15(
// ADD-COUNT-156: arith.{{addf|subf}}
// ADD-NOT: arith.{{addf|subf}}
// MUL-LABEL: func.func @radix15(
// MUL-COUNT-56: arith.mulf
// MUL-NOT: arith.mulf
// FADD-LABEL: func.func @radix15(
// FADD-COUNT-96: arith.{{addf|subf}}
// FADD-NOT: arith.{{addf|subf}}
// FMUL-LABEL: func.func @radix15(
// FMUL-COUNT-12: arith.mulf
// FMUL-NOT: arith.mulf
// FMA-LABEL: func.func @radix15(
// FMA-COUNT-60: math.fma
// FMA-NOT: math.fma
module attributes {weft.target = {name = "test", fma = false}} {
func.func @radix15(%x: tensor<15xcomplex<f64>>) -> tensor<15xcomplex<f64>> {
  %y = weft.butterfly %x axis 0 radix 15 done 1 sign -1 : tensor<15xcomplex<f64>>
  return %y : tensor<15xcomplex<f64>>
}
}
