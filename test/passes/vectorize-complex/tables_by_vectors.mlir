// RUN: cat %target_avx512 %s | weft-opt - --vectorize-complex | FileCheck %s
// A table of rows that a quarter of the first cache does not hold has the vectors of all rows at
// one place side by side, as a turn reads them: rows apart share sets of the cache.

module attributes {weft.target = #target} {
// CHECK: memref.global "private" constant @w_vectors : memref<1537xf64>
memref.global "private" constant @w : memref<3x256x2xf64> = dense<9.0>
// CHECK-LABEL: func.func @second_row
// CHECK:         affine.for %[[P:.*]] = 0 to 256 step 4
// CHECK:           affine.vector_load %{{.*}}[%[[P]] * 6 + 9] : memref<1537xf64>, vector<8xf64>
// CHECK:           affine.vector_load %{{.*}}[%[[P]] * 6 + 8] : memref<1537xf64>, vector<8xf64>
func.func @second_row(%x: memref<256x2xf64>, %z: memref<256x2xf64>) {
  %w = memref.get_global @w : memref<3x256x2xf64>
  affine.for %p = 0 to 256 {
    %xr = affine.load %x[%p, 0] : memref<256x2xf64>
    %xi = affine.load %x[%p, 1] : memref<256x2xf64>
    %wr = affine.load %w[1, %p, 0] : memref<3x256x2xf64>
    %wi = affine.load %w[1, %p, 1] : memref<3x256x2xf64>
    %ii = arith.mulf %xi, %wi : f64
    %ni = arith.negf %ii : f64
    %re = math.fma %xr, %wr, %ni : f64
    %ir = arith.mulf %xi, %wr : f64
    %im = math.fma %xr, %wi, %ir : f64
    affine.store %re, %z[%p, 0] : memref<256x2xf64>
    affine.store %im, %z[%p, 1] : memref<256x2xf64>
  } {weft.lane}
  return
}

// A last vector that begins earlier than at a multiple of the lanes would find others' numbers.
memref.global "private" constant @v : memref<3x258x2xf64> = dense<9.0>
// CHECK-LABEL: func.func @no_whole_rows
// CHECK:         memref.get_global @v_pairs : memref<1549xf64>
func.func @no_whole_rows(%x: memref<258x2xf64>, %z: memref<258x2xf64>) {
  %w = memref.get_global @v : memref<3x258x2xf64>
  affine.for %p = 0 to 258 {
    %xr = affine.load %x[%p, 0] : memref<258x2xf64>
    %xi = affine.load %x[%p, 1] : memref<258x2xf64>
    %wr = affine.load %w[1, %p, 0] : memref<3x258x2xf64>
    %wi = affine.load %w[1, %p, 1] : memref<3x258x2xf64>
    %ii = arith.mulf %xi, %wi : f64
    %ni = arith.negf %ii : f64
    %re = math.fma %xr, %wr, %ni : f64
    %ir = arith.mulf %xi, %wr : f64
    %im = math.fma %xr, %wi, %ir : f64
    affine.store %re, %z[%p, 0] : memref<258x2xf64>
    affine.store %im, %z[%p, 1] : memref<258x2xf64>
  } {weft.lane}
  return
}
// A loop around chooses the row: its numbers follow one another as they do.
// CHECK-LABEL: func.func @row_by_row
// CHECK:         memref.get_global @w_pairs : memref<1537xf64>
// CHECK:           affine.vector_load %{{.*}}[%[[ROW:.*]] * 512 + %{{.*}} * 2 + 1]
func.func @row_by_row(%x: memref<3x256x2xf64>, %z: memref<3x256x2xf64>) {
  %w = memref.get_global @w : memref<3x256x2xf64>
  affine.for %row = 0 to 3 {
    affine.for %p = 0 to 256 {
      %xr = affine.load %x[%row, %p, 0] : memref<3x256x2xf64>
      %xi = affine.load %x[%row, %p, 1] : memref<3x256x2xf64>
      %wr = affine.load %w[%row, %p, 0] : memref<3x256x2xf64>
      %wi = affine.load %w[%row, %p, 1] : memref<3x256x2xf64>
      %ii = arith.mulf %xi, %wi : f64
      %ni = arith.negf %ii : f64
      %re = math.fma %xr, %wr, %ni : f64
      %ir = arith.mulf %xi, %wr : f64
      %im = math.fma %xr, %wi, %ir : f64
      affine.store %re, %z[%row, %p, 0] : memref<3x256x2xf64>
      affine.store %im, %z[%row, %p, 1] : memref<3x256x2xf64>
    } {weft.lane}
  }
  return
}
}
