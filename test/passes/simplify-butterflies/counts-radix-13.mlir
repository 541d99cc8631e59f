// Radix 13: 192 additions, 144 multiplications; with FMA 60, 12 and 132 FMAs.
// RUN: weft-opt %s --simplify-butterflies -o %t && FileCheck %s --check-prefix=ADD < %t && FileCheck %s --check-prefix=MUL < %t
// RUN: sed "s/fma = false/fma = true/" %s | weft-opt - --simplify-butterflies -o %t && FileCheck %s --check-prefix=FADD < %t && FileCheck %s --check-prefix=FMUL < %t && FileCheck %s --check-prefix=FMA < %t

// ADD-LABEL: func.func @radix13(
// ADD-COUNT-192: arith.{{addf|subf}}
// ADD-NOT: arith.{{addf|subf}}
// MUL-LABEL: func.func @radix13(
// MUL-COUNT-144: arith.mulf
// MUL-NOT: arith.mulf
// FADD-LABEL: func.func @radix13(
// FADD-COUNT-60: arith.{{addf|subf}}
// FADD-NOT: arith.{{addf|subf}}
// FMUL-LABEL: func.func @radix13(
// FMUL-COUNT-12: arith.mulf
// FMUL-NOT: arith.mulf
// FMA-LABEL: func.func @radix13(
// FMA-COUNT-132: math.fma
// FMA-NOT: math.fma
module attributes {weft.target = {name = "test", fma = false}} {
func.func @radix13(%x: tensor<13xcomplex<f64>>) -> tensor<13xcomplex<f64>> {
  %y = weft.butterfly %x axis 0 radix 13 done 1 sign -1 : tensor<13xcomplex<f64>>
  return %y : tensor<13xcomplex<f64>>
}
}
