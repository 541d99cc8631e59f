// Where the fields stay in main memory, single elements of them are stored as they were.
// RUN: cat %target_sw26010 %s | weft-opt - > %t
// RUN: cat %target_sw26010 %s | weft-opt - --keep-fields | diff %t -
module attributes {weft.target = #target} {
  func.func @points(%u: memref<1024x1024xf64>) {
    affine.for %t = 0 to 10 {
      affine.for %i = 0 to 1024 {
        affine.for %j = 0 to 1024 {
          %a = affine.load %u[%i, %j] : memref<1024x1024xf64>
          %s = arith.addf %a, %a : f64
          affine.store %s, %u[%i, %j] : memref<1024x1024xf64>
        } {weft.independent, weft.lane}
      } {weft.independent}
      %two = arith.constant 2.0 : f64
      %a = affine.load %u[1, 3] : memref<1024x1024xf64>
      %b = arith.mulf %a, %two : f64
      affine.store %b, %u[0, 3] : memref<1024x1024xf64>
    }
    return
  }
}
