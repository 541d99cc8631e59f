// RUN: %athread %s -o %t && %run %t | FileCheck %s
// Words of main memory that all CPEs update.
#ifdef SLAVE
#include <slave.h>
#include <simd.h>

// As headers of programs have it: the operation in lane 0, its operand in lane 1.
static void update(int *word, long operation, long n) {
  int256 lanes;
  asm volatile("vshff $31, %1, 0x01, %0\n\t"
               "vinsw %2, %0, 0, %0\n\t"
               "updt %0, 0(%3)\n\t"
               : "=&r"(lanes)
               : "r"(n), "r"(operation), "r"(word)
               : "memory");
}

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
    update(&words[3], 4, 5);
    update(&words[3], 6, 2);
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
  // CHECK: 0 640 1920 -1280 1920 640 1920000000000 -703687441776640
  printf("%d %d %d %d %d %ld %ld %ld\n", wrong, ((int *)out)[128], ((int *)out)[129], ((int *)out)[130], ((int *)out)[131],
         out[70], out[71], out[72]);
  return 0;
}
#endif
