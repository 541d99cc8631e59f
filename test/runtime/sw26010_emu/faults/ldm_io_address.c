// UNSUPPORTED: sanitize
// RUN: %athread %s -o %t
// RUN: not %run %t 2>&1 | FileCheck %s
// A CPE is given the address by which the MPE reaches its LDM.
#ifdef SLAVE
#include <slave.h>

__thread_local long number;

void f(long *where) {
  if (_MYID == 3)
    *where = number;
}
// CHECK: fault [ldm-io-address]: a store of 8 bytes at an address by which the MPE reaches LDM
// CHECK-NEXT: CPE 3 (row 0, column 3), cycle {{[1-9][0-9]*}}, {{.*}}ldm_io_address.c:[[#@LINE-3]]:{{.*}}, in f
// CHECK: found: 0x80020{{[0-9a-f]+}}
#else
#include <athread.h>

extern __thread long number;
extern void SLAVE_FUN(f)(long *);

int main(void) {
  athread_init();
  athread_spawn(f, (long *)IO_addr(number, 3, 0));
  athread_join();
  return 0;
}
#endif
