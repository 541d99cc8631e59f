// Radix 5: 32 additions, 12 multiplications; with FMA 22, 4 and 10 FMAs.
// RUN: weft-opt %s --simplify-butterflies -o %t && FileCheck %s --check-prefix=ADD < %t && FileCheck %s --check-prefix=MUL < %t
// RUN: sed "s/fma = false/fma = true/" %s | weft-opt - --simplify-butterflies -o %t && FileCheck %s --check-prefix=FADD < %t && FileCheck %s --check-prefix=FMUL < %t && FileCheck %s --check-prefix=FMA < %t

// ADD-LABEL: func.func @radix5(
// ADD-COUNT-32: arith.{{addf|subf}}
// ADD-NOT: arith.{{addf|subf}}
// MUL-LABEL: func.func @radix5(
// MUL-COUNT-12: arith.mulf
// MUL-NOT: arith.mulf
// FADD-LABEL: func.func @radix5(
// FADD-COUNT-22: arith.{{addf|subf}}
// FADD-NOT: arith.{{addf|subf}}
// FMUL-LABEL: func.func @radix5(
// FMUL-COUNT-4: arith.mulf
// FMUL-NOT: arith.mulf
// FMA-LABEL: func.func @radix5(
// FMA-COUNT-10: math.fma
// FMA-NOT: math.fma
module attributes {weft.target = {name = "test", fma = false}} {
func.func @radix5(%x: tensor<5xcomplex<f64>>) -> tensor<5xcomplex<f64>> {
  %y = weft.butterfly %x axis 0 radix 5 done 1 sign -1 : tensor<5xcomplex<f64>>
  return %y : tensor<5xcomplex<f64>>
}
}
