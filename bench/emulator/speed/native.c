// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// native WHICH SHARE: the same on this computer; without arguments, the names of the loops.
#include <stdio.h>
#include <stdlib.h>

#define LOCAL static
typedef double vector __attribute__((vector_size(32)));
double far_away[4096]; /* not static: of unknown contents */
#include "loops.h"

int main(int argc, char **argv) {
  if (argc < 3) {
    for (int n = 0; n < LOOPS; n++)
      puts(loops[n].name);
    return 0;
  }
  printf("%.6g\n", run_loop(atoi(argv[1]), atoi(argv[2])));
  return 0;
}
