// RUN: weft-opt %s --verify-diagnostics

func.func @f() {
  cpe.cores {
    %u = cpe.spread : memref<8x8x512xf64>
    affine.for %i = 0 to 8 {
      // expected-error@+1 {{expected it in `cpe.cores`, where all cores come by}}
      cpe.halo %u rows 128 own 2 cores 64 columns 8 before 1 after 1 block 128 counts [] strides [] : memref<8x8x512xf64>
    } {weft.parallel}
  }
  return
}
