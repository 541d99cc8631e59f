// RUN: cat %target_avx512 %s | weft-translate - --weft-to-c | FileCheck %s
// A sum over blocks of channels and the channels of a block: with each of these a line of the row of
// pixels in the next block, and the vectors of the panel some terms further on.

module attributes {weft.target = #target} {
// CHECK-LABEL: int blocks(
// CHECK:       for (ptrdiff_t i = 0; i < 64; ++i) {
// CHECK:       for (ptrdiff_t j = 0; j < 16; ++j) {
// CHECK-NEXT:  weft_lines_ahead(&x[i*2048], j*64 + 8192, 1, 64);
// CHECK-NEXT:  weft_lines_ahead(&g[(i*16 + j)*16], 1024, 1, 64);
// CHECK-NOT:   _ahead
func.func @blocks(%x: memref<64x128x16xf32> {weft.name = "x", weft.role = "in"},
                  %g: memref<64x16x16xf32> {weft.name = "g", weft.role = "in"},
                  %y: memref<16xf32> {weft.name = "y", weft.role = "out"}) {
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %sum = affine.for %b = 0 to 64 iter_args(%s = %zero) -> vector<16xf32> {
    %inner = affine.for %c = 0 to 16 iter_args(%t = %s) -> vector<16xf32> {
      %f = affine.vector_load %g[%b, %c, 0] : memref<64x16x16xf32>, vector<16xf32>
      %p = affine.load %x[%b, 0, %c] : memref<64x128x16xf32>
      %q = affine.load %x[%b, 13, %c] : memref<64x128x16xf32>
      %v = vector.broadcast %p : f32 to vector<16xf32>
      %w = vector.broadcast %q : f32 to vector<16xf32>
      %m = math.fma %v, %f, %t : vector<16xf32>
      %n = math.fma %w, %f, %m : vector<16xf32>
      affine.yield %n : vector<16xf32>
    }
    affine.yield %inner : vector<16xf32>
  }
  affine.vector_store %sum, %y[0] : memref<16xf32>, vector<16xf32>
  return
}

// Of windows: fewer lines than turns, so a few with each place of a row.
// CHECK-LABEL: int windows(
// CHECK:       for (ptrdiff_t k = 0; k < 3; ++k) {
// CHECK-NEXT:  weft_lines_ahead(&x[(i*64 + j)*512], k*384 + 131072, 6, 64);
// CHECK-NOT:   _ahead(&x
func.func @windows(%x: memref<8x64x32x16xf32> {weft.name = "x", weft.role = "in"},
                   %g: memref<8x3x3x16x16xf32> {weft.name = "g", weft.role = "in"},
                   %y: memref<16xf32> {weft.name = "y", weft.role = "out"}) {
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %sum = affine.for %b = 0 to 8 iter_args(%s = %zero) -> vector<16xf32> {
    %1 = affine.for %r = 0 to 3 iter_args(%s1 = %s) -> vector<16xf32> {
      %2 = affine.for %d = 0 to 3 iter_args(%s2 = %s1) -> vector<16xf32> {
        %3 = affine.for %c = 0 to 16 iter_args(%t = %s2) -> vector<16xf32> {
          %f = affine.vector_load %g[%b, %r, %d, %c, 0] : memref<8x3x3x16x16xf32>, vector<16xf32>
          %p = affine.load %x[%b, %r, %d, %c] : memref<8x64x32x16xf32>
          %q = affine.load %x[%b, %r, %d + 13, %c] : memref<8x64x32x16xf32>
          %v = vector.broadcast %p : f32 to vector<16xf32>
          %w = vector.broadcast %q : f32 to vector<16xf32>
          %m = math.fma %v, %f, %t : vector<16xf32>
          %n = math.fma %w, %f, %m : vector<16xf32>
          affine.yield %n : vector<16xf32>
        }
        affine.yield %3 : vector<16xf32>
      }
      affine.yield %2 : vector<16xf32>
    }
    affine.yield %1 : vector<16xf32>
  }
  affine.vector_store %sum, %y[0] : memref<16xf32>, vector<16xf32>
  return
}

// Of a part of the places of a row: the panel's vectors still lie one behind the other, but for what
// another loop reads of them.
// CHECK-LABEL: int windows_in_part(
// CHECK:       for (ptrdiff_t k = 1; k < 3; ++k) {
// CHECK:       for (ptrdiff_t l = 0; l < 16; ++l) {
// CHECK:       weft_lines_ahead(&g[(((i*3 + j)*3 + k)*16 + l)*16], 1024, 1, 64);
// CHECK-NOT:   _ahead(&g
func.func @windows_in_part(%x: memref<8x64x32x16xf32> {weft.name = "x", weft.role = "in"},
                   %g: memref<8x3x3x16x16xf32> {weft.name = "g", weft.role = "in"},
                   %y: memref<16xf32> {weft.name = "y", weft.role = "out"}) {
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %sum = affine.for %b = 0 to 8 iter_args(%s = %zero) -> vector<16xf32> {
    %1 = affine.for %r = 0 to 3 iter_args(%s1 = %s) -> vector<16xf32> {
      %2 = affine.for %d = 1 to 3 iter_args(%s2 = %s1) -> vector<16xf32> {
        %3 = affine.for %c = 0 to 16 iter_args(%t = %s2) -> vector<16xf32> {
          %f = affine.vector_load %g[%b, %r, %d, %c, 0] : memref<8x3x3x16x16xf32>, vector<16xf32>
          %p = affine.load %x[%b, %r, %d, %c] : memref<8x64x32x16xf32>
          %q = affine.load %x[%b, %r, %d + 13, %c] : memref<8x64x32x16xf32>
          %v = vector.broadcast %p : f32 to vector<16xf32>
          %w = vector.broadcast %q : f32 to vector<16xf32>
          %m = math.fma %v, %f, %t : vector<16xf32>
          %n = math.fma %w, %f, %m : vector<16xf32>
          affine.yield %n : vector<16xf32>
        }
        affine.yield %3 : vector<16xf32>
      }
      affine.yield %2 : vector<16xf32>
    }
    affine.yield %1 : vector<16xf32>
  }
  affine.vector_store %sum, %y[0] : memref<16xf32>, vector<16xf32>
  return
}

// One loop of terms, and arrays that the first cache holds.
// CHECK-LABEL: int small(
// CHECK-NOT:   _ahead
func.func @small(%x: memref<8x16x16xf32> {weft.name = "x", weft.role = "in"},
                 %g: memref<8x16x16xf32> {weft.name = "g", weft.role = "in"},
                 %z: memref<512x16x16xf32> {weft.name = "z", weft.role = "in"},
                 %y: memref<16xf32> {weft.name = "y", weft.role = "out"}) {
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %sum = affine.for %b = 0 to 8 iter_args(%s = %zero) -> vector<16xf32> {
    %inner = affine.for %c = 0 to 16 iter_args(%t = %s) -> vector<16xf32> {
      %f = affine.vector_load %g[%b, %c, 0] : memref<8x16x16xf32>, vector<16xf32>
      %p = affine.load %x[%b, 7, %c] : memref<8x16x16xf32>
      %v = vector.broadcast %p : f32 to vector<16xf32>
      %m = math.fma %v, %f, %t : vector<16xf32>
      affine.yield %m : vector<16xf32>
    }
    affine.yield %inner : vector<16xf32>
  }
  %all = affine.for %b = 0 to 512 iter_args(%t = %sum) -> vector<16xf32> {
    %p = affine.load %z[%b, 0, 0] : memref<512x16x16xf32>
    %q = affine.load %z[%b, 15, 0] : memref<512x16x16xf32>
    %v = vector.broadcast %p : f32 to vector<16xf32>
    %w = vector.broadcast %q : f32 to vector<16xf32>
    %m = math.fma %v, %w, %t : vector<16xf32>
    affine.yield %m : vector<16xf32>
  }
  affine.vector_store %all, %y[0] : memref<16xf32>, vector<16xf32>
  return
}
}
