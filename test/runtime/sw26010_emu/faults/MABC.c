// RUN: %athread %s -o %t
// RUN: not %run %t get 2>&1 | FileCheck %s --check-prefix=GET
// RUN: not %run %t load 2>&1 | FileCheck %s --check-prefix=LOAD
// RUN: not %run %t wild 2>&1 | FileCheck %s --check-prefix=WILD
// Addresses beyond what a core group's memory can have.
#ifdef SLAVE
#include <slave.h>
#include <string.h>
__thread_local double buffer[64];
__thread_local volatile int reply;
typedef struct {
  char *memory, *word;
} Argument;

void f(Argument *argument) {
  char *far = argument->memory + (10L << 30);
  reply = 0;
  if (_MYID != 3)
    return;
  if (!strcmp(argument->word, "get"))
    athread_get(PE_MODE, far, buffer, sizeof buffer, (void *)&reply, 0, 0, 0);
  if (!strcmp(argument->word, "load"))
    buffer[0] = *(double *)far;
  *(double *)0x4045000000000000 = 1;
}
// GET: fault [MABC]: the source of a get of 512 bytes beyond the end of main memory
// GET-NEXT: CPE 3 (row 0, column 3), cycle {{[1-9][0-9]*}}, {{.*}}MABC.c:[[#@LINE-6]]:{{.*}}, in f
// GET-NEXT: expected: less than the 8 GB that a core group has
// GET-NEXT: found: {{[0-9]+}} bytes after the end of a block of 3000000 bytes, allocated at {{.*}}MABC.c:[[#@LINE+16]]:
// LOAD: fault [MABC]: a load of 8 bytes beyond
// LOAD-NEXT: CPE 3 {{.*}}MABC.c:[[#@LINE-8]]:{{.*}}, in f
// WILD: fault [MABC]: a store of 8 bytes beyond
// WILD-NEXT: CPE 3 {{.*}}MABC.c:[[#@LINE-9]]:{{.*}}, in f
#else
#include <athread.h>
#include <stdlib.h>
typedef struct {
  char *memory, *word;
} Argument;
extern void SLAVE_FUN(f)(Argument *);

int main(int argc, char **argv) {
  Argument argument;
  athread_init();
  argument.memory = (char *)malloc(3000000);
  argument.word = argv[argc - 1];
  athread_spawn(f, &argument);
  athread_join();
  return 0;
}
#endif
