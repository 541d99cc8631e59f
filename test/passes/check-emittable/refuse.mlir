// RUN: weft-opt %s --check-emittable -split-input-file -verify-diagnostics

// Each op without a C form is reported, with the pass that should have removed it.

#target = {name = "avx512", vector_bytes = 64 : i64}
module attributes {weft.target = #target} {
  func.func @f(%y: memref<8xf64>) {
    // expected-error@+1 {{not emittable: `weft.table` is left; lower-to-loops should have removed it}}
    %t = weft.table dense<(1.0, 0.0)> : tensor<8xcomplex<f64>>
    // expected-error@+1 {{not emittable: `weft.dft` is left; factor-transform should have removed it}}
    %a = weft.dft %t axis 0 sign -1 : tensor<8xcomplex<f64>>
    // expected-error@+1 {{not emittable: `weft.butterfly` is left; simplify-butterflies should have removed it}}
    %b = weft.butterfly %t axis 0 radix 2 done 1 sign -1 : tensor<8xcomplex<f64>>
    return
  }
}

// -----

#target = {name = "avx512", vector_bytes = 64 : i64}
module attributes {weft.target = #target} {
  func.func @widths(%y: memref<8xf64>) {
    // expected-error@+1 {{`affine.vector_load` handles 'vector<4xf64>', a vector that is not of the target's 64 bytes}}
    %a = affine.vector_load %y[0] : memref<8xf64>, vector<4xf64>
    return
  }
  // expected-error@+1 {{expected buffers for arguments and no results, found 'tensor<8xf64>', a tensor; lower-to-loops}}
  func.func @tensors(%x: tensor<8xf64>) {
    return
  }
}

// -----

#target = {name = "avx512", vector_bytes = 64 : i64}
module attributes {weft.target = #target} {
  func.func @bounds(%y: memref<8xf64>) {
    %c = arith.constant 1.0 : f64
    affine.for %i = 0 to 8 {
      // expected-error@+1 {{expected a loop with constant bounds}}
      affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
        affine.store %c, %y[%j] : memref<8xf64>
      }
    }
    return
  }
}
