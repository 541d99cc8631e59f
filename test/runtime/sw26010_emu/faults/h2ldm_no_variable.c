// RUN: %athread %s -o %t
// RUN: not %run %t 2>&1 | FileCheck %s --check-prefix=CPE
// RUN: not %run %t variable 2>&1 | FileCheck %s
// h2ldm of a CPE that is not there, and of a variable of the host.
#ifdef SLAVE
#include <slave.h>
__thread_local long number;
void f(long *out) { *out = number; }
#else
#include <athread.h>

extern __thread long number;
static long own;

int main(int argc, char **argv) {
  athread_init();
  if (argc > 1)
    h2ldm(own, 3, 0) = 1;
  h2ldm(number, 64, 0) = 1;
  return 0;
}
// CPE: fault [h2ldm]: h2ldm of a CPE that is not there
// CPE-NEXT: MPE, cycle {{[0-9]+}}, {{.*}}h2ldm_no_variable.c:[[#@LINE-4]]:3, in main
// CPE: found: CPE 64 of group 0
// CHECK: fault [h2ldm]: h2ldm of what is no __thread_local variable of slave code
// CHECK-NEXT: MPE, cycle {{[0-9]+}}, {{.*}}h2ldm_no_variable.c:[[#@LINE-8]]:5, in main
#endif
