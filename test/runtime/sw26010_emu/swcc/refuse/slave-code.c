// RUN: not %swcc -slave -DJUMP -c %s -o %t 2>&1 | FileCheck %s --check-prefix=JUMP
// RUN: not %swcc -slave -DPOINTER -c %s -o %t 2>&1 | FileCheck %s --check-prefix=POINTER
// RUN: not %swcc -slave -DTYPO -c %s -o %t 2>&1 | FileCheck %s --check-prefix=TYPO
// What slave code cannot be.
#include <setjmp.h>
#include <simd.h>
#include <slave.h>

#ifdef JUMP
jmp_buf there;
// JUMP: slave-code.c:[[#@LINE+1]]:22: error: setjmp in slave code
int f(void) { return setjmp(there); }
#endif
#ifdef POINTER
__thread_local int here;
// POINTER: slave-code.c: error: 'everywhere' is initialised with the address of 'here', which is another on each core
// POINTER-NEXT: help: assign the pointer at run time
int *everywhere = &here;
#endif
#ifdef TYPO
// The place is the programmer's, though the cast is rewritten.
floatv4 g(doublev4 x) {
  floatv4 y = (floatv4)x;
  // TYPO: slave-code.c:[[#@LINE+1]]:10: error: use of undeclared identifier 'z'
  return z;
}
#endif
