// What each core of a line has from element 4 on, one behind the other, is with every core.
// RUN: weft-interp %s --entry f | FileCheck %s

// Element 7 of the core at place 9, which is in row 1 and column 1 of the array, is 1107.
// CHECK: result0: float64 = 1107
// CHECK-NEXT: result1: float64 = 4
func.func @f() -> (f64, f64) {
  %out = memref.alloc() : memref<2xf64>
  cpe.cores {
    %a = cpe.spread : memref<8x8x8xf64>
    %all = memref.alloca() : memref<64xf64>
    affine.for %r = 0 to 8 {
      affine.for %c = 0 to 8 {
        affine.for %n = 0 to 8 {
          %v = affine.apply affine_map<(r, c, n) -> (r * 1000 + c * 100 + n)>(%r, %c, %n)
          %i = arith.index_cast %v : index to i64
          %x = arith.sitofp %i : i64 to f64
          affine.store %x, %a[%r, %c, %n] : memref<8x8x8xf64>
        }
      } {weft.parallel}
    } {weft.parallel}
    cpe.collect %a first 4 elements 4 cores 13 columns 8, %all : memref<8x8x8xf64>, memref<64xf64>
    %x = affine.load %all[39] : memref<64xf64>
    affine.store %x, %out[0] : memref<2xf64>
    %y = affine.load %all[0] : memref<64xf64>
    affine.store %y, %out[1] : memref<2xf64>
  }
  %p = affine.load %out[0] : memref<2xf64>
  %q = affine.load %out[1] : memref<2xf64>
  return %p, %q : f64, f64
}
