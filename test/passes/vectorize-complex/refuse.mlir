// RUN: cat %target_avx512 %s | weft-opt - --vectorize-complex --remarks-filter=vectorize-complex \
// RUN:   --remark-policy=all -verify-diagnostics
// A loop that has to stay scalar says why.

module attributes {weft.target = #target} {
func.func @accumulates(%x: memref<16xf64>, %y: memref<f64>, %i0: f64) {
  // expected-remark @below {{it accumulates from one iteration to the next, in order}}
  %s = affine.for %i = 0 to 16 iter_args(%c = %i0) -> f64 {
    %v = affine.load %x[%i] : memref<16xf64>
    %n = arith.addf %c, %v : f64
    affine.yield %n : f64
  } {weft.lane}
  affine.store %s, %y[] : memref<f64>
  return
}

func.func @same_place(%x: memref<16xf64>, %y: memref<f64>) {
  // expected-remark @below {{every iteration stores to the same element}}
  affine.for %i = 0 to 16 {
    %v = affine.load %x[%i] : memref<16xf64>
    affine.store %v, %y[] : memref<f64>
  } {weft.lane}
  return
}

func.func @both_sides_apart(%x: memref<16x3xf64>, %y: memref<16x3xf64>) {
  // expected-remark @below {{most of its operations have no vector form}}
  affine.for %i = 0 to 16 {
    %v = affine.load %x[%i, 0] : memref<16x3xf64>
    affine.store %v, %y[%i, 1] : memref<16x3xf64>
  } {weft.lane}
  return
}

func.func @varying_bounds(%x: memref<16x16xf64>) {
  // expected-remark @below {{the bounds of a loop inside of it vary}}
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      %v = affine.load %x[%j, %i] : memref<16x16xf64>
      affine.store %v, %x[%j, %i] : memref<16x16xf64>
    }
  } {weft.lane}
  return
}
}
