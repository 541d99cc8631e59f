// RUN: %athread %s -o %t && %run %t > %t.1 && FileCheck %s --input-file %t.1
// RUN: env OTHER=environment %run %t | diff - %t.1
// The heap: blocks keep their contents and do not overlap, calloc's are zero, alignments hold, and
// each address is the same in every run.
#ifdef SLAVE
void f(void) {}
#else
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { blocks = 600, turns = 60000 };
static unsigned char *block[blocks];
static size_t bytes[blocks];

static unsigned next(void) {
  static unsigned state = 1;
  return (state = state * 1664525u + 1013904223u) >> 8;
}

static void fill(int i) {
  if (bytes[i])
    block[i][0] = block[i][bytes[i] - 1] = (unsigned char)i;
}

int main(void) {
  int i, turn, wrong = 0;
  unsigned long sum = 0;
  char *copy;
  void *aligned, *volatile huge;
  for (turn = 0; turn < turns; turn++) {
    size_t wanted = next() % 8 ? next() % 600 : next() % 300000;
    i = (int)(next() % blocks);
    if (block[i] && bytes[i])
      wrong += block[i][0] != (unsigned char)i || block[i][bytes[i] - 1] != (unsigned char)i;
    switch (next() % 3) {
    case 0:
      free(block[i]);
      block[i] = (unsigned char *)malloc(wanted);
      break;
    case 1:
      free(block[i]);
      block[i] = (unsigned char *)calloc(wanted, 1);
      if (wanted)
        wrong += block[i][0] || block[i][wanted / 2] || block[i][wanted - 1];
      break;
    default:
      block[i] = (unsigned char *)realloc(block[i], wanted + 1);
      if (bytes[i] && bytes[i] <= wanted)
        wrong += block[i][0] != (unsigned char)i;
      wanted++;
    }
    wrong += (unsigned long)block[i] % 16 != 0;
    bytes[i] = wanted;
    fill(i);
    sum = sum * 31 + (unsigned long)block[i];
  }
  printf("wrong %d\n", wrong); // CHECK: wrong 0
  printf("%d\n", posix_memalign(&aligned, 4096, 10) == 0 && (unsigned long)aligned % 4096 == 0);
  // CHECK: 1
  aligned = memalign(1 << 21, 100);
  printf("%d\n", (unsigned long)aligned % (1 << 21) == 0); // CHECK: 1
  copy = strdup("from the library");                       // CHECK: from the library
  puts(copy);
  free(copy);
  huge = malloc(9UL << 30);
  printf("%d\n", huge == NULL); // CHECK: 1
  printf("%lx\n", sum);
  return 0;
}
#endif
