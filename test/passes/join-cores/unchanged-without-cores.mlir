// A loop in which no cores run, and one that carries values, stay as they are.
// RUN: cat %target_sw26010 %s | weft-opt - --canonicalize > %t
// RUN: cat %target_sw26010 %s | weft-opt - --join-cores --canonicalize | diff %t -
module attributes {weft.target = #target} {
  func.func @host(%x: memref<1024xf64>, %y: memref<1xf64>) {
    %zero = arith.constant 0.0 : f64
    affine.for %t = 0 to 5 {
      %s = affine.for %i = 0 to 1024 iter_args(%sum = %zero) -> f64 {
        %v = affine.load %x[%i] : memref<1024xf64>
        %next = arith.addf %sum, %v : f64
        affine.yield %next : f64
      }
      affine.store %s, %x[%t] : memref<1024xf64>
    }
    %last = affine.for %t = 0 to 5 iter_args(%now = %zero) -> f64 {
      cpe.cores {
        affine.for %i = 0 to 1024 {
          affine.store %zero, %x[%i] : memref<1024xf64>
        } {weft.independent, weft.parallel}
      }
      %next = arith.addf %now, %now : f64
      affine.yield %next : f64
    }
    affine.store %last, %y[0] : memref<1xf64>
    return
  }
}
