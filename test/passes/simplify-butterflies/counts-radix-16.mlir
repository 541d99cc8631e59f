// Radix 16: 144 additions, 24 multiplications; with FMA 124, 10 and 20 FMAs.
// RUN: weft-opt %s --simplify-butterflies -o %t && FileCheck %s --check-prefix=ADD < %t && FileCheck %s --check-prefix=MUL < %t
// RUN: sed "s/fma = false/fma = true/" %s | weft-opt - --simplify-butterflies -o %t && FileCheck %s --check-prefix=FADD < %t && FileCheck %s --check-prefix=FMUL < %t && FileCheck %s --check-prefix=FMA < %t

// ADD-LABEL: func.func @radix16(
// ADD-COUNT-144: arith.{{addf|subf}}
// ADD-NOT: arith.{{addf|subf}}
// MUL-LABEL: func.func @radix16(
// MUL-COUNT-24: arith.mulf
// MUL-NOT: arith.mulf
// FADD-LABEL: func.func @radix16(
// FADD-COUNT-124: arith.{{addf|subf}}
// FADD-NOT: arith.{{addf|subf}}
// FMUL-LABEL: func.func @radix16(
// FMUL-COUNT-10: arith.mulf
// FMUL-NOT: arith.mulf
// FMA-LABEL: func.func @radix16(
// FMA-COUNT-20: math.fma
// FMA-NOT: math.fma
module attributes {weft.target = {name = "test", fma = false}} {
func.func @radix16(%x: tensor<16xcomplex<f64>>) -> tensor<16xcomplex<f64>> {
  %y = weft.butterfly %x axis 0 radix 16 done 1 sign -1 : tensor<16xcomplex<f64>>
  return %y : tensor<16xcomplex<f64>>
}
}
