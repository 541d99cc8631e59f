// What was asked of each loop that is ordered is added to a file, for a solver: three nodes, of
// which the sum reads the value that was loaded and the store the sum.
// RUN: rm -f %t
// RUN: cat %target_sw26010 %s | weft-opt - --align-arrays --schedule-dual-issue=problems=%t -o /dev/null
// RUN: FileCheck %s < %t
// RUN: cat %target_sw26010 %s | not weft-opt - --align-arrays --schedule-dual-issue=problems=%t/none 2>&1 | FileCheck %s --check-prefix=REFUSED

// CHECK: "bound":{{[0-9]+}},"cycles":{{[0-9]+}}
// CHECK-SAME: "most_turns":4,"name":"a loop"
// CHECK-SAME: "nodes":[{
// CHECK-SAME: "pipe":1,"readers":{{\[\[1,0\]}}
// CHECK-SAME: "before":{{\[\[0,4,0\]}}
// CHECK-SAME: "pipe":0,"readers":{{\[\[2,0\]}}
// CHECK-SAME: "place":"
// CHECK-SAME: "registers":{{[0-9]+}}}
// CHECK-NOT: {{.}}
// REFUSED: cannot write to
module attributes {weft.target = #target} {
  func.func @doubled() {
    cpe.cores {
      %x = memref.alloca() : memref<1024xf64>
      %y = memref.alloca() : memref<1024xf64>
      affine.for %i = 0 to 1024 step 4 {
        %a = affine.vector_load %x[%i] : memref<1024xf64>, vector<4xf64>
        %b = arith.addf %a, %a : vector<4xf64>
        affine.vector_store %b, %y[%i] : memref<1024xf64>, vector<4xf64>
      }
    }
    return
  }
}
