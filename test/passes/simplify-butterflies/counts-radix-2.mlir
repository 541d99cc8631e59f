// Radix 2: 4 additions, 0 multiplications; with FMA 4, 0 and 0 FMAs.
// RUN: weft-opt %s --simplify-butterflies -o %t && FileCheck %s --check-prefix=ADD < %t && FileCheck %s --check-prefix=MUL < %t
// RUN: sed "s/fma = false/fma = true/" %s | weft-opt - --simplify-butterflies -o %t && FileCheck %s --check-prefix=FADD < %t && FileCheck %s --check-prefix=FMUL < %t && FileCheck %s --check-prefix=FMA < %t

// ADD-LABEL: func.func @radix2(
// ADD-COUNT-4: arith.{{addf|subf}}
// ADD-NOT: arith.{{addf|subf}}
// MUL-LABEL: func.func @radix2(
// MUL-NOT: arith.mulf
// FADD-LABEL: func.func @radix2(
// FADD-COUNT-4: arith.{{addf|subf}}
// FADD-NOT: arith.{{addf|subf}}
// FMUL-LABEL: func.func @radix2(
// FMUL-NOT: arith.mulf
// FMA-LABEL: func.func @radix2(
// FMA-NOT: math.fma
module attributes {weft.target = {name = "test", fma = false}} {
func.func @radix2(%x: tensor<2xcomplex<f64>>) -> tensor<2xcomplex<f64>> {
  %y = weft.butterfly %x axis 0 radix 2 done 1 sign -1 : tensor<2xcomplex<f64>>
  return %y : tensor<2xcomplex<f64>>
}
}
