// The butterfly of NPB's FT on the three forms of complex arithmetic, as the schedule asks for them.
// RUN: cat %target_sw26010 %s | weft-opt - --vectorize-complex | FileCheck %s

module attributes {weft.target = #target} {
// One exchange of neighbours a product; the signs are part of a factor that does not vary.
// CHECK-LABEL: func.func @interleaved
// CHECK-DAG: %[[SIGNS:.*]] = arith.constant dense<[-1.000000e+00, 1.000000e+00, -1.000000e+00, 1.000000e+00]>
// CHECK-DAG: %[[IM:.*]] = vector.broadcast
// CHECK:     %[[TURNED:.*]] = arith.mulf %[[IM]], %[[SIGNS]]
// CHECK:     affine.for %{{.*}} = 0 to 8 step 2 {
// CHECK-COUNT-2: affine.vector_load
// CHECK:       %[[D:.*]] = arith.subf
// CHECK:       %[[S:.*]] = vector.shuffle %[[D]], %[[D]] [1, 0, 3, 2]
// CHECK:       %[[P:.*]] = arith.mulf %[[S]], %[[TURNED]]
// CHECK:       math.fma %{{.*}}, %[[D]], %[[P]]
// CHECK-NOT:   vector.shuffle
// CHECK:     }

// Sums as memory has them; two vectors in, two out, for each product.
// CHECK-LABEL: func.func @six_shuffle
// CHECK:     affine.for %{{.*}} = 0 to 8 step 4 {
// CHECK-COUNT-4: affine.vector_load
// CHECK:       %[[A:.*]] = arith.subf
// CHECK:       %[[B:.*]] = arith.subf
// CHECK:       %[[RE:.*]] = vector.shuffle %[[A]], %[[B]] [0, 2, 4, 6]
// CHECK:       %[[IM:.*]] = vector.shuffle %[[A]], %[[B]] [1, 3, 5, 7]
// CHECK:       vector.shuffle %{{.*}}, %{{.*}} [0, 4, 1, 5]
// CHECK:       vector.shuffle %{{.*}}, %{{.*}} [2, 6, 3, 7]
// CHECK-NOT:   vector.shuffle
// CHECK:     }

// CHECK-LABEL: func.func @split
// CHECK:     affine.for %{{.*}} = 0 to 8 step 4 {
// CHECK-COUNT-8: vector.shuffle
// CHECK-NOT:   vector.shuffle
// CHECK:     }

// The cost model: as the first.
// CHECK-LABEL: func.func @chosen
// CHECK:     affine.for %{{.*}} = 0 to 8 step 2 {
func.func @interleaved(%u: memref<2xf64>) attributes {weft.complex = "interleaved"} {
  cpe.cores {
    %x = memref.alloca() : memref<2x8x2xf64>
    %y = memref.alloca() : memref<2x8x2xf64>
    %ur = affine.load %u[0] : memref<2xf64>
    %ui = affine.load %u[1] : memref<2xf64>
    affine.for %j = 0 to 8 {
      %ar = affine.load %x[0, %j, 0] : memref<2x8x2xf64>
      %ai = affine.load %x[0, %j, 1] : memref<2x8x2xf64>
      %br = affine.load %x[1, %j, 0] : memref<2x8x2xf64>
      %bi = affine.load %x[1, %j, 1] : memref<2x8x2xf64>
      %sr = arith.addf %ar, %br : f64
      %si = arith.addf %ai, %bi : f64
      affine.store %sr, %y[0, %j, 0] : memref<2x8x2xf64>
      affine.store %si, %y[0, %j, 1] : memref<2x8x2xf64>
      %dr = arith.subf %ar, %br : f64
      %di = arith.subf %ai, %bi : f64
      %p = arith.mulf %ui, %di : f64
      %n = arith.negf %p : f64
      %re = math.fma %ur, %dr, %n : f64
      %q = arith.mulf %ui, %dr : f64
      %im = math.fma %ur, %di, %q : f64
      affine.store %re, %y[1, %j, 0] : memref<2x8x2xf64>
      affine.store %im, %y[1, %j, 1] : memref<2x8x2xf64>
    } {weft.lane}
  }
  return
}
func.func @six_shuffle(%u: memref<2xf64>) attributes {weft.complex = "six_shuffle"} {
  cpe.cores {
    %x = memref.alloca() : memref<2x8x2xf64>
    %y = memref.alloca() : memref<2x8x2xf64>
    %ur = affine.load %u[0] : memref<2xf64>
    %ui = affine.load %u[1] : memref<2xf64>
    affine.for %j = 0 to 8 {
      %ar = affine.load %x[0, %j, 0] : memref<2x8x2xf64>
      %ai = affine.load %x[0, %j, 1] : memref<2x8x2xf64>
      %br = affine.load %x[1, %j, 0] : memref<2x8x2xf64>
      %bi = affine.load %x[1, %j, 1] : memref<2x8x2xf64>
      %sr = arith.addf %ar, %br : f64
      %si = arith.addf %ai, %bi : f64
      affine.store %sr, %y[0, %j, 0] : memref<2x8x2xf64>
      affine.store %si, %y[0, %j, 1] : memref<2x8x2xf64>
      %dr = arith.subf %ar, %br : f64
      %di = arith.subf %ai, %bi : f64
      %p = arith.mulf %ui, %di : f64
      %n = arith.negf %p : f64
      %re = math.fma %ur, %dr, %n : f64
      %q = arith.mulf %ui, %dr : f64
      %im = math.fma %ur, %di, %q : f64
      affine.store %re, %y[1, %j, 0] : memref<2x8x2xf64>
      affine.store %im, %y[1, %j, 1] : memref<2x8x2xf64>
    } {weft.lane}
  }
  return
}
func.func @split(%u: memref<2xf64>) attributes {weft.complex = "split"} {
  cpe.cores {
    %x = memref.alloca() : memref<2x8x2xf64>
    %y = memref.alloca() : memref<2x8x2xf64>
    %ur = affine.load %u[0] : memref<2xf64>
    %ui = affine.load %u[1] : memref<2xf64>
    affine.for %j = 0 to 8 {
      %ar = affine.load %x[0, %j, 0] : memref<2x8x2xf64>
      %ai = affine.load %x[0, %j, 1] : memref<2x8x2xf64>
      %br = affine.load %x[1, %j, 0] : memref<2x8x2xf64>
      %bi = affine.load %x[1, %j, 1] : memref<2x8x2xf64>
      %sr = arith.addf %ar, %br : f64
      %si = arith.addf %ai, %bi : f64
      affine.store %sr, %y[0, %j, 0] : memref<2x8x2xf64>
      affine.store %si, %y[0, %j, 1] : memref<2x8x2xf64>
      %dr = arith.subf %ar, %br : f64
      %di = arith.subf %ai, %bi : f64
      %p = arith.mulf %ui, %di : f64
      %n = arith.negf %p : f64
      %re = math.fma %ur, %dr, %n : f64
      %q = arith.mulf %ui, %dr : f64
      %im = math.fma %ur, %di, %q : f64
      affine.store %re, %y[1, %j, 0] : memref<2x8x2xf64>
      affine.store %im, %y[1, %j, 1] : memref<2x8x2xf64>
    } {weft.lane}
  }
  return
}
func.func @chosen(%u: memref<2xf64>) {
  cpe.cores {
    %x = memref.alloca() : memref<2x8x2xf64>
    %y = memref.alloca() : memref<2x8x2xf64>
    %ur = affine.load %u[0] : memref<2xf64>
    %ui = affine.load %u[1] : memref<2xf64>
    affine.for %j = 0 to 8 {
      %ar = affine.load %x[0, %j, 0] : memref<2x8x2xf64>
      %ai = affine.load %x[0, %j, 1] : memref<2x8x2xf64>
      %br = affine.load %x[1, %j, 0] : memref<2x8x2xf64>
      %bi = affine.load %x[1, %j, 1] : memref<2x8x2xf64>
      %sr = arith.addf %ar, %br : f64
      %si = arith.addf %ai, %bi : f64
      affine.store %sr, %y[0, %j, 0] : memref<2x8x2xf64>
      affine.store %si, %y[0, %j, 1] : memref<2x8x2xf64>
      %dr = arith.subf %ar, %br : f64
      %di = arith.subf %ai, %bi : f64
      %p = arith.mulf %ui, %di : f64
      %n = arith.negf %p : f64
      %re = math.fma %ur, %dr, %n : f64
      %q = arith.mulf %ui, %dr : f64
      %im = math.fma %ur, %di, %q : f64
      affine.store %re, %y[1, %j, 0] : memref<2x8x2xf64>
      affine.store %im, %y[1, %j, 1] : memref<2x8x2xf64>
    } {weft.lane}
  }
  return
}
}
