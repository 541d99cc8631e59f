// What makefiles ask of the compiler, and that its output is always the same.
// RUN: rm -rf %t && mkdir -p %t/there && cd %t
// RUN: %swcc -O1 -slave -DSLAVE -msimd -OPT:IEEE_arith=1 -CG:pjump_all -c %s -o s.o
// RUN: %swcc -DSLAVE %s -c -slave -O1 -o there/s.o && cmp s.o there/s.o
// RUN: ln -s %swcc mpicc && ln -s %swcc sw5ld && ln -s %swcc sw5ar
// RUN: ./mpicc -O2 -c %s -o h.o -lm && ./mpicc h.o s.o -o app -allshare -lm_slave && ./app | FileCheck %s
// RUN: ./sw5ld -r h.o s.o -o both.o && ./mpicc -hybrid both.o -o app && ./app | FileCheck %s
// RUN: ./sw5ar cr slave.a s.o && ./mpicc -hybrid %s slave.a -o app && ./app | FileCheck %s
// RUN: %swcc -host -MMD -c %s -o deps.o && FileCheck %s --check-prefix=RULE < deps.d
// A failed compilation leaves what was there.
// RUN: cp s.o kept.o && not %swcc -slave -DSLAVE -DBAD -c %s -o kept.o && cmp s.o kept.o
// RUN: %swcc -slave -DSLAVE -E %s | FileCheck %s --check-prefix=TEXT
// RULE: deps.o: {{.*}}driver.c
// TEXT: void f(int *out)
#ifdef SLAVE
#include <slave.h>
#ifdef BAD
int bad = ;
#endif
void f(int *out) { out[_MYID] = _MYID * 2; }
#else
#include <athread.h>
#include <stdio.h>
int out[64];
extern void SLAVE_FUN(f)(int *);
int main(void) {
  athread_init();
  athread_spawn(f, out);
  athread_join();
  // CHECK: 126
  printf("%d\n", out[63]);
}
#endif
