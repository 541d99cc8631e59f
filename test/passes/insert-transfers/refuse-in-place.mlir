// Results that may not lie where an input lies have memory of their own, and pieces are smaller.
// RUN: cat %target_sw26010 %s | weft-opt - --insert-transfers --canonicalize | FileCheck %s

// The line is read again behind the first store.
// CHECK-LABEL: func.func @read_again
// CHECK:         %[[X:.*]] = memref.alloca() : memref<[[N:[0-9]+]]xf64>
// CHECK:         cpe.dma_get %arg0[%{{.*}}], %[[X]]
// CHECK:         %[[Y:.*]] = memref.alloca() : memref<[[N]]xf64>
// CHECK:         cpe.dma_put %[[Y]], %arg1

// One nest reads and writes, the other end of the line first.
// CHECK-LABEL: func.func @one_nest
// CHECK:         %[[X:.*]] = memref.alloca() : memref<[[N:[0-9]+]]xf64>
// CHECK:         cpe.dma_get %arg0[%{{.*}}], %[[X]]
// CHECK:         %[[Y:.*]] = memref.alloca() : memref<[[N]]xf64>
// CHECK:         cpe.dma_put %[[Y]], %arg1

// A line reads its neighbour as well.
// CHECK-LABEL: func.func @neighbours
// CHECK:         %[[X:.*]] = memref.alloca() : memref<{{[0-9]+}}xf64>
// CHECK:         cpe.dma_get %arg0[%{{.*}}], %[[X]]
// CHECK:         %[[Y:.*]] = memref.alloca() : memref<[[N:[0-9]+]]xf64>
// CHECK:         cpe.dma_put %[[Y]], %arg1[%{{.*}}] block [[N]]

// The last line of the result is made first.
// CHECK-LABEL: func.func @turned
// CHECK:         %[[X:.*]] = memref.alloca() : memref<[[N:[0-9]+]]xf64>
// CHECK:         cpe.dma_get %arg0[%{{.*}}], %[[X]]
// CHECK:         %[[Y:.*]] = memref.alloca() : memref<[[N]]xf64>
// CHECK:         cpe.dma_put %[[Y]], %arg1

// What is not written keeps what it was: it has to come as well.
// CHECK-LABEL: func.func @partly
// CHECK:         %[[X:.*]] = memref.alloca() : memref<[[N:[0-9]+]]xf64>
// CHECK:         cpe.dma_get %arg0[%{{.*}}], %[[X]]
// CHECK:         %[[Y:.*]] = memref.alloca() : memref<[[N]]xf64>
// CHECK:         cpe.dma_get %arg1[%{{.*}}], %[[Y]]
// CHECK:         cpe.dma_put %[[Y]], %arg1

// Elements of another kind.
// CHECK-LABEL: func.func @other_kind
// CHECK:         %[[X:.*]] = memref.alloca() : memref<[[N:[0-9]+]]xf64>
// CHECK:         cpe.dma_get %arg0[%{{.*}}], %[[X]]
// CHECK:         %[[Y:.*]] = memref.alloca() : memref<[[N]]xi64>
// CHECK:         cpe.dma_put %[[Y]], %arg1

