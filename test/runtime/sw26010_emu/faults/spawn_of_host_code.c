// RUN: %athread %s -o %t
// RUN: not %run %t 2>&1 | FileCheck %s --check-prefix=HOST
// RUN: not %run %t data 2>&1 | FileCheck %s --check-prefix=DATA
// RUN: not %run %t null and void 2>&1 | FileCheck %s --check-prefix=NULL
// What CPEs cannot run.
#ifdef SLAVE
void f(long *out) { *out = 1; }
#else
#include <athread.h>
long out[64];
extern void SLAVE_FUN(f)(long *);
void on_host(long *argument) { *argument = 1; }

int main(int argc, char **argv) {
  athread_init();
  __real_athread_spawn(argc > 2 ? 0 : argc > 1 ? (void *)out : (void *)on_host, out);
  athread_join();
  return 0;
}
// HOST: fault [call-of-host-code]: athread_spawn of what is no function of a slave file
// HOST-NEXT: MPE, cycle {{[1-9][0-9]*}}, {{.*}}spawn_of_host_code.c:[[#@LINE-5]]:3, in main
// HOST-NEXT: found: the host function on_host
// DATA: fault [call-of-host-code]: athread_spawn of what is no function of a slave file
// DATA: found: byte 0 of out, which has 512 bytes
// NULL: fault [null-function]: athread_spawn of a null pointer
#endif
