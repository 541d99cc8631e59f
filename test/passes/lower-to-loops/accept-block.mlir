// Inside of a block complex arrays are split, so that a lane loop needs no shuffles; the
// last map stores straight into the result.
// RUN: cat %target_avx512 %s | weft-opt - --lower-to-loops --canonicalize | FileCheck %s
// RUN: cat %target_avx512 %s | weft-opt - --lower-to-loops --canonicalize --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: decided {{.*}}What="a value of type tensor<4x32xcomplex<f64>> is computed in the caller's array", Why="it is returned, or becomes what is"
// NOTE: decided {{.*}}What="a value of type tensor<4x8xcomplex<f64>> gets 512 bytes of memory of its block", Why="no value that is dead by then has its size and form"
// NOTE: decided {{.*}}What="a value of type tensor<4x8xcomplex<f64>>: vector lanes along index 1, the innermost loop", Why="the lines of a block lie side by side"

// CHECK-LABEL: func.func @through_block
// CHECK:         affine.for %[[B:.*]] = 0 to 32 step 8 {
// CHECK-NEXT:      %[[LOCAL:.*]] = memref.alloca() : memref<4x2x8xf64>
// CHECK:               affine.store %{{.*}}, %[[LOCAL]][%{{.*}}, 0, %{{.*}}]
// CHECK:               affine.load %[[LOCAL]][%{{.*}}, 1, %{{.*}}]
// CHECK:               affine.store %{{.*}}, %arg1[{{.*}}, %[[B]] + %{{.*}}, 1]
module attributes {weft.target = #target} {
func.func @through_block(%x: tensor<4x32xcomplex<f64>>) -> tensor<4x32xcomplex<f64>> {
  %y = weft.blocks [0] to [32] steps [8] places [affine_map<(b, i, q) -> (i, b + q)>] {
  ^bb0(%b: index):
    %t = weft.map [0, 0] to [4, 8] stores [affine_map<(i, q) -> (i, q)>] {
    ^bb0(%i: index, %q: index):
      %s = affine.apply affine_map<(b, q) -> (b + q)>(%b, %q)
      %v = tensor.extract %x[%i, %s] : tensor<4x32xcomplex<f64>>
      weft.yield %v : complex<f64>
    } : tensor<4x8xcomplex<f64>>
    %u = weft.map [0, 0] to [4, 8] stores [affine_map<(i, q) -> (3 - i, q)>] {
    ^bb0(%i: index, %q: index):
      %v = tensor.extract %t[%i, %q] : tensor<4x8xcomplex<f64>>
      weft.yield %v : complex<f64>
    } : tensor<4x8xcomplex<f64>>
    weft.yield %u : tensor<4x8xcomplex<f64>>
  } : tensor<4x32xcomplex<f64>>
  return %y : tensor<4x32xcomplex<f64>>
}
}
