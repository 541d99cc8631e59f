// Carried arrays take turns: a loop takes so many steps at a time that each array has its role
// again, and what is over stands behind it. No step copies anything.
// RUN: cat %target_avx512 %s | weft-opt - --lower-to-loops --canonicalize | FileCheck %s

module attributes {weft.target = #target} {
// The new value lies over the oldest one, element by element: two arrays, seven steps.
// CHECK-LABEL: func.func @leapfrog
// CHECK-SAME:    %[[A:.*]]: memref<8xf64> {{.*}}, %[[B:.*]]: memref<8xf64> {{.*}}, %[[LAST:.*]]: memref<8xf64>
// CHECK-DAG:     %[[OLD:.*]] = memref.alloc
// CHECK-DAG:     %[[NOW:.*]] = memref.alloc
// CHECK-NOT:     memref.alloc
// CHECK:         affine.for %{{.*}} = 0 to 6 step 2 {
// CHECK:           affine.for %[[I:.*]] = 1 to 7 {
// CHECK-DAG:         affine.load %[[FIRST:.*]][%[[I]] - 1]
// CHECK-DAG:         affine.load %[[SECOND:.*]][%[[I]]]
// CHECK:             affine.store %{{.*}}, %[[SECOND]][%[[I]]]
// CHECK:           }
// CHECK:           affine.store %{{.*}}, %[[SECOND]][0]
// CHECK:           affine.for %[[J:.*]] = 1 to 7 {
// CHECK-DAG:         affine.load %[[SECOND]][%[[J]] - 1]
// CHECK-DAG:         affine.load %[[FIRST]][%[[J]]]
// CHECK:             affine.store %{{.*}}, %[[FIRST]][%[[J]]]
// CHECK:           }
// CHECK:           affine.store %{{.*}}, %[[FIRST]][0]
// CHECK-NEXT:    }
// CHECK:         affine.for
// CHECK:           affine.store %{{.*}}, %[[LAST]]
// CHECK:         }
// CHECK-NOT:     affine.for
// CHECK:         return
func.func @leapfrog(%a: tensor<8xf64>, %b: tensor<8xf64>) -> tensor<8xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %steps = arith.constant 7 : index
  %zero = arith.constant 0.0 : f64
  %r:2 = scf.for %t = %c0 to %steps step %c1 iter_args(%old = %a, %now = %b) -> (tensor<8xf64>, tensor<8xf64>) {
    %none = tensor.empty() : tensor<8xf64>
    %inside = weft.map [1] to [7] init(%none : tensor<8xf64>) stores [affine_map<(i) -> (i)>] {
    ^bb0(%i: index):
      %before = affine.apply affine_map<(i) -> (i - 1)>(%i)
      %x = tensor.extract %now[%before] : tensor<8xf64>
      %y = tensor.extract %old[%i] : tensor<8xf64>
      %z = arith.subf %x, %y : f64
      weft.yield %z : f64
    } : tensor<8xf64>
    %new = weft.map [] to [] init(%inside : tensor<8xf64>) stores [affine_map<() -> (0)>] {
      weft.yield %zero : f64
    } : tensor<8xf64>
    scf.yield %now, %new : tensor<8xf64>, tensor<8xf64>
  }
  return %r#1 : tensor<8xf64>
}

// It reads other elements of the oldest one: three arrays, three steps at a time, none over.
// CHECK-LABEL: func.func @across
// CHECK:         affine.for %{{.*}} = 0 to 6 step 3 {
// CHECK:           affine.load %[[FIRST:.*]][-%
// CHECK:           affine.store %{{.*}}, %[[THIRD:.*]][
// CHECK:           affine.load %[[SECOND:.*]][-%
// CHECK:           affine.store %{{.*}}, %[[FIRST]][
// CHECK:           affine.load %[[THIRD]][-%
// CHECK:           affine.store %{{.*}}, %[[SECOND]][
// CHECK-NOT:       affine.for
// CHECK:         return
func.func @across(%a: tensor<8xf64>, %b: tensor<8xf64>) -> tensor<8xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %steps = arith.constant 6 : index
  %r:2 = scf.for %t = %c0 to %steps step %c1 iter_args(%old = %a, %now = %b) -> (tensor<8xf64>, tensor<8xf64>) {
    %new = weft.map [0] to [8] stores [affine_map<(i) -> (i)>] {
    ^bb0(%i: index):
      %j = affine.apply affine_map<(i) -> (7 - i)>(%i)
      %y = tensor.extract %old[%j] : tensor<8xf64>
      %x = tensor.extract %now[%i] : tensor<8xf64>
      %z = arith.subf %x, %y : f64
      weft.yield %z : f64
    } : tensor<8xf64>
    scf.yield %now, %new : tensor<8xf64>, tensor<8xf64>
  }
  return %r#1 : tensor<8xf64>
}

// What a step records goes to the row of that step.
// CHECK-LABEL: func.func @recorded
// CHECK:         affine.for %[[T:.*]] = 0 to 4 step 2 {
// CHECK:           affine.store %{{.*}}, %arg1[%[[T]], %
// CHECK:           affine.store %{{.*}}, %arg1[%[[T]] + 1, %
// CHECK:         }
// CHECK:         affine.store %{{.*}}, %arg1[4, %
func.func @recorded(%a: tensor<8xf64>) -> tensor<5x8xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %steps = arith.constant 5 : index
  %rows = tensor.empty() : tensor<5x8xf64>
  %r:2 = scf.for %t = %c0 to %steps step %c1 iter_args(%v = %a, %kept = %rows) -> (tensor<8xf64>, tensor<5x8xf64>) {
    %new = weft.map [0] to [8] stores [affine_map<(i) -> (i)>] {
    ^bb0(%i: index):
      %j = affine.apply affine_map<(i) -> (7 - i)>(%i)
      %y = tensor.extract %v[%j] : tensor<8xf64>
      weft.yield %y : f64
    } : tensor<8xf64>
    %more = tensor.insert_slice %new into %kept[%t, 0] [1, 8] [1, 1] : tensor<8xf64> into tensor<5x8xf64>
    scf.yield %new, %more : tensor<8xf64>, tensor<5x8xf64>
  }
  return %r#1 : tensor<5x8xf64>
}
}
