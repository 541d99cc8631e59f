// RUN: %athread %s -o %t && not %run %t 2>&1 | FileCheck %s
// The control register as public programs set it: on the CPEs that do, small results become zero.
#ifdef SLAVE
#include <slave.h>

static void set(unsigned long on, unsigned long off) {
  unsigned long fpcr;
  asm volatile("rfpcr %0" : "=r"(fpcr));
  fpcr = (fpcr | on) & ~off;
  asm volatile("wfpcr %0" ::"r"(fpcr));
}

void f(double *out) {
  volatile double tiny = 1e-300, factor = 1e-10;
  if (_MYID % 2)
    set(1UL << 60 | 1UL << 2, 1UL << 48);
  out[_MYID] = tiny * factor;
  set(1UL << 2, 1UL << 60);
  out[_MYID] += tiny * factor;
}

void g(double *out) {
  if (_MYID == 4)
    set(1UL << 50, 0);
}
#else
#include <athread.h>
#include <stdio.h>

double out[64];
extern void SLAVE_FUN(f)(double *);
extern void SLAVE_FUN(g)(double *);

int main(void) {
  athread_init();
  athread_spawn(f, out);
  athread_join();
  // CHECK: 2e-310 1e-310 2e-310 1e-310
  printf("%g %g %g %g\n", out[0], out[1], out[62], out[63]);
  fflush(stdout);
  athread_spawn(g, out);
  athread_join();
  // CHECK: fault [unknown-fpcr]: wfpcr sets bits
  // CHECK-NEXT: CPE 4
  // CHECK: found: 0x0004000000000{{0+4?}}
  return 0;
}
#endif
