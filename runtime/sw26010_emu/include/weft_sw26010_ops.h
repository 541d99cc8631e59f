/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Every marked operation of simd.h and its meaning; weft_sw26010/types.h says how they are made. */
#ifndef WEFT_SW26010_OPS_H
#define WEFT_SW26010_OPS_H

#include "weft_sw26010/ops_float.h"
#include "weft_sw26010/ops_integer.h"
#include "weft_sw26010/ops_message.h"
#include "weft_sw26010/ops_wide.h"

#endif /* WEFT_SW26010_OPS_H */
