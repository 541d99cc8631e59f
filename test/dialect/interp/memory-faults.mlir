// What C would do without a word is named, with its place.
// RUN: not weft-interp %s --entry outside 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: not weft-interp %s --entry unwritten 2>&1 | FileCheck %s --check-prefix=UNWRITTEN
// RUN: not weft-interp %s --entry input --input 'dense<1.0> : tensor<2xf64>' 2>&1 | FileCheck %s --check-prefix=INPUT
// RUN: not weft-interp %s --entry freed 2>&1 | FileCheck %s --check-prefix=FREED
// RUN: not weft-interp %s --entry over 2>&1 | FileCheck %s --check-prefix=OVER
// RUN: not weft-interp %s --entry incomplete 2>&1 | FileCheck %s --check-prefix=INCOMPLETE

// OUTSIDE: [[#@LINE+5]]:5: error: 'affine.store' op the access of memref.alloca at [4] is outside of the shape [4]
func.func @outside() {
  %m = memref.alloca() : memref<4xf64>
  %one = arith.constant 1.0 : f64
  affine.for %i = 0 to 5 {
    affine.store %one, %m[%i] : memref<4xf64>
  }
  return
}

// UNWRITTEN: error: 'func.func' op output result0 [] is an element that was never written
// UNWRITTEN: [[#@LINE+4]]:8: note: the element comes from here
func.func @unwritten() -> f64 {
  %m = memref.alloca() : memref<4xf64>
  %one = arith.constant 1.0 : f64
  %a = affine.load %m[2] : memref<4xf64>
  %s = arith.addf %a, %one : f64
  return %s : f64
}

// INPUT: error: 'affine.store' op stores into x, which is constant
func.func @input(%x: memref<2xf64> {weft.name = "x", weft.role = "in"}) {
  %one = arith.constant 1.0 : f64
  affine.store %one, %x[0] : memref<2xf64>
  return
}

// FREED: error: 'affine.store' op accesses memref.alloc, which was freed
func.func @freed() {
  %m = memref.alloc() : memref<2xf64>
  memref.dealloc %m : memref<2xf64>
  %one = arith.constant 1.0 : f64
  affine.store %one, %m[0] : memref<2xf64>
  return
}

// OVER: error: 'affine.vector_store' op the vector of 4 elements at [1, 0] runs over the end of memref.alloc [2, 3] by 1
func.func @over() {
  %m = memref.alloc() : memref<2x3xf64>
  %v = arith.constant dense<1.0> : vector<4xf64>
  affine.vector_store %v, %m[1, 0] : memref<2x3xf64>, vector<4xf64>
  return
}

// INCOMPLETE: error: 'func.func' op output y [1] is an element that was never written
func.func @incomplete(%y: memref<2xf64> {weft.name = "y", weft.role = "out"}) {
  %one = arith.constant 1.0 : f64
  affine.store %one, %y[0] : memref<2xf64>
  return
}
