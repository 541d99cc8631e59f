/* The MPE's side of most programs of this folder: all CPEs run f, with main memory to use. */
#include <athread.h>
#include <stdio.h>
#include <stdlib.h>

extern void SLAVE_FUN(f)(double *);

int main(void) {
  double *memory = (double *)malloc(64 * 4096 * sizeof(double));
  int i;
  for (i = 0; i < 64 * 4096; i++)
    memory[i] = i;
  athread_init();
  athread_spawn(f, memory);
  athread_join();
  puts("the program ends");
  athread_halt();
  return 0;
}
