// What is read word by word more often than it has elements, at places that are data or wrap around by
// the sum of two indices, comes whole before; what is read seldom stays where it is.
// RUN: cat %target_sw26010 %s | weft-opt - --insert-transfers --canonicalize | FileCheck %s

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @places
// CHECK:         %[[OWN:.*]] = memref.alloca() : memref<100xf64>
// CHECK:         cpe.dma_get %arg0[%{{.*}}], %[[OWN]] block 100 {{.*}} for_all
// CHECK-NOT:     memref.load %arg0
// CHECK:         memref.load %[[OWN]]
func.func @places(%x: memref<100xf64>, %i: memref<6400xi32>, %y: memref<6400xf64>) {
  cpe.cores {
    affine.for %n = 0 to 6400 {
      %at = affine.load %i[%n] : memref<6400xi32>
      %place = arith.index_cast %at : i32 to index
      %v = memref.load %x[%place] : memref<100xf64>
      affine.store %v, %y[%n] : memref<6400xf64>
    } {weft.independent, weft.parallel}
  }
  return
}
// CHECK-LABEL: func.func @wraps
// CHECK:         %[[OWN:.*]] = memref.alloca() : memref<100xf64>
// CHECK:         affine.load %[[OWN]][(%{{.*}} + %{{.*}}) mod 100]
func.func @wraps(%x: memref<100xf64>, %y: memref<64xf64>) {
  cpe.cores {
    affine.for %n = 0 to 64 {
      %zero = arith.constant 0.0 : f64
      %s = affine.for %k = 0 to 50 iter_args(%sum = %zero) -> f64 {
        %v = affine.load %x[(%n + %k) mod 100] : memref<100xf64>
        %t = arith.addf %sum, %v : f64
        affine.yield %t : f64
      }
      affine.store %s, %y[%n] : memref<64xf64>
    } {weft.independent, weft.parallel}
  }
  return
}
// CHECK-LABEL: func.func @seldom
// CHECK-NOT:     memref<1000xf64>, memref<1000xf64>
// CHECK:         memref.load %arg0
func.func @seldom(%x: memref<1000xf64>, %i: memref<640xi32>, %y: memref<640xf64>) {
  cpe.cores {
    affine.for %n = 0 to 640 {
      %at = affine.load %i[%n] : memref<640xi32>
      %place = arith.index_cast %at : i32 to index
      %v = memref.load %x[%place] : memref<1000xf64>
      affine.store %v, %y[%n] : memref<640xf64>
    } {weft.independent, weft.parallel}
  }
  return
}
}
