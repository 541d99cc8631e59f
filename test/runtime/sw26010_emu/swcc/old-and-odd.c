// RUN: %athread %s -O0 -o %t && %run %t | FileCheck %s
// RUN: %athread %s -O1 -o %t && %run %t | FileCheck %s
// RUN: %athread %s -O2 -o %t && %run %t | FileCheck %s
// RUN: %athread %s -O3 -std=gnu99 -o %t && %t | FileCheck %s
// What C code of CPEs may be made of; the last run has its stack in main memory.
#ifdef SLAVE
#include <slave.h>
#include <stdarg.h>
#include <string.h>

struct Body {
  int count;
  double weight[3];
  char mark;
};
struct Fields {
  unsigned narrow : 3;
  int sign : 7;
  unsigned long wide : 40;
};
union Bits {
  double real;
  long whole;
  int half[2];
};

static long fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

__attribute__((noinline)) long take(struct Body body, int more) {
  body.count += more;
  body.weight[1] += body.count;
  return (long)(body.weight[1] * 10) + body.mark;
}

__attribute__((noinline)) struct Body give(int count) {
  struct Body body;
  memset(&body, 0, sizeof body);
  body.count = count;
  body.weight[1] = 0.5 * count;
  body.mark = 'x';
  return body;
}

__attribute__((noinline)) long sum(int n, ...) {
  va_list list;
  long total = 0;
  int i;
  va_start(list, n);
  for (i = 0; i < n; i++)
    total += i & 1 ? (long)va_arg(list, double) : va_arg(list, int);
  va_end(list);
  return total;
}

__attribute__((noinline)) long variable(int n) {
  int a[n];
  double b[n][2];
  long total = 0;
  int i;
  for (i = 0; i < n; i++) {
    a[i] = i;
    b[i][1] = i;
  }
  for (i = 0; i < n; i++)
    total += a[(i * 7) % n] + (long)b[(i * 3) % n][1];
  return total;
}

static long more(long x) { return x + 1; }
static long twice(long x) { return x * 2; }
long less(long x) { return x - 3; }
typedef long (*Step)(long);
Step steps[3] = {more, twice, less};
__thread_local Step here[2] = {twice, less};

__attribute__((noinline)) choose(k) {
  switch (k) {
  case 0: return 5;
  case 1: return 9;
  case 2: return 17;
  case 3: return 2;
  case 7: return 40;
  default: return -1;
  }
}

old(a, b) int a; double b; { return a + (int)b; }

static int kept(void) {
  static int value = 100;
  return value;
}

long double third(int k) {
  volatile long double x = k;
  return x / 3 * 3;
}

inline int added(int x) { return x + 1000; }
extern inline int doubled(int x) { return 2 * x; }

void f(long *out) {
  volatile int squares[100];
  struct Body body = give(4);
  struct Fields fields;
  union Bits bits;
  char text[16];
  int i, *word = (int *)&out[23];
  long *unused = 5;
  if (_MYID != 5)
    return;
  out[0] = fibonacci(15);
  out[1] = take(body, 3);
  out[2] = body.count;
  out[3] = sum(4, 1, 2.5, 3, 4.5);
  out[4] = variable(13);
  out[5] = steps[_ROW](10) + steps[1](10) + steps[2](10);
  out[6] = here[1](5);
  out[7] = choose(3) * 100 + choose(7) + choose(44);
  out[8] = 0;
  for (i = 0; i < 100; i++)
    squares[i] = i * i;
  for (i = 0; i < 100; i++)
    out[8] += squares[99 - i];
  fields.narrow = 9;
  fields.sign = -5;
  fields.wide = 1UL << 39;
  out[9] = fields.narrow;
  out[10] = fields.sign;
  out[11] = fields.wide >> 30;
  bits.real = 1.0;
  out[12] = bits.half[1];
  out[13] = bits.whole >> 52;
  out[14] = kept();
  out[15] = old(3, 4.7);
  out[16] = (long)(third(9) + 0.5L);
  strcpy(text, "hello");
  memcpy(text + 5, text, 3);
  out[17] = text[6] + text[4];
  *word = 0;
  __sync_fetch_and_add(word, 5);
  out[18] = __sync_val_compare_and_swap(word, 5, 6);
  out[19] = *word;
  out[20] = added(1) + doubled(4);
  out[21] = ({ long both = out[20]; both + 1; });
  goto end;
  out[22] = 1;
end:
  out[22] += 2;
}
#else
#include <athread.h>
#include <stdio.h>

long out[24];
extern SLAVE_FUN(f)();

main() {
  int i;
  athread_init();
  athread_spawn(f, out);
  athread_join();
  // CHECK: 610 210 4 10 156 38 2 239 328350
  // CHECK-SAME: 1 -5 512 1072693248 1023 100 7 9 212 5 6 1009 1010 2
  for (i = 0; i < 23; i++)
    printf("%ld ", out[i]);
  athread_halt();
  return 0;
}
#endif
