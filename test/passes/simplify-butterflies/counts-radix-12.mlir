// Radix 12: 96 additions, 16 multiplications; with FMA 72, 0 and 24 FMAs.
// RUN: weft-opt %s --simplify-butterflies -o %t && FileCheck %s --check-prefix=ADD < %t && FileCheck %s --check-prefix=MUL < %t
// RUN: sed "s/fma = false/fma = true/" %s | weft-opt - --simplify-butterflies -o %t && FileCheck %s --check-prefix=FADD < %t && FileCheck %s --check-prefix=FMUL < %t && FileCheck %s --check-prefix=FMA < %t

// ADD-LABEL: func.func @radix12(
// ADD-COUNT-96: arith.{{addf|subf}}
// ADD-NOT: arith.{{addf|subf}}
// MUL-LABEL: func.func @radix12(
// MUL-COUNT-16: arith.mulf
// MUL-NOT: arith.mulf
// FADD-LABEL: func.func @radix12(
// FADD-COUNT-72: arith.{{addf|subf}}
// FADD-NOT: arith.{{addf|subf}}
// FMUL-LABEL: func.func @radix12(
// FMUL-NOT: arith.mulf
// FMA-LABEL: func.func @radix12(
// FMA-COUNT-24: math.fma
// FMA-NOT: math.fma
module attributes {weft.target = {name = "test", fma = false}} {
func.func @radix12(%x: tensor<12xcomplex<f64>>) -> tensor<12xcomplex<f64>> {
  %y = weft.butterfly %x axis 0 radix 12 done 1 sign -1 : tensor<12xcomplex<f64>>
  return %y : tensor<12xcomplex<f64>>
}
}
