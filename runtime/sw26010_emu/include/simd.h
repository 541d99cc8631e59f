/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Vectors of the SW26010: types, operations by name, register communication. For slave code (C) and
 * host code (C and C++). docs/athread.md lists every name with its meaning; + - * / and the bitwise
 * operators work on the types themselves.
 *
 * A doublev4, intv8, uintv8, int256 or uint256 takes 32 bytes of memory, a floatv4 16. */
#ifndef WEFT_SW26010_SIMD_H
#define WEFT_SW26010_SIMD_H

#include "weft_sw26010_ops.h"

typedef __weft_d4 doublev4;
typedef __weft_f4 floatv4;
typedef __weft_w8 intv8;
typedef __weft_u8 uintv8;
typedef __weft_l4 int256;
typedef __weft_ul4 uint256;

#include "weft_sw26010/simd_float.h"
#include "weft_sw26010/simd_integer.h"
#include "weft_sw26010/simd_memory.h"
#include "weft_sw26010/simd_message.h"
#include "weft_sw26010/simd_print.h"
#include "weft_sw26010/simd_wide.h"

#endif /* WEFT_SW26010_SIMD_H */
