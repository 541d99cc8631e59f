// Radix 14: 148 additions, 72 multiplications; with FMA 88, 12 and 60 FMAs.
// RUN: weft-opt %s --simplify-butterflies -o %t && FileCheck %s --check-prefix=ADD < %t && FileCheck %s --check-prefix=MUL < %t
// RUN: sed "s/fma = false/fma = true/" %s | weft-opt - --simplify-butterflies -o %t && FileCheck %s --check-prefix=FADD < %t && FileCheck %s --check-prefix=FMUL < %t && FileCheck %s --check-prefix=FMA < %t

// ADD-LABEL: func.func @radix14(
// ADD-COUNT-148: arith.{{addf|subf}}
// ADD-NOT: arith.{{addf|subf}}
// MUL-LABEL: func.func @radix14(
// MUL-COUNT-72: arith.mulf
// MUL-NOT: arith.mulf
// FADD-LABEL: func.func @radix14(
// FADD-COUNT-88: arith.{{addf|subf}}
// FADD-NOT: arith.{{addf|subf}}
// FMUL-LABEL: func.func @radix14(
// FMUL-COUNT-12: arith.mulf
// FMUL-NOT: arith.mulf
// FMA-LABEL: func.func @radix14(
// FMA-COUNT-60: math.fma
// FMA-NOT: math.fma
module attributes {weft.target = {name = "test", fma = false}} {
func.func @radix14(%x: tensor<14xcomplex<f64>>) -> tensor<14xcomplex<f64>> {
  %y = weft.butterfly %x axis 0 radix 14 done 1 sign -1 : tensor<14xcomplex<f64>>
  return %y : tensor<14xcomplex<f64>>
}
}
