// Lines that pass through one butterfly are no blocks: vectors lie across them, and turn them in registers.
// RUN: cat %target_avx512 %s | weft-opt - --tile-for-ldm | FileCheck %s
// RUN: cat %target_portable %s | weft-opt - --tile-for-ldm | FileCheck %s --check-prefix=PACKED

// CHECK-LABEL: func.func @pairs
// CHECK-NOT:     weft.blocks
// CHECK:         weft.map [0, 0, 0] to [3, 20, 1] {{.*}}weft.lane_index = 1
// A vector of 128 bits holds one complex number: lines are packed.
// PACKED-LABEL: func.func @pairs
// PACKED:         weft.blocks
module attributes {weft.target = #target} {
func.func @pairs(%x: tensor<3x20x2xcomplex<f64>>) -> tensor<3x20x2xcomplex<f64>> {
  %y = weft.map [0, 0, 0] to [3, 20, 1] stores [affine_map<(r, s, p) -> (r, s, 2 * p)>, affine_map<(r, s, p) -> (r, s, 2 * p + 1)>] attributes {weft.group = 0 : i64, weft.lines = 2 : i64} {
  ^bb0(%r: index, %s: index, %p: index):
    %q = affine.apply affine_map<(p) -> (p + 1)>(%p)
    %v = tensor.extract %x[%r, %s, %p] : tensor<3x20x2xcomplex<f64>>
    %w = tensor.extract %x[%r, %s, %q] : tensor<3x20x2xcomplex<f64>>
    %vr = complex.re %v : complex<f64>
    %vi = complex.im %v : complex<f64>
    %wr = complex.re %w : complex<f64>
    %wi = complex.im %w : complex<f64>
    %ar = arith.addf %vr, %wr : f64
    %ai = arith.addf %vi, %wi : f64
    %br = arith.subf %vr, %wr : f64
    %bi = arith.subf %vi, %wi : f64
    %a = complex.create %ar, %ai : complex<f64>
    %b = complex.create %br, %bi : complex<f64>
    weft.yield %a, %b : complex<f64>, complex<f64>
  } : tensor<3x20x2xcomplex<f64>>
  return %y : tensor<3x20x2xcomplex<f64>>
}

// A neighbour computes what vectors of complex numbers do not: lines are packed.
// CHECK-LABEL: func.func @magnitudes
// CHECK:         weft.blocks
func.func @magnitudes(%x: tensor<20x2xcomplex<f64>>) -> tensor<20x2xcomplex<f64>> {
  %y = weft.map [0, 0] to [20, 1] stores [affine_map<(s, p) -> (s, 2 * p)>, affine_map<(s, p) -> (s, 2 * p + 1)>] attributes {weft.group = 0 : i64, weft.lines = 1 : i64} {
  ^bb0(%s: index, %p: index):
    %q = affine.apply affine_map<(p) -> (p + 1)>(%p)
    %v = tensor.extract %x[%s, %p] : tensor<20x2xcomplex<f64>>
    %w = tensor.extract %x[%s, %q] : tensor<20x2xcomplex<f64>>
    %vr = complex.re %v : complex<f64>
    %wr = complex.re %w : complex<f64>
    %e = math.exp %vr : f64
    %ar = arith.addf %e, %wr : f64
    %br = arith.subf %e, %wr : f64
    %a = complex.create %ar, %ar : complex<f64>
    %b = complex.create %br, %br : complex<f64>
    weft.yield %a, %b : complex<f64>, complex<f64>
  } : tensor<20x2xcomplex<f64>>
  return %y : tensor<20x2xcomplex<f64>>
}
}
