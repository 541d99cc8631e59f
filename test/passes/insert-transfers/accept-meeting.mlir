// Cores that compute each of several pieces so long that the memory rests meet before they put: no
// get comes between the puts.
// RUN: cat %target_sw26010 %s | weft-opt - --insert-transfers --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @several_pieces
// CHECK:         affine.for %{{.*}} = 0 to 2048 step [[N:[0-9]+]] {
// CHECK:           cpe.dma_get %arg0
// CHECK-NOT:       in_parts
// CHECK:           cpe.sync
// CHECK-NEXT:      cpe.dma_put
// CHECK-NEXT:      cpe.dma_wait{{$}}
// CHECK-NEXT:    } {weft.parallel}

// Some cores have a piece less: they would not come. All comes in many parts then.
// CHECK-LABEL: func.func @some_have_less
// CHECK:         cpe.dma_get %arg0[%{{.*}}], %{{.*}} block {{[0-9]+}} counts [8] strides [{{[0-9]+}}] in_parts
// CHECK-NOT:     cpe.sync
// CHECK:         cpe.dma_put

// What a piece reads comes in as many parts as leave enough to compute behind the last one.
// CHECK-LABEL: func.func @long_lines
// CHECK:         cpe.dma_get %arg0[%{{.*}}], %{{.*}} block 2048 counts [2] strides [2048] in_parts
// CHECK:         cpe.sync
// CHECK-NEXT:    cpe.dma_put

// One iteration is all that fits.
// CHECK-LABEL: func.func @longer_lines
// CHECK:         cpe.dma_get %arg0[%{{.*}}], %{{.*}} block 3000 counts []
// CHECK:         cpe.sync
// CHECK-NEXT:    cpe.dma_put

// What is computed behind the last part is less than the memory needs to rest.
// CHECK-LABEL: func.func @too_little
// CHECK:         cpe.dma_get %arg0
// CHECK-NOT:     cpe.sync
// CHECK:         cpe.dma_put

// Computing that would stay open takes longer than slow puts.
// CHECK-LABEL: func.func @much_to_compute
// CHECK:         cpe.dma_get %arg0
// CHECK-NOT:     cpe.sync
// CHECK:         cpe.dma_put
module attributes {weft.target = #target} {
  func.func @several_pieces(%x: memref<2048x256xf64>, %y: memref<2048x256xf64>) {
    cpe.cores {
      affine.for %j = 0 to 2048 {
        affine.for %i = 0 to 256 {
          %v = affine.load %x[%j, %i] : memref<2048x256xf64>
          %u = affine.for %k = 0 to 16 iter_args(%w = %v) -> (f64) {
            %p = arith.mulf %w, %v : f64
            %s = arith.addf %p, %v : f64
            affine.yield %s : f64
          }
          affine.store %u, %y[%j, %i] : memref<2048x256xf64>
        }
      } {weft.parallel}
    }
    return
  }
  func.func @some_have_less(%x: memref<1000x256xf64>, %y: memref<1000x256xf64>) {
    cpe.cores {
      affine.for %j = 0 to 1000 {
        affine.for %i = 0 to 256 {
          %v = affine.load %x[%j, %i] : memref<1000x256xf64>
          %u = affine.for %k = 0 to 16 iter_args(%w = %v) -> (f64) {
            %p = arith.mulf %w, %v : f64
            %s = arith.addf %p, %v : f64
            affine.yield %s : f64
          }
          affine.store %u, %y[%j, %i] : memref<1000x256xf64>
        }
      } {weft.parallel}
    }
    return
  }
  func.func @long_lines(%x: memref<512x2048xf64>, %y: memref<512x2048xf64>) {
    cpe.cores {
      affine.for %j = 0 to 512 {
        %s = memref.alloca() : memref<2048xf64>
        affine.for %i = 0 to 2048 {
          %v = affine.load %x[%j, %i] : memref<512x2048xf64>
          %u = affine.for %k = 0 to 16 iter_args(%w = %v) -> (f64) {
            %p = arith.mulf %w, %v : f64
            %q = arith.addf %p, %v : f64
            affine.yield %q : f64
          }
          affine.store %u, %s[%i] : memref<2048xf64>
        }
        affine.for %i = 0 to 2048 {
          %v = affine.load %s[-%i + 2047] : memref<2048xf64>
          affine.store %v, %y[%j, %i] : memref<512x2048xf64>
        }
      } {weft.parallel}
    }
    return
  }
  func.func @longer_lines(%x: memref<512x3000xf64>, %y: memref<512x3000xf64>) {
    cpe.cores {
      affine.for %j = 0 to 512 {
        %s = memref.alloca() : memref<3000xf64>
        affine.for %i = 0 to 3000 {
          %v = affine.load %x[%j, %i] : memref<512x3000xf64>
          %u = affine.for %k = 0 to 16 iter_args(%w = %v) -> (f64) {
            %p = arith.mulf %w, %v : f64
            %q = arith.addf %p, %v : f64
            affine.yield %q : f64
          }
          affine.store %u, %s[%i] : memref<3000xf64>
        }
        affine.for %i = 0 to 3000 {
          %v = affine.load %s[-%i + 2999] : memref<3000xf64>
          affine.store %v, %y[%j, %i] : memref<512x3000xf64>
        }
      } {weft.parallel}
    }
    return
  }
  func.func @too_little(%x: memref<512x512xf64>, %y: memref<512x512xf64>) {
    cpe.cores {
      affine.for %j = 0 to 512 {
        affine.for %i = 0 to 512 {
          %v = affine.load %x[%j, %i] : memref<512x512xf64>
          %w = arith.addf %v, %v : f64
          affine.store %w, %y[%j, %i] : memref<512x512xf64>
        }
      } {weft.parallel}
    }
    return
  }
  func.func @much_to_compute(%x: memref<2048x256xf64>, %y: memref<2048x256xf64>) {
    cpe.cores {
      affine.for %j = 0 to 2048 {
        affine.for %i = 0 to 256 {
          %v = affine.load %x[%j, %i] : memref<2048x256xf64>
          %u = affine.for %k = 0 to 400 iter_args(%w = %v) -> (f64) {
            %p = arith.mulf %w, %v : f64
            %s = arith.addf %p, %v : f64
            affine.yield %s : f64
          }
          affine.store %u, %y[%j, %i] : memref<2048x256xf64>
        }
      } {weft.parallel}
    }
    return
  }
}
