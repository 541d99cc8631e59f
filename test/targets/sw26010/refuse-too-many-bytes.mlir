// Arrays beyond the LDM are refused with the bytes that are too many.
// RUN: cat %target_sw26010 %s | not weft-translate - --weft-to-c 2>&1 | FileCheck %s

// CHECK: no C form for `cpe.cores` on target 'sw26010': its arrays take 65536 bytes of a core's memory, 8192 more than there are
module attributes {weft.target = #target} {
  func.func @f(%x: memref<8192xf64>) {
    cpe.cores {
      %c0 = arith.constant 0 : index
      %a = memref.alloca() : memref<8192xf64>
      cpe.dma_get %x[%c0], %a block 8192 counts [] strides [] : memref<8192xf64>, memref<8192xf64>
      cpe.dma_wait
    }
    return
  }
}
