// Radix 9: 80 additions, 40 multiplications; with FMA 36, 8 and 44 FMAs.
// RUN: weft-opt %s --simplify-butterflies -o %t && FileCheck %s --check-prefix=ADD < %t && FileCheck %s --check-prefix=MUL < %t
// RUN: sed "s/fma = false/fma = true/" %s | weft-opt - --simplify-butterflies -o %t && FileCheck %s --check-prefix=FADD < %t && FileCheck %s --check-prefix=FMUL < %t && FileCheck %s --check-prefix=FMA < %t

// ADD-LABEL: func.func @radix9(
// ADD-COUNT-80: arith.{{addf|subf}}
// ADD-NOT: arith.{{addf|subf}}
// MUL-LABEL: func.func @radix9(
// MUL-COUNT-40: arith.mulf
// MUL-NOT: arith.mulf
// FADD-LABEL: func.func @radix9(
// FADD-COUNT-36: arith.{{addf|subf}}
// FADD-NOT: arith.{{addf|subf}}
// FMUL-LABEL: func.func @radix9(
// FMUL-COUNT-8: arith.mulf
// FMUL-NOT: arith.mulf
// FMA-LABEL: func.func @radix9(
// FMA-COUNT-44: math.fma
// FMA-NOT: math.fma
module attributes {weft.target = {name = "test", fma = false}} {
func.func @radix9(%x: tensor<9xcomplex<f64>>) -> tensor<9xcomplex<f64>> {
  %y = weft.butterfly %x axis 0 radix 9 done 1 sign -1 : tensor<9xcomplex<f64>>
  return %y : tensor<9xcomplex<f64>>
}
}
