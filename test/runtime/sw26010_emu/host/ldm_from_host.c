// RUN: %athread %s -o %t && %run %t | FileCheck %s
// The MPE writes parameters into the LDM of a CPE and reads results from it.
#ifdef SLAVE
#include <slave.h>

__thread_local char letter = 'b';
__thread_local long parameters[4] = {1, 2, 3, 4};

void f(long *out) {
  out[_MYID] = parameters[1] * 1000 + letter;
  parameters[3] = _MYID;
}
#else
#include <athread.h>
#include <stdio.h>

extern __thread char letter;
extern __thread long parameters[4];
long out[64];
extern void SLAVE_FUN(f)(long *);

int main(void) {
  athread_init();
  h2ldm(parameters[1], 23, 0) = 77;
  h2ldm(letter, 5, 0) = 'z';
  athread_spawn(f, out);
  athread_join();
  printf("%ld %ld %ld\n", out[0], out[23], out[5]); // CHECK: 2098 77098 2122
  printf("%ld\n", h2ldm(parameters[3], 40, 0));     // CHECK: 40
  // CHECK: 8
  printf("%ld\n", IO_addr(parameters[1], 7, 0) - IO_addr(parameters[0], 7, 0));
  return 0;
}
#endif
