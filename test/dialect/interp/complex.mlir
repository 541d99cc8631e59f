// RUN: weft-interp %s | FileCheck %s

// CHECK: result0: complex128 = (-5, 10)
// CHECK-NEXT: result1: complex128 = (3.2, 0.6)
// CHECK-NEXT: result2: float64 = 5
// CHECK-NEXT: result3: complex128 = (3, -4)
// CHECK-NEXT: result4: complex64 = (0.1, 0)
// CHECK-NEXT: result5: bool = false
func.func @f() -> (complex<f64>, complex<f64>, f64, complex<f64>, complex<f32>, i1) {
  %a = complex.constant [1.0, 2.0] : complex<f64>
  %b = complex.constant [3.0, 4.0] : complex<f64>
  %product = complex.mul %a, %b : complex<f64>
  %im = complex.im %b : complex<f64>
  %re = complex.re %b : complex<f64>
  %swapped = complex.create %im, %re : complex<f64>
  %quotient = complex.div %product, %swapped : complex<f64>
  %i = complex.constant [0.0, -1.0] : complex<f64>
  %turned = complex.mul %quotient, %i : complex<f64>
  %two = complex.constant [1.0, 1.0] : complex<f64>
  %sum = complex.add %turned, %two : complex<f64>
  %size = complex.abs %b : complex<f64>
  %mirrored = complex.conj %b : complex<f64>
  %tenth = complex.constant [0.1 : f32, 0.0 : f32] : complex<f32>
  %same = complex.eq %a, %b : complex<f64>
  return %product, %sum, %size, %mirrored, %tenth, %same
    : complex<f64>, complex<f64>, f64, complex<f64>, complex<f32>, i1
}
