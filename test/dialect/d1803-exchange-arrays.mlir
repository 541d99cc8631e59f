// D1803: numbers of elements are those of the kind; arrays are contiguous and of one type.
// RUN: weft-opt %s -split-input-file -verify-diagnostics

func.func @alltoall(%from: memref<5xf64>, %to: memref<5xf64>) {
  // expected-error @below {{[D1803] alltoall of 2 groups from 'memref<5xf64>' to 'memref<5xf64>': expected contiguous arrays}}
  weft.exchange "alltoall" %from to %to groups 2 : memref<5xf64>, memref<5xf64>
  return
}

// -----

func.func @allgather(%from: memref<4xf64>, %to: memref<4xf64>) {
  // expected-error @below {{[D1803] allgather of 2 groups}}
  weft.exchange "allgather" %from to %to groups 2 : memref<4xf64>, memref<4xf64>
  return
}

// -----

func.func @own(%from: memref<4xf64>, %to: memref<2xf32>) {
  // expected-error @below {{[D1803] own of 2 groups}}
  weft.exchange "own" %from to %to groups 2 : memref<4xf64>, memref<2xf32>
  return
}

// -----

func.func @strided(%from: memref<4xf64, strided<[2]>>, %to: memref<4xf64>) {
  // expected-error @below {{[D1803] alltoall of 2 groups}}
  weft.exchange "alltoall" %from to %to groups 2 : memref<4xf64, strided<[2]>>, memref<4xf64>
  return
}
