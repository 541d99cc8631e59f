// Two slave files with a function of one name link: the first is taken, and it is told.
// clang-format off
// RUN: %swcc -host -c %s -o %t.host.o
// RUN: %swcc -slave -DSLAVE -c %s -o %t.slave.o && %swcc -slave -DOTHER -c %s -o %t.other.o
// RUN: %swcc -hybrid %t.host.o %t.slave.o %t.other.o -o %t 2> %t.told && %run %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=TOLD < %t.told
// RUN: not %swcc -hybrid %t.host.o %t.host.o %t.slave.o -o %t 2> %t.refused
// RUN: FileCheck %s --check-prefix=HOST < %t.refused
// TOLD: weft-swcc: warning: slave_scale is defined in several files
// TOLD-SAME: (repeated_function.c:19, repeated_function.c:22); the first is taken
// TOLD-NOT: error
// HOST: error
// HOST-SAME: main
// clang-format on
#if defined(SLAVE) || defined(OTHER)
#include <slave.h>

#ifdef SLAVE
long scale(long value) { return 3 * value; }
void triple(long *out) { out[_MYID] = scale(_MYID); }
#else
long scale(long value) { return 3 * value + 0; }
void triple_again(long *out) { out[_MYID] += scale(_MYID); }
#endif
#else
#include <athread.h>
#include <stdio.h>

long out[64];
extern SLAVE_FUN(triple)();
extern SLAVE_FUN(triple_again)();

int main() {
  athread_init();
  athread_spawn(triple, out);
  athread_join();
  athread_spawn(triple_again, out);
  athread_join();
  // CHECK: 378
  printf("%ld\n", out[63]);
  athread_halt();
  return 0;
}
#endif
