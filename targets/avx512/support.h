/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * What emitted C for AVX-512 may use: the compiler's own header has the types and a function for
 * each instruction. */

#include <immintrin.h>

/* Stores a vector without reading its line first, where p begins a line. */
static inline void weft_store_past_ps(float *p, __m512 v) {
  if ((uintptr_t)p % 64 == 0)
    _mm512_stream_ps(p, v);
  else
    _mm512_storeu_ps(p, v);
}

/* The same of doubles. */
static inline void weft_store_past_pd(double *p, __m512d v) {
  if ((uintptr_t)p % 64 == 0)
    _mm512_stream_pd(p, v);
  else
    _mm512_storeu_pd(p, v);
}

/* What was stored so is there before what is stored next. */
static inline void weft_stored_past(void) { _mm_sfence(); }
