// RUN: cat %target_avx512 %s | weft-opt - --vectorize-complex | FileCheck %s
// RUN: cat %target_avx512 %s | weft-opt - --vectorize-complex --remarks-filter=vectorize-complex \
// RUN:   --remark-policy=all 2>&1 | FileCheck %s --check-prefix=NOTE
// NOTE: rejected {{.*}}in vectors of complex numbers, parts by turns", Why="it may read what was stored before it
// The first store may not wait for the second: a load between them reads what it wrote.

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @reread
// CHECK:     affine.store %{{.*}}, %[[Y:.*]][%[[I:.*]], 0]
// CHECK:     affine.vector_load %[[Y]][%[[I]], 0]
// CHECK:     affine.store %{{.*}}, %[[Y]][%[[I]], 1]
// CHECK-NOT: affine.vector_store %{{.*}}, %[[Y]]
func.func @reread(%x: memref<8xf64>, %y: memref<8x2xf64>, %z: memref<8xf64>) {
  affine.for %i = 0 to 8 {
    %a = affine.load %x[%i] : memref<8xf64>
    %s = arith.mulf %a, %a : f64
    %t = arith.addf %s, %a : f64
    affine.store %s, %y[%i, 0] : memref<8x2xf64>
    %b = affine.load %y[%i, 0] : memref<8x2xf64>
    affine.store %t, %y[%i, 1] : memref<8x2xf64>
    affine.store %b, %z[%i] : memref<8xf64>
  } {weft.lane}
  return
}

// Nor may the load of a second part go to the first's place, past a store to the element.
// CHECK-LABEL: func.func @overwritten
// CHECK: affine.vector_load %arg1
// CHECK: affine.vector_store %{{.*}}, %arg1
// CHECK: affine.vector_load %arg1
func.func @overwritten(%x: memref<8x2xf64>, %y: memref<8x2xf64>, %z: memref<8x2xf64>) {
  affine.for %i = 0 to 8 {
    %ar = affine.load %x[%i, 0] : memref<8x2xf64>
    %ai = affine.load %x[%i, 1] : memref<8x2xf64>
    %br = affine.load %y[%i, 0] : memref<8x2xf64>
    affine.store %ar, %y[%i, 0] : memref<8x2xf64>
    affine.store %ai, %y[%i, 1] : memref<8x2xf64>
    %bi = affine.load %y[%i, 1] : memref<8x2xf64>
    %re = arith.addf %br, %ar : f64
    %im = arith.addf %bi, %ai : f64
    affine.store %re, %z[%i, 0] : memref<8x2xf64>
    affine.store %im, %z[%i, 1] : memref<8x2xf64>
  } {weft.lane}
  return
}
}
