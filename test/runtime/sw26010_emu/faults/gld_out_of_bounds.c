// RUN: %athread %s -o %t
// RUN: not %run %t past 2>&1 | FileCheck %s --check-prefix=PAST
// RUN: not %run %t freed 2>&1 | FileCheck %s --check-prefix=FREED
// RUN: not %run %t constant 2>&1 | FileCheck %s --check-prefix=CONSTANT
// RUN: not %run %t odd 2>&1 | FileCheck %s --check-prefix=ODD
// Stores of a CPE to main memory where it has none, each with the story of the memory.
#ifdef SLAVE
#include <slave.h>

void f(int *memory) {
  if (_MYID == 5)
    memory[100] = 3;
}
// PAST: fault [out-of-bounds]: a store of 4 bytes outside of what was allocated
// PAST-NEXT: CPE 5 (row 0, column 5), cycle {{[1-9][0-9]*}}, {{.*}}gld_out_of_bounds.c:[[#@LINE-3]]:17, in f
// PAST: found: 0 bytes after the end of a block of 400 bytes, allocated at {{.*}}gld_out_of_bounds.c:[[#@LINE+21]]:{{.*}}, in main
// FREED: fault [freed-memory]: a store of 4 bytes in memory that was freed
// FREED-NEXT: CPE 5 {{.*}}gld_out_of_bounds.c:[[#@LINE-6]]:17, in f
// FREED: found: byte 400 of a block of 404 bytes, allocated at {{.*}}, in main, freed at {{.*}}gld_out_of_bounds.c:[[#@LINE+23]]
// CONSTANT: fault [read-only]: a store of 4 bytes to memory that may only be read
// CONSTANT: found: byte 400 of constant, which has 408 bytes
// ODD: fault [UNALIGN]: a store of 4 bytes at an address that is not aligned to its size
// ODD-NEXT: CPE 5 {{.*}}gld_out_of_bounds.c:[[#@LINE-11]]:17, in f
#else
#include <athread.h>
#include <stdlib.h>
#include <string.h>

const int constant[102] = {1};
extern void SLAVE_FUN(f)(int *);

int main(int argc, char **argv) {
  void *memory = (void *)constant;
  (void)argc;
  athread_init();
  if (!strcmp(argv[1], "past"))
    memory = malloc(400);
  if (!strcmp(argv[1], "odd"))
    memory = (char *)malloc(800) + 2;
  if (!strcmp(argv[1], "freed")) {
    memory = malloc(404);
    free(memory);
  }
  athread_spawn(f, memory);
  athread_join();
  return 0;
}
#endif
