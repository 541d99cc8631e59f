// Single elements that the loop makes are nests of one iteration, by the core that has the row. One that
// the loop reads is for all cores: the sum of what the owner has and of zeros.
// RUN: cat %target_sw26010 %s | weft-opt - --keep-fields --canonicalize | FileCheck %s

// CHECK:       #[[$FIRST:.*]] = affine_set<(d0) : (-d0 >= 0, d0 >= 0)>
// CHECK:       #[[$FIFTH:.*]] = affine_set<(d0) : (d0 - 5 >= 0, -d0 + 5 >= 0)>
// CHECK-LABEL: func.func @points
// CHECK:         %[[U:.*]] = cpe.spread
// CHECK:         %[[ONE:.*]] = memref.alloca() : memref<1xf64>
// CHECK:         affine.for %{{.*}} = 0 to 40 {
// CHECK:             affine.if #[[$FIRST]](%{{.*}}) {
// CHECK-NEXT:          affine.store %{{.*}}, %[[U]]
// CHECK:           affine.for %[[P:.*]] = 0 to 64 {
// CHECK-NEXT:        affine.store %{{.*}}, %[[ONE]][0]
// CHECK-NEXT:        affine.if #[[$FIFTH]](%[[P]]) {
// CHECK-NEXT:          %[[V:.*]] = affine.load %[[U]]
// CHECK-NEXT:          affine.store %[[V]], %[[ONE]][0]
// CHECK:           %[[ALL:.*]] = affine.for %{{.*}} = 0 to 64 iter_args
// CHECK-NEXT:        affine.load %[[ONE]][0]
// CHECK:           } {weft.parallel, weft.ring = 8 : i64, weft.sums}
// CHECK-NEXT:      affine.store %[[ALL]], %arg1
module attributes {weft.target = #target} {
  func.func @points(%u: memref<64x46xf64>, %out: memref<40xf64>) {
    %zero = arith.constant 0.0 : f64
    affine.for %t = 0 to 40 {
      affine.for %i = 0 to 64 {
        affine.for %j = 0 to 46 {
          %a = affine.load %u[%i, %j] : memref<64x46xf64>
          %s = arith.addf %a, %a : f64
          affine.store %s, %u[%i, %j] : memref<64x46xf64>
        } {weft.independent, weft.lane}
      } {weft.independent}
      affine.store %zero, %u[0, 3] : memref<64x46xf64>
      %one = affine.load %u[5, 7] : memref<64x46xf64>
      affine.store %one, %out[%t] : memref<40xf64>
    }
    return
  }
}
