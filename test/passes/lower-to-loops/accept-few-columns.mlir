// RUN: cat %target_avx512 %s | weft-opt - --lower-to-loops | FileCheck %s
// RUN: cat %target_avx2 %s | weft-opt - --lower-to-loops | FileCheck %s --check-prefix=PLAIN
// Three complex numbers side by side are lanes where vectors may leave out elements, but not where
// another index has enough.

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @three
// CHECK:         affine.for %{{.*}} = 0 to 5 {
// CHECK:           affine.for %{{.*}} = 0 to 3 {
// CHECK:           } {{.*}}weft.lane
// PLAIN-LABEL: func.func @three
// PLAIN-NOT:     weft.lane
// PLAIN:         return
func.func @three(%x: tensor<5x3xcomplex<f32>>) -> tensor<5x3xcomplex<f32>> {
  %y = weft.map [0, 0] to [5, 3] stores [affine_map<(i, j) -> (i, j)>] {
  ^bb0(%i: index, %j: index):
    %a = tensor.extract %x[%i, %j] : tensor<5x3xcomplex<f32>>
    %re = complex.re %a : complex<f32>
    %im = complex.im %a : complex<f32>
    %b = complex.create %im, %re : complex<f32>
    weft.yield %b : complex<f32>
  } : tensor<5x3xcomplex<f32>>
  return %y : tensor<5x3xcomplex<f32>>
}
}
