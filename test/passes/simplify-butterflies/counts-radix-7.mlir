// Radix 7: 60 additions, 36 multiplications; with FMA 30, 6 and 30 FMAs.
// RUN: weft-opt %s --simplify-butterflies -o %t && FileCheck %s --check-prefix=ADD < %t && FileCheck %s --check-prefix=MUL < %t
// RUN: sed "s/fma = false/fma = true/" %s | weft-opt - --simplify-butterflies -o %t && FileCheck %s --check-prefix=FADD < %t && FileCheck %s --check-prefix=FMUL < %t && FileCheck %s --check-prefix=FMA < %t

// ADD-LABEL: func.func @radix7(
// ADD-COUNT-60: arith.{{addf|subf}}
// ADD-NOT: arith.{{addf|subf}}
// MUL-LABEL: func.func @radix7(
// MUL-COUNT-36: arith.mulf
// MUL-NOT: arith.mulf
// FADD-LABEL: func.func @radix7(
// FADD-COUNT-30: arith.{{addf|subf}}
// FADD-NOT: arith.{{addf|subf}}
// FMUL-LABEL: func.func @radix7(
// FMUL-COUNT-6: arith.mulf
// FMUL-NOT: arith.mulf
// FMA-LABEL: func.func @radix7(
// FMA-COUNT-30: math.fma
// FMA-NOT: math.fma
module attributes {weft.target = {name = "test", fma = false}} {
func.func @radix7(%x: tensor<7xcomplex<f64>>) -> tensor<7xcomplex<f64>> {
  %y = weft.butterfly %x axis 0 radix 7 done 1 sign -1 : tensor<7xcomplex<f64>>
  return %y : tensor<7xcomplex<f64>>
}
}
