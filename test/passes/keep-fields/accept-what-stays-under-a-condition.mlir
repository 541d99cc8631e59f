// What is made under a condition may be that of the step before: it keeps its memory, and the copy at
// the end of the step stays.
// RUN: cat %target_sw26010 %s | weft-opt - --keep-fields --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @every_other_step
// CHECK:         %[[U:.*]] = cpe.spread
// CHECK:         %[[NEW:.*]] = cpe.spread
// CHECK:         affine.for %{{.*}} = 0 to 9 {
// CHECK:           affine.store %{{.*}}, %[[NEW]]
// CHECK:           %[[A:.*]] = affine.load %[[NEW]]
// CHECK-NEXT:      affine.store %[[A]], %[[U]]
#every_other = affine_set<(d0) : (d0 mod 2 == 0)>
module attributes {weft.target = #target} {
  func.func @every_other_step(%u: memref<64x40xf64>) {
    %new = memref.alloc() : memref<64x40xf64>
    affine.for %t = 0 to 9 {
      affine.for %i = 0 to 64 {
        affine.for %j = 0 to 40 {
          affine.if #every_other(%t) {
            %a = affine.load %u[(%i + 1) mod 64, %j] : memref<64x40xf64>
            %s = math.sin %a : f64
            affine.store %s, %new[%i, %j] : memref<64x40xf64>
          }
        } {weft.independent, weft.lane}
      } {weft.independent}
      affine.for %i = 0 to 64 {
        affine.for %j = 0 to 40 {
          %a = affine.load %new[%i, %j] : memref<64x40xf64>
          affine.store %a, %u[%i, %j] : memref<64x40xf64>
        } {weft.independent, weft.lane}
      } {weft.independent}
    }
    return
  }
}
