// The second nest reads rows of real and of imaginary parts, and stores pairs where they have lain:
// the array between the nests has the result's memory. A loop of one turn around it, whose index is
// part of the place, changes nothing, nor do other uses of the result before and behind. In a
// loop of many turns an array beyond the first cache lies in the turn's own part of the result.
// RUN: cat %target_avx512 %s | weft-opt - --lend-results | FileCheck %s
// RUN: cat %target_avx512 %s | weft-opt - --lend-results --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: decided {{.*}}What="a value of type memref<4x2x8xf64> lies in the memory of 'y'", Why="the last nest that reads it stores where it has read: 512 bytes less", bytes=512

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @rows
// CHECK:         %[[LINE:.*]] = memref.reinterpret_cast %arg1 {{.*}} to memref<64xf64>
// CHECK-NOT:     memref.alloc
// CHECK:         affine.vector_store %{{.*}}, %[[LINE]][%{{.*}} * -16 + %{{.*}} + 48] : memref<64xf64>, vector<8xf64>
// CHECK:         affine.vector_store %{{.*}}, %[[LINE]][%{{.*}} * -16 + %{{.*}} + 56] : memref<64xf64>, vector<8xf64>
// CHECK:         affine.vector_load %[[LINE]][%{{.*}} * 16 + %{{.*}}] : memref<64xf64>, vector<8xf64>
// CHECK:         affine.vector_load %[[LINE]][%{{.*}} * 16 + %{{.*}} + 8] : memref<64xf64>, vector<8xf64>
// CHECK:         affine.vector_store %{{.*}}, %arg1
func.func @rows(%x: memref<4x8xf64>, %y: memref<4x8x2xf64> loc("y"), %z: memref<4x8xf64>) {
  affine.for %o = 0 to 8 step 8 {
    %t = memref.alloca() : memref<4x2x8xf64>
    %before = affine.vector_load %y[0, 0, 0] : memref<4x8x2xf64>, vector<8xf64>
    affine.for %i = 0 to 4 {
      affine.for %l = 0 to 8 step 8 {
        %a = affine.vector_load %x[%i, %l] : memref<4x8xf64>, vector<8xf64>
        affine.vector_store %a, %t[3 - %i, 0, %l] : memref<4x2x8xf64>, vector<8xf64>
        affine.vector_store %before, %t[3 - %i, 1, %l] : memref<4x2x8xf64>, vector<8xf64>
      }
    }
    affine.for %i = 0 to 4 {
      affine.for %l = 0 to 8 step 8 {
        %re = affine.vector_load %t[%i, 0, %l] : memref<4x2x8xf64>, vector<8xf64>
        %im = affine.vector_load %t[%i, 1, %l] : memref<4x2x8xf64>, vector<8xf64>
        %s = arith.addf %re, %im : vector<8xf64>
        %d = arith.subf %re, %im : vector<8xf64>
        affine.vector_store %s, %y[%i, %o + %l, 0] : memref<4x8x2xf64>, vector<8xf64>
        affine.vector_store %d, %y[%i, %o + %l + 4, 0] : memref<4x8x2xf64>, vector<8xf64>
      }
    }
    affine.for %i = 0 to 4 {
      %after = affine.vector_load %y[%i, 0, 0] : memref<4x8x2xf64>, vector<8xf64>
      affine.vector_store %after, %z[%i, 0] : memref<4x8xf64>, vector<8xf64>
    }
  }
  return
}

// CHECK-LABEL: func.func @many_turns
// CHECK-NOT:     memref.alloc
// CHECK:         affine.vector_store %{{.*}}, %{{.*}}[%{{.*}} * 8 + %[[TURN:.*]] * 8192] : memref<32768xf64>
// CHECK:         affine.vector_load %{{.*}}[%{{.*}} * 8 + %[[TURN]] * 8192] : memref<32768xf64>
func.func @many_turns(%x: memref<4x1024x8xf64>, %y: memref<4x1024x8xf64>) {
  affine.for %o = 0 to 4 {
    %t = memref.alloca() : memref<1024x8xf64>
    affine.for %i = 0 to 1024 {
      %a = affine.vector_load %x[%o, 1023 - %i, 0] : memref<4x1024x8xf64>, vector<8xf64>
      affine.vector_store %a, %t[%i, 0] : memref<1024x8xf64>, vector<8xf64>
    }
    affine.for %i = 0 to 1024 {
      %a = affine.vector_load %t[%i, 0] : memref<1024x8xf64>, vector<8xf64>
      %s = arith.addf %a, %a : vector<8xf64>
      affine.vector_store %s, %y[%o, %i, 0] : memref<4x1024x8xf64>, vector<8xf64>
    }
  }
  return
}

// Two nests in one turn, of which the first reads and the second stores: each turn stores where it alone
// has read, in another order.
// CHECK-LABEL: func.func @nests_in_a_turn
// CHECK:         %[[LINE:.*]] = memref.reinterpret_cast %arg1 {{.*}} to memref<256xf64>
// CHECK:         memref.alloca() : memref<64xf64>
// CHECK-NOT:     memref.alloca
// CHECK:         affine.vector_store %{{.*}}, %[[LINE]][%{{.*}} * 8]
// CHECK:         affine.vector_load %[[LINE]][%{{.*}} * 32 + %{{.*}} * 8]
func.func @nests_in_a_turn(%x: memref<256xf64>, %y: memref<256xf64>) {
  %t = memref.alloca() : memref<256xf64>
  %part = memref.alloca() : memref<64xf64>
  affine.for %i = 0 to 32 {
    %a = affine.vector_load %x[%i * 8] : memref<256xf64>, vector<8xf64>
    affine.vector_store %a, %t[%i * 8] : memref<256xf64>, vector<8xf64>
  }
  affine.for %b = 0 to 4 {
    affine.for %i = 0 to 8 {
      %a = affine.vector_load %t[%i * 32 + %b * 8] : memref<256xf64>, vector<8xf64>
      affine.vector_store %a, %part[%i * 8] : memref<64xf64>, vector<8xf64>
    }
    affine.for %i = 0 to 8 {
      %a = affine.vector_load %part[%i * 8] : memref<64xf64>, vector<8xf64>
      affine.vector_store %a, %y[224 - %i * 32 + %b * 8] : memref<256xf64>, vector<8xf64>
    }
  }
  return
}
}
