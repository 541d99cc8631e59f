// RUN: not %athread %s -o %t 2>&1 | FileCheck %s
// RUN: %athread %s -DFITS -o %t && %run %t | FileCheck %s --check-prefix=FITS
// RUN: %athread %s -DFITS -DMORE=0x41EB000 -o %t && setarch -R env WEFT_EMU_LDM_STACK=1 %t | FileCheck %s --check-prefix=FITS
// Static data beyond 2 GB is told once, not a reference at a time; 1.9 GB are the program's.
// The third program's data end 64 KB before the place of LDM, where the system then begins the
// heap: it goes elsewhere.
// CHECK: weft-swcc: error: the program's static data takes more than 2 GB
// CHECK-NEXT: help: {{.*}}malloc
// CHECK-NOT: relocation
#ifdef FITS
#define BYTES (950L << 20)
#else
#define BYTES (1200L << 20)
#endif
#ifndef MORE
#define MORE 0
#endif
#ifdef SLAVE
#include <slave.h>

extern char first[], second[];
void f() { second[BYTES - 1 - _MYID] = first[_MYID] = 1 + _MYID; }
#else
#include <athread.h>
#include <stdio.h>

char first[BYTES], second[BYTES + MORE];
extern SLAVE_FUN(f)();

int main(void) {
  athread_init();
  athread_spawn(f, 0);
  athread_join();
  printf("%d %d\n", first[63], second[BYTES - 64]);
  // FITS: 64 64
  athread_halt();
  return 0;
}
#endif
