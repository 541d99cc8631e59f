// Inline functions of headers that several host and slave files share, by the rules of C89 and of
// C99, with and without optimization: each file that calls one finds it, none is defined twice.
// clang-format off
// RUN: %swcc -host -O0 -c %s -o %t.a.o && %swcc -host -O0 -DOTHER -c %s -o %t.b.o
// RUN: %swcc -slave -O0 -DSLAVE -c %s -o %t.c.o && %swcc -slave -O0 -DSLAVE -DOTHER -c %s -o %t.d.o
// RUN: %swcc -hybrid %t.a.o %t.b.o %t.c.o %t.d.o -o %t && %run %t | FileCheck %s
// RUN: %swcc -host -O2 -std=c99 -c %s -o %t.e.o && %swcc -host -O3 -std=gnu89 -DOTHER -c %s -o %t.f.o
// RUN: %swcc -slave -O1 -DSLAVE -c %s -o %t.g.o && %swcc -slave -O3 -fno-gnu89-inline -DSLAVE -DOTHER -c %s -o %t.h.o
// RUN: %swcc -hybrid %t.e.o %t.f.o %t.g.o %t.h.o -o %t && %run %t | FileCheck %s
// RUN: %swcc -hybrid %t.a.o %t.f.o %t.c.o %t.h.o -o %t && %run %t | FileCheck %s
// RUN: %swcc -hybrid %t.f.o %t.a.o %t.h.o %t.c.o -o %t 2>&1 | FileCheck %s --check-prefix=QUIET --allow-empty
// QUIET-NOT: warning
// clang-format on

// ---- the header ----
inline int plain(int n) { return n + 1; }
extern inline int outside(int n) { return n + 2; }
inline extern int turned(int n) { return n + 3; }
static inline int hidden(int n) { return n + 4; }
__inline__ int old(int n) { return n + 5; }
extern __inline __attribute__((__gnu_inline__)) int marked(int n) { return n + 6; }
inline int declared(int n);
int declared(int n) { return n + 7; }
static __attribute__((noinline)) int far(int n) { return n + 8; }
inline __attribute__((always_inline)) int near(int n) { return n + 9; }
inline __attribute__((noinline)) int called(int n) { return n + 10; }
static int sum(int n) {
  int (*taken)(int) = plain; // its address is wanted, too
  return taken(n) + outside(n) + turned(n) + hidden(n) + old(n) + marked(n) + declared(n) + far(n) +
         near(n) + called(n);
}
// ---- its users ----

#ifdef SLAVE
#include <slave.h>

#ifdef OTHER
int other(int n) { return sum(n); }
#else
extern int other(int);
void f(int *out) { out[_MYID] = sum(_MYID) + 1000 * other(0); }
#endif
#else
#ifdef OTHER
int other(int n) { return sum(n); }
#else
#include <athread.h>
#include <stdio.h>

int out[64];
extern int other(int);
extern void SLAVE_FUN(f)(int *);

int main(void) {
  athread_init();
  athread_spawn(f, out);
  athread_join();
  printf("%d %d %d\n", sum(0), other(1), out[63]); // CHECK: 55 65 55685
  return 0;
}
#endif
#endif
