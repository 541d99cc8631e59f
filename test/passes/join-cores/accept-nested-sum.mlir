// A sum of two loops in a loop over time: the cores have parts of the outer one, and the loop is theirs
// as a whole. So it is with what is greatest or least; a product stays with the management core, and so
// does the loop.
// RUN: cat %target_sw26010 %s | weft-opt - --distribute-to-cores --join-cores --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @sums
// CHECK:         cpe.cores {
// CHECK-NEXT:      affine.for %[[T:.*]] = 0 to 50 {
// CHECK:             %[[S:.*]] = affine.for %{{.*}} = 0 to 60 iter_args(%[[A:.*]] = %{{.*}}) -> (f64) {
// CHECK-NEXT:          affine.for %{{.*}} = 0 to 2 iter_args(%{{.*}} = %[[A]])
// CHECK:                 affine.for %{{.*}} = 0 to 100 iter_args
// CHECK:             } {weft.parallel, weft.sums}
// CHECK-NEXT:        affine.store %[[S]], %arg1[%[[T]]]
// CHECK-LABEL: func.func @most
// CHECK:         cpe.cores {
// CHECK-NEXT:      affine.for %{{.*}} = 0 to 50 {
// CHECK:             affine.for %{{.*}} = 0 to 60 iter_args
// CHECK:             } {weft.combines = ["max"], weft.parallel, weft.sums}
// CHECK-LABEL: func.func @product
// CHECK-NOT:     cpe.cores
// CHECK:         affine.for %{{.*}} = 0 to 50 {
// CHECK-NOT:       weft.sums
module attributes {weft.target = #target} {
  func.func @sums(%x: memref<120x100xf64>, %y: memref<50xf64>) {
    %zero = arith.constant 0.0 : f64
    affine.for %t = 0 to 50 {
      affine.for %i = 0 to 120 {
        affine.for %j = 0 to 100 {
          %v = affine.load %x[%i, %j] : memref<120x100xf64>
          %w = arith.addf %v, %v : f64
          affine.store %w, %x[%i, %j] : memref<120x100xf64>
        } {weft.independent}
      } {weft.independent}
      %s = affine.for %i = 0 to 120 iter_args(%a = %zero) -> f64 {
        %r = affine.for %j = 0 to 100 iter_args(%b = %a) -> f64 {
          %v = affine.load %x[%i, %j] : memref<120x100xf64>
          %next = arith.addf %b, %v : f64
          affine.yield %next : f64
        }
        affine.yield %r : f64
      }
      affine.store %s, %y[%t] : memref<50xf64>
    }
    return
  }

  func.func @most(%x: memref<120x100xf64>, %y: memref<50xf64>) {
    %zero = arith.constant 0.0 : f64
    affine.for %t = 0 to 50 {
      affine.for %i = 0 to 120 {
        affine.for %j = 0 to 100 {
          %v = affine.load %x[%i, %j] : memref<120x100xf64>
          %w = arith.addf %v, %v : f64
          affine.store %w, %x[%i, %j] : memref<120x100xf64>
        } {weft.independent}
      } {weft.independent}
      %s = affine.for %i = 0 to 120 iter_args(%a = %zero) -> f64 {
        %r = affine.for %j = 0 to 100 iter_args(%b = %a) -> f64 {
          %v = affine.load %x[%i, %j] : memref<120x100xf64>
          %next = arith.maximumf %b, %v : f64
          affine.yield %next : f64
        }
        affine.yield %r : f64
      }
      affine.store %s, %y[%t] : memref<50xf64>
    }
    return
  }

  func.func @product(%x: memref<120x100xf64>, %y: memref<50xf64>) {
    %zero = arith.constant 0.0 : f64
    affine.for %t = 0 to 50 {
      affine.for %i = 0 to 120 {
        affine.for %j = 0 to 100 {
          %v = affine.load %x[%i, %j] : memref<120x100xf64>
          %w = arith.addf %v, %v : f64
          affine.store %w, %x[%i, %j] : memref<120x100xf64>
        } {weft.independent}
      } {weft.independent}
      %s = affine.for %i = 0 to 120 iter_args(%a = %zero) -> f64 {
        %r = affine.for %j = 0 to 100 iter_args(%b = %a) -> f64 {
          %v = affine.load %x[%i, %j] : memref<120x100xf64>
          %next = arith.mulf %b, %v : f64
          affine.yield %next : f64
        }
        affine.yield %r : f64
      }
      affine.store %s, %y[%t] : memref<50xf64>
    }
    return
  }
}
