// A factor that is computed where it is used becomes a tensor of its own: (2*x + 1) @ y computes each
// element once, not for each column.
// RUN: cat %target_avx512 %s | weft-opt - --arrange-contractions | FileCheck %s
// RUN: cat %target_avx512 %s | weft-opt - --arrange-contractions --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: decided {{.*}}a factor in a tensor of its own", Why="it is computed once, and not for each of 64 elements of the other one"

module attributes {weft.target = #target} {
  // CHECK-LABEL: func.func @scaled(
  // CHECK:         %[[A:.*]] = weft.map [0, 0] to [32, 48]
  // CHECK:           arith.mulf
  // CHECK-NEXT:      arith.addf
  // CHECK:         weft.reduce sum [0] to [48]
  // CHECK:           tensor.extract
  // CHECK-NEXT:      tensor.extract
  // CHECK-NEXT:      arith.mulf
  // CHECK-NEXT:      weft.yield
  func.func @scaled(%x: tensor<32x48xf64>, %y: tensor<48x64xf64>) -> tensor<32x64xf64> {
    %one = arith.constant 1.0 : f64
    %two = arith.constant 2.0 : f64
    %z = weft.map [0, 0] to [32, 64] stores [affine_map<(d0, d1) -> (d0, d1)>] {
    ^bb0(%i: index, %j: index):
      %s = weft.reduce sum [0] to [48] {
      ^bb0(%k: index):
        %a = tensor.extract %x[%i, %k] : tensor<32x48xf64>
        %b = arith.mulf %a, %two : f64
        %c = arith.addf %b, %one : f64
        %d = tensor.extract %y[%k, %j] : tensor<48x64xf64>
        %p = arith.mulf %c, %d : f64
        weft.yield %p : f64
      } : f64
      weft.yield %s : f64
    } : tensor<32x64xf64>
    return %z : tensor<32x64xf64>
  }
}
