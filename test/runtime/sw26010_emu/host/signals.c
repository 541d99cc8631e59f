// RUN: %athread %s -o %t && %run %t | FileCheck %s
// CPEs signal the MPE: the handler runs while it waits; sigsend waits for the handler.
#ifdef SLAVE
#include <slave.h>

extern volatile long seen;

void f(long *out) {
  if (_MYID == 9) {
    out[0] = athread_sigsend(0, 63, (void *)out);
    out[1] = seen; // the handler has run
  }
  if (_MYID == 10)
    out[2] = athread_sigqueue(0, 63, (void *)(out + 10));
  if (_MYID == 11)
    out[3] = athread_sigqueue(0, 12, (void *)0); // nobody handles it
}
#else
#include <athread.h>
#include <stdio.h>

volatile long seen;
long out[64];
extern void SLAVE_FUN(f)(long *);

struct sigcontext;
static void handler(int number, siginfo_t *information, struct sigcontext *context) {
  (void)context;
  seen += number * 1000 + information->si_pid;
  ((long *)information->si_value.sival_ptr)[5] = information->si_signo;
}

int main(void) {
  athread_init();
  printf("%d %d\n", athread_signal(63, (void *)handler), athread_signal(0, (void *)handler));
  // CHECK: 0 -22
  athread_spawn(f, out);
  athread_join();
  printf("%ld %d %ld %ld\n", out[0], out[1] >= 63009, out[2], out[3]); // CHECK: 0 1 0 -22
  printf("%ld %ld %ld\n", seen, out[5], out[15]);                      // CHECK: 126019 63 63
  return 0;
}
#endif
