// RUN: weft-opt %s --verify-diagnostics

func.func @f() {
  // expected-error@+1 {{'cpe.dma_wait' op expected it in `cpe.cores`}}
  cpe.dma_wait
  return
}
