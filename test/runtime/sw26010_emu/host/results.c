// RUN: %athread %s -o %t && %run %t | FileCheck %s
// What the functions of athread.h return, also when they are used out of turn.
#ifdef SLAVE
#include <slave.h>

void f(long *out) { out[_MYID]++; }
#else
#include <athread.h>
#include <stdio.h>

long out[64];
extern void SLAVE_FUN(f)(long *);

static const char *name(int result) {
  switch (result) {
  case 0:
    return "0";
  case -EINVAL:
    return "-EINVAL";
  case -EAGAIN:
    return "-EAGAIN";
  case -ESRCH:
    return "-ESRCH";
  default:
    return "?";
  }
}
#define TELL(call) printf(#call ": %s\n", name(call))

int main(void) {
  int i;
  long sum = 0;
  printf("idle before init: %lx\n", athread_idle()); // CHECK: idle before init: 0
  TELL(athread_halt());                              // CHECK: athread_halt(): -EINVAL
  TELL(athread_init());                              // CHECK: athread_init(): 0
  TELL(athread_init());                              // CHECK: athread_init(): 0
  printf("idle: %lx\n", athread_idle());             // CHECK: idle: ffffffffffffffff
  printf("max %d\n", athread_get_max_threads());     // CHECK: max 64
  TELL(athread_join());                              // CHECK: athread_join(): -EINVAL
  TELL(athread_wait(3));                             // CHECK: athread_wait(3): -ESRCH
  TELL(athread_wait(64));                            // CHECK: athread_wait(64): -EINVAL
  TELL(athread_create(-1, f, out));                  // CHECK: athread_create(-1, f, out): -EINVAL
  TELL(athread_create(3, f, out));                   // CHECK: athread_create(3, f, out): 0
  TELL(athread_create(3, f, out));                   // CHECK: athread_create(3, f, out): -EINVAL
  printf("busy: %lx\n", athread_idle());             // CHECK: busy: 0
  TELL(athread_end(3));                              // CHECK: athread_end(3): -EINVAL
  TELL(athread_set_num_threads(8));                  // CHECK: athread_set_num_threads(8): -EINVAL
  TELL(athread_wait(3));                             // CHECK: athread_wait(3): 0
  TELL(athread_cancel(3));                           // CHECK: athread_cancel(3): -ESRCH
  TELL(athread_set_num_threads(0));                  // CHECK: athread_set_num_threads(0): -EINVAL
  TELL(athread_set_num_threads(65));                 // CHECK: athread_set_num_threads(65): -EAGAIN
  TELL(athread_set_num_threads(8));                  // CHECK: athread_set_num_threads(8): 0
  TELL(athread_spawn(f, out));                       // CHECK: athread_spawn(f, out): 0
  TELL(athread_join());                              // CHECK: athread_join(): 0
  printf("num %d\n", athread_get_num_threads());     // CHECK: num 8
  TELL(athread_end(5));                              // CHECK: athread_end(5): 0
  TELL(athread_end(5));                              // CHECK: athread_end(5): -ESRCH
  TELL(athread_create(5, f, out));                   // CHECK: athread_create(5, f, out): -EINVAL
  printf("max %d\n", athread_get_max_threads());     // CHECK: max 63
  printf("idle: %lx\n", athread_idle());             // CHECK: idle: ffffffffffffffdf
  // CHECK: athread_spawn_group(1UL << 5, f, out): -EINVAL
  TELL(athread_spawn_group(1UL << 5, f, out));
  // CHECK: athread_spawn_group(0x8000000000000010UL, f, out): 0
  TELL(athread_spawn_group(0x8000000000000010UL, f, out));
  TELL(athread_join_group(0x10));       // CHECK: athread_join_group(0x10): 0
  TELL(athread_join_group(0x10));       // CHECK: athread_join_group(0x10): -EINVAL
  TELL(athread_join_group(~0UL));       // CHECK: athread_join_group(~0UL): 0
  TELL(athread_set_num_threads(64));    // CHECK: athread_set_num_threads(64): -EAGAIN
  TELL(athread_get_id(7) == 7 ? 0 : 1); // CHECK: : 0
  TELL(athread_get_id(-1));             // CHECK: athread_get_id(-1): -EINVAL
  TELL(athread_get_core(64));           // CHECK: athread_get_core(64): -EINVAL
  for (i = 0; i < 64; i++)
    sum += out[i] << i % 32;
  // CPE 3 ran twice, 0-2 and 4-7 once, 4 and 63 once more.
  printf("%ld %ld %ld %ld\n", out[0], out[3], out[4], out[63]); // CHECK: 1 2 2 1
  printf("%ld\n", out[5] + out[8] * 10 + out[62] * 100);        // CHECK: 1
  TELL(athread_halt());                                         // CHECK: athread_halt(): 0
  return sum == 0;
}
#endif
