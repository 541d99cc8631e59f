// Radix 3: 12 additions, 4 multiplications; with FMA 6, 0 and 6 FMAs.
// RUN: weft-opt %s --simplify-butterflies -o %t && FileCheck %s --check-prefix=ADD < %t && FileCheck %s --check-prefix=MUL < %t
// RUN: sed "s/fma = false/fma = true/" %s | weft-opt - --simplify-butterflies -o %t && FileCheck %s --check-prefix=FADD < %t && FileCheck %s --check-prefix=FMUL < %t && FileCheck %s --check-prefix=FMA < %t

// ADD-LABEL: func.func @radix3(
// ADD-COUNT-12: arith.{{addf|subf}}
// ADD-NOT: arith.{{addf|subf}}
// MUL-LABEL: func.func @radix3(
// MUL-COUNT-4: arith.mulf
// MUL-NOT: arith.mulf
// FADD-LABEL: func.func @radix3(
// FADD-COUNT-6: arith.{{addf|subf}}
// FADD-NOT: arith.{{addf|subf}}
// FMUL-LABEL: func.func @radix3(
// FMUL-NOT: arith.mulf
// FMA-LABEL: func.func @radix3(
// FMA-COUNT-6: math.fma
// FMA-NOT: math.fma
module attributes {weft.target = {name = "test", fma = false}} {
func.func @radix3(%x: tensor<3xcomplex<f64>>) -> tensor<3xcomplex<f64>> {
  %y = weft.butterfly %x axis 0 radix 3 done 1 sign -1 : tensor<3xcomplex<f64>>
  return %y : tensor<3xcomplex<f64>>
}
}
