// An order that the schedule asks for, where nothing runs on the cores: what there is to choose.
// RUN: cat %target_sw26010 %s | not weft-opt - --align-arrays --schedule-dual-issue 2>&1 | FileCheck %s

module attributes {weft.target = #target} {
// CHECK: error: schedule: order pressure: nothing of the kernel runs on the compute cores; expected source
func.func @alone() attributes {weft.order = "pressure"} {
  return
}
}
