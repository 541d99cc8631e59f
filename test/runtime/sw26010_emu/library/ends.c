// RUN: %athread %s -DEND='assert(_MYID != 2)' -o %t && not %run %t 2> %t.assert
// RUN: FileCheck %s --check-prefix=ASSERT < %t.assert
// RUN: %athread %s -DEND='if (_MYID == 2) abort()' -o %t && not %run %t 2> %t.abort
// RUN: FileCheck %s --check-prefix=ABORT < %t.abort
// RUN: %athread %s -DEND='if (_MYID == 2) free((void *)local)' -o %t && not %run %t 2> %t.free
// RUN: FileCheck %s --check-prefix=FREE < %t.free
// What ends a program from slave code.
#ifdef SLAVE
#include <assert.h>
#include <slave.h>
#include <stdlib.h>

__thread_local char local[8];

void f(void *unused) { END; }
#else
#include <athread.h>

extern void SLAVE_FUN(f)(void *);

int main(void) {
  athread_init();
  athread_spawn(f, 0);
  athread_join();
  return 0;
}
// ASSERT: fault [assertion]: {{.*}}ends.c:15: void f(void *): assertion '_MYID != 2' failed
// ASSERT-NEXT: CPE 2
// ABORT: fault [abort]: slave code calls abort
// ABORT-NEXT: CPE 2
// FREE: fault [bad-free]: free of an address that malloc did not return
// FREE: found: an address of LDM
#endif
