// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A header that defines variables, in two host files: the first definition is everybody's, and a
// warning names them. Of two functions of one name nothing is known to be right: refused.
// RUN: %swcc -host -DMAIN -c %s -o %t.main.o && %swcc -host -c %s -o %t.other.o
// RUN: %swcc -hybrid %t.main.o %t.other.o -o %t 2> %t.told && %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=TOLD < %t.told
// RUN: %swcc -host -DMAIN -DTWICE -c %s -o %t.main.o && %swcc -host -DTWICE -c %s -o %t.other.o
// RUN: not %swcc -hybrid %t.main.o %t.other.o -o %t 2>&1 | FileCheck %s --check-prefix=TWICE
// TOLD: warning: limit, neighbour, weights are defined in several files
// TOLD-SAME: (shared_header.c); the first is taken
// TWICE: duplicate symbol: twice
#include <stdio.h>

const double weights[3] = {0.5, 0.25, 0.125};
int neighbour = -1;
int limit = 0;
int steps; // without a first value they are one by the rules of old C

void other(void);

#ifdef TWICE
int twice(void) { return 2; }
#endif

#ifdef MAIN
int main(void) {
  other();
  // CHECK: 7 40 0.125
  printf("%d %d %g\n", neighbour, steps, weights[2]);
  return 0;
}
#else
void other(void) {
  neighbour += 8;
  steps = 40 + limit;
}
#endif
