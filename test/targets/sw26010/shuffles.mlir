// vshff takes its lower two lanes of one operand and its upper two of the other; pairs of both
// operands need another one before. A vector that is not known to lie at a multiple of its length
// is loaded by another word.
// RUN: cat %target_sw26010 %s | weft-opt - --align-arrays --mlir-print-debuginfo | weft-translate - --weft-to-c | FileCheck %s

module attributes {weft.target = #target} {
  func.func @f(%x: memref<64xf64> {weft.name = "x", weft.role = "in"},
               %y: memref<64xf64> {weft.name = "y", weft.role = "out"}) {
    // CHECK:      struct f_cores {
    // CHECK:      athread_spawn(f_cores, &given);
    // CHECK-NEXT: athread_join();
    // CHECK:      #include <slave.h>
    // CHECK:      __thread_local char weft_arrays[512] __attribute__((aligned(64)));
    // CHECK:      void f_cores(struct f_cores *given) {
    cpe.cores {
      %c0 = arith.constant 0 : index
      %in = memref.alloca() : memref<64xf64> loc("in")
      %out = memref.alloca() : memref<64xf64> loc("out")
      // CHECK: weft_get(x, in, 512, 0, 0);
      cpe.dma_get %x[%c0], %in block 64 counts [] strides [] : memref<64xf64>, memref<64xf64>
      // CHECK: weft_wait();
      cpe.dma_wait
      // CHECK: = weft_load_v4d(in);
      %a = affine.vector_load %in[0] : memref<64xf64>, vector<4xf64>
      // CHECK: = weft_loadu_v4d(&in[6]);
      %b = affine.vector_load %in[6] : memref<64xf64>, vector<4xf64>
      // CHECK: = simd_vshff(v1, v0, 136);
      %0 = vector.shuffle %a, %b [0, 2, 4, 6] : vector<4xf64>, vector<4xf64>
      // CHECK: = simd_vshff(v0, v0, 177);
      %1 = vector.shuffle %a, %a [1, 0, 3, 2] : vector<4xf64>, vector<4xf64>
      // CHECK: = weft_shuffle_both_v4d(simd_vshff(v1, v0, 55364 & 255), 55364 >> 8);
      %2 = vector.shuffle %a, %b [0, 4, 1, 5] : vector<4xf64>, vector<4xf64>
      affine.vector_store %0, %out[0] : memref<64xf64>, vector<4xf64>
      affine.vector_store %1, %out[4] : memref<64xf64>, vector<4xf64>
      // CHECK: simd_storeu({{.*}}, &out[9]);
      affine.vector_store %2, %out[9] : memref<64xf64>, vector<4xf64>
      // CHECK: weft_put(out, y, 512, 0, 0);
      cpe.dma_put %out, %y[%c0] block 64 counts [] strides [] : memref<64xf64>, memref<64xf64>
      cpe.dma_wait
    }
    return
  }
}
