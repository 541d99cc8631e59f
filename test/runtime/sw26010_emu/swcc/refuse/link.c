// RUN: not %athread %s -o %t 2>&1 | FileCheck %s
// RUN: not %athread %s -DHERE -lgptl -o %t 2>&1 | FileCheck %s --check-prefix=LIBRARY
// RUN: not %athread %s -DSUCCESSOR -o %t 2>&1 | FileCheck %s --check-prefix=SUCCESSOR
// RUN: not %athread %s -DHEADER -o %t 2>&1 | FileCheck %s --check-prefix=HEADER
// What the linker misses, in the program's words.
#ifdef SLAVE
#include <slave.h>
extern void elsewhere(void);
#ifdef HERE
void elsewhere(void) {}
#endif
// CHECK: error: no slave file defines the function 'elsewhere', and the slave library does not have it
// CHECK-NEXT: help: compile the file that defines elsewhere with -slave
// CHECK-NEXT: used at link.c:[[#@LINE+1]]
void f(void) { elsewhere(); }
// LIBRARY: error: no library -lgptl
#ifdef SUCCESSOR
// SUCCESSOR: error: 'athread_rma_get' is a function of the SW26010-Pro's library
// SUCCESSOR-NEXT: help: on the SW26010 CPEs exchange data by register communication
// SUCCESSOR-NEXT: used at link.c:[[#@LINE+1]]
void g(void) { athread_rma_get(); }
void elsewhere(void) {}
#endif
#ifdef HEADER
// HEADER: crts.h is of the SW26010-Pro's compiler
#include <crts.h>
#endif
#else
#include <athread.h>
extern void SLAVE_FUN(f)(void);
int main(void) {
  athread_init();
  athread_spawn(f, 0);
  athread_join();
}
#endif
