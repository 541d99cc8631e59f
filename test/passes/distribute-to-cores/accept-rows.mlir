// Rows that lie one behind the other in all that a nest reads and stores are one loop, whose lanes are
// counted before it is shared; rows of an array around them stay rows.
// RUN: cat %target_avx512 %s | weft-opt - --distribute-to-cores=min-work=1000 | FileCheck %s
// RUN: cat %target_avx512 %s | weft-opt - --distribute-to-cores --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: decided {{.*}}What="a loop: its rows of 13 as one loop", Why="all it reads and stores lies one behind the other: 260 elements"

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @rows
// CHECK-DAG:   %[[X:.*]] = memref.reinterpret_cast %arg0 to offset: [0], sizes: [260], strides: [1]
// CHECK-DAG:   %[[Y:.*]] = memref.reinterpret_cast %arg2 to offset: [0], sizes: [260], strides: [1]
// CHECK:       affine.for %[[I:.*]] = 0 to 260 {
// CHECK:         affine.load %[[X]][%[[I]]]
// CHECK:         affine.load %arg1[4]
// CHECK:         affine.store %{{.*}}, %[[Y]][%[[I]]]
// CHECK:       } {weft.independent, weft.lane}
func.func @rows(%x: memref<20x13xf32>, %t: memref<5xf32>, %y: memref<20x13xi1>) {
  affine.for %i = 0 to 20 {
    affine.for %j = 0 to 13 {
      %a = affine.load %x[%i, %j] : memref<20x13xf32>
      %b = affine.load %t[4] : memref<5xf32>
      %c = arith.cmpf ogt, %a, %b : f32
      affine.store %c, %y[%i, %j] : memref<20x13xi1>
    } {weft.independent}
  } {weft.independent}
  return
}

// Some rows of an array, three loops deep; pairs of reals.
// CHECK-LABEL: func.func @parts
// CHECK-DAG:   memref.reinterpret_cast %arg0 to offset: [0], sizes: [700, 2], strides: [2, 1]
// CHECK:       affine.for %[[I:.*]] = 70 to 630 {
// CHECK:         affine.load %{{.*}}[%[[I]], 1] : memref<700x2xf64>
// CHECK:       } {weft.independent, weft.lane, weft.parallel}
func.func @parts(%x: memref<10x10x7x2xf64>, %y: memref<10x10x7xf64>) {
  affine.for %i = 1 to 9 {
    affine.for %j = 0 to 10 {
      affine.for %k = 0 to 7 {
        %a = affine.load %x[%i, %j, %k, 1] : memref<10x10x7x2xf64>
        %b = arith.mulf %a, %a : f64
        %c = arith.mulf %b, %a : f64
        %d = arith.mulf %c, %c : f64
        %e = arith.addf %d, %c : f64
        %f = arith.mulf %e, %e : f64
        %g = arith.addf %f, %e : f64
        %h = arith.mulf %g, %g : f64
        %l = arith.addf %h, %g : f64
        %m = arith.mulf %l, %l : f64
        %n = arith.addf %m, %l : f64
        %o = arith.mulf %n, %n : f64
        %p = arith.addf %o, %n : f64
        %q = arith.mulf %p, %p : f64
        affine.store %q, %y[%i, %j, %k] : memref<10x10x7xf64>
      } {weft.independent, weft.lane}
    } {weft.independent}
  } {weft.independent}
  return
}

// What is read once a plane stays in the plane's loop.
// CHECK-LABEL: func.func @planes
// CHECK:       affine.for %[[I:.*]] = 0 to 10 {
// CHECK:         %[[Y:.*]] = memref.reinterpret_cast %arg1 to offset: [0], sizes: [10, 70], strides: [70, 1]
// CHECK:         affine.for %[[J:.*]] = 0 to 70 {
// CHECK:           affine.load %arg0[%[[I]]]
// CHECK:           affine.store %{{.*}}, %[[Y]][%[[I]], %[[J]]]
func.func @planes(%x: memref<10xf64>, %y: memref<10x10x7xf64>) {
  affine.for %i = 0 to 10 {
    affine.for %j = 0 to 10 {
      affine.for %k = 0 to 7 {
        %a = affine.load %x[%i] : memref<10xf64>
        affine.store %a, %y[%i, %j, %k] : memref<10x10x7xf64>
      } {weft.independent, weft.lane}
    } {weft.independent}
  } {weft.independent}
  return
}
}
