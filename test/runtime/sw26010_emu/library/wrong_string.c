// RUN: %athread %s -o %t && not %run %t 2>&1 | FileCheck %s
// A %s that points nowhere is the program's fault, not a crash of the emulator.
#ifdef SLAVE
#include <slave.h>
#include <stdio.h>

void f(long address) {
  if (_MYID == 5)
    printf("%d %s\n", _MYID, (char *)address);
}
#else
#include <athread.h>

extern void SLAVE_FUN(f)(long);

int main(void) {
  athread_init();
  athread_spawn(f, (void *)0x12345);
  athread_join();
  return 0;
}
// CHECK: fault [no-memory]: a load of 1 byte where no memory is
// CHECK-NEXT: CPE 5 (row 0, column 5)
// CHECK: found: 0x12345
#endif
