/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Vectors of 16 bytes by the extensions of gcc and clang. A paragraph defines one name; those
 * that a file needs are copied into it. Types and one-line functions only. */

typedef double v2d __attribute__((vector_size(16)));

/* v2d anywhere in memory. */
typedef double v2d_any __attribute__((vector_size(16), aligned(8), may_alias));

static inline v2d weft_splat_v2d(double a) { return (v2d){a, a}; }

static inline v2d weft_insert_v2d(v2d v, double a, int lane) {
  v[lane] = a;
  return v;
}

typedef float v4f __attribute__((vector_size(16)));

/* v4f anywhere in memory. */
typedef float v4f_any __attribute__((vector_size(16), aligned(4), may_alias));

static inline v4f weft_splat_v4f(float a) { return (v4f){a, a, a, a}; }

static inline v4f weft_insert_v4f(v4f v, float a, int lane) {
  v[lane] = a;
  return v;
}

typedef int64_t v2l __attribute__((vector_size(16)));

/* v2l anywhere in memory. */
typedef int64_t v2l_any __attribute__((vector_size(16), aligned(8), may_alias));

static inline v2l weft_splat_v2l(int64_t a) { return (v2l){a, a}; }

static inline v2l weft_insert_v2l(v2l v, int64_t a, int lane) {
  v[lane] = a;
  return v;
}

typedef int32_t v4i __attribute__((vector_size(16)));

/* v4i anywhere in memory. */
typedef int32_t v4i_any __attribute__((vector_size(16), aligned(4), may_alias));

static inline v4i weft_splat_v4i(int32_t a) { return (v4i){a, a, a, a}; }

static inline v4i weft_insert_v4i(v4i v, int32_t a, int lane) {
  v[lane] = a;
  return v;
}

typedef uint64_t v2ul __attribute__((vector_size(16)));

typedef uint32_t v4u __attribute__((vector_size(16)));

static inline v2d weft_select_v2d(v2l m, v2d a, v2d b) {
  return (v2d)((m & (v2l)a) | (~m & (v2l)b));
}

/* The greater one; b where one of them is NaN. */
static inline v2d weft_greater_v2d(v2d a, v2d b) {
#ifdef __SSE2__
  return __builtin_ia32_maxpd(a, b);
#else
  const v2l m = a > b;
  return (v2d)((m & (v2l)a) | (~m & (v2l)b));
#endif
}

/* The lesser one; b where one of them is NaN. */
static inline v2d weft_lesser_v2d(v2d a, v2d b) {
#ifdef __SSE2__
  return __builtin_ia32_minpd(a, b);
#else
  const v2l m = a < b;
  return (v2d)((m & (v2l)a) | (~m & (v2l)b));
#endif
}

/* NaN where one of them is: all bits set are a NaN. */
static inline v2d weft_maximum_v2d(v2d a, v2d b) {
  return (v2d)((v2l)weft_greater_v2d(a, b) | (v2l)(a != a));
}

/* NaN where one of them is: all bits set are a NaN. */
static inline v2d weft_minimum_v2d(v2d a, v2d b) {
  return (v2d)((v2l)weft_lesser_v2d(a, b) | (v2l)(a != a));
}

static inline v4f weft_select_v4f(v4i m, v4f a, v4f b) {
  return (v4f)((m & (v4i)a) | (~m & (v4i)b));
}

/* The greater one; b where one of them is NaN. */
static inline v4f weft_greater_v4f(v4f a, v4f b) {
#ifdef __SSE2__
  return __builtin_ia32_maxps(a, b);
#else
  const v4i m = a > b;
  return (v4f)((m & (v4i)a) | (~m & (v4i)b));
#endif
}

/* The lesser one; b where one of them is NaN. */
static inline v4f weft_lesser_v4f(v4f a, v4f b) {
#ifdef __SSE2__
  return __builtin_ia32_minps(a, b);
#else
  const v4i m = a < b;
  return (v4f)((m & (v4i)a) | (~m & (v4i)b));
#endif
}

/* NaN where one of them is: all bits set are a NaN. */
static inline v4f weft_maximum_v4f(v4f a, v4f b) {
  return (v4f)((v4i)weft_greater_v4f(a, b) | (v4i)(a != a));
}

/* NaN where one of them is: all bits set are a NaN. */
static inline v4f weft_minimum_v4f(v4f a, v4f b) {
  return (v4f)((v4i)weft_lesser_v4f(a, b) | (v4i)(a != a));
}
