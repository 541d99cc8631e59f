// What cores in a line have goes to all cores, in messages of 32 bytes whatever the numbers are: the rows of the mesh that
// the line takes, and how many messages each core gives.
// RUN: cat %target_sw26010 %s | weft-translate - --weft-to-c | FileCheck %s

module attributes {weft.target = #target} {
  func.func @f(%x: memref<64x40xf64> {weft.name = "x", weft.role = "in"}) {
    cpe.cores {
      %u = cpe.spread : memref<8x8x16xf64> loc("u")
      %v = memref.alloca() : memref<256xf64> loc("v")
      %a = cpe.spread : memref<8x8x16x2xf32> loc("a")
      %b = memref.alloca() : memref<160x2xf32> loc("b")
      // CHECK: weft_collect(core, 8, 8, u + 8, v, 1);
      cpe.collect %u first 8 elements 4 cores 61 columns 8, %v : memref<8x8x16xf64>, memref<256xf64>
      // CHECK: weft_collect(core, 5, 4, a, b, 2);
      cpe.collect %a first 0 elements 16 cores 20 columns 5, %b : memref<8x8x16x2xf32>, memref<160x2xf32>
    }
    return
  }
}
