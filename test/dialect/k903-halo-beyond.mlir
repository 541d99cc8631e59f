// RUN: weft-opt %s --verify-diagnostics

func.func @f() {
  cpe.cores {
    %u = cpe.spread : memref<8x8x512xf64>
    // expected-error@+1 {{reaches element 639 of an array of which a core has 512}}
    cpe.halo %u rows 192 own 3 cores 64 columns 8 before 1 after 1 block 128 counts [] strides [] : memref<8x8x512xf64>
  }
  return
}
