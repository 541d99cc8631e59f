// Radix 8: 52 additions, 4 multiplications; with FMA 44, 0 and 8 FMAs.
// RUN: weft-opt %s --simplify-butterflies -o %t && FileCheck %s --check-prefix=ADD < %t && FileCheck %s --check-prefix=MUL < %t
// RUN: sed "s/fma = false/fma = true/" %s | weft-opt - --simplify-butterflies -o %t && FileCheck %s --check-prefix=FADD < %t && FileCheck %s --check-prefix=FMUL < %t && FileCheck %s --check-prefix=FMA < %t

// ADD-LABEL: func.func @radix8(
// ADD-COUNT-52: arith.{{addf|subf}}
// ADD-NOT: arith.{{addf|subf}}
// MUL-LABEL: func.func @radix8(
// MUL-COUNT-4: arith.mulf
// MUL-NOT: arith.mulf
// FADD-LABEL: func.func @radix8(
// FADD-COUNT-44: arith.{{addf|subf}}
// FADD-NOT: arith.{{addf|subf}}
// FMUL-LABEL: func.func @radix8(
// FMUL-NOT: arith.mulf
// FMA-LABEL: func.func @radix8(
// FMA-COUNT-8: math.fma
// FMA-NOT: math.fma
module attributes {weft.target = {name = "test", fma = false}} {
func.func @radix8(%x: tensor<8xcomplex<f64>>) -> tensor<8xcomplex<f64>> {
  %y = weft.butterfly %x axis 0 radix 8 done 1 sign -1 : tensor<8xcomplex<f64>>
  return %y : tensor<8xcomplex<f64>>
}
}
