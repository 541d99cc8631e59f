// D1802: there are two groups or more.
// RUN: weft-opt %s -verify-diagnostics

func.func @f(%from: memref<4xf64>, %to: memref<4xf64>) {
  // expected-error @below {{[D1802] groups is 1: expected at least 2}}
  weft.exchange "alltoall" %from to %to groups 1 : memref<4xf64>, memref<4xf64>
  return
}
