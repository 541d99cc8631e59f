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

/* A function of C's library for each lane: glibc's form for whole vectors, which errs by up to 4
 * units in the last place, where there is one, else one call after the other. */
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 35)
#define WEFT_OF_LANES(vector, lanes, whole, single)                                                \
  extern vector whole(vector);                                                                     \
  return whole(x);
#else
#define WEFT_OF_LANES(vector, lanes, whole, single)                                                \
  for (int i = 0; i < lanes; ++i)                                                                  \
    x[i] = single(x[i]);                                                                           \
  return x;
#endif

/* The same of two vectors. */
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 35)
#define WEFT_OF_PAIRS(vector, lanes, whole, single)                                                \
  extern vector whole(vector, vector);                                                             \
  return whole(x, y);
#else
#define WEFT_OF_PAIRS(vector, lanes, whole, single)                                                \
  for (int i = 0; i < lanes; ++i)                                                                  \
    x[i] = single(x[i], y[i]);                                                                     \
  return x;
#endif

static inline __m512d weft_sin_pd(__m512d x) { WEFT_OF_LANES(__m512d, 8, _ZGVeN8v_sin, sin) }

static inline __m512d weft_cos_pd(__m512d x) { WEFT_OF_LANES(__m512d, 8, _ZGVeN8v_cos, cos) }

static inline __m512d weft_tan_pd(__m512d x) { WEFT_OF_LANES(__m512d, 8, _ZGVeN8v_tan, tan) }

static inline __m512d weft_log_pd(__m512d x) { WEFT_OF_LANES(__m512d, 8, _ZGVeN8v_log, log) }

static inline __m512d weft_sinh_pd(__m512d x) { WEFT_OF_LANES(__m512d, 8, _ZGVeN8v_sinh, sinh) }

static inline __m512d weft_cosh_pd(__m512d x) { WEFT_OF_LANES(__m512d, 8, _ZGVeN8v_cosh, cosh) }

static inline __m512d weft_pow_pd(__m512d x, __m512d y) {
  WEFT_OF_PAIRS(__m512d, 8, _ZGVeN8vv_pow, pow)
}

static inline __m512d weft_atan2_pd(__m512d x, __m512d y) {
  WEFT_OF_PAIRS(__m512d, 8, _ZGVeN8vv_atan2, atan2)
}

static inline __m512 weft_sin_ps(__m512 x) { WEFT_OF_LANES(__m512, 16, _ZGVeN16v_sinf, sinf) }

static inline __m512 weft_cos_ps(__m512 x) { WEFT_OF_LANES(__m512, 16, _ZGVeN16v_cosf, cosf) }

static inline __m512 weft_tan_ps(__m512 x) { WEFT_OF_LANES(__m512, 16, _ZGVeN16v_tanf, tanf) }

static inline __m512 weft_log_ps(__m512 x) { WEFT_OF_LANES(__m512, 16, _ZGVeN16v_logf, logf) }

static inline __m512 weft_sinh_ps(__m512 x) { WEFT_OF_LANES(__m512, 16, _ZGVeN16v_sinhf, sinhf) }

static inline __m512 weft_cosh_ps(__m512 x) { WEFT_OF_LANES(__m512, 16, _ZGVeN16v_coshf, coshf) }

static inline __m512 weft_pow_ps(__m512 x, __m512 y) {
  WEFT_OF_PAIRS(__m512, 16, _ZGVeN16vv_powf, powf)
}

static inline __m512 weft_atan2_ps(__m512 x, __m512 y) {
  WEFT_OF_PAIRS(__m512, 16, _ZGVeN16vv_atan2f, atan2f)
}
