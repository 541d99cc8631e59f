// RUN: %athread %s -o %t && %run %t | FileCheck %s
// RUN: %athread -O0 %s -o %t.0 && %run %t.0 | FileCheck %s
// Labels and branches within a statement, $sp read, and $sp used for something else meanwhile.
#ifdef SLAVE
#include <simd.h>
#include <slave.h>

#define LDM_ROOM 64

// Sum of n doubles by a loop of the statement's own; numbered labels.
static double sumOf(double *x, long n) {
  double sum;
  doublev4 t, all;
  double *p = x;
  asm volatile("vbis  $31, $31, %[all]\n\t"
               "beq   %[n], 2f\n\t"
               "1:\n\t"
               "ldde  %[t], 0(%[p])  # one element\n\t"
               "vaddd %[all], %[t], %[all]\n\t"
               "ldi   %[p], 8(%[p])\n\t"
               "subl  %[n], 1, %[n]\n\t"
               "bgt   %[n], 1b\n\t"
               "2: fcpys %[all], %[all], %[sum]"
               : [sum] "=r"(sum), [t] "=&r"(t), [all] "=&r"(all), [p] "+&r"(p), [n] "+&r"(n)
               :
               : "memory");
  return sum;
}

// Named labels, a branch out of the middle, and one that is always taken.
static long stepsOf(long n) {
  long steps = 0, odd, other;
  asm("again%=: cmpeq %1, 1, %2\n"
      "bne %2, done%=\n"
      "addl %0, 1, %0\n"
      "blbs %1, odd%=\n"
      "sra %1, 1, %1\n"
      "br again%=\n"
      "odd%=: sll %1, 1, %3\n"
      "addl %1, %3, %1; addl %1, 1, %1\n"
      "br $31, again%=\n"
      "done%=:"
      : "+r"(steps), "+r"(n), "=&r"(odd), "=&r"(other));
  return steps;
}

// A scratch register short: the stack pointer lies in a vector for a while.
static long borrowed(long a, long b) {
  intv8 kept;
  long sum;
  asm volatile("vinsw $30, $31, 0, %1\n"
               "addl %2, %3, $30\n"
               "addl $30, $30, %0\n"
               "vextw %1, 0, $30\n"
               "vinsw $30, $31, 0, $30\n"
               : "=&r"(sum), "=&r"(kept)
               : "r"(a), "r"(b)
               : "memory");
  return sum;
}
static long borrowedAndReturned(long a, long b) {
  long kept, sum;
  asm volatile("mov $sp, %1\n"
               "addl %2, %3, $sp\n"
               "s4addl $sp, 1, %0\n"
               "addl %1, 0, $30\n"
               : "=&r"(sum), "=&r"(kept)
               : "r"(a), "r"(b)
               : "memory");
  return sum;
}

static __attribute__((noinline)) long stackOf(int deep) {
  volatile char room[4096];
  long sp, inner;
  room[1000 * deep] = (char)deep;
  asm volatile("mov $sp, %0" : "=r"(sp));
  inner = deep ? stackOf(deep - 1) : sp;
  return room[1000 * deep] == (char)deep ? inner : 0;
}

void f(double *x) {
  double part[8];
  long top, again;
  int i;
  if (_MYID)
    return;
  for (i = 0; i < 8; i++)
    part[i] = i + 0.5;
  printf("%g %g\n", sumOf(part, 8), sumOf(part, 0));
  printf("%ld %ld %ld\n", stepsOf(1), stepsOf(6), stepsOf(27));
  printf("%ld\n", borrowedAndReturned(20, 22));
  asm("addl $sp, 0, %0" : "=r"(top));
  asm("ldi %0, 0($30)" : "=r"(again));
  // The stack goes down, by a frame a call, and lies where the locals do.
  printf("%d %d %d\n", top == again, top - stackOf(3) >= 4 * 4096 && top - stackOf(3) < 4 * 6000,
         (char *)part - (char *)top >= 0 && (char *)part - (char *)top < 4096);
  if (top < 1L << 31) // as word 0 keeps it
    printf("%ld\n", borrowed(20, 22));
}
#else
#include <athread.h>

double x[1];
extern void SLAVE_FUN(f)(double *);

int main(void) {
  athread_init();
  athread_spawn(f, x);
  athread_join();
  athread_halt();
  return 0;
}
// CHECK: 32 0
// CHECK: 0 8 111
// CHECK: 169
// CHECK: 1 1 1
// CHECK: 84
#endif
