/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * What emitted C for AVX-512 may use: the compiler's own header has the types and a function for
 * each instruction. */

#include <immintrin.h>
