// RUN: cat %target_avx512 %s | sed 's/ahead_bytes = 8192/ahead_bytes = 8192 : i64, ahead_in_order_bytes = 1536/' \
// RUN:   | weft-translate - --weft-to-c | FileCheck %s
// Where a machine follows what is asked for in order, the row of a later block: a few lines with each
// turn of every loop of the block, the more the more a turn computes, and none with the loads. Rows
// too short for that, and those that a block does not read whole or reads backwards, are asked for
// with the loads.

module attributes {weft.target = #target} {
// CHECK: if (first % 4096 < lines * line_bytes)

// 64 lines a row: 3 with each of 16 turns of nine operations, then 1 with each of 32 turns of three.
// CHECK-LABEL: int rows(
// CHECK-NOT:  weft_load_ahead
// CHECK:      for (ptrdiff_t j = 0; j < 256; j += 16) {
// CHECK-NEXT: weft_row_ahead(&x[i*512], j*12 + 8192, 3, 64);
// CHECK-NOT:  weft_{{load|row}}_ahead
// CHECK:      for (ptrdiff_t j = 0; j < 4; ++j) {
// CHECK:      for (ptrdiff_t k = 8; k < 16; ++k) {
// CHECK-NEXT: weft_row_ahead(&x[i*512], (j*8 + k)*64 + 10752, 1, 64);
// CHECK-NOT:  weft_{{load|row}}_ahead
func.func @rows(%x: memref<16384x512xf64> {weft.name = "x", weft.role = "in"},
                %y: memref<16384x512xf64> {weft.name = "y", weft.role = "out"}) {
  affine.for %r = 0 to 16384 {
    %line = memref.alloca() : memref<512xf64>
    affine.for %i = 0 to 256 step 16 {
      %a = affine.vector_load %x[%r, %i + 256] : memref<16384x512xf64>, vector<8xf64>
      %b = affine.vector_load %x[%r, %i] : memref<16384x512xf64>, vector<8xf64>
      %c = affine.vector_load %x[%r, %i + 8] : memref<16384x512xf64>, vector<8xf64>
      %d = affine.vector_load %x[%r, %i + 264] : memref<16384x512xf64>, vector<8xf64>
      affine.vector_store %a, %line[%i] : memref<512xf64>, vector<8xf64>
      affine.vector_store %b, %line[%i + 8] : memref<512xf64>, vector<8xf64>
      affine.vector_store %c, %line[%i + 256] : memref<512xf64>, vector<8xf64>
      affine.vector_store %d, %line[%i + 264] : memref<512xf64>, vector<8xf64>
    }
    affine.for %j = 0 to 4 {
      affine.for %k = 8 to 16 {
        %a = affine.vector_load %line[%j * 64 + %k * 8 - 64] : memref<512xf64>, vector<8xf64>
        affine.vector_store %a, %y[%r, 448 - %j * 64 - %k * 8 + 64] : memref<16384x512xf64>, vector<8xf64>
      }
    }
  } {weft.independent}
  return
}

// Rows of 1 KB.
// CHECK-LABEL: int shorter(
// CHECK-NOT:  weft_row_ahead
// CHECK:      weft_load_ahead(&x[{{.*}}], 8192);
// CHECK:      _mm512_loadu_pd(&x[
// CHECK-NOT:  weft_row_ahead
func.func @shorter(%x: memref<65536x128xf64> {weft.name = "x", weft.role = "in"},
                   %y: memref<65536x128xf64> {weft.name = "y", weft.role = "out"}) {
  affine.for %r = 0 to 65536 {
    %line = memref.alloca() : memref<128xf64>
    affine.for %i = 0 to 64 step 8 {
      %a = affine.vector_load %x[%r, %i] : memref<65536x128xf64>, vector<8xf64>
      %b = affine.vector_load %x[%r, %i + 64] : memref<65536x128xf64>, vector<8xf64>
      affine.vector_store %a, %line[%i] : memref<128xf64>, vector<8xf64>
      affine.vector_store %b, %line[%i + 64] : memref<128xf64>, vector<8xf64>
    }
    affine.for %i = 0 to 128 step 8 {
      %a = affine.vector_load %line[120 - %i] : memref<128xf64>, vector<8xf64>
      affine.vector_store %a, %y[%r, %i] : memref<65536x128xf64>, vector<8xf64>
    }
  } {weft.independent}
  return
}

// Of each row of 1024 numbers the first half.
// CHECK-LABEL: int halves(
// CHECK-NOT:  weft_row_ahead
// CHECK:      weft_load_ahead(&x[{{.*}}], 8192);
// CHECK-NOT:  weft_row_ahead
func.func @halves(%x: memref<16384x1024xf64> {weft.name = "x", weft.role = "in"},
                  %y: memref<16384x512xf64> {weft.name = "y", weft.role = "out"}) {
  affine.for %r = 0 to 16384 {
    %line = memref.alloca() : memref<512xf64>
    affine.for %i = 0 to 256 step 8 {
      %a = affine.vector_load %x[%r, %i] : memref<16384x1024xf64>, vector<8xf64>
      %b = affine.vector_load %x[%r, %i + 256] : memref<16384x1024xf64>, vector<8xf64>
      affine.vector_store %a, %line[%i] : memref<512xf64>, vector<8xf64>
      affine.vector_store %b, %line[%i + 256] : memref<512xf64>, vector<8xf64>
    }
    affine.for %i = 0 to 512 step 8 {
      %a = affine.vector_load %line[504 - %i] : memref<512xf64>, vector<8xf64>
      affine.vector_store %a, %y[%r, %i] : memref<16384x512xf64>, vector<8xf64>
    }
  } {weft.independent}
  return
}

// Three loops, the first two of which ask for all 64 lines.
// CHECK-LABEL: int enough(
// CHECK:      weft_row_ahead(&x[i*512], j*{{[0-9]+}} + 8192, {{[0-9]+}}, 64);
// CHECK:      weft_row_ahead(&x[i*512],
// CHECK-NOT:  weft_{{load|row}}_ahead
func.func @enough(%x: memref<16384x512xf64> {weft.name = "x", weft.role = "in"},
                  %y: memref<16384x512xf64> {weft.name = "y", weft.role = "out"}) {
  affine.for %r = 0 to 16384 {
    %line = memref.alloca() : memref<512xf64>
    %other = memref.alloca() : memref<512xf64>
    affine.for %i = 0 to 256 step 8 {
      %a = affine.vector_load %x[%r, %i + 256] : memref<16384x512xf64>, vector<8xf64>
      %b = affine.vector_load %x[%r, %i] : memref<16384x512xf64>, vector<8xf64>
      affine.vector_store %a, %line[%i] : memref<512xf64>, vector<8xf64>
      affine.vector_store %b, %line[%i + 256] : memref<512xf64>, vector<8xf64>
    }
    affine.for %i = 0 to 512 step 8 {
      %a = affine.vector_load %line[504 - %i] : memref<512xf64>, vector<8xf64>
      affine.vector_store %a, %other[%i] : memref<512xf64>, vector<8xf64>
    }
    affine.for %i = 0 to 512 step 8 {
      %a = affine.vector_load %other[504 - %i] : memref<512xf64>, vector<8xf64>
      affine.vector_store %a, %y[%r, %i] : memref<16384x512xf64>, vector<8xf64>
    }
  } {weft.independent}
  return
}

// Rows read backwards.
// CHECK-LABEL: int backwards(
// CHECK-NOT:  weft_row_ahead
// CHECK:      weft_load_ahead(&x[{{.*}}], 8192);
// CHECK-NOT:  weft_row_ahead
func.func @backwards(%x: memref<16384x512xf64> {weft.name = "x", weft.role = "in"},
                     %y: memref<16384x512xf64> {weft.name = "y", weft.role = "out"}) {
  affine.for %r = 0 to 16384 {
    %line = memref.alloca() : memref<512xf64>
    affine.for %i = 0 to 256 step 8 {
      %a = affine.vector_load %x[%r, 504 - %i] : memref<16384x512xf64>, vector<8xf64>
      %b = affine.vector_load %x[%r, 248 - %i] : memref<16384x512xf64>, vector<8xf64>
      affine.vector_store %a, %line[%i] : memref<512xf64>, vector<8xf64>
      affine.vector_store %b, %line[%i + 256] : memref<512xf64>, vector<8xf64>
    }
    affine.for %i = 0 to 512 step 8 {
      %a = affine.vector_load %line[504 - %i] : memref<512xf64>, vector<8xf64>
      affine.vector_store %a, %y[%r, %i] : memref<16384x512xf64>, vector<8xf64>
    }
  } {weft.independent}
  return
}

// Blocks of 16 rows: lines that are asked for one behind the other are not asked for with the loads.
// CHECK-LABEL: int several(
// CHECK-NOT:  weft_load_ahead
// CHECK:      weft_row_ahead(&x[i*8192],
// CHECK-NOT:  weft_load_ahead
func.func @several(%x: memref<1024x16x512xf64> {weft.name = "x", weft.role = "in"},
                   %y: memref<1024x16x512xf64> {weft.name = "y", weft.role = "out"}) {
  affine.for %r = 0 to 1024 {
    %lines = memref.alloca() : memref<16x512xf64>
    affine.for %k = 0 to 16 {
      affine.for %i = 0 to 256 step 8 {
        %a = affine.vector_load %x[%r, %k, %i + 256] : memref<1024x16x512xf64>, vector<8xf64>
        %b = affine.vector_load %x[%r, %k, %i] : memref<1024x16x512xf64>, vector<8xf64>
        affine.vector_store %a, %lines[%k, %i] : memref<16x512xf64>, vector<8xf64>
        affine.vector_store %b, %lines[%k, %i + 256] : memref<16x512xf64>, vector<8xf64>
      }
    }
    affine.for %k = 0 to 16 {
      affine.for %i = 0 to 512 step 8 {
        %a = affine.vector_load %lines[%k, %i] : memref<16x512xf64>, vector<8xf64>
        affine.vector_store %a, %y[%r, %k, 504 - %i] : memref<1024x16x512xf64>, vector<8xf64>
      }
    }
  } {weft.independent}
  return
}

// A view that is made within the block has no name in loops before it.
// CHECK-LABEL: int view(
// CHECK-NOT:  weft_row_ahead
// CHECK:      weft_load_ahead(&x[{{.*}}], 8192);
// CHECK-NOT:  weft_row_ahead
// CHECK:      return 0;
func.func @view(%x: memref<16384x512xf64> {weft.name = "x", weft.role = "in"},
                %y: memref<16384x512xf64> {weft.name = "y", weft.role = "out"}) {
  affine.for %r = 0 to 16384 {
    %line = memref.alloca() : memref<512xf64>
    affine.for %k = 0 to 512 step 8 {
      %a = arith.constant dense<0.0> : vector<8xf64>
      affine.vector_store %a, %line[%k] : memref<512xf64>, vector<8xf64>
    }
    %v = memref.reinterpret_cast %x to offset: [0], sizes: [16384, 2, 256], strides: [512, 256, 1] : memref<16384x512xf64> to memref<16384x2x256xf64>
    affine.for %i = 0 to 256 step 8 {
      %a = affine.vector_load %v[%r, 1, %i] : memref<16384x2x256xf64>, vector<8xf64>
      %b = affine.vector_load %v[%r, 0, %i] : memref<16384x2x256xf64>, vector<8xf64>
      affine.vector_store %a, %line[%i] : memref<512xf64>, vector<8xf64>
      affine.vector_store %b, %line[%i + 256] : memref<512xf64>, vector<8xf64>
    }
    affine.for %k = 0 to 512 step 8 {
      %a = affine.vector_load %line[504 - %k] : memref<512xf64>, vector<8xf64>
      affine.vector_store %a, %y[%r, %k] : memref<16384x512xf64>, vector<8xf64>
    }
  } {weft.independent}
  return
}
}
