// RUN: %athread %s -o %t && %run %t | FileCheck %s
// RUN: %athread %s -O3 -o %t && %run %t | FileCheck %s
// Waits for what plain C would take as constant: a reply word that is not volatile, a word that the
// MPE writes, one that another CPE writes.
#ifdef SLAVE
#include <slave.h>

extern int started, go;
extern long out[64];
__thread_local long data[8];
int token = 0;

static void wait_for(int *reply, int value) {
  while (*reply != value) {
  }
}

void f(long *from) {
  int reply = 0;
  faaw(&started);
  while (!go)
    ;
  athread_get(PE_MODE, from, data, sizeof data, &reply, 0, 0, 0);
  wait_for(&reply, 1);
  while (token != _MYID)
    ;
  out[_MYID] = data[_MYID & 7] + token;
  token++;
}
#else
#include <athread.h>
#include <stdio.h>

int started, go;
long out[64], from[8] = {10, 20, 30, 40, 50, 60, 70, 80};
extern void SLAVE_FUN(f)(long *);

int main(void) {
  athread_init();
  athread_spawn(f, from);
  while (started != 64)
    ;
  go = 1;
  athread_join();
  // CHECK: 10 21 143
  printf("%ld %ld %ld\n", out[0], out[1], out[63]);
}
#endif
