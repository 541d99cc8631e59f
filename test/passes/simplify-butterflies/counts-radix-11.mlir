// Radix 11: 140 additions, 100 multiplications; with FMA 50, 10 and 90 FMAs.
// RUN: weft-opt %s --simplify-butterflies -o %t && FileCheck %s --check-prefix=ADD < %t && FileCheck %s --check-prefix=MUL < %t
// RUN: sed "s/fma = false/fma = true/" %s | weft-opt - --simplify-butterflies -o %t && FileCheck %s --check-prefix=FADD < %t && FileCheck %s --check-prefix=FMUL < %t && FileCheck %s --check-prefix=FMA < %t

// ADD-LABEL: func.func @radix11(
// ADD-COUNT-140: arith.{{addf|subf}}
// ADD-NOT: arith.{{addf|subf}}
// MUL-LABEL: func.func @radix11(
// MUL-COUNT-100: arith.mulf
// MUL-NOT: arith.mulf
// FADD-LABEL: func.func @radix11(
// FADD-COUNT-50: arith.{{addf|subf}}
// FADD-NOT: arith.{{addf|subf}}
// FMUL-LABEL: func.func @radix11(
// FMUL-COUNT-10: arith.mulf
// FMUL-NOT: arith.mulf
// FMA-LABEL: func.func @radix11(
// FMA-COUNT-90: math.fma
// FMA-NOT: math.fma
module attributes {weft.target = {name = "test", fma = false}} {
func.func @radix11(%x: tensor<11xcomplex<f64>>) -> tensor<11xcomplex<f64>> {
  %y = weft.butterfly %x axis 0 radix 11 done 1 sign -1 : tensor<11xcomplex<f64>>
  return %y : tensor<11xcomplex<f64>>
}
}
