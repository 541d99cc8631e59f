// Statements of volatile assembly keep their order, and arithmetic stays between the readings of
// the clock that it stands between: that is how programs measure instructions.
//
// RUN: %swcc -slave -msimd -DSLAVE --emit=asm -c %s -o %t.s
// RUN: FileCheck %s < %t.s
// RUN: %athread %s -o %t && %run %t | FileCheck %s --check-prefix=TIME
#ifdef SLAVE
#define CLOCK(time) asm volatile("rcsr %0, 4" : "=r"(time))
#define EIGHT(text) text text text text text text text text
#include <slave.h>
#include <simd.h>

__thread_local double own[8];

// No result is needed, and all are issued, in order.
// CHECK-LABEL: unused:
// CHECK: rcsr
// CHECK: fmuld
// CHECK: addl
// CHECK: vldd
// CHECK: vaddd
// CHECK: rcsr
// CHECK: stl
void unused(long *out, double x, long n) {
  long begin, end;
  doublev4 v = x;
  CLOCK(begin);
  asm volatile("fmuld %0, %0, %0" : "+r"(x));
  asm volatile("addl %0, %0, %0" : "+r"(n));
  asm volatile("vldd $1, 0(%0)" : : "r"(own) : "$1");
  asm volatile("vaddd %0, %0, %0" : "+r"(v));
  CLOCK(end);
  *out = end - begin;
}

// Eight products, each of the one before: the clock reads when the seventh has gone, since the
// eighth waits before its pipe meanwhile. 6 * 7 cycles after the first.
// CHECK-LABEL: chain:
// CHECK: rcsr {{.*}}[0]
// CHECK-NEXT: fmuld {{.*}}[0]
// CHECK: fmuld {{.*}}[49]
// CHECK-NEXT: rcsr {{.*}}[43]
__attribute__((noinline)) long chain(double x) {
  long begin, end;
  CLOCK(begin);
  asm volatile(EIGHT("fmuld %0, %0, %0\n") : "+r"(x));
  CLOCK(end);
  own[0] = x;
  return end - begin;
}

// The same in C.
// CHECK-LABEL: plain:
// CHECK: rcsr {{.*}}[0]
// CHECK-NEXT: fmuld {{.*}}[0]
// CHECK: fmuld {{.*}}[49]
// CHECK-NEXT: rcsr {{.*}}[43]
__attribute__((noinline)) long plain(double x) {
  long begin, end;
  CLOCK(begin);
  x = x * x;
  x = x * x;
  x = x * x;
  x = x * x;
  x = x * x;
  x = x * x;
  x = x * x;
  x = x * x;
  CLOCK(end);
  own[0] = x;
  return end - begin;
}

// Eight that do not wait for one another: one a cycle, and the clock beside the
// last. A scalar is a register's lane 0: it takes no instruction to become an operand.
// CHECK-LABEL: independent:
// CHECK: rcsr {{.*}}[0]
// CHECK-NEXT: fmuld {{.*}}[0]
// CHECK: fmuld {{.*}}[7]
// CHECK-NEXT: rcsr {{.*}}[7]
__attribute__((noinline)) long independent(double x) {
  long begin, end;
  CLOCK(begin);
  asm volatile("fmuld %0, %0, $1\n"
               "fmuld %0, %0, $2\n"
               "fmuld %0, %0, $3\n"
               "fmuld %0, %0, $4\n"
               "fmuld %0, %0, $5\n"
               "fmuld %0, %0, $6\n"
               "fmuld %0, %0, $7\n"
               "fmuld %0, %0, $8\n"
               :
               : "r"(x)
               : "$1", "$2", "$3", "$4", "$5", "$6", "$7", "$8");
  CLOCK(end);
  return end - begin;
}

// Loads that each wait for the one before take a load's 4 cycles, and an access takes its constant
// as displacement: nothing is between them, whatever type the operands have in C.
// CHECK-LABEL: follow:
// CHECK: rcsr {{.*}}[0]
// CHECK: ldl {{.*}}[1]
// CHECK-NEXT: ldl {{.*}}[5]
// CHECK-NEXT: ldl {{.*}}[9]
// CHECK-NEXT: ldl {{.*}}[13]
// CHECK-NEXT: rcsr {{.*}}[14]
__attribute__((noinline)) long follow(long at) {
  long begin, end;
  CLOCK(begin);
  asm volatile("ldl %0, 0(%0)" : "+r"(at));
  asm volatile("ldl %0, 0(%0)" : "+r"(at));
  asm volatile("ldl %0, 8(%0)" : "+r"(at));
  asm volatile("ldl %0, 0(%0)" : "+r"(at));
  CLOCK(end);
  own[7] = at;
  return end - begin;
}

// CHECK-LABEL: displaced:
// CHECK: stl {{.*}},0($[[AT:[0-9]+]])
// CHECK-NEXT: stw {{.*}},16($[[AT]])
// CHECK-NEXT: fsts {{.*}},20($[[AT]])
// CHECK-NEXT: ldw $[[WORD:[0-9]+]],16($[[AT]])
// CHECK-NEXT: flds $[[SINGLE:[0-9]+]],20($[[AT]])
// CHECK-NEXT: stw $[[WORD]],24($[[AT]])
// CHECK-NEXT: fsts $[[SINGLE]],28($[[AT]])
// CHECK-NEXT: ret
__attribute__((noinline)) void displaced(long *at, int word, float single) {
  asm volatile("stl %0, 0(%1)" : : "r"(word), "r"(at));
  asm volatile("stw %0, 16(%1)" : : "r"(word), "r"(at));
  asm volatile("fsts %0, 20(%1)" : : "r"(single), "r"(at));
  asm volatile("ldw %0, 16(%1)" : "=r"(word) : "r"(at));
  asm volatile("flds %0, 20(%1)" : "=r"(single) : "r"(at));
  asm volatile("stw %0, 24(%1)" : : "r"(word), "r"(at));
  asm volatile("fsts %0, 28(%1)" : : "r"(single), "r"(at));
}

void measure(long *out) {
  int turn;
  if (_MYID)
    return;
  for (turn = 0; turn < 2; turn++) { // the first fills the instruction cache
    unused(out, own[0], turn);
    out[1] = chain(own[1]);
    out[2] = plain(own[1]);
    out[3] = independent(own[1]);
    ((long *)own)[0] = ((long *)own)[1] = (long)own;
    out[4] = follow((long)own);
    displaced((long *)own, -7, 2.5f);
    out[5] = ((int *)own)[6] == -7 && ((long *)own)[0] == -7 && ((float *)own)[7] == 2.5f;
  }
}
#else
#include <athread.h>
#include <stdio.h>
extern void SLAVE_FUN(measure)(long *);
long out[6];
int main(void) {
  athread_init();
  athread_spawn(measure, out);
  athread_join();
  athread_halt();
  printf("chain %ld plain %ld independent %ld\n", out[1], out[2], out[3]);
  printf("follow %ld displaced %ld\n", out[4], out[5]);
  return 0;
}
#endif
// TIME: chain 43 plain 43 independent 7
// TIME: follow 14 displaced 1
