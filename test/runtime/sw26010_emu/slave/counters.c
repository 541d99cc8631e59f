// RUN: %athread %s -o %t && %run %t | FileCheck %s
// The three performance counters of a CPE, by their control registers and by the library.
#ifdef SLAVE
#include <simd.h>
#include <slave.h>

// A name of the C library that programs have of their own.
static void select(long event0, long event1, long event2) {
  asm volatile("wcsr %0, 5\n"
               "wcsr %1, 6\n"
               "wcsr %2, 7\n"
               "wcsr %3, 8\n"
               :
               : "r"(event0 << 59), "r"(event1 << 59), "r"(event2 << 59), "r"(0x3f001fL));
}
#define READ(value, n) asm volatile("rcsr %0, " #n : "=r"(value))

__thread_local double field[64];
__thread_local volatile double sink;
__thread_local doublev4 sum;

extern volatile long words[2];

void count(long *out) {
  long a, b, c, i;
  unsigned long puts, gets, cycles, begin, end;
  volatile double one = 1.0;
  doublev4 message = one;
  volatile int reply = 0;
  if (_MYID > 1)
    return;
  out += 16 * _MYID;
  // Operations: 5 scalar fused ones, and 3 divisions of them apart.
  select(0x14, 0x15, 0x01);
  for (i = 0; i < 5; i++)
    sink = sink * 0.5 + 1.0;
  for (i = 0; i < 3; i++)
    sink = 1.0 / sink;
  for (i = 0; i < 4; i++)
    c = words[0];
  READ(a, 5);
  READ(b, 6);
  READ(c, 7);
  out[0] = a & ((1L << 59) - 1);
  out[1] = b & ((1L << 59) - 1);
  out[2] = c & ((1L << 59) - 1);
  out[3] = (a >> 59 & 31) == 0x14 && (b >> 59 & 31) == 0x15 && c >> 59 == 1;
  // A vector product and sum counts 8.
  select(0x14, 0x15, 0x02);
  sum = message * message + sum;
  for (i = 0; i < 6; i++)
    words[_MYID] = i;
  READ(a, 5);
  READ(b, 7);
  out[4] = a & 0xffff;
  out[5] = b & 0xffff;
  // Counters that are off stand still.
  asm volatile("wcsr %0, 8" : : "r"(0L));
  sum = message * message + sum;
  READ(b, 5);
  out[6] = b == a;
  // What LDM is asked for, and the two clocks of one core.
  select(0x0c, 0x00, 0x09);
  READ(begin, 4);
  READ(a, 6);
  for (i = 0; i < 64; i++)
    ((volatile double *)field)[i] += 1.0;
  athread_get(PE_MODE, out, field, 64, (void *)&reply, 0, 0, 0);
  while (reply != 1)
    ;
  READ(c, 5);
  READ(b, 6);
  READ(end, 4);
  out[7] = (c & 0xffff) >= 64 && (c & 0xffff) < 80; // and the loop that waits
  out[8] = b - a <= end - begin && b - a > (end - begin) * 9 / 10;
  READ(c, 7);
  out[9] = c & 0xffff;

  // By the library. A put to all others is one.
  penv_slave2_put_init();
  penv_slave0_cycle_init();
  penv_slave1_pipe1_inst_init();
  if (_MYID == 0) {
    simd_putr(message, 1);
    simd_putr(message, 1);
    simd_putr(message, 9);
  } else if (_MYID == 1) {
    simd_getr(message);
    simd_getr(message);
    simd_getr(message);
  }
  penv_slave2_put_count(&puts);
  penv_slave1_pipe1_inst_count(&gets);
  penv_slave0_cycle_count(&cycles);
  out[10] = puts;
  out[11] = gets >= 3 && gets < 40;
  out[12] = cycles > 0 && cycles < 4000;
  penv_slave2_row_syn_init();
  athread_syn(ROW_SCOPE, 3);
  athread_syn(ROW_SCOPE, 3);
  penv_slave2_row_syn_count(&puts);
  out[13] = puts;
}
#else
#include <athread.h>
#include <stdio.h>

long out[32];
volatile long words[2];
extern void SLAVE_FUN(count)(long *);

int main(void) {
  unsigned long cycles;
  int i;
  athread_init();
  penv_host0_cycle_init();
  athread_set_num_threads(2);
  athread_spawn(count, out);
  athread_join();
  penv_host0_cycle_count(&cycles);
  for (i = 0; i < 14; i++)
    printf("%ld%c", out[i], i == 13 ? '\n' : ' ');
  printf("%d\n", cycles > 10000 && cycles < 100000);
  athread_halt();
  return 0;
}
// CHECK: {{^}}10 3 4 1 8 6 1 1 1 1 3 1 1 2{{$}}
// CHECK: 1
#endif
