// UNSUPPORTED: sanitize
// RUN: %athread %s -o %t
// RUN: not %run %t read 2>&1 | FileCheck %s --check-prefix=READ
// RUN: not %run %t write 2>&1 | FileCheck %s --check-prefix=WRITE
// RUN: not env WEFT_EMU_FUNCTIONAL=1 %run %t read 2>&1 | FileCheck %s --check-prefix=READ
// RUN: %run %t view | FileCheck %s --check-prefix=VIEW
// The MPE uses a pointer that a CPE has of its LDM: there is nothing of its own at that address.
// By the address at which the machine shows it LDM it reaches the same bytes.
#ifdef SLAVE
#include <slave.h>

__thread_local long numbers[8];

void f(long **where) {
  numbers[5] = 77;
  if (_MYID == 42)
    *where = numbers;
}
#else
#include <athread.h>
#include <stdio.h>
#include <string.h>

extern __thread long numbers[8];
long *where;
extern void SLAVE_FUN(f)(long **);

int main(int argc, char **argv) {
  athread_init();
  athread_spawn(f, &where);
  athread_join();
  if (!strcmp(argv[1], "read"))
    printf("%ld\n", where[5]);
  if (!strcmp(argv[1], "write"))
    where[2] = 1;
  unsigned long offset = (unsigned long)where & 0xffff;
  long *view = (long *)(0x8002000000ul | 42ul << 16 | offset);
  if (view == (long *)IO_addr(numbers[0], 42, 0))
    printf("%ld %ld\n", view[5], view[2]);
  return 0;
}
// READ: fault [other-ldm]: a load of 8 bytes by the MPE at the address that a CPE has of its LDM
// READ-NEXT: MPE, cycle {{[0-9]+}}, {{.*}}ldm_from_host.c:[[#@LINE-10]]:{{.*}}, in main
// READ: found: CPE 42 (row 5, column 2)'s LDM offset {{[0-9]+}}, byte 40 of __thread_local numbers
// READ: help: the MPE reaches a variable of LDM by h2ldm
// WRITE: fault [other-ldm]: a store of 8 bytes by the MPE
// WRITE-NEXT: MPE, cycle {{[0-9]+}}, {{.*}}ldm_from_host.c:[[#@LINE-12]]:{{.*}}, in main
// VIEW: 77 0
#endif
