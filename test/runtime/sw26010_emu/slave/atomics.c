// RUN: %athread %s -o %t && %run %t | FileCheck %s
// Words of main memory that all CPEs update.
#ifdef SLAVE
#include <slave.h>

void f(long *out) {
  int *words = (int *)(out + 64);
  long *wide = out + 70;
  int i;
  for (i = 0; i < 10; i++) {
    int ticket = faaw(&words[0]);
    out[ticket % 64] += ticket < 640;
    faal(wide);
    updt_addw(3, &words[1]);
    updt_subw(2, &words[2]);
    updt_addl(3000000000, wide + 1);
    updt_subl(1L << 40, wide + 2);
  }
}
#else
#include <athread.h>
#include <stdio.h>

long out[73];
extern void SLAVE_FUN(f)(long *);

int main(void) {
  int i, wrong = 0;
  athread_init();
  athread_spawn(f, out);
  athread_join();
  for (i = 0; i < 64; i++)
    wrong += out[i] != 10; // each ticket once
  // CHECK: 0 640 1920 -1280 640 1920000000000 -703687441776640
  printf("%d %d %d %d %ld %ld %ld\n", wrong, ((int *)out)[128], ((int *)out)[129], ((int *)out)[130],
         out[70], out[71], out[72]);
  return 0;
}
#endif
