// RUN: %athread %s -o %t && %run %t | FileCheck %s
// The instruction cache, [cpe.icache]: 16 KB in lines of 128 bytes (32 instructions), four lines a
// set, so that addresses 4096 bytes apart share a set; a line that is not there costs 120 cycles.
#ifdef SLAVE
#include <slave.h>
#define R4(x) x x x x
#define R16(x) R4(R4(x))
#define R64(x) R4(R16(x))
#define R256(x) R4(R64(x))
#define R1024(x) R4(R256(x))
#define NOP __asm__ volatile("nop");
#define PART(bytes) __attribute__((noinline)) static void bytes(void)

// What turns take.
#define LOOP(name, nops)                                                                           \
  __attribute__((noinline)) static void name(long *cycles, int turns) {                            \
    unsigned long before, now;                                                                     \
    RPCC(before);                                                                                  \
    for (int turn = 0; turn < turns; ++turn) {                                                     \
      nops RPCC(now);                                                                              \
      cycles[turn] = now - before;                                                                 \
      before = now;                                                                                \
    }                                                                                              \
  }
LOOP(twelve, R1024(NOP) R1024(NOP) R1024(NOP))
LOOP(twenty, R1024(NOP) R1024(NOP) R1024(NOP) R1024(NOP) R1024(NOP))
PART(six_a) { R1024(NOP) R256(NOP) R256(NOP) }
PART(six_b) { R1024(NOP) R256(NOP) R256(NOP) }
PART(ten_a) { R1024(NOP) R1024(NOP) R256(NOP) R256(NOP) }
PART(ten_b) { R1024(NOP) R1024(NOP) R256(NOP) R256(NOP) }
// Two instructions each, in a line of 4096 bytes: 16 and 1020 instructions that nobody runs.
#define CORNER(name, gap)                                                                          \
  void name(void) { NOP }                                                                          \
  void gap(void) { R256(NOP NOP NOP) R64(NOP NOP NOP) R16(NOP NOP NOP) R4(NOP NOP) NOP NOP NOP }
CORNER(corner_a, gap_a)
CORNER(corner_b, gap_b)
CORNER(corner_c, gap_c)
CORNER(corner_d, gap_d)
CORNER(corner_e, gap_e)

__attribute__((noinline)) static long timed(void (*part)(void)) {
  unsigned long start, end;
  RPCC(start);
  part();
  RPCC(end);
  return end - start;
}
void measured(long *cycles) {
  if (_MYID)
    return;
  long *next = cycles;
  twelve(next, 4), next += 4;
  twenty(next, 4), next += 4;
  for (int turn = 0; turn < 3; ++turn) {
    *next++ = timed(six_a);
    *next++ = timed(six_b);
  }
  for (int turn = 0; turn < 3; ++turn) {
    *next++ = timed(ten_a);
    *next++ = timed(ten_b);
  }
  for (int turn = 0; turn < 3; ++turn) {
    *next++ = timed(corner_a) + timed(corner_b) + timed(corner_c) + timed(corner_d);
  }
  for (int turn = 0; turn < 3; ++turn) {
    *next++ = timed(corner_a) + timed(corner_b) + timed(corner_c) + timed(corner_d) +
              timed(corner_e);
  }
}
#else
#include <athread.h>
#include <stdio.h>
long numbers[64];
extern void SLAVE_FUN(measured)(long *);
int main(void) {
  athread_init();
  athread_spawn(measured, numbers);
  athread_join();
  for (int i = 0; i < 64 && numbers[i]; ++i)
    printf("%d: %ld\n", i, numbers[i]);
  athread_halt();
  return 0;
}
#endif
// The loop of 12 KB. The first number ends where the loop begins, in a line of its own. A turn takes
// 1541 cycles (3072 nops and eight more, two a cycle, and the taken branch); the first one crosses
// into 3072 / 32 = 96 lines: 1541 + 96 * 120.
// CHECK: 0: 121
// CHECK: 1: 13061
// CHECK: 2: 1541
// CHECK: 3: 1541
// Of 20 KB, 5128 instructions: over 161 lines or 162, as they begin in one, at least five in each of
// 32 sets of four: 2565 + 161 * 120 or 162 * 120, each turn. The line where it begins came with what
// precedes the loop: 120 less in the first turn.
// CHECK: 4: 1
// CHECK: 5: {{21765|21885}}
// CHECK: 6: [[TWENTY:21885|22005]]
// CHECK: 7: [[TWENTY]]
// Two functions of 1537 instructions: 773 cycles with the call, and 48 lines each the first time,
// for one ends in the line where the next begins. Together with their caller, 12.6 KB: there is room.
// CHECK: 8: 6533
// CHECK: 9: 6533
// CHECK: 10: 773
// CHECK: 11: 773
// CHECK: 12: 773
// CHECK: 13: 773
// Of 2561 instructions: 1285 cycles, over 81 lines; one of them may be shared with what ran before.
// The 20 KB never stay.
// CHECK: 14: {{10885|11005}}
// CHECK: 15: {{10885|11005}}
// CHECK: 16: {{10885|11005}}
// CHECK: 17: {{10885|11005}}
// CHECK: 18: {{10885|11005}}
// CHECK: 19: {{10885|11005}}
// Small functions 4096 bytes apart compete for one set: there is room for the lines of four, which
// take 5 cycles each, not for five.
// CHECK: 20: 500
// CHECK: 21: 20
// CHECK: 22: 20
// CHECK: 23: 145
// CHECK: 24: 625
// CHECK: 25: 625
