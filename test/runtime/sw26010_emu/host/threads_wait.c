// RUN: %athread %s -o %t && not %run %t 2>&1 | FileCheck %s
// RUN: %athread %s -DCANCEL -o %t && not %run %t 2>&1 | FileCheck %s --check-prefix=CANCEL
// A thread of the host that nobody will let go on is told, not waited for.
#ifndef SLAVE
#include <athread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_mutex_lock(&lock);
  pthread_create(&thread, NULL, run, NULL);
#ifdef CANCEL
  pthread_cancel(thread);
  // CANCEL: pthread_cancel is not served
  // CANCEL: have the thread look at a variable
#endif
  pthread_join(thread, NULL);
  // CHECK: deadlock
  return 0;
}
#endif
