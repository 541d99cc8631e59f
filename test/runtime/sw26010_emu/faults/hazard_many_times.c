// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %athread %s -o %t
// A symbolizer in front of the real one, which counts how often it is asked.
// RUN: rm -rf %t.path && mkdir -p %t.path && touch %t.path/calls
// RUN: echo '#!/bin/sh' > %t.path/llvm-symbolizer-22
// RUN: echo 'echo asked >> %t.path/calls' >> %t.path/llvm-symbolizer-22
// RUN: echo 'PATH=${PATH#*:}; exec llvm-symbolizer-22 "$@"' >> %t.path/llvm-symbolizer-22
// RUN: chmod +x %t.path/llvm-symbolizer-22
// RUN: sh -c 'PATH=%t.path:$PATH WEFT_EMU_LDM_STACK=1 exec %t' > %t.out 2>&1
// RUN: cat %t.out %t.path/calls | FileCheck %s
// The same hazard 100 000 times in one place, of blocks at 100 000 addresses: it is told once, and
// asking where the blocks were allocated, which starts a process, is not done each time.
#ifdef SLAVE
#include <slave.h>

__thread_local double part[4];

void f(double **blocks) {
  static __thread_local double *own[100];
  int i, k;
  if (_MYID != 5)
    return;
  for (i = 0; i < 1000; i++) {
    volatile int reply = 0;
    athread_get(PE_MODE, blocks + i * 100, own, sizeof own, (void *)&reply, 0, 0, 0);
    while (reply != 1)
      ;
    for (k = 0; k < 100; k++) {
      reply = 0;
      athread_get(PE_MODE, own[k] + 1, part, sizeof part, (void *)&reply, 0, 0, 0);
      while (reply != 1)
        ;
    }
  }
}
#else
#include <athread.h>
#include <stdio.h>
#include <stdlib.h>

extern SLAVE_FUN(f)();

static double *blocks[100000];

int main() {
  int i;
  for (i = 0; i < 100000; i++)
    blocks[i] = malloc(4 * sizeof(double));
  athread_init();
  athread_spawn(f, blocks);
  athread_join();
  puts("done");
  athread_halt();
  return 0;
}
#endif
// CHECK: hazard [read-past-end]: the source of a get of 32 bytes outside of what was allocated
// CHECK: allocated at {{.*}}hazard_many_times.c
// CHECK-NOT: hazard [
// CHECK: {{^}}done{{$}}
// CHECK: asked
// CHECK-NOT: asked
