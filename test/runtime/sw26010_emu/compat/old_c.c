// RUN: %swcc -host -c %s -o %t.host.o && %swcc -host -DOTHER -c %s -o %t.other.o
// RUN: %swcc -slave -DSLAVE -c %s -o %t.slave.o
// RUN: %swcc -hybrid %t.host.o %t.other.o %t.slave.o -o %t && %run %t | FileCheck %s
// C as the vendor's compiler takes it: names without types in a declaration, a call before the
// declaration of a function without a result, `inline` in two files, functions and their results
// without a type, a declaration inside a function.
inline int twice(int x) { return 2 * x; }

#ifdef SLAVE
#include <slave.h>

static int fill(out);
long sums[64];

work(long *out) {
  long *ldm_malloc();
  long *own = ldm_malloc(sizeof(long));
  *own = 1;
  fill(out);
  finish(out, _MYID, own);
}

static int fill(long *out) { sums[_MYID] = twice(_MYID); }

void finish(long *out, int core, long *more);

void finish(long *out, int core, long *more) { out[core] = sums[core] + *more; }
#elif defined(OTHER)
int other(void) { return twice(50); }
#else
#include <athread.h>
#include <stdio.h>

long out[64];
extern SLAVE_FUN(work)();

main() {
  athread_init();
  athread_spawn(work, out);
  athread_join();
  // CHECK: 1 127 100 8
  printf("%ld %ld %d %d\n", out[0], out[63], other(), twice(4));
  athread_halt();
  return 0;
}
#endif
