// Rows stay as they lie: as many as a stage of a transform touches, rows that fall into different sets,
// vectors that go on in the next row, also where each begins at a multiple of its lanes, and an array of
// which a view shows a part.
// RUN: cat %target_avx512 %s | weft-opt - --align-arrays | FileCheck %s

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @stage
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<16x64x16xf32>
func.func @stage(%x: memref<64x16xf32>, %y: memref<64x16xf32>) {
  %a = memref.alloc() : memref<16x64x16xf32>
  affine.for %i = 0 to 63 {
    %v = affine.vector_load %x[%i, 0] : memref<64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[0, %i, 0] : memref<16x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[1, %i, 0] : memref<16x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[2, %i, 0] : memref<16x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[3, %i, 0] : memref<16x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[4, %i, 0] : memref<16x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[5, %i, 0] : memref<16x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[6, %i, 0] : memref<16x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[7, %i, 0] : memref<16x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[8, %i, 0] : memref<16x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[9, %i, 0] : memref<16x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[10, %i, 0] : memref<16x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[11, %i, 0] : memref<16x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[12, %i, 0] : memref<16x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[13, %i, 0] : memref<16x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[14, %i, 0] : memref<16x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[15, %i, 0] : memref<16x64x16xf32>, vector<16xf32>
  }
  return
}
// CHECK-LABEL: func.func @apart
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<17x65x16xf32>
func.func @apart(%x: memref<64x16xf32>, %y: memref<64x16xf32>) {
  %a = memref.alloc() : memref<17x65x16xf32>
  affine.for %i = 0 to 63 {
    %v = affine.vector_load %x[%i, 0] : memref<64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[0, %i, 0] : memref<17x65x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[1, %i, 0] : memref<17x65x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[2, %i, 0] : memref<17x65x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[3, %i, 0] : memref<17x65x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[4, %i, 0] : memref<17x65x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[5, %i, 0] : memref<17x65x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[6, %i, 0] : memref<17x65x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[7, %i, 0] : memref<17x65x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[8, %i, 0] : memref<17x65x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[9, %i, 0] : memref<17x65x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[10, %i, 0] : memref<17x65x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[11, %i, 0] : memref<17x65x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[12, %i, 0] : memref<17x65x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[13, %i, 0] : memref<17x65x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[14, %i, 0] : memref<17x65x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[15, %i, 0] : memref<17x65x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[16, %i, 0] : memref<17x65x16xf32>, vector<16xf32>
  }
  return
}
// CHECK-LABEL: func.func @beyond
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<17x64x16xf32>
func.func @beyond(%x: memref<64x16xf32>, %y: memref<64x16xf32>) {
  %a = memref.alloc() : memref<17x64x16xf32>
  affine.for %i = 0 to 63 {
    %v = affine.vector_load %x[%i, 0] : memref<64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[0, %i, 8] : memref<17x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[1, %i, 8] : memref<17x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[2, %i, 8] : memref<17x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[3, %i, 8] : memref<17x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[4, %i, 8] : memref<17x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[5, %i, 8] : memref<17x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[6, %i, 8] : memref<17x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[7, %i, 8] : memref<17x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[8, %i, 8] : memref<17x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[9, %i, 8] : memref<17x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[10, %i, 8] : memref<17x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[11, %i, 8] : memref<17x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[12, %i, 8] : memref<17x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[13, %i, 8] : memref<17x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[14, %i, 8] : memref<17x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[15, %i, 8] : memref<17x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[16, %i, 8] : memref<17x64x16xf32>, vector<16xf32>
  }
  return
}
// CHECK-LABEL: func.func @part
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<17x64x16xf32>
func.func @part(%x: memref<64x16xf32>, %y: memref<64x16xf32>) {
  %a = memref.alloc() : memref<17x64x16xf32>
  affine.for %i = 0 to 63 {
    %v = affine.vector_load %x[%i, 0] : memref<64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[0, %i, 0] : memref<17x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[1, %i, 0] : memref<17x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[2, %i, 0] : memref<17x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[3, %i, 0] : memref<17x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[4, %i, 0] : memref<17x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[5, %i, 0] : memref<17x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[6, %i, 0] : memref<17x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[7, %i, 0] : memref<17x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[8, %i, 0] : memref<17x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[9, %i, 0] : memref<17x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[10, %i, 0] : memref<17x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[11, %i, 0] : memref<17x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[12, %i, 0] : memref<17x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[13, %i, 0] : memref<17x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[14, %i, 0] : memref<17x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[15, %i, 0] : memref<17x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[16, %i, 0] : memref<17x64x16xf32>, vector<16xf32>
  }
  %b = memref.reinterpret_cast %a to offset: [16], sizes: [8, 16], strides: [16, 1] : memref<17x64x16xf32> to memref<8x16xf32, strided<[16, 1], offset: 16>>
  affine.for %i = 0 to 8 {
    %v = affine.load %b[%i, 0] : memref<8x16xf32, strided<[16, 1], offset: 16>>
    affine.store %v, %y[%i, 0] : memref<64x16xf32>
  }
  return
}
// CHECK-LABEL: func.func @of_fewer_lanes
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<27x1024xf32>
func.func @of_fewer_lanes(%v: vector<12xf32>) {
  %a = memref.alloc() : memref<27x1024xf32>
  affine.for %i = 0 to 4 {
    affine.vector_store %v, %a[0, 1020] : memref<27x1024xf32>, vector<12xf32>
    affine.vector_store %v, %a[1, 1016] : memref<27x1024xf32>, vector<12xf32>
    affine.vector_store %v, %a[3, 1020] : memref<27x1024xf32>, vector<12xf32>
    affine.vector_store %v, %a[4, 1016] : memref<27x1024xf32>, vector<12xf32>
    affine.vector_store %v, %a[6, 1020] : memref<27x1024xf32>, vector<12xf32>
    affine.vector_store %v, %a[7, 1016] : memref<27x1024xf32>, vector<12xf32>
    affine.vector_store %v, %a[9, 1020] : memref<27x1024xf32>, vector<12xf32>
    affine.vector_store %v, %a[10, 1016] : memref<27x1024xf32>, vector<12xf32>
    affine.vector_store %v, %a[12, 1020] : memref<27x1024xf32>, vector<12xf32>
    affine.vector_store %v, %a[13, 1016] : memref<27x1024xf32>, vector<12xf32>
    affine.vector_store %v, %a[15, 1020] : memref<27x1024xf32>, vector<12xf32>
    affine.vector_store %v, %a[16, 1016] : memref<27x1024xf32>, vector<12xf32>
    affine.vector_store %v, %a[18, 1020] : memref<27x1024xf32>, vector<12xf32>
    affine.vector_store %v, %a[19, 1016] : memref<27x1024xf32>, vector<12xf32>
    affine.vector_store %v, %a[21, 1020] : memref<27x1024xf32>, vector<12xf32>
    affine.vector_store %v, %a[22, 1016] : memref<27x1024xf32>, vector<12xf32>
    affine.vector_store %v, %a[24, 1020] : memref<27x1024xf32>, vector<12xf32>
    affine.vector_store %v, %a[25, 1016] : memref<27x1024xf32>, vector<12xf32>
  }
  return
}
}
