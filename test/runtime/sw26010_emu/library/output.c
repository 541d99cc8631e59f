// RUN: %athread %s -o %t && %run %t | FileCheck %s
// Text of the slave side: formats, strings in LDM and in main memory, and the order of CPEs.
#ifdef SLAVE
#include <slave.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__thread_local char text[64], copy[64];
__thread_local volatile int spent;

void f(const char *word) {
  char *heap = malloc(100);
  int i;
  strcpy(heap, word);
  strncat(heap, " and more", 4);
  sprintf(text, "%d|%s|%6.3f|%-4ld|%*d|%.*s|%c|%lx|%%", _MYID, heap, _MYID / 8.0, 7L, 5, 42, 2,
          "abcdef", 'x', 255UL);
  memcpy(copy, text, strlen(text) + 1);
  for (i = 0; i < 100000 * (63 - _MYID); ++i) // the last CPE is the first
    spent = i;
  if (_MYID % 21 == 0)
    printf("%s %lu\n", copy, strlen(copy));
  if (_MYID == 0) {
    fprintf(stdout, "%d %d %d ", strcmp("ab", "ac") < 0, strncmp("abx", "aby", 2),
            memcmp("a", "b", 1) < 0);
    puts(strrchr("a/b/c", '/'));
    putchar('!');
    putchar('\n');
    printf("%s %d\n", snprintf(copy, 4, "%d", 123456) == 6 ? copy : "wrong", atoi("-17 "));
  }
  free(heap);
}
#else
#include <athread.h>

char word[] = "host";
extern void SLAVE_FUN(f)(char *);

int main(void) {
  athread_init();
  athread_spawn(f, word);
  athread_join();
  athread_halt();
  return 0;
}
// CHECK: 63|host and| 7.875|7   |   42|ab|x|ff|% 39
// CHECK-NEXT: 42|host and| 5.250|7   |   42|ab|x|ff|% 39
// CHECK-NEXT: 21|host and| 2.625|7   |   42|ab|x|ff|% 39
// CHECK-NEXT: 0|host and| 0.000|7   |   42|ab|x|ff|% 38
// CHECK-NEXT: 1 0 1 /c
// CHECK-NEXT: !
// CHECK-NEXT: 123 -17
#endif
