// RUN: %athread %s -o %t && %t | FileCheck %s
// LDM at run time: aligned for vectors, distinct, reused after ldm_free, and finite.
#ifdef SLAVE
#include <slave.h>

__thread_local long variable[64]; /* 512 of the 64 K */

void f(long *out) {
  size_t all, left;
  char *a, *b, *c;
  long n = 0;
  if (_MYID != 3)
    return;
  all = get_allocatable_size();
  out[0] = all > 64000 && all <= 65536 - 512;
  a = (char *)(long)ldm_malloc(100);
  b = (char *)(long)ldm_malloc(1);
  left = get_allocatable_size();
  out[1] = all - left >= 101 && all - left <= 256;
  out[2] = (long)a % 32 == 0 && (long)b % 32 == 0 && b - a >= 100;
  out[3] = ldm_malloc(left + 1) == NULL;
  c = (char *)ldm_malloc(left);
  out[4] = c != NULL && ldm_malloc(1) == NULL && get_allocatable_size() == 0;
  c[0] = c[left - 1] = 7; /* all of it is there */
  ldm_free(a, 100);
  out[5] = ldm_malloc(100) == a;
  ldm_free(c, left);
  while (ldm_malloc(1024))
    n++;
  out[6] = n == (long)(left / 1024);
  /* An LDM address survives an int. */
  out[7] = (char *)(long)(int)(long)b == b;
}
#else
#include <athread.h>
#include <stdio.h>

long out[8];
extern void SLAVE_FUN(f)(long *);

int main(void) {
  int i;
  athread_init();
  athread_spawn(f, out);
  athread_join();
  for (i = 0; i < 8; i++)
    printf("%ld", out[i]);
  puts(""); // CHECK: {{^}}11111111{{$}}
  return 0;
}
#endif
