// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <simd.h>
#include <slave.h>

#define LOCAL __thread_local
typedef doublev4 vector;
extern double far_away[];
#include "loops.h"

extern int which, share;
extern double result;

void run_one(void) {
  if (athread_get_id(-1) == 0)
    result = run_loop(which, share);
}
