/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * What emitted C may use on every target. A paragraph defines one name; those that a file
 * needs are copied into it. Types and one-line functions only. */

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* GCC 12 joins the additions of a row that is read backwards or rotated into vectors, and takes
 * wrong elements. It leaves a loop with a statement like this one as it is. */
static inline void weft_in_turn(void) {
#if defined(__GNUC__) && !defined(__clang__)
  __asm__("");
#endif
}

/* A function of the C library for each lane of x: glibc's form for whole vectors, which errs by up
 * to 4 units in the last place, where there is one, else one call after the other. */
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 35) && !defined(WEFT_NO_LIBMVEC)
#define WEFT_OF_LANES(whole, types, arguments, single)                                             \
  extern __typeof__(x) whole types;                                                                \
  return whole arguments;
#else
#define WEFT_OF_LANES(whole, types, arguments, single)                                             \
  for (size_t i = 0; i < sizeof x / sizeof x[0]; ++i)                                              \
    x[i] = single;                                                                                 \
  return x;
#endif

/* Asks for the line so many bytes behind p, which is read later: a hint, never a fault. */
static inline void weft_load_ahead(const void *p, uintptr_t bytes) {
  __builtin_prefetch((const void *)((uintptr_t)p + bytes), 0, 2);
}

/* Asks for so many lines of line_bytes from there on, one behind the other, to the first cache. */
static inline void weft_lines_ahead(const void *p, uintptr_t bytes, unsigned lines,
                                    unsigned line_bytes) {
  for (unsigned n = 0; n < lines; ++n)
    __builtin_prefetch((const void *)((uintptr_t)p + bytes + n * line_bytes), 0, 3);
}

/* The same of a row that goes on; with lines at the begin of a page for the first line of the next
 * one: streams are followed up to the end of a page. */
static inline void weft_row_ahead(const void *p, uintptr_t bytes, unsigned lines,
                                  unsigned line_bytes) {
  const uintptr_t first = (uintptr_t)p + bytes;
  if (first % 4096 < lines * line_bytes)
    __builtin_prefetch((const void *)((first | 4095) + 1), 0, 2);
  weft_lines_ahead(p, bytes, lines, line_bytes);
}

/* Asks for a line that a later block writes. */
static inline void weft_store_ahead(const void *p, uintptr_t bytes) {
  __builtin_prefetch((const void *)((uintptr_t)p + bytes), 1, 3);
}

static inline int32_t weft_max_i32(int32_t a, int32_t b) { return a > b ? a : b; }

static inline int32_t weft_min_i32(int32_t a, int32_t b) { return a < b ? a : b; }

static inline int32_t weft_abs_i32(int32_t a) { return a < 0 ? -a : a; }

/* x / 0 is 0, and the least number / -1 is itself: no division stops the program. */
static inline int32_t weft_div_i32(int32_t a, int32_t b) {
  return b == 0 ? 0 : b == -1 ? -a : a / b;
}

/* x % 0 is 0. */
static inline int32_t weft_rem_i32(int32_t a, int32_t b) { return b == 0 || b == -1 ? 0 : a % b; }

/* Rounds down. */
static inline int32_t weft_floordiv_i32(int32_t a, int32_t b) {
  return weft_div_i32(a, b) - (weft_rem_i32(a, b) != 0 && (a < 0) != (b < 0));
}

/* Rounds up. */
static inline int32_t weft_ceildiv_i32(int32_t a, int32_t b) {
  return weft_div_i32(a, b) + (weft_rem_i32(a, b) != 0 && (a < 0) == (b < 0));
}

/* Has the sign of b. */
static inline int32_t weft_modulo_i32(int32_t a, int32_t b) {
  return weft_rem_i32(a, b) + (weft_rem_i32(a, b) != 0 && (a < 0) != (b < 0) ? b : 0);
}

static inline int64_t weft_max_i64(int64_t a, int64_t b) { return a > b ? a : b; }

static inline int64_t weft_min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

static inline int64_t weft_abs_i64(int64_t a) { return a < 0 ? -a : a; }

/* x / 0 is 0, and the least number / -1 is itself: no division stops the program. */
static inline int64_t weft_div_i64(int64_t a, int64_t b) {
  return b == 0 ? 0 : b == -1 ? -a : a / b;
}

/* x % 0 is 0. */
static inline int64_t weft_rem_i64(int64_t a, int64_t b) { return b == 0 || b == -1 ? 0 : a % b; }

/* Rounds down. */
static inline int64_t weft_floordiv_i64(int64_t a, int64_t b) {
  return weft_div_i64(a, b) - (weft_rem_i64(a, b) != 0 && (a < 0) != (b < 0));
}

/* Rounds up. */
static inline int64_t weft_ceildiv_i64(int64_t a, int64_t b) {
  return weft_div_i64(a, b) + (weft_rem_i64(a, b) != 0 && (a < 0) == (b < 0));
}

/* Has the sign of b. */
static inline int64_t weft_modulo_i64(int64_t a, int64_t b) {
  return weft_rem_i64(a, b) + (weft_rem_i64(a, b) != 0 && (a < 0) != (b < 0) ? b : 0);
}

