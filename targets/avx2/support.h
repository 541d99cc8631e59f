/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Vectors of 32 bytes by the extensions of gcc and clang, and the compiler's own header for what
 * these lack. A paragraph defines one name; those that a file needs are copied into it. Types and
 * small functions only. */

#include <immintrin.h>

typedef double v4d __attribute__((vector_size(32)));

/* v4d anywhere in memory. */
typedef double v4d_any __attribute__((vector_size(32), aligned(8), may_alias));

static inline v4d weft_splat_v4d(double a) { return (v4d){a, a, a, a}; }

static inline v4d weft_insert_v4d(v4d v, double a, int lane) {
  v[lane] = a;
  return v;
}

typedef float v8f __attribute__((vector_size(32)));

/* v8f anywhere in memory. */
typedef float v8f_any __attribute__((vector_size(32), aligned(4), may_alias));

static inline v8f weft_splat_v8f(float a) { return (v8f){a, a, a, a, a, a, a, a}; }

static inline v8f weft_insert_v8f(v8f v, float a, int lane) {
  v[lane] = a;
  return v;
}

typedef int64_t v4l __attribute__((vector_size(32)));

/* v4l anywhere in memory. */
typedef int64_t v4l_any __attribute__((vector_size(32), aligned(8), may_alias));

static inline v4l weft_splat_v4l(int64_t a) { return (v4l){a, a, a, a}; }

static inline v4l weft_insert_v4l(v4l v, int64_t a, int lane) {
  v[lane] = a;
  return v;
}

typedef int32_t v8i __attribute__((vector_size(32)));

/* v8i anywhere in memory. */
typedef int32_t v8i_any __attribute__((vector_size(32), aligned(4), may_alias));

static inline v8i weft_splat_v8i(int32_t a) { return (v8i){a, a, a, a, a, a, a, a}; }

static inline v8i weft_insert_v8i(v8i v, int32_t a, int lane) {
  v[lane] = a;
  return v;
}

typedef uint64_t v4ul __attribute__((vector_size(32)));

typedef uint32_t v8u __attribute__((vector_size(32)));

/* Truth values are a byte each in memory, and all bits of a lane in registers. */
static inline v4l weft_load_truths_v4l(const bool *p) {
  int32_t bytes;
  __builtin_memcpy(&bytes, p, 4);
  return (v4l)_mm256_cvtepu8_epi64(_mm_cvtsi32_si128(bytes)) > 0;
}

static inline void weft_store_truths_v4l(bool *p, v4l v) {
  __m128 low = _mm_castsi128_ps(_mm256_castsi256_si128((__m256i)v));
  __m128 high = _mm_castsi128_ps(_mm256_extracti128_si256((__m256i)v, 1));
  __m128i lanes = _mm_castps_si128(_mm_shuffle_ps(low, high, _MM_SHUFFLE(2, 0, 2, 0)));
  lanes = _mm_packs_epi16(_mm_packs_epi32(lanes, lanes), lanes);
  int32_t bytes = _mm_cvtsi128_si32(_mm_abs_epi8(lanes));
  __builtin_memcpy(p, &bytes, 4);
}

/* The same of eight. */
static inline v8i weft_load_truths_v8i(const bool *p) {
  return (v8i)_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)p)) > 0;
}

static inline void weft_store_truths_v8i(bool *p, v8i v) {
  __m128i low = _mm256_castsi256_si128((__m256i)v);
  __m128i high = _mm256_extracti128_si256((__m256i)v, 1);
  __m128i lanes = _mm_packs_epi32(low, high);
  _mm_storel_epi64((__m128i *)p, _mm_abs_epi8(_mm_packs_epi16(lanes, lanes)));
}

/* NaN where one of them is: all bits set are a NaN. */
static inline v4d weft_maximum_v4d(v4d a, v4d b) {
  return (v4d)((v4l)_mm256_max_pd(a, b) | (v4l)(a != a));
}

/* NaN where one of them is: all bits set are a NaN. */
static inline v4d weft_minimum_v4d(v4d a, v4d b) {
  return (v4d)((v4l)_mm256_min_pd(a, b) | (v4l)(a != a));
}

/* NaN where one of them is: all bits set are a NaN. */
static inline v8f weft_maximum_v8f(v8f a, v8f b) {
  return (v8f)((v8i)_mm256_max_ps(a, b) | (v8i)(a != a));
}

/* NaN where one of them is: all bits set are a NaN. */
static inline v8f weft_minimum_v8f(v8f a, v8f b) {
  return (v8f)((v8i)_mm256_min_ps(a, b) | (v8i)(a != a));
}

static inline v4d weft_sin_v4d(v4d x) { WEFT_OF_LANES(_ZGVdN4v_sin, (v4d), (x), sin(x[i])) }

static inline v4d weft_cos_v4d(v4d x) { WEFT_OF_LANES(_ZGVdN4v_cos, (v4d), (x), cos(x[i])) }

static inline v4d weft_sinh_v4d(v4d x) { WEFT_OF_LANES(_ZGVdN4v_sinh, (v4d), (x), sinh(x[i])) }

