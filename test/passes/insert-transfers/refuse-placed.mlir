// A value that a schedule wants in the LDM, and whose places are data: cores would access it word by word.
// RUN: cat %target_sw26010 %s | not weft-opt - --insert-transfers 2>&1 | FileCheck %s
// RUN: sed 's/in ldm/in cache/' %s > %t.1
// RUN: cat %target_sw26010 %t.1 | not weft-opt - --insert-transfers 2>&1 | FileCheck %s --check-prefix=CACHE

// CHECK: error: {{.*}}schedule: place x in ldm: cores access 'x' word by word in main memory: an index is data, or elements lie too irregularly for transfers; expected values at places that are known when the kernel is compiled
// CACHE: error: {{.*}}schedule: place x in cache: cores of a core group have memory of their own, and no cache; expected ldm
module attributes {weft.target = #target} {
func.func @gathered(%x: memref<1000xf64> loc("x"), %at: memref<64xi64>, %y: memref<64xf64>) attributes {weft.schedule = ["place x in ldm"]} {
  cpe.cores {
    affine.for %i = 0 to 64 {
      %p = affine.load %at[%i] : memref<64xi64>
      %n = arith.index_cast %p : i64 to index
      %v = memref.load %x[%n] : memref<1000xf64>
      affine.store %v, %y[%i] : memref<64xf64>
    } {weft.independent, weft.parallel}
  }
  return
}
}
