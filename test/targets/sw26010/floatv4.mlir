// Four floats of 32 bits fill a register: they take 16 bytes of memory, and an alignment of 16. A
// comparison gives doubles, which a selection makes floats.
// RUN: cat %target_sw26010 %s | weft-opt - --align-arrays --mlir-print-debuginfo | weft-translate - --weft-to-c | FileCheck %s

module attributes {weft.target = #target} {
  func.func @f(%x: memref<64xf32> {weft.name = "x", weft.role = "in"},
               %y: memref<64xf32> {weft.name = "y", weft.role = "out"}) {
    cpe.cores {
      %c0 = arith.constant 0 : index
      %in = memref.alloca() : memref<64xf32> loc("in")
      %out = memref.alloca() : memref<64xf64> loc("out")
      cpe.dma_get %x[%c0], %in block 64 counts [] strides [] : memref<64xf32>, memref<64xf32>
      cpe.dma_wait
      // CHECK: const floatv4 [[A:.*]] = weft_load_v4f(&in[4]);
      %a = affine.vector_load %in[4] : memref<64xf32>, vector<4xf32>
      // CHECK: const floatv4 [[B:.*]] = weft_loadu_v4f(&in[6]);
      %b = affine.vector_load %in[6] : memref<64xf32>, vector<4xf32>
      // CHECK: const floatv4 [[S:.*]] = simd_vshff([[A]], [[A]], 177);
      %s = vector.shuffle %a, %a [1, 0, 3, 2] : vector<4xf32>, vector<4xf32>
      // CHECK: = simd_vmas([[A]], [[S]], [[B]]);
      %f = math.fma %a, %s, %b : vector<4xf32>
      // CHECK: const doublev4 [[C:.*]] = (doublev4)simd_vfcmplt([[A]], [[B]]);
      %c = arith.cmpf olt, %a, %b : vector<4xf32>
      // CHECK: const floatv4 [[D:.*]] = simd_vseleq((floatv4)[[C]], [[B]], {{.*}});
      %d = arith.select %c, %f, %b : vector<4xi1>, vector<4xf32>
      // CHECK: = (doublev4)[[D]];
      %w = arith.extf %d : vector<4xf32> to vector<4xf64>
      affine.vector_store %w, %out[0] : memref<64xf64>, vector<4xf64>
    }
    return
  }
}
