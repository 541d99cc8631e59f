// A block that is no multiple of a message's elements would lose the last ones.
// RUN: cat %target_sw26010 %s | not weft-translate - --weft-to-c 2>&1 | FileCheck %s

// CHECK: error: {{.*}}expected whole messages of 4 elements, found a block of 6
module attributes {weft.target = #target} {
  func.func @f(%x: memref<64x40xf64> {weft.name = "x", weft.role = "in"}) {
    cpe.cores {
      %a = cpe.spread : memref<8x8x1536xf64> loc("a")
      %b = cpe.spread : memref<8x8x1536xf64> loc("b")
      cpe.exchange %a, %b along_rows block 6 counts [1] from 8 [8] to 8 [8] : memref<8x8x1536xf64>, memref<8x8x1536xf64>
    }
    return
  }
}