static inline v4d weft_cosh_v4d(v4d x) { WEFT_OF_LANES(_ZGVdN4v_cosh, (v4d), (x), cosh(x[i])) }

static inline v4d weft_tanh_v4d(v4d x) { WEFT_OF_LANES(_ZGVdN4v_tanh, (v4d), (x), tanh(x[i])) }

static inline v4d weft_log_v4d(v4d x) { WEFT_OF_LANES(_ZGVdN4v_log, (v4d), (x), log(x[i])) }

static inline v4d weft_log1p_v4d(v4d x) { WEFT_OF_LANES(_ZGVdN4v_log1p, (v4d), (x), log1p(x[i])) }

static inline v4d weft_atan2_v4d(v4d x, v4d y) {
  WEFT_OF_LANES(_ZGVdN4vv_atan2, (v4d, v4d), (x, y), atan2(x[i], y[i]))
}

static inline v4d weft_pow_v4d(v4d x, v4d y) {
  WEFT_OF_LANES(_ZGVdN4vv_pow, (v4d, v4d), (x, y), pow(x[i], y[i]))
}

static inline v8f weft_sin_v8f(v8f x) { WEFT_OF_LANES(_ZGVdN8v_sinf, (v8f), (x), sinf(x[i])) }

static inline v8f weft_cos_v8f(v8f x) { WEFT_OF_LANES(_ZGVdN8v_cosf, (v8f), (x), cosf(x[i])) }

static inline v8f weft_sinh_v8f(v8f x) { WEFT_OF_LANES(_ZGVdN8v_sinhf, (v8f), (x), sinhf(x[i])) }

static inline v8f weft_cosh_v8f(v8f x) { WEFT_OF_LANES(_ZGVdN8v_coshf, (v8f), (x), coshf(x[i])) }

static inline v8f weft_tanh_v8f(v8f x) { WEFT_OF_LANES(_ZGVdN8v_tanhf, (v8f), (x), tanhf(x[i])) }

static inline v8f weft_log_v8f(v8f x) { WEFT_OF_LANES(_ZGVdN8v_logf, (v8f), (x), logf(x[i])) }

static inline v8f weft_log1p_v8f(v8f x) { WEFT_OF_LANES(_ZGVdN8v_log1pf, (v8f), (x), log1pf(x[i])) }

static inline v8f weft_atan2_v8f(v8f x, v8f y) {
  WEFT_OF_LANES(_ZGVdN8vv_atan2f, (v8f, v8f), (x, y), atan2f(x[i], y[i]))
}

static inline v8f weft_pow_v8f(v8f x, v8f y) {
  WEFT_OF_LANES(_ZGVdN8vv_powf, (v8f, v8f), (x, y), powf(x[i], y[i]))
}

/* (a + s/2) / b, s being the sign of the third: a whole part of it is that of a / b, since what is
 * lost in rounding is less than half of 1 / b. */
static inline __m256d weft_quotient_v4d(__m128i a, __m128i b, __m128i sign) {
  const __m256d of = _mm256_and_pd(_mm256_cvtepi32_pd(sign), _mm256_set1_pd(-0.0));
  const __m256d half = _mm256_or_pd(of, _mm256_set1_pd(0.5));
  const __m256d inverse = _mm256_div_pd(_mm256_set1_pd(1.0), _mm256_cvtepi32_pd(b));
  return _mm256_mul_pd(_mm256_add_pd(_mm256_cvtepi32_pd(a), half), inverse);
}

/* Towards zero; 0 where b is. */
static inline v8i weft_whole_v8i(__m256d low, __m256d high, v8i b) {
  return (v8i)_mm256_set_m128i(_mm256_cvttpd_epi32(high), _mm256_cvttpd_epi32(low)) & (b != 0);
}

static inline __m128i weft_low_v8i(v8i a) { return _mm256_castsi256_si128((__m256i)a); }

static inline __m128i weft_high_v8i(v8i a) { return _mm256_extracti128_si256((__m256i)a, 1); }

/* x / 0 is 0, and the least number / -1 is itself. */
static inline v8i weft_div_v8i(v8i a, v8i b) {
  const __m256d low = weft_quotient_v4d(weft_low_v8i(a), weft_low_v8i(b), weft_low_v8i(a));
  const __m256d high = weft_quotient_v4d(weft_high_v8i(a), weft_high_v8i(b), weft_high_v8i(a));
  return weft_whole_v8i(low, high, b);
}

/* x % 0 is 0. */
static inline v8i weft_rem_v8i(v8i a, v8i b) { return (a - weft_div_v8i(a, b) * b) & (b != 0); }

/* Rounds down. */
static inline v8i weft_floordiv_v8i(v8i a, v8i b) {
  const __m256d low = weft_quotient_v4d(weft_low_v8i(a), weft_low_v8i(b), weft_low_v8i(b));
  const __m256d high = weft_quotient_v4d(weft_high_v8i(a), weft_high_v8i(b), weft_high_v8i(b));
  return weft_whole_v8i(_mm256_floor_pd(low), _mm256_floor_pd(high), b);
}
