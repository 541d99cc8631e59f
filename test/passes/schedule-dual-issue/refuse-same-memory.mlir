// A load stays behind a store to the same place: of the turn before, in a loop whose turns overlap,
// and within a turn; and behind a store to a place that is not known.
// RUN: cat %target_sw26010 %s | weft-opt - --align-arrays --schedule-dual-issue | FileCheck %s

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @running
// CHECK: affine.for %[[I:.*]] = 4 to
// CHECK: affine.vector_store %{{.*}}, %[[X:.*]][%[[I]]]
// CHECK: affine.vector_load %[[X]][%[[I]]]
// CHECK: affine.yield
func.func @running() {
  cpe.cores {
    %x = memref.alloca() : memref<1024xf64>
    affine.for %i = 4 to 1024 step 4 {
      %a = affine.vector_load %x[%i - 4] : memref<1024xf64>, vector<4xf64>
      %b = arith.mulf %a, %a : vector<4xf64>
      affine.vector_store %b, %x[%i] : memref<1024xf64>, vector<4xf64>
    }
  }
  return
}
// CHECK-LABEL: func.func @behind
// CHECK: affine.vector_store %{{.*}}, %[[X:.*]][%{{.*}}]
// CHECK: affine.vector_load %[[X]][0]
// CHECK: memref.store %{{.*}}, %[[X]]
// CHECK: affine.vector_load %[[X]][8]
func.func @behind(%v: vector<4xf64>, %f: f64, %at: index) {
  cpe.cores {
    %x = memref.alloca() : memref<64xf64>
    %y = memref.alloca() : memref<64xf64>
    affine.for %i = 0 to 2 {
      affine.vector_store %v, %x[%i] : memref<64xf64>, vector<4xf64>
      %a = affine.vector_load %x[0] : memref<64xf64>, vector<4xf64>
      %b = arith.mulf %a, %v : vector<4xf64>
      affine.vector_store %b, %y[0] : memref<64xf64>, vector<4xf64>
      memref.store %f, %x[%at] : memref<64xf64>
      %c = affine.vector_load %x[8] : memref<64xf64>, vector<4xf64>
      %d = arith.mulf %c, %v : vector<4xf64>
      affine.vector_store %d, %y[8] : memref<64xf64>, vector<4xf64>
    }
  }
  return
}
}