/* NaN if one of them is. */
static inline float weft_maximum_f32(float a, float b) {
  const float most = a > b ? a : b;
  return a != a ? a : most;
}

/* NaN if one of them is. */
static inline float weft_minimum_f32(float a, float b) {
  const float least = a < b ? a : b;
  return a != a ? a : least;
}

/* NaN if one of them is. */
static inline double weft_maximum_f64(double a, double b) {
  const double most = a > b ? a : b;
  return a != a ? a : most;
}

/* NaN if one of them is. */
static inline double weft_minimum_f64(double a, double b) {
  const double least = a < b ? a : b;
  return a != a ? a : least;
}

/* The same bits. */
static inline float weft_f32_of_i32(int32_t bits) {
  return (union {
           int32_t from;
           float to;
         }){bits}
      .to;
}

/* The same bits. */
static inline int32_t weft_i32_of_f32(float bits) {
  return (union {
           float from;
           int32_t to;
         }){bits}
      .to;
}

/* The same bits. */
static inline double weft_f64_of_i64(int64_t bits) {
  return (union {
           int64_t from;
           double to;
         }){bits}
      .to;
}

/* The same bits. */
static inline int64_t weft_i64_of_f64(double bits) {
  return (union {
           double from;
           int64_t to;
         }){bits}
      .to;
}

/* The number of the calling thread in its team. */
#ifdef _OPENMP
#include <omp.h>
static inline ptrdiff_t weft_thread(void) { return omp_get_thread_num(); }
#else
static inline ptrdiff_t weft_thread(void) { return 0; }
#endif

/* How many threads a loop gets for which there is scratch memory for `most`. */
#ifdef _OPENMP
#include <omp.h>
static inline int weft_threads(int most) {
  return omp_get_max_threads() < most ? omp_get_max_threads() : most;
}
#endif

/* What a thread does of turns that hold loops: whole turns, each with the scratch memory of its
 * slot, or parts of the loops in all turns, which it then has the same memory for as all members.
 */
struct weft_team {
  ptrdiff_t from, to, slot, member, members;
};

/* Whole turns where three quarters of the threads' time goes into them, or more, and there are
 * slots for all. */
static inline struct weft_team weft_share(ptrdiff_t turns, ptrdiff_t slots) {
  struct weft_team team = {0, turns, 0, 0, 1};
  (void)slots;
#ifdef _OPENMP
  const ptrdiff_t threads = omp_get_num_threads(), thread = omp_get_thread_num();
  const ptrdiff_t rounds = (turns + threads - 1) / threads;
  if (threads <= slots && 4 * turns >= 3 * rounds * threads) {
    team.slot = thread;
    team.from = thread * rounds;
    team.to = team.from + rounds < turns ? team.from + rounds : turns;
  } else {
    team.member = thread;
    team.members = threads;
  }
#endif
  return team;
}

/* Of a loop in a turn, the first iteration of a member, and the one behind its last. */
static inline ptrdiff_t weft_from(struct weft_team team, ptrdiff_t iterations) {
  return team.member * iterations / team.members;
}

static inline ptrdiff_t weft_to(struct weft_team team, ptrdiff_t iterations) {
  return (team.member + 1) * iterations / team.members;
}

/* Behind a loop that members have shared. */
static inline void weft_meet(struct weft_team team) {
  if (team.members > 1) {
#ifdef _OPENMP
#pragma omp barrier
#endif
  }
}

/* What a group knows of the others that run the same kernel. Each function returns 0 once all
 * groups have called it, or another number where they cannot meet any more. `each` is the bytes of
 * a block; block g of what is sent goes to group g, block g of what is received comes from it.
 * alltoall_begin may return before all is there: alltoall_end, called with the same arguments, and
 * in the order of the beginnings, waits for it. */
struct weft_groups {
  int group, groups;
  void *context;
  int (*alltoall)(void *context, const void *from, void *to, size_t each);
  int (*allgather)(void *context, const void *from, void *to, size_t each);
  int (*alltoall_begin)(void *context, const void *from, void *to, size_t each);
  int (*alltoall_end)(void *context, const void *from, void *to, size_t each);
};

static inline int weft_alltoall(const struct weft_groups *groups, const void *from, void *to,
                                size_t each) {
  return groups->alltoall(groups->context, from, to, each);
}

static inline int weft_alltoall_begin(const struct weft_groups *groups, const void *from, void *to,
                                      size_t each) {
  return groups->alltoall_begin(groups->context, from, to, each);
}

static inline int weft_alltoall_end(const struct weft_groups *groups, const void *from, void *to,
                                    size_t each) {
  return groups->alltoall_end(groups->context, from, to, each);
}

static inline int weft_allgather(const struct weft_groups *groups, const void *from, void *to,
                                 size_t each) {
  return groups->allgather(groups->context, from, to, each);
}

/* The block of this group; nothing is sent. */
static inline int weft_own(const struct weft_groups *groups, const void *from, void *to,
                           size_t each) {
  return __builtin_memcpy(to, (const char *)from + groups->group * each, each) != to;
}
