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

static inline __m512d weft_sin_pd(__m512d x) {
  WEFT_OF_LANES(_ZGVeN8v_sin, (__m512d), (x), sin(x[i]))
}

static inline __m512d weft_cos_pd(__m512d x) {
  WEFT_OF_LANES(_ZGVeN8v_cos, (__m512d), (x), cos(x[i]))
}

static inline __m512d weft_sinh_pd(__m512d x) {
  WEFT_OF_LANES(_ZGVeN8v_sinh, (__m512d), (x), sinh(x[i]))
}

static inline __m512d weft_cosh_pd(__m512d x) {
  WEFT_OF_LANES(_ZGVeN8v_cosh, (__m512d), (x), cosh(x[i]))
}

static inline __m512d weft_tanh_pd(__m512d x) {
  WEFT_OF_LANES(_ZGVeN8v_tanh, (__m512d), (x), tanh(x[i]))
}

static inline __m512d weft_log_pd(__m512d x) {
  WEFT_OF_LANES(_ZGVeN8v_log, (__m512d), (x), log(x[i]))
}

static inline __m512d weft_log1p_pd(__m512d x) {
  WEFT_OF_LANES(_ZGVeN8v_log1p, (__m512d), (x), log1p(x[i]))
}

static inline __m512d weft_atan2_pd(__m512d x, __m512d y) {
  WEFT_OF_LANES(_ZGVeN8vv_atan2, (__m512d, __m512d), (x, y), atan2(x[i], y[i]))
}

static inline __m512d weft_pow_pd(__m512d x, __m512d y) {
  WEFT_OF_LANES(_ZGVeN8vv_pow, (__m512d, __m512d), (x, y), pow(x[i], y[i]))
}

static inline __m512 weft_sin_ps(__m512 x) {
  WEFT_OF_LANES(_ZGVeN16v_sinf, (__m512), (x), sinf(x[i]))
}

static inline __m512 weft_cos_ps(__m512 x) {
  WEFT_OF_LANES(_ZGVeN16v_cosf, (__m512), (x), cosf(x[i]))
}

static inline __m512 weft_sinh_ps(__m512 x) {
  WEFT_OF_LANES(_ZGVeN16v_sinhf, (__m512), (x), sinhf(x[i]))
}

static inline __m512 weft_cosh_ps(__m512 x) {
  WEFT_OF_LANES(_ZGVeN16v_coshf, (__m512), (x), coshf(x[i]))
}

static inline __m512 weft_tanh_ps(__m512 x) {
  WEFT_OF_LANES(_ZGVeN16v_tanhf, (__m512), (x), tanhf(x[i]))
}

static inline __m512 weft_log_ps(__m512 x) {
  WEFT_OF_LANES(_ZGVeN16v_logf, (__m512), (x), logf(x[i]))
}

static inline __m512 weft_log1p_ps(__m512 x) {
  WEFT_OF_LANES(_ZGVeN16v_log1pf, (__m512), (x), log1pf(x[i]))
}

static inline __m512 weft_atan2_ps(__m512 x, __m512 y) {
  WEFT_OF_LANES(_ZGVeN16vv_atan2f, (__m512, __m512), (x, y), atan2f(x[i], y[i]))
}

static inline __m512 weft_pow_ps(__m512 x, __m512 y) {
  WEFT_OF_LANES(_ZGVeN16vv_powf, (__m512, __m512), (x, y), powf(x[i], y[i]))
}
