// RUN: cat %target_avx512 %s | weft-translate - --weft-to-c | FileCheck %s
// A result beyond the third cache that is copied line by line out of an array that the second one holds
// goes past them; not so where the loop waits for what it reads, where lines do not follow each other,
// where the function reads the result, and where a cache holds it.

module attributes {weft.target = #target} {
// CHECK-LABEL: int copied(
// CHECK:         weft_store_past_ps(&y[(i*64 + j)*64], v0);
// CHECK-COUNT-3: weft_store_past_ps(&y
// CHECK:         weft_stored_past();
// CHECK-NEXT:    return 0;
func.func @copied(%x: memref<64x64xf32> {weft.name = "x", weft.role = "in"},
                  %y: memref<1024x64x64xf32> {weft.name = "y", weft.role = "out"}) {
  affine.for %n = 0 to 1024 {
    affine.for %r = 0 to 64 {
      %a = affine.vector_load %x[%r, 0] : memref<64x64xf32>, vector<16xf32>
      affine.vector_store %a, %y[%n, %r, 0] : memref<1024x64x64xf32>, vector<16xf32>
      affine.vector_store %a, %y[%n, %r, 16] : memref<1024x64x64xf32>, vector<16xf32>
      affine.vector_store %a, %y[%n, %r, 32] : memref<1024x64x64xf32>, vector<16xf32>
      affine.vector_store %a, %y[%n, %r, 48] : memref<1024x64x64xf32>, vector<16xf32>
    }
  }
  return
}

// CHECK-LABEL: int from_memory(
// CHECK-NOT:     weft_store_past
func.func @from_memory(%x: memref<1024x64x64xf32> {weft.name = "x", weft.role = "in"},
                       %y: memref<1024x64x64xf32> {weft.name = "y", weft.role = "out"}) {
  affine.for %n = 0 to 1024 {
    affine.for %r = 0 to 64 {
      %a = affine.vector_load %x[%n, %r, 0] : memref<1024x64x64xf32>, vector<16xf32>
      affine.vector_store %a, %y[%n, %r, 0] : memref<1024x64x64xf32>, vector<16xf32>
      affine.vector_store %a, %y[%n, %r, 16] : memref<1024x64x64xf32>, vector<16xf32>
      affine.vector_store %a, %y[%n, %r, 32] : memref<1024x64x64xf32>, vector<16xf32>
      affine.vector_store %a, %y[%n, %r, 48] : memref<1024x64x64xf32>, vector<16xf32>
    }
  }
  return
}

// CHECK-LABEL: int apart(
// CHECK-NOT:     weft_store_past
func.func @apart(%x: memref<64x64xf32> {weft.name = "x", weft.role = "in"},
                 %y: memref<1024x64x64xf32> {weft.name = "y", weft.role = "out"}) {
  affine.for %n = 0 to 1024 step 4 {
    affine.for %r = 0 to 64 {
      %a = affine.vector_load %x[%r, 0] : memref<64x64xf32>, vector<16xf32>
      affine.vector_store %a, %y[%n, %r, 0] : memref<1024x64x64xf32>, vector<16xf32>
      affine.vector_store %a, %y[%n + 1, %r, 0] : memref<1024x64x64xf32>, vector<16xf32>
      affine.vector_store %a, %y[%n + 2, %r, 0] : memref<1024x64x64xf32>, vector<16xf32>
      affine.vector_store %a, %y[%n + 3, %r, 0] : memref<1024x64x64xf32>, vector<16xf32>
    }
  }
  return
}

// CHECK-LABEL: int read_again(
// CHECK-NOT:     weft_store_past
func.func @read_again(%x: memref<64x64xf32> {weft.name = "x", weft.role = "in"},
                      %y: memref<1024x64x64xf32> {weft.name = "y", weft.role = "out"},
                      %z: memref<1xf32> {weft.name = "z", weft.role = "out"}) {
  affine.for %n = 0 to 1024 {
    affine.for %r = 0 to 64 {
      %a = affine.vector_load %x[%r, 0] : memref<64x64xf32>, vector<16xf32>
      affine.vector_store %a, %y[%n, %r, 0] : memref<1024x64x64xf32>, vector<16xf32>
      affine.vector_store %a, %y[%n, %r, 16] : memref<1024x64x64xf32>, vector<16xf32>
      affine.vector_store %a, %y[%n, %r, 32] : memref<1024x64x64xf32>, vector<16xf32>
      affine.vector_store %a, %y[%n, %r, 48] : memref<1024x64x64xf32>, vector<16xf32>
    }
  }
  %b = affine.load %y[5, 5, 5] : memref<1024x64x64xf32>
  affine.store %b, %z[0] : memref<1xf32>
  return
}

// CHECK-LABEL: int small(
// CHECK-NOT:     weft_store_past
func.func @small(%x: memref<64x64xf32> {weft.name = "x", weft.role = "in"},
                 %y: memref<256x64x64xf32> {weft.name = "y", weft.role = "out"}) {
  affine.for %n = 0 to 256 {
    affine.for %r = 0 to 64 {
      %a = affine.vector_load %x[%r, 0] : memref<64x64xf32>, vector<16xf32>
      affine.vector_store %a, %y[%n, %r, 0] : memref<256x64x64xf32>, vector<16xf32>
      affine.vector_store %a, %y[%n, %r, 16] : memref<256x64x64xf32>, vector<16xf32>
      affine.vector_store %a, %y[%n, %r, 32] : memref<256x64x64xf32>, vector<16xf32>
      affine.vector_store %a, %y[%n, %r, 48] : memref<256x64x64xf32>, vector<16xf32>
    }
  }
  return
}
}
