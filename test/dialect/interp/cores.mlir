// Transfers move what they say; one core does all of what the cores share out.
// RUN: weft-interp %s | FileCheck %s

// CHECK: result0: float64 = 9
// CHECK-NEXT: result1: float64 = 22
// CHECK-NEXT: result2: float64 = 10
// CHECK-NEXT: result3: float64 = 13
func.func @f() -> (f64, f64, f64, f64) {
  %x = memref.alloc() : memref<4x8xf64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      %n = affine.apply affine_map<(i, j) -> (i * 8 + j)>(%i, %j)
      %k = arith.index_cast %n : index to i64
      %v = arith.sitofp %k : i64 to f64
      affine.store %v, %x[%i, %j] : memref<4x8xf64>
    }
  }
  %y = memref.alloc() : memref<6xf64>
  cpe.cores {
    affine.for %t = 0 to 1 {
      %a = memref.alloca() : memref<6xf64>
      cpe.dma_get %x[%c1], %a block 2 counts [3] strides [8] : memref<4x8xf64>, memref<6xf64>
      cpe.dma_wait
      affine.for %i = 0 to 6 {
        %v = affine.load %a[%i] : memref<6xf64>
        %two = arith.constant 4.0 : f64
        %w = arith.addf %v, %two : f64
        affine.store %w, %a[%i] : memref<6xf64>
      }
      cpe.dma_put %a, %y[%c0] block 6 counts [] strides [] : memref<6xf64>, memref<6xf64>
      cpe.dma_wait
    } {weft.parallel}
    cpe.sync
  }
  // Rows of two elements to the second and the fifth place on: 0 1 2 0 9 10.
  %z = memref.alloc() : memref<6xf64>
  cpe.cores {
    affine.for %t = 0 to 1 {
      %a = memref.alloca() : memref<6xf64>
      %zero = arith.constant 0.0 : f64
      affine.for %i = 0 to 6 {
        affine.store %zero, %a[%i] : memref<6xf64>
      }
      cpe.dma_get %x[%c1], %a[%c1] block 2 counts [2] strides [8] pitches [3] : memref<4x8xf64>, memref<6xf64>
      cpe.dma_wait
      cpe.dma_put %a, %z[%c0] block 6 counts [] strides [] : memref<6xf64>, memref<6xf64>
      cpe.dma_wait
    } {weft.parallel}
    cpe.sync
  }
  // The last two of every three of nine elements, to two rows: 12 and 13 of the second row are the
  // second and the third of the second three.
  %u = memref.alloc() : memref<2x2xf64>
  cpe.cores {
    affine.for %t = 0 to 1 {
      %a = memref.alloca() : memref<9xf64>
      affine.for %i = 0 to 9 {
        %k = arith.index_cast %i : index to i64
        %v = arith.sitofp %k : i64 to f64
        %eight = arith.constant 8.0 : f64
        %w = arith.addf %v, %eight : f64
        affine.store %w, %a[%i] : memref<9xf64>
      }
      cpe.dma_put %a[%c1], %u[%c0] block 2 counts [2] strides [2] pitches [3] : memref<9xf64>, memref<2x2xf64>
      cpe.dma_wait
    } {weft.parallel}
    cpe.sync
  }
  %p = memref.load %y[%c0] : memref<6xf64>
  %four = arith.constant 4.0 : f64
  %r0 = arith.addf %p, %four : f64
  %r1 = affine.load %y[5] : memref<6xf64>
  %r2 = affine.load %z[5] : memref<6xf64>
  %r3 = affine.load %u[1, 1] : memref<2x2xf64>
  return %r0, %r1, %r2, %r3 : f64, f64, f64, f64
}
