// RUN: %athread %s -o %t && %run %t 2>&1 | FileCheck %s
// What CPEs have written, by a put or by a store, is no longer in the MPE's caches: the next sum of
// it costs what memory does. What they only read stays.
#ifdef SLAVE
#include <slave.h>

__thread_local double block[64];
__thread_local volatile int reply;

/* Four of the CPEs: a quarter each of 256 doubles. */
void puts_all(double *memory) {
  if (_MYID >= 4)
    return;
  reply = 0;
  athread_put(PE_MODE, block, memory + _MYID * 64, sizeof block, (void *)&reply, 0, 0);
  while (reply != 1)
    ;
}

void gets_all(double *memory) {
  if (_MYID >= 4)
    return;
  reply = 0;
  athread_get(PE_MODE, memory + _MYID * 64, block, sizeof block, (void *)&reply, 0, 0, 0);
  while (reply != 1)
    ;
}

/* A double in each of the 16 lines. */
void stores_all(double *memory) {
  if (_MYID == 0)
    for (int i = 0; i < 256; i += 16)
      memory[i] = 0;
}
#else
#include <athread.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

extern void SLAVE_FUN(puts_all)(double *);
extern void SLAVE_FUN(gets_all)(double *);
extern void SLAVE_FUN(stores_all)(double *);

static double cycles(const double *v) {
  double sum = 0, time = MPI_Wtime();
  int i;
  for (i = 0; i < 256; i++)
    sum += v[i];
  time = MPI_Wtime() - time;
  if (sum != 0)
    printf("wrong\n");
  return time * 1.45e9;
}

int main(void) {
  double *volatile hidden;
  double *v, warm, put, got, stored;
  if (posix_memalign((void **)&hidden, 128, 256 * sizeof(double)))
    return 1;
  v = hidden;
  for (int i = 0; i < 256; i++)
    v[i] = 0;
  athread_init();
  cycles(v);
  warm = cycles(v);
  athread_spawn(puts_all, v);
  athread_join();
  put = cycles(v) - warm;
  athread_spawn(gets_all, v);
  athread_join();
  got = cycles(v) - warm;
  athread_spawn(stores_all, v);
  athread_join();
  stored = cycles(v) - warm;
  // 16 lines that follow each other, of 115 cycles; the first may be the beginning of a stream, and
  // its page unknown.
  // CHECK: put: 16 to 18 streamed lines
  printf("put: %s\n", put >= 16 * 115 && put <= 18 * 115 ? "16 to 18 streamed lines" : "no");
  // CHECK: got: nothing
  printf("got: %s\n", got < 20 && got > -20 ? "nothing" : "something");
  // CHECK: stored: 16 to 18 streamed lines
  printf("stored: %s\n",
         stored >= 16 * 115 && stored <= 18 * 115 ? "16 to 18 streamed lines" : "no");
  printf("%f %f %f\n", put, got, stored);
  return 0;
}
#endif
