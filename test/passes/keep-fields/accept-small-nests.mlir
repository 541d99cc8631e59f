// A step that sums up over the rows what it makes a small array of, as a gradient: the elements are numbers that every
// core has, and all sums are one loop over a core's rows, which cores add up.
// RUN: cat %target_sw26010 %s | weft-opt - --keep-fields --canonicalize --mlir-print-local-scope | FileCheck %s
// RUN: cat %target_sw26010 %s | weft-opt - --keep-fields --remarks-filter=.* --remark-policy=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=NOTE

// NOTE: decided {{.*}}its 3 iterations written out
// CHECK-LABEL: func.func @gradient
// CHECK:         cpe.cores {
// CHECK:           %[[W:.*]] = memref.alloca() : memref<3xf64>
// CHECK:           cpe.dma_get %arg1[%{{.*}}], %[[W]]
// CHECK:           affine.for %{{.*}} = 0 to 20 {
// CHECK:             affine.for
// CHECK:               affine.load %[[W]]
// CHECK:             %[[SUMS:.*]]:3 = affine.for %{{.*}} iter_args
// CHECK:             } {weft.parallel, weft.ring = 8 : i64, weft.sums}
// CHECK:             affine.load %[[W]][0]
// CHECK:             affine.store %{{.*}}, %[[W]][2]
// CHECK-NOT:         cpe.dma
// CHECK:           }
// CHECK-NOT:       cpe.dma
// CHECK:           affine.store %{{.*}}, %arg1[2]
module attributes {weft.target = #target} {
  func.func @gradient(%x: memref<640x3xf64>, %w: memref<3xf64>) {
    %zero = arith.constant 0.0 : f64
    %e = memref.alloc() : memref<640xf64>
    affine.for %t = 0 to 20 {
      affine.for %i = 0 to 640 {
        %sum = affine.for %k = 0 to 3 iter_args(%so_far = %zero) -> (f64) {
          %p = affine.load %x[%i, %k] : memref<640x3xf64>
          %q = affine.load %w[%k] : memref<3xf64>
          %r = math.fma %p, %q, %so_far : f64
          affine.yield %r : f64
        }
        affine.store %sum, %e[%i] : memref<640xf64>
      } {weft.independent, weft.lane}
      affine.for %k = 0 to 3 {
        %sum = affine.for %i = 0 to 640 iter_args(%so_far = %zero) -> (f64) {
          %p = affine.load %x[%i, %k] : memref<640x3xf64>
          %q = affine.load %e[%i] : memref<640xf64>
          %r = math.fma %p, %q, %so_far : f64
          affine.yield %r : f64
        }
        %a = affine.load %w[%k] : memref<3xf64>
        %b = arith.subf %a, %sum : f64
        affine.store %b, %w[%k] : memref<3xf64>
      } {weft.independent, weft.lane}
    }
    return
  }
}
