// RUN: cat %target_avx512 %s | weft-opt - --fuse --remarks-filter=fuse --remark-policy=all 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=NOTE < %t
// RUN: cat %target_sw26010 %s | weft-opt - --fuse | FileCheck %s --check-prefix=CORES
// Vectors of a transform whose stages go along the line are of complex numbers side by side: what the line is made of
// by real numbers is computed before. Cores with memory of their own compute it where it is read if they have no room
// for a whole line.

// NOTE: rejected {{.*}}What="{{.*}} in one loop with {{.*}}, which reads it", Why="vectors of complex numbers go along the line, which it makes of real ones"
// NOTE: decided {{.*}}Why="each of its elements is read at most once"

#0 = affine_map<(b, p, q) -> (b, 4 * p)>
#1 = affine_map<(b, p, q) -> (b, 4 * p + 1)>
#2 = affine_map<(b, p, q) -> (b, 4 * p + 2)>
#3 = affine_map<(b, p, q) -> (b, 4 * p + 3)>
#q0 = affine_map<(b, p, q) -> (b, q)>
#q1 = affine_map<(b, p, q) -> (b, q + 4)>
#q2 = affine_map<(b, p, q) -> (b, q + 8)>
#q3 = affine_map<(b, p, q) -> (b, q + 12)>
#r0 = affine_map<(b, p, q) -> (b, q)>
#r1 = affine_map<(b, p, q) -> (b, q + 1024)>
#r2 = affine_map<(b, p, q) -> (b, q + 2048)>
#r3 = affine_map<(b, p, q) -> (b, q + 3072)>
module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @windowed
// CHECK:       weft.map [0, 0] to [8, 16]
// CHECK:       weft.map [0, 0, 0] to [8, 4, 1]
// CHECK-NOT:     arith.mulf
// CHECK-LABEL: func.func @of_complex
// CHECK-NOT:   weft.map [0, 0] to [8, 16]
// CHECK-LABEL: func.func @too_long
// CHECK:       weft.map [0, 0] to [8, 4096]
// CORES-LABEL: func.func @windowed
// CORES:       weft.map [0, 0] to [8, 16]
// CORES:       weft.map [0, 0, 0] to [8, 4, 1]
// CORES-NOT:     arith.mulf
// CORES-LABEL: func.func @of_complex
// CORES-NOT:   weft.map [0, 0] to [8, 16]
// CORES-LABEL: func.func @too_long
// CORES-NOT:   weft.map [0, 0] to [8, 4096]
func.func @windowed(%x: tensor<8x16xcomplex<f64>>, %w: tensor<16xf64>) -> tensor<8x16xcomplex<f64>> {
  %a = weft.map [0, 0] to [8, 16] stores [affine_map<(b, i) -> (b, i)>] {
  ^bb0(%b: index, %i: index):
    %v = tensor.extract %x[%b, %i] : tensor<8x16xcomplex<f64>>
    %f = tensor.extract %w[%i] : tensor<16xf64>
    %re = complex.re %v : complex<f64>
    %im = complex.im %v : complex<f64>
    %p = arith.mulf %re, %f : f64
    %q = arith.mulf %im, %f : f64
    %z = complex.create %p, %q : complex<f64>
    weft.yield %z : complex<f64>
  } : tensor<8x16xcomplex<f64>>
  %s = weft.map [0, 0, 0] to [8, 4, 1] stores [#0, #1, #2, #3] attributes {weft.group = 0 : i64, weft.lines = 1 : i64} {
  ^bb0(%b: index, %p: index, %q: index):
    %p1 = affine.apply affine_map<(p) -> (p + 4)>(%p)
    %p2 = affine.apply affine_map<(p) -> (p + 8)>(%p)
    %p3 = affine.apply affine_map<(p) -> (p + 12)>(%p)
    %v0 = tensor.extract %a[%b, %p] : tensor<8x16xcomplex<f64>>
    %v1 = tensor.extract %a[%b, %p1] : tensor<8x16xcomplex<f64>>
    %v2 = tensor.extract %a[%b, %p2] : tensor<8x16xcomplex<f64>>
    %v3 = tensor.extract %a[%b, %p3] : tensor<8x16xcomplex<f64>>
    weft.yield %v0, %v1, %v2, %v3 : complex<f64>, complex<f64>, complex<f64>, complex<f64>
  } : tensor<8x16xcomplex<f64>>
  %t = weft.map [0, 0, 0] to [8, 1, 4] stores [#q0, #q1, #q2, #q3] attributes {weft.group = 0 : i64, weft.lines = 1 : i64} {
  ^bb0(%b: index, %p: index, %q: index):
    %q1 = affine.apply affine_map<(q) -> (q + 4)>(%q)
    %q2 = affine.apply affine_map<(q) -> (q + 8)>(%q)
    %q3 = affine.apply affine_map<(q) -> (q + 12)>(%q)
    %v0 = tensor.extract %s[%b, %q] : tensor<8x16xcomplex<f64>>
    %v1 = tensor.extract %s[%b, %q1] : tensor<8x16xcomplex<f64>>
    %v2 = tensor.extract %s[%b, %q2] : tensor<8x16xcomplex<f64>>
    %v3 = tensor.extract %s[%b, %q3] : tensor<8x16xcomplex<f64>>
    weft.yield %v0, %v1, %v2, %v3 : complex<f64>, complex<f64>, complex<f64>, complex<f64>
  } : tensor<8x16xcomplex<f64>>
  return %t : tensor<8x16xcomplex<f64>>
}
func.func @of_complex(%x: tensor<8x16xcomplex<f64>>, %w: tensor<16xcomplex<f64>>) -> tensor<8x16xcomplex<f64>> {
  %a = weft.map [0, 0] to [8, 16] stores [affine_map<(b, i) -> (b, i)>] {
  ^bb0(%b: index, %i: index):
    %v = tensor.extract %x[%b, %i] : tensor<8x16xcomplex<f64>>
    %f = tensor.extract %w[%i] : tensor<16xcomplex<f64>>
    %z = complex.mul %v, %f : complex<f64>
    weft.yield %z : complex<f64>
  } : tensor<8x16xcomplex<f64>>
  %s = weft.map [0, 0, 0] to [8, 4, 1] stores [#0, #1, #2, #3] attributes {weft.group = 0 : i64, weft.lines = 1 : i64} {
  ^bb0(%b: index, %p: index, %q: index):
    %p1 = affine.apply affine_map<(p) -> (p + 4)>(%p)
    %p2 = affine.apply affine_map<(p) -> (p + 8)>(%p)
    %p3 = affine.apply affine_map<(p) -> (p + 12)>(%p)
    %v0 = tensor.extract %a[%b, %p] : tensor<8x16xcomplex<f64>>
    %v1 = tensor.extract %a[%b, %p1] : tensor<8x16xcomplex<f64>>
    %v2 = tensor.extract %a[%b, %p2] : tensor<8x16xcomplex<f64>>
    %v3 = tensor.extract %a[%b, %p3] : tensor<8x16xcomplex<f64>>
    weft.yield %v0, %v1, %v2, %v3 : complex<f64>, complex<f64>, complex<f64>, complex<f64>
  } : tensor<8x16xcomplex<f64>>
  %t = weft.map [0, 0, 0] to [8, 1, 4] stores [#q0, #q1, #q2, #q3] attributes {weft.group = 0 : i64, weft.lines = 1 : i64} {
  ^bb0(%b: index, %p: index, %q: index):
    %q1 = affine.apply affine_map<(q) -> (q + 4)>(%q)
    %q2 = affine.apply affine_map<(q) -> (q + 8)>(%q)
    %q3 = affine.apply affine_map<(q) -> (q + 12)>(%q)
    %v0 = tensor.extract %s[%b, %q] : tensor<8x16xcomplex<f64>>
    %v1 = tensor.extract %s[%b, %q1] : tensor<8x16xcomplex<f64>>
    %v2 = tensor.extract %s[%b, %q2] : tensor<8x16xcomplex<f64>>
    %v3 = tensor.extract %s[%b, %q3] : tensor<8x16xcomplex<f64>>
    weft.yield %v0, %v1, %v2, %v3 : complex<f64>, complex<f64>, complex<f64>, complex<f64>
  } : tensor<8x16xcomplex<f64>>
  return %t : tensor<8x16xcomplex<f64>>
}
func.func @too_long(%x: tensor<8x4096xcomplex<f64>>, %w: tensor<4096xf64>) -> tensor<8x4096xcomplex<f64>> {
  %a = weft.map [0, 0] to [8, 4096] stores [affine_map<(b, i) -> (b, i)>] {
  ^bb0(%b: index, %i: index):
    %v = tensor.extract %x[%b, %i] : tensor<8x4096xcomplex<f64>>
    %f = tensor.extract %w[%i] : tensor<4096xf64>
    %re = complex.re %v : complex<f64>
    %im = complex.im %v : complex<f64>
    %p = arith.mulf %re, %f : f64
    %q = arith.mulf %im, %f : f64
    %z = complex.create %p, %q : complex<f64>
    weft.yield %z : complex<f64>
  } : tensor<8x4096xcomplex<f64>>
  %s = weft.map [0, 0, 0] to [8, 1024, 1] stores [#0, #1, #2, #3] attributes {weft.group = 0 : i64, weft.lines = 1 : i64} {
  ^bb0(%b: index, %p: index, %q: index):
    %p1 = affine.apply affine_map<(p) -> (p + 1024)>(%p)
    %p2 = affine.apply affine_map<(p) -> (p + 2048)>(%p)
    %p3 = affine.apply affine_map<(p) -> (p + 3072)>(%p)
    %v0 = tensor.extract %a[%b, %p] : tensor<8x4096xcomplex<f64>>
    %v1 = tensor.extract %a[%b, %p1] : tensor<8x4096xcomplex<f64>>
    %v2 = tensor.extract %a[%b, %p2] : tensor<8x4096xcomplex<f64>>
    %v3 = tensor.extract %a[%b, %p3] : tensor<8x4096xcomplex<f64>>
    weft.yield %v0, %v1, %v2, %v3 : complex<f64>, complex<f64>, complex<f64>, complex<f64>
  } : tensor<8x4096xcomplex<f64>>
  %t = weft.map [0, 0, 0] to [8, 1, 1024] stores [#r0, #r1, #r2, #r3] attributes {weft.group = 0 : i64, weft.lines = 1 : i64} {
  ^bb0(%b: index, %p: index, %q: index):
    %q1 = affine.apply affine_map<(q) -> (q + 1024)>(%q)
    %q2 = affine.apply affine_map<(q) -> (q + 2048)>(%q)
    %q3 = affine.apply affine_map<(q) -> (q + 3072)>(%q)
    %v0 = tensor.extract %s[%b, %q] : tensor<8x4096xcomplex<f64>>
    %v1 = tensor.extract %s[%b, %q1] : tensor<8x4096xcomplex<f64>>
    %v2 = tensor.extract %s[%b, %q2] : tensor<8x4096xcomplex<f64>>
    %v3 = tensor.extract %s[%b, %q3] : tensor<8x4096xcomplex<f64>>
    weft.yield %v0, %v1, %v2, %v3 : complex<f64>, complex<f64>, complex<f64>, complex<f64>
  } : tensor<8x4096xcomplex<f64>>
  return %t : tensor<8x4096xcomplex<f64>>
}
}
