// Two nests take turns over parts of the array between them, which becomes as large as a part. In
// @groups the first one goes over 8 times 64 groups, of which every 64th meets in a turn of the
// second; vectors of the first lie across 4 groups, so a part is 4 of them. In @runs the second one
// goes over 8 runs of 64 places, and the first one reads of the result what the same part of the
// second then writes.
// RUN: cat %target_avx512 %s | weft-opt - --alternate-nests --canonicalize | FileCheck %s
// RUN: cat %target_avx512 %s | weft-opt - --alternate-nests --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: decided {{.*}}What="nests that fill and read a value of type memref<4096x1x2xf64> take turns", Why="4096 bytes rather than 65536 between them stay in the first cache", bytes=4096, turns=16

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @groups
// CHECK:         %[[PART:.*]] = memref.alloca() : memref<512xf64>
// CHECK-NOT:     memref.alloca
// CHECK:         affine.for %[[TURN:.*]] = 0 to 64 step 4 {
// CHECK-NEXT:      affine.for %[[O:.*]] = 0 to 8 {
// CHECK:             affine.vector_load %arg0[%[[TURN]] + %[[O]] * 64, 0] : memref<4096x2xf64>
// CHECK:             affine.vector_store %{{.*}}, %[[PART]][%[[O]] * 64]
// CHECK:             affine.vector_store %{{.*}}, %[[PART]][%[[O]] * 64 + 56]
// CHECK:           } {weft.independent}
// CHECK:           affine.for %[[P:.*]] = 0 to 4 {
// CHECK:             affine.for %[[K:.*]] = 0 to 8 step 4 {
// CHECK:               affine.vector_load %[[PART]][%[[P]] * 16 + %[[K]] * 2]
// CHECK:               affine.vector_load %[[PART]][%[[P]] * 16 + %[[K]] * 2 + 448]
// CHECK:               affine.vector_store %{{.*}}, %arg1[%[[K]] + %[[TURN]] * 64 + %[[P]] * 64, 0]
func.func @groups(%x: memref<4096x2xf64>, %y: memref<4096x2xf64>) {
  %t = memref.alloca() : memref<4096x1x2xf64>
  affine.for %p = 0 to 512 step 4 {
    %a = affine.vector_load %x[%p, 0] : memref<4096x2xf64>, vector<8xf64>
    affine.vector_store %a, %t[%p * 8, 0, 0] : memref<4096x1x2xf64>, vector<8xf64>
    affine.vector_store %a, %t[%p * 8 + 4, 0, 0] : memref<4096x1x2xf64>, vector<8xf64>
    affine.vector_store %a, %t[%p * 8 + 8, 0, 0] : memref<4096x1x2xf64>, vector<8xf64>
    affine.vector_store %a, %t[%p * 8 + 12, 0, 0] : memref<4096x1x2xf64>, vector<8xf64>
    affine.vector_store %a, %t[%p * 8 + 16, 0, 0] : memref<4096x1x2xf64>, vector<8xf64>
    affine.vector_store %a, %t[%p * 8 + 20, 0, 0] : memref<4096x1x2xf64>, vector<8xf64>
    affine.vector_store %a, %t[%p * 8 + 24, 0, 0] : memref<4096x1x2xf64>, vector<8xf64>
    affine.vector_store %a, %t[%p * 8 + 28, 0, 0] : memref<4096x1x2xf64>, vector<8xf64>
  } {weft.independent}
  affine.for %p = 0 to 64 {
    affine.for %k = 0 to 8 step 4 {
      %a = affine.vector_load %t[%p * 8 + %k, 0, 0] : memref<4096x1x2xf64>, vector<8xf64>
      %b = affine.vector_load %t[%p * 8 + %k + 3584, 0, 0] : memref<4096x1x2xf64>, vector<8xf64>
      %s = arith.addf %a, %b : vector<8xf64>
      affine.vector_store %s, %y[%p * 64 + %k, 0] : memref<4096x2xf64>, vector<8xf64>
    } {weft.independent}
  } {weft.independent}
  return
}

// CHECK-LABEL: func.func @runs
// CHECK:         affine.for %[[LINE:.*]] = 0 to 2 {
// CHECK:         %[[PART:.*]] = memref.alloca() : memref<512xf64>
// CHECK:         affine.for %[[TURN:.*]] = 0 to 64 step 4 {
// CHECK-NEXT:      affine.for %[[P:.*]] = 0 to 64 {
// CHECK:             affine.vector_load %arg0[%[[LINE]], %[[P]] * 64 + %[[TURN]], 0]
// CHECK:             affine.vector_store %{{.*}}, %[[PART]][%[[P]] * 8]
// CHECK:           affine.for %[[O:.*]] = 0 to 8 {
// CHECK:             affine.vector_load %[[PART]][%[[O]] * 8]
// CHECK:             affine.vector_load %[[PART]][%[[O]] * 8 + 64]
// CHECK:             affine.vector_store %{{.*}}, %arg0[%[[LINE]], %[[TURN]] + %[[O]] * 64, 0]
func.func @runs(%y: memref<2x4096x2xf64>) {
  affine.for %line = 0 to 2 {
    %t = memref.alloca() : memref<4096x2xf64>
    affine.for %p = 0 to 64 {
      affine.for %l = 0 to 64 step 4 {
        %a = affine.vector_load %y[%line, %p * 64 + %l, 0] : memref<2x4096x2xf64>, vector<8xf64>
        affine.vector_store %a, %t[%p * 64 + %l, 0] : memref<4096x2xf64>, vector<8xf64>
      } {weft.independent}
    } {weft.independent}
    affine.for %l = 0 to 512 step 4 {
      %a = affine.vector_load %t[%l, 0] : memref<4096x2xf64>, vector<8xf64>
      %b = affine.vector_load %t[%l + 512, 0] : memref<4096x2xf64>, vector<8xf64>
      %s = arith.addf %a, %b : vector<8xf64>
      affine.vector_store %s, %y[%line, %l, 0] : memref<2x4096x2xf64>, vector<8xf64>
    } {weft.independent}
  }
  return
}

// Threads share the turns, each with a part of its own.
// CHECK-LABEL: func.func @threads
// CHECK-NOT:     memref.alloca
// CHECK:         affine.for %{{.*}} = 0 to 4096 step 8 {
// CHECK-NEXT:      memref.alloca() : memref<16xf64>
// CHECK-NEXT:      affine.for
// CHECK:           } {weft.independent}
// CHECK:         } {weft.independent, weft.parallel}
// CHECK-NEXT:    return
func.func @threads(%x: memref<8192xf64>, %y: memref<8192xf64>) {
  %t = memref.alloca() : memref<8192xf64>
  affine.for %p = 0 to 8192 step 8 {
    %a = affine.vector_load %x[%p] : memref<8192xf64>, vector<8xf64>
    affine.vector_store %a, %t[%p] : memref<8192xf64>, vector<8xf64>
  } {weft.independent, weft.parallel}
  affine.for %p = 0 to 4096 step 8 {
    %a = affine.vector_load %t[%p] : memref<8192xf64>, vector<8xf64>
    %b = affine.vector_load %t[%p + 4096] : memref<8192xf64>, vector<8xf64>
    %s = arith.addf %a, %b : vector<8xf64>
    affine.vector_store %s, %y[%p] : memref<8192xf64>, vector<8xf64>
  } {weft.independent, weft.parallel}
  return
}
}
