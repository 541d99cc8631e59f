// The exchange of an iteration goes on beside the last part of the one before and the first part of
// the one behind; two iterations a turn, one is left over.
// RUN: weft-opt %s --overlap | FileCheck %s
// RUN: weft-interp %s --input 'dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0]]> : tensor<2x4xf64>' > %t
// RUN: weft-opt %s --overlap | weft-interp - --input 'dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0]]> : tensor<2x4xf64>' | diff %t -

// CHECK-LABEL: func.func @f
// CHECK:         %[[S0:.*]] = weft.map
// CHECK:         %[[C0:.*]] = weft.alltoall_begin %[[S0]] groups 2
// CHECK:         %[[R:.*]]:4 = scf.for %{{.*}} iter_args(%[[V:[a-z0-9]+]] = %[[S0]], %[[SUM:[a-z0-9]+]] = %arg0, %[[SENT:[a-z0-9]+]] = %[[S0]], %[[COMING:[a-z0-9]+]] = %[[C0]])
// CHECK:           %[[S1:.*]] = weft.map
// CHECK:             tensor.extract %[[V]]
// CHECK:           %[[Y0:.*]] = weft.alltoall_end %[[COMING]] of %[[SENT]] groups 2
// CHECK:           %[[C1:.*]] = weft.alltoall_begin %[[S1]] groups 2
// CHECK:           %[[SUM1:.*]] = weft.map
// CHECK:             tensor.extract %[[Y0]]
// CHECK:           %[[S2:.*]] = weft.map
// CHECK:           %[[Y1:.*]] = weft.alltoall_end %[[C1]] of %[[S1]] groups 2
// CHECK:           %[[C2:.*]] = weft.alltoall_begin %[[S2]] groups 2
// CHECK:           %[[SUM2:.*]] = weft.map
// CHECK:           scf.yield %[[S2]], %[[SUM2]], %[[S2]], %[[C2]]
// CHECK:         %[[S3:.*]] = weft.map
// CHECK:         weft.alltoall_end %[[R]]#3 of %[[R]]#2 groups 2
// CHECK:         %[[C3:.*]] = weft.alltoall_begin %[[S3]] groups 2
// CHECK:         weft.map
// CHECK:         weft.alltoall_end %[[C3]] of %[[S3]] groups 2
// CHECK:         %[[LAST:.*]] = weft.map
// CHECK:         return %[[S3]], %[[LAST]]

func.func @f(%x: tensor<4xf64>) -> (tensor<4xf64> {weft.name = "v"}, tensor<4xf64> {weft.name = "sum"})
    attributes {weft.groups = 2 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.constant 4 : index
  %r:2 = scf.for %t = %c0 to %end step %c1 iter_args(%v = %x, %sum = %x) -> (tensor<4xf64>, tensor<4xf64>) {
    %next = weft.map [0] to [4] stores [affine_map<(i) -> (i)>] {
    ^bb0(%i: index):
      %a = tensor.extract %v[%i] : tensor<4xf64>
      %b = arith.addf %a, %a : f64
      weft.yield %b : f64
    } : tensor<4xf64>
    %y = weft.alltoall %next groups 2 : tensor<4xf64>
    %more = weft.map [0] to [4] stores [affine_map<(i) -> (i)>] {
    ^bb0(%i: index):
      %a = tensor.extract %sum[%i] : tensor<4xf64>
      %b = tensor.extract %y[%i] : tensor<4xf64>
      %s = arith.addf %a, %b : f64
      weft.yield %s : f64
    } : tensor<4xf64>
    scf.yield %next, %more : tensor<4xf64>, tensor<4xf64>
  }
  return %r#0, %r#1 : tensor<4xf64>, tensor<4xf64>
}
