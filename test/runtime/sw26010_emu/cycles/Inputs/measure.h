// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What 100 turns of a loop cost at steady state: the difference between 200 turns and 100, on CPE 0,
// once the code is in the cache. Tests define kernels `void kernel(int turns)` and list them in
// `void measured(long *cycles)`; the MPE prints the numbers.
#ifdef SLAVE
#include <simd.h>
#include <slave.h>
#define KERNEL __attribute__((noinline)) static void
__attribute__((noinline)) static long timed(void (*kernel)(int), int turns) {
  unsigned long start, end;
  RPCC(start);
  kernel(turns);
  RPCC(end);
  return end - start;
}
#define TURNS(kernel) (timed(kernel, 1), -timed(kernel, 100) + timed(kernel, 200))
#else
#include <athread.h>
#include <stdio.h>
long numbers[16];
extern void SLAVE_FUN(measured)(long *);
int main(void) {
  athread_init();
  athread_spawn(measured, numbers);
  athread_join();
  for (int i = 0; i < 16 && numbers[i]; ++i)
    printf("%d: %ld\n", i, numbers[i]);
  athread_halt();
  return 0;
}
#endif
