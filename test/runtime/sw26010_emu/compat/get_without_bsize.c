// RUN: %swcc -slave -c %s -o %t.o 2>&1 | FileCheck %s --implicit-check-not=warning:
// A call without the last argument is taken, and told; a call with fewer is refused.
// RUN: not %swcc -slave -DFEWER -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=FEWER
#include <slave.h>

void f(double *from) {
  volatile int reply = 0;
  double local;
  athread_get(PE_MODE, from, &local, sizeof local, (void *)&reply, 0, 0, 0);
  // CHECK: :[[#@LINE+1]]:3: warning: athread_get has no bsize: 0 is taken
  athread_get(PE_MODE, from, &local, sizeof local, (void *)&reply, 0, 0);
#ifdef FEWER
  // FEWER: :[[#@LINE+1]]:3: error: too few arguments
  athread_get(PE_MODE, from, &local, sizeof local, (void *)&reply);
#endif
  while (reply != 2)
    ;
  from[_MYID] = local;
}
