/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * What emitted C for AVX-512 may use: the compiler's own header has the types and a function for
 * each instruction. */

#include <immintrin.h>

/* Half a vector from a, the other half from b. */
static inline __m512 weft_load_halves_ps(const float *a, const float *b) {
  return _mm512_insertf32x8(_mm512_castps256_ps512(_mm256_loadu_ps(a)), _mm256_loadu_ps(b), 1);
}

/* The same of doubles. */
static inline __m512d weft_load_halves_pd(const double *a, const double *b) {
  return _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(a)), _mm256_loadu_pd(b), 1);
}

/* The same where a load under a mask takes less than a half that is put into a vector: of what lies
 * before b nothing is read. */
static inline __m512 weft_merge_halves_ps(const float *a, const float *b) {
  return _mm512_mask_loadu_ps(_mm512_castps256_ps512(_mm256_loadu_ps(a)), 0xff00, b - 8);
}

static inline __m512d weft_merge_halves_pd(const double *a, const double *b) {
  return _mm512_mask_loadu_pd(_mm512_castpd256_pd512(_mm256_loadu_pd(a)), 0xf0, b - 4);
}

/* A bit for each of so many bytes that is not 0. */
static inline __mmask8 weft_truths_8(const bool *p) {
  const __m128i bytes = _mm_loadl_epi64((const __m128i *)p);
  return (__mmask8)_mm_test_epi8_mask(bytes, bytes);
}

static inline __mmask16 weft_truths_16(const bool *p) {
  const __m128i bytes = _mm_loadu_si128((const __m128i *)p);
  return _mm_test_epi8_mask(bytes, bytes);
}

/* Of those that a mask has. */
static inline __mmask16 weft_truths_under(__mmask16 mask, const bool *p) {
  const __m128i bytes = _mm_maskz_loadu_epi8(mask, p);
  return _mm_test_epi8_mask(bytes, bytes);
}

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

/* (a + s/2) / b, s being the sign of the third: a whole part of it is that of a / b, since what is
 * lost in rounding is less than half of 1 / b. */
static inline __m512d weft_quotient_pd(__m256i a, __m256i b, __m256i sign) {
  const __m512d of = _mm512_and_pd(_mm512_cvtepi32_pd(sign), _mm512_set1_pd(-0.0));
  const __m512d half = _mm512_or_pd(of, _mm512_set1_pd(0.5));
  const __m512d inverse = _mm512_div_pd(_mm512_set1_pd(1.0), _mm512_cvtepi32_pd(b));
  return _mm512_mul_pd(_mm512_add_pd(_mm512_cvtepi32_pd(a), half), inverse);
}

/* Towards zero; 0 where b is. */
static inline __m512i weft_whole_epi32(__m512d low, __m512d high, __m512i b) {
  const __m512i whole = _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvttpd_epi32(low)),
                                           _mm512_cvttpd_epi32(high), 1);
  return _mm512_maskz_mov_epi32(_mm512_test_epi32_mask(b, b), whole);
}

static inline __m256i weft_low_epi32(__m512i a) { return _mm512_castsi512_si256(a); }

static inline __m256i weft_high_epi32(__m512i a) { return _mm512_extracti64x4_epi64(a, 1); }

/* x / 0 is 0, and the least number / -1 is itself. */
static inline __m512i weft_div_epi32(__m512i a, __m512i b) {
  const __m512d low = weft_quotient_pd(weft_low_epi32(a), weft_low_epi32(b), weft_low_epi32(a));
  const __m512d high = weft_quotient_pd(weft_high_epi32(a), weft_high_epi32(b), weft_high_epi32(a));
  return weft_whole_epi32(low, high, b);
}

/* x % 0 is 0. */
static inline __m512i weft_rem_epi32(__m512i a, __m512i b) {
  const __m512i product = _mm512_mullo_epi32(weft_div_epi32(a, b), b);
  return _mm512_maskz_sub_epi32(_mm512_test_epi32_mask(b, b), a, product);
}

/* Rounds down. */
static inline __m512i weft_floordiv_epi32(__m512i a, __m512i b) {
  const __m512d low = weft_quotient_pd(weft_low_epi32(a), weft_low_epi32(b), weft_low_epi32(b));
  const __m512d high = weft_quotient_pd(weft_high_epi32(a), weft_high_epi32(b), weft_high_epi32(b));
  return weft_whole_epi32(_mm512_floor_pd(low), _mm512_floor_pd(high), b);
}
