// UNSUPPORTED: sanitize
// RUN: %athread %s -o %t && %run %t | FileCheck %s
// A program with its own malloc: the C library takes it too, so that free finds what strdup gave.
#ifdef SLAVE
#include <slave.h>

void f(long *block) { block[_MYID] = _MYID; }
#else
#include <athread.h>
#include <stdio.h>

static char pool[1 << 20];
static size_t used;
static long taken, given;
extern void SLAVE_FUN(f)(long *);

void *malloc(size_t bytes) {
  void *block = pool + used;
  used += (bytes + 63) / 64 * 64;
  ++taken;
  return used <= sizeof pool ? block : NULL;
}
void *calloc(size_t count, size_t bytes) { return memset(malloc(count * bytes), 0, count * bytes); }
void *realloc(void *old, size_t bytes) {
  void *block = malloc(bytes);
  return old ? memmove(block, old, bytes) : block;
}
void free(void *block) { given += block != NULL; }

int main(void) {
  long *block = malloc(64 * sizeof(long));
  char *copy = strdup("copied");
  const int inPool = (char *)block >= pool && copy >= pool && copy < pool + sizeof pool;
  athread_init();
  athread_spawn(f, block);
  athread_join();
  free(copy);
  free(block);
  printf("%s %d %ld %d\n", copy, inPool, block[63],
         taken >= 2 && given >= 2); // CHECK: copied 1 63 1
  return 0;
}
#endif
