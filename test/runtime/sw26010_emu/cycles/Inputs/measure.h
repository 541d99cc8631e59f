// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What 100 turns of a loop cost at steady state: the difference between 200 turns and 100, on CPE 0,
// once the code is in the cache. Tests define kernels `void kernel(int turns)` and list them in
// `void measured(long *cycles)`; the MPE prints the numbers.
#ifdef SLAVE
#include <simd.h>
#include <slave.h>
#define KERNEL __attribute__((noinline)) static void
#define TURNS(kernel)                                                                              \
  ({                                                                                               \
    unsigned long start, middle, end;                                                              \
    kernel(1);                                                                                     \
    RPCC(start);                                                                                   \
    kernel(100);                                                                                   \
    RPCC(middle);                                                                                  \
    kernel(200);                                                                                   \
    RPCC(end);                                                                                     \
    (long)((end - middle) - (middle - start));                                                     \
  })
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
