// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// speed WHICH SHARE: one of the loops, with one SHARE-th of its turns, on CPE 0.
#include <athread.h>
#include <stdio.h>
#include <stdlib.h>

extern SLAVE_FUN(run_one)(void);
int which, share;
double result, far_away[4096];

int main(int argc, char **argv) {
  which = atoi(argv[1]);
  share = atoi(argv[2]);
  athread_init();
  athread_spawn(run_one, 0);
  athread_join();
  athread_halt();
  printf("%.6g\n", result);
  return 0;
}
