// RUN: cat %target_portable %s | weft-translate - --weft-to-c | FileCheck %s

// Names of the source, kept clear of C's words, of each other, and of what C cannot spell.

module attributes {weft.target = #target} {
  // CHECK: int exp_1(const double *restrict double_1, double *restrict y, void *restrict scratch)
  func.func @exp(%a: memref<4xf64> {weft.name = "double", weft.role = "in"},
                 %b: memref<4xf64> {weft.name = "y", weft.role = "out"}) {
    // CHECK: const double twice_v = double_1[0] + double_1[1];
    // CHECK: const double y_1 = twice_v * twice_v;
    // CHECK: y[0] = y_1 * y_1;
    %v = affine.load %a[0] : memref<4xf64>
    %w = affine.load %a[1] : memref<4xf64>
    %s = arith.addf %v, %w : f64 loc("twice v")
    %t = arith.mulf %s, %s : f64 loc("y")
    %u = arith.mulf %t, %t : f64
    affine.store %u, %b[0] : memref<4xf64>
    return
  }
  // What begins like Weft's own names, or those of OpenMP, has none of its names free.
  // CHECK: int nomp_f(const double *restrict nweft_x, double *restrict nweft_x_1,
  func.func @omp_f(%a: memref<1xf64> {weft.name = "weft_x", weft.role = "in"},
                   %b: memref<1xf64> {weft.name = "weft_x", weft.role = "out"}) {
    %v = affine.load %a[0] : memref<1xf64>
    affine.store %v, %b[0] : memref<1xf64>
    return
  }
  // So has what begins like the names of Athread; words of headers get a number.
  // CHECK: int nathread_spawn(const double *restrict doublev4_1, double *restrict INT32_MAX_1,
  func.func @athread_spawn(%a: memref<1xf64> {weft.name = "doublev4", weft.role = "in"},
                           %b: memref<1xf64> {weft.name = "INT32_MAX", weft.role = "out"}) {
    %v = affine.load %a[0] : memref<1xf64>
    affine.store %v, %b[0] : memref<1xf64>
    return
  }
}
