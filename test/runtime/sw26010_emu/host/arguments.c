// RUN: %athread %s -o %t
// RUN: env WORD=hello not %run %t one "two words" "" > %t.out
// RUN: FileCheck %s --input-file %t.out
// RUN: env WORD=hello LONG=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa \
// RUN:   not %run %t one "two words" "" | diff - %t.out
// Arguments, environment and exit status; where they lie does not depend on how many there are.
#ifdef SLAVE
void f(void) {}
#else
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv, char **environment) {
  int local;
  // CHECK: 4 [one] [two words] []
  printf("%d [%s] [%s] [%s]\n", argc, argv[1], argv[2], argv[3]);
  printf("%d\n", argv[argc] == NULL);                        // CHECK: 1
  printf("%s %d\n", getenv("WORD"), getenv("NONE") == NULL); // CHECK: hello 1
  setenv("WORD", "other", 1);
  printf("%s\n", getenv("WORD")); // CHECK: other
  printf("%p %p %p\n", (void *)argv, (void *)argv[1], (void *)&local);
  return environment[0] ? 42 : 0;
}
#endif
