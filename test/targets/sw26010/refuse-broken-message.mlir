// A message is a register.
// RUN: cat %target_sw26010 %s | not weft-translate - --weft-to-c 2>&1 | FileCheck %s

// CHECK: error: {{.*}}expected whole messages of 32 bytes, found 48
module attributes {weft.target = #target} {
  func.func @f(%x: memref<64xf64> {weft.name = "x", weft.role = "in"}) {
    cpe.cores {
      %a = cpe.spread : memref<8x8x6xf64>
      %b = cpe.spread : memref<8x8x6xf64>
      %s = arith.constant 0 : index
      cpe.broadcast %a from %s, %b : memref<8x8x6xf64>, memref<8x8x6xf64>
    }
    return
  }
}
