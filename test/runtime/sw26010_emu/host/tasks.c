// RUN: %athread %s -o %t && %run %t 2>&1 | FileCheck %s
// Tasks that CPEs, and the MPE, take as they become free: each is done once.
#ifdef SLAVE
#include <slave.h>

extern long done[1000], by[1000];

void work(long task) {
  volatile long turns;
  // The first CPE is slow: the others take its share.
  if (_MYID == 0)
    for (turns = 0; turns < 3000; turns++)
      ;
  done[task] += task;
  by[task] = _MYID + 1;
}
#else
#include <athread.h>
#include <stdio.h>

long done[1000], by[1000];
extern void SLAVE_FUN(work)(long);

static void own(long task) {
  done[task] += task;
  by[task] = 65;
}

int main(void) {
  long i, wrong = 0, slow = 0, host = 0;
  athread_init();
  athread_spawn_task(work, 1000);
  athread_join();
  for (i = 0; i < 1000; i++) {
    wrong += done[i] != i || !by[i];
    slow += by[i] == 1;
  }
  // CHECK: note: athread_spawn_task calls its function with the number of a task
  printf("wrong %ld\n", wrong);                              // CHECK: wrong 0
  printf("slow one had less than a share: %d\n", slow < 15); // CHECK: share: 1
  athread_task((void *)own, (void *)10);
  for (i = 0; i < 1000; i++)
    host += by[i] == 65;
  printf("host %ld\n", host); // CHECK: host 10
  return 0;
}
#endif
