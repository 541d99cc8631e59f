// RUN: cat %target_portable %s | weft-translate - --weft-to-c | FileCheck %s

// Slices of the scratch memory, aligned; one that is no longer read makes room for another.

module attributes {weft.target = #target} {
  // CHECK: size_t f_scratch_bytes(void) { return 128; }
  func.func @f(%x: memref<3xf64> {weft.name = "x", weft.role = "in"},
               %y: memref<3xf64> {weft.name = "y", weft.role = "out"}) {
    // CHECK: double *const a = (double *)scratch;
    // CHECK: double *const restrict b = (double *)((char *)scratch + 64);
    // CHECK: double *const c = (double *)scratch;
    %a = memref.alloc() {alignment = 64 : i64} : memref<3xf64> loc("a")
    %b = memref.alloc() {alignment = 64 : i64} : memref<3xf64> loc("b")
    %c = memref.alloc() {alignment = 64 : i64} : memref<3xf64> loc("c")
    // CHECK: for (ptrdiff_t i = 0; i < 3; ++i)
    // CHECK-NEXT: a[i] = x[i];
    memref.copy %x, %a : memref<3xf64> to memref<3xf64>
    memref.copy %a, %b : memref<3xf64> to memref<3xf64>
    memref.copy %b, %c : memref<3xf64> to memref<3xf64>
    memref.copy %c, %y : memref<3xf64> to memref<3xf64>
    return
  }
}
