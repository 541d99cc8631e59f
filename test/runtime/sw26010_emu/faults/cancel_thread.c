// RUN: %athread %s -o %t
// RUN: not %run %t 2>&1 | FileCheck %s
// A thread of the host would be cancelled wherever it is.
#ifdef SLAVE
#include <slave.h>
void f(long *out) {}
#else
#include <athread.h>
#include <pthread.h>

static void *work(void *nothing) { return nothing; }

int main(void) {
  pthread_t thread;
  athread_init();
  pthread_create(&thread, 0, work, 0);
  pthread_cancel(thread);
  return 0;
}
// CHECK: fault [host-thread]: pthread_cancel is not served
// CHECK-NEXT: MPE, cycle {{[0-9]+}}, {{.*}}cancel_thread.c:[[#@LINE-4]]:3, in main
#endif
