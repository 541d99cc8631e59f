// D1801: alltoall, its beginning or its end, allgather or own.
// RUN: weft-opt %s -verify-diagnostics

func.func @f(%from: memref<4xf64>, %to: memref<4xf64>) {
  // expected-error @below {{[D1801] kind 'scatter': expected alltoall, alltoall_begin, alltoall_end, allgather or own}}
  weft.exchange "scatter" %from to %to groups 2 : memref<4xf64>, memref<4xf64>
  return
}
