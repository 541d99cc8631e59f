// The end of a kernel under a condition; equal ones do not merge.
// RUN: weft-opt %s -canonicalize -cse | weft-opt | FileCheck %s

// CHECK-COUNT-2: weft.fail_if %{{.*}} code 1
func.func @f(%bad: i1) {
  weft.fail_if %bad code 1
  weft.fail_if %bad code 1
  return
}
