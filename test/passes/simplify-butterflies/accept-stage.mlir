// A stage becomes a map over (lines, p, l) with the twiddles of its p as a table.
// RUN: weft-opt %s --simplify-butterflies | FileCheck %s
// RUN: weft-opt %s --simplify-butterflies --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: decided {{.*}}What="a value of type tensor<3x8xcomplex<f64>>: the stage of radix 2 by a codelet", Why="4 real operations for 2 points; the sums as they are defined have 28"
// NOTE: rejected {{.*}}What="fused multiply-adds", Why="the target has none (fma = false)"

// CHECK-DAG:   #[[Y0:.*]] = affine_map<(d0, d1, d2) -> (d0, d1 * 4 + d2)>
// CHECK-DAG:   #[[Y1:.*]] = affine_map<(d0, d1, d2) -> (d0, d1 * 4 + d2 + 2)>
// CHECK:       %[[W:.*]] = weft.table dense<{{\[\[}}(1.000000e+00,0.000000e+00)], [(0.000000e+00,-1.000000e+00)]]> : tensor<2x1xcomplex<f64>>
// CHECK:       weft.map [0, 0, 0] to [3, 2, 2] stores [#[[Y0]], #[[Y1]]] attributes {weft.group = 7 : i64, weft.lines = 1 : i64}
// CHECK-NEXT:  ^bb0(%[[I:.*]]: index, %[[P:.*]]: index, %[[L:.*]]: index):
// CHECK:         tensor.extract %[[W]][%[[P]], %{{.*}}]
module attributes {weft.target = {name = "test", fma = false}} {
func.func @stage(%x: tensor<3x8xcomplex<f64>>) -> tensor<3x8xcomplex<f64>> {
  %y = weft.butterfly %x axis 1 radix 2 done 2 sign -1 {weft.group = 7 : i64} : tensor<3x8xcomplex<f64>>
  return %y : tensor<3x8xcomplex<f64>>
}
}
