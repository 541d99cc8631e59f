// A sum over some rows, of rows of which some lie with two cores: what a core adds of a row that is
// not among them, or that the next core has as well, is left out.
// RUN: cat %target_sw26010 %s | weft-opt - --keep-fields --canonicalize --mlir-print-local-scope | FileCheck %s

// CHECK-LABEL: func.func @sums
// CHECK:         cpe.cores {
// CHECK:           affine.for %[[P:.*]] = 0 to 51 iter_args(%[[A:.*]] = %{{.*}}) -> (f64) {
// CHECK-NEXT:        affine.for %[[K:.*]] = 0 to 2 iter_args(%[[SO_FAR:.*]] = %[[A]]) -> (f64) {
// CHECK-NEXT:          %[[ROW:.*]] = affine.for
// CHECK:               affine.apply affine_map<(d0, d1) -> (d1 + (d0 * 99) floordiv 50 - 3)>(%[[P]], %[[K]])
// CHECK-NEXT:          arith.cmpi sge
// CHECK-NEXT:          affine.apply affine_map<(d0, d1) -> (-d1 - (d0 * 99) floordiv 50 + 97)>(%[[P]], %[[K]])
// CHECK:               affine.apply affine_map<(d0, d1) -> (-d1 + (d0 * 99 + 99) floordiv 50 + ((d0 + 1) floordiv 51) * 2 - (d0 * 99) floordiv 50 - 1)>(%[[P]], %[[K]])
// CHECK:               %[[IS_OWN:.*]] = arith.andi
// CHECK-NEXT:          %[[NEXT:.*]] = arith.select %[[IS_OWN]], %[[ROW]], %[[SO_FAR]] : f64
// CHECK-NEXT:          affine.yield %[[NEXT]] : f64
module attributes {weft.target = #target} {
  func.func @sums(%u: memref<101x16xf64>, %out: memref<10xf64>) {
    %zero = arith.constant 0.0 : f64
    affine.for %t = 0 to 10 {
      affine.for %i = 0 to 101 {
        affine.for %j = 0 to 16 {
          %a = affine.load %u[%i, %j] : memref<101x16xf64>
          %s = arith.addf %a, %a : f64
          affine.store %s, %u[%i, %j] : memref<101x16xf64>
        } {weft.independent, weft.lane}
      } {weft.independent}
      %sum = affine.for %i = 3 to 98 iter_args(%all = %zero) -> f64 {
        %row = affine.for %j = 0 to 16 iter_args(%so_far = %all) -> f64 {
          %a = affine.load %u[%i, %j] : memref<101x16xf64>
          %next = arith.addf %so_far, %a : f64
          affine.yield %next : f64
        }
        affine.yield %row : f64
      }
      affine.store %sum, %out[%t] : memref<10xf64>
    }
    return
  }
}
