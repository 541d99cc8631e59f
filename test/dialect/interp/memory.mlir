// Arguments as the compiled kernel has them: inputs are pairs of reals where the user's are
// complex, outputs are written.
// RUN: weft-interp %s --entry f --input 'dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f64>>' | FileCheck %s

// CHECK: y: float64[2, 2] = {{\[\[}}2, 1], [4, 3]]
memref.global "private" constant @offsets : memref<2xf64> = dense<[0.0, 0.0]>
func.func @f(%x: memref<2x2xf64> {weft.name = "x", weft.role = "in"},
             %y: memref<2x2xf64> {weft.name = "y", weft.role = "out"}) {
  %scratch = memref.alloc() : memref<2x2xf64>
  %table = memref.get_global @offsets : memref<2xf64>
  affine.for %i = 0 to 2 {
    affine.for %p = 0 to 2 {
      %a = affine.load %x[%i, 1 - %p] : memref<2x2xf64>
      %o = affine.load %table[%i] : memref<2xf64>
      %s = arith.addf %a, %o : f64
      affine.store %s, %scratch[%i, %p] : memref<2x2xf64>
    }
  }
  memref.copy %scratch, %y : memref<2x2xf64> to memref<2x2xf64>
  memref.dealloc %scratch : memref<2x2xf64>
  return
}
