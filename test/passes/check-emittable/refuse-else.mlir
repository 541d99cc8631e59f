// A condition has one side, and nothing comes out of it.
// RUN: weft-opt %s --check-emittable --verify-diagnostics

module attributes {weft.target = {name = "test", vector_bytes = 32 : i64}} {
  func.func @f(%x: memref<8xf64>) {
    %one = arith.constant 1.0 : f64
    affine.for %i = 0 to 8 {
      // expected-error@+1 {{not emittable: expected a condition without results and without an else}}
      affine.if affine_set<(i) : (i - 4 >= 0)>(%i) {
        affine.store %one, %x[%i] : memref<8xf64>
      } else {
        affine.store %one, %x[7 - %i] : memref<8xf64>
      }
    }
    return
  }
}
