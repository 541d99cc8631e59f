// On a core group: arrays of main memory and tables begin with its lines of 128 bytes, those of a
// core at multiples of 64. Vectors at multiples of their size in every turn are marked, also of
// what is spread, whose rows and columns say nothing of the place in a core's own part.
// RUN: cat %target_sw26010 %s | weft-opt - --align-arrays --remarks-filter=.* \
// RUN:   --remark-policy=all 2>&1 | FileCheck %s

// CHECK: decided {{.*}}What="one instruction for each of 3 loads and stores of vectors, of 5"

module attributes {weft.target = #target} {
// CHECK: memref.global "private" constant @w : memref<8xf64> = dense<1.000000e+00> {alignment = 128 : i64}
memref.global "private" constant @w : memref<8xf64> = dense<1.0>
// CHECK-LABEL: func.func @f
func.func @f() {
  // CHECK: memref.alloc() {alignment = 128 : i64} : memref<64xf64>
  %m = memref.alloc() : memref<64xf64>
  %zero = arith.constant 0 : index
  cpe.cores {
    // CHECK: %[[S:.*]] = cpe.spread {alignment = 64 : i64}
    %s = cpe.spread : memref<8x8x63xf64>
    // CHECK: %[[A:.*]] = memref.alloca() {alignment = 64 : i64} : memref<64xf64>
    %a = memref.alloca() : memref<64xf64>
    cpe.dma_get %m[%zero], %a block 64 counts [] strides [] : memref<64xf64>, memref<64xf64>
    cpe.dma_wait
    affine.for %r = 0 to 8 {
      affine.for %i = 0 to 48 step 4 {
        // CHECK: affine.vector_load %[[A]][%{{.*}} + 8] {weft.aligned} :
        %v = affine.vector_load %a[%i + 8] : memref<64xf64>, vector<4xf64>
        // CHECK: affine.vector_load %[[A]][%{{.*}} + 2] :
        %w = affine.vector_load %a[%i + 2] : memref<64xf64>, vector<4xf64>
        %x = arith.addf %v, %w : vector<4xf64>
        // CHECK: affine.vector_store {{.*}}, %[[S]][%{{.*}}, 1, %{{.*}}] {weft.aligned} :
        affine.vector_store %x, %s[%r, 1, %i] : memref<8x8x63xf64>, vector<4xf64>
      } {weft.parallel}
      affine.for %j = 0 to 32 {
        // CHECK: affine.vector_load %[[A]][%{{.*}}] :
        %v = affine.vector_load %a[%j] : memref<64xf64>, vector<4xf64>
        // CHECK: vector.store {{.*}}, %[[A]][%{{.*}}] {weft.aligned} :
        vector.store %v, %a[%zero] : memref<64xf64>, vector<4xf64>
      }
    } {weft.parallel}
  }
  return
}
}