// All lines read it: it is no line's own.
// CHECK-LABEL: func.func @of_all
// CHECK:         %[[W:.*]] = memref.alloca() : memref<[[N:[0-9]+]]xf64>
// CHECK:         cpe.dma_get %arg0[%{{.*}}], %[[W]]
// CHECK:         %[[Y:.*]] = memref.alloca()
// CHECK:         cpe.dma_put %[[Y]], %arg1
module attributes {weft.target = #target} {
  func.func @read_again(%x: memref<512x512xf64>, %y: memref<512x512xf64>) {
    cpe.cores {
      affine.for %j = 0 to 512 {
        %s = memref.alloca() : memref<512xf64>
        affine.for %i = 0 to 512 {
          %v = affine.load %x[%j, %i] : memref<512x512xf64>
          affine.store %v, %s[%i] : memref<512xf64>
        }
        affine.for %i = 0 to 512 {
          %v = affine.load %s[-%i + 511] : memref<512xf64>
          %u = affine.load %x[%j, -%i + 511] : memref<512x512xf64>
          %w = arith.addf %u, %v : f64
          affine.store %w, %y[%j, %i] : memref<512x512xf64>
        }
      } {weft.independent, weft.parallel}
    }
    return
  }
  func.func @one_nest(%x: memref<512x512xf64>, %y: memref<512x512xf64>) {
    cpe.cores {
      affine.for %j = 0 to 512 {
        affine.for %i = 0 to 512 {
          %v = affine.load %x[%j, -%i + 511] : memref<512x512xf64>
          affine.store %v, %y[%j, %i] : memref<512x512xf64>
        }
      } {weft.independent, weft.parallel}
    }
    return
  }
  func.func @neighbours(%x: memref<513x512xf64>, %y: memref<512x512xf64>) {
    cpe.cores {
      affine.for %j = 0 to 512 {
        %s = memref.alloca() : memref<512xf64>
        affine.for %i = 0 to 512 {
          %v = affine.load %x[%j, %i] : memref<513x512xf64>
          %u = affine.load %x[%j + 1, %i] : memref<513x512xf64>
          %w = arith.addf %u, %v : f64
          affine.store %w, %s[%i] : memref<512xf64>
        }
        affine.for %i = 0 to 512 {
          %v = affine.load %s[-%i + 511] : memref<512xf64>
          affine.store %v, %y[%j, %i] : memref<512x512xf64>
        }
      } {weft.independent, weft.parallel}
    }
    return
  }
  func.func @turned(%x: memref<512x512xf64>, %y: memref<512x512xf64>) {
    cpe.cores {
      affine.for %j = 0 to 512 {
        %s = memref.alloca() : memref<512xf64>
        affine.for %i = 0 to 512 {
          %v = affine.load %x[%j, %i] : memref<512x512xf64>
          affine.store %v, %s[%i] : memref<512xf64>
        }
        affine.for %i = 0 to 512 {
          %v = affine.load %s[-%i + 511] : memref<512xf64>
          affine.store %v, %y[-%j + 511, %i] : memref<512x512xf64>
        }
      } {weft.independent, weft.parallel}
    }
    return
  }
  func.func @partly(%x: memref<512x512xf64>, %y: memref<512x512xf64>) {
    cpe.cores {
      affine.for %j = 0 to 512 {
        %s = memref.alloca() : memref<512xf64>
        affine.for %i = 0 to 512 {
          %v = affine.load %x[%j, %i] : memref<512x512xf64>
          affine.store %v, %s[%i] : memref<512xf64>
        }
        affine.for %i = 0 to 512 {
          %v = affine.load %s[-%i + 511] : memref<512xf64>
          affine.if affine_set<(i) : (i - 8 >= 0)>(%i) {
            affine.store %v, %y[%j, %i] : memref<512x512xf64>
          }
        }
      } {weft.independent, weft.parallel}
    }
    return
  }
  func.func @other_kind(%x: memref<512x512xf64>, %y: memref<512x512xi64>) {
    cpe.cores {
      affine.for %j = 0 to 512 {
        %s = memref.alloca() : memref<512xi64>
        affine.for %i = 0 to 512 {
          %v = affine.load %x[%j, %i] : memref<512x512xf64>
          %w = arith.fptosi %v : f64 to i64
          affine.store %w, %s[%i] : memref<512xi64>
        }
        affine.for %i = 0 to 512 {
          %v = affine.load %s[-%i + 511] : memref<512xi64>
          affine.store %v, %y[%j, %i] : memref<512x512xi64>
        }
      } {weft.independent, weft.parallel}
    }
    return
  }
  func.func @of_all(%w: memref<2560xf64>, %y: memref<512x2560xf64>) {
    cpe.cores {
      affine.for %j = 0 to 512 {
        %s = memref.alloca() : memref<2560xf64>
        affine.for %i = 0 to 2560 {
          %v = affine.load %w[%i] : memref<2560xf64>
          affine.store %v, %s[%i] : memref<2560xf64>
        }
        affine.for %i = 0 to 2560 {
          %v = affine.load %s[-%i + 2559] : memref<2560xf64>
          affine.store %v, %y[%j, %i] : memref<512x2560xf64>
        }
      } {weft.independent, weft.parallel}
    }
    return
  }
}
