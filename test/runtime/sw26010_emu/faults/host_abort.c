// RUN: %athread %s -o %t
// RUN: env WEFT_EMU_REPORT=%t.json not --crash %t 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT --input-file %t.json
// The host's abort ends the process as it does on any machine, with what it printed and a report.
#ifdef SLAVE
void f(long *out) {}
#else
#include <assert.h>
#include <stdio.h>
__attribute__((noinline)) static void check(int count) { assert(count > 5); }

int main(int argc, char **argv) {
  printf("before ");
  check(argc);
  return 0;
}
// CHECK-DAG: before
// CHECK-DAG: Assertion `count > 5' failed
// CHECK-DAG: fault [abort]: the program calls abort
// CHECK-DAG: MPE, cycle {{[1-9][0-9]*}}, {{.*}}host_abort.c:[[#@LINE-10]]:{{.*}}, in check
// CHECK-DAG: called at {{.*}}host_abort.c:[[#@LINE-7]]:3, in main
// REPORT: "status": 134
// REPORT: "name": "abort"
#endif
