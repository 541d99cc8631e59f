/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * What the vendor's headers lack, for the compute cores. A paragraph defines one name; those that
 * a file needs are copied into it. Types and short functions only. */

/* The order of its statements is that of the instructions. Other C compilers know none of it. */
#ifdef __clang__
#define WEFT_ORDERED __attribute__((annotate("weft_ordered")))
#else
#define WEFT_ORDERED
#endif

static inline doublev4 weft_load_v4d(const double *p) {
  doublev4 v;
  simd_load(v, (double *)p);
  return v;
}

/* Of any multiple of 8 bytes. */
static inline doublev4 weft_loadu_v4d(const double *p) {
  doublev4 v;
  simd_loadu(v, (double *)p);
  return v;
}

static inline doublev4 weft_splat_v4d(double a) {
  doublev4 v = a;
  return v;
}

static inline doublev4 weft_abs_v4d(doublev4 a) { return simd_vcpys(weft_splat_v4d(0.0), a); }

/* NaN where one of them is. */
static inline doublev4 weft_maximum_v4d(doublev4 a, doublev4 b) {
  return simd_vseleq(simd_vfcmplt(b, a) + simd_vfcmpun(a, a), b, a);
}

/* NaN where one of them is. */
static inline doublev4 weft_minimum_v4d(doublev4 a, doublev4 b) {
  return simd_vseleq(simd_vfcmplt(a, b) + simd_vfcmpun(a, a), b, a);
}

/* The lanes of one vector in another order. */
static inline doublev4 weft_shuffle_both_v4d(doublev4 a, int lanes) {
  return simd_vshff(a, a, lanes);
}

static inline floatv4 weft_load_v4f(const float *p) {
  floatv4 v;
  simd_load(v, (float *)p);
  return v;
}

/* Of any multiple of 4 bytes. */
static inline floatv4 weft_loadu_v4f(const float *p) {
  floatv4 v;
  simd_loadu(v, (float *)p);
  return v;
}

static inline floatv4 weft_splat_v4f(float a) {
  floatv4 v = a;
  return v;
}

static inline floatv4 weft_abs_v4f(floatv4 a) { return simd_vcpys(weft_splat_v4f(0.0f), a); }

/* NaN where one of them is. */
static inline floatv4 weft_maximum_v4f(floatv4 a, floatv4 b) {
  return simd_vseleq(simd_vfcmplt(b, a) + simd_vfcmpun(a, a), b, a);
}

/* NaN where one of them is. */
static inline floatv4 weft_minimum_v4f(floatv4 a, floatv4 b) {
  return simd_vseleq(simd_vfcmplt(a, b) + simd_vfcmpun(a, a), b, a);
}

/* The lanes of one vector in another order. */
static inline floatv4 weft_shuffle_both_v4f(floatv4 a, int lanes) {
  return simd_vshff(a, a, lanes);
}

/* Transfers of this core that have ended, as the DMA counts them. */
__thread_local volatile int weft_done;

/* Transfers that this core has begun. */
__thread_local int weft_begun;

static inline void weft_begin(void) { weft_done = weft_begun = 0; }

static inline void weft_get(const void *main, void *ldm, int bytes, int block, int gap) {
  ++weft_begun;
  athread_get(PE_MODE, (void *)main, ldm, bytes, (void *)&weft_done, 0, gap, block);
}

static inline void weft_put(void *ldm, void *main, int bytes, int block, int gap) {
  ++weft_begun;
  athread_put(PE_MODE, ldm, main, bytes, (void *)&weft_done, gap, block);
}

/* One core gets it for all: it is in the memory of each after weft_wait and weft_sync. */
static inline void weft_get_for_all(int core, const void *main, void *ldm, int bytes, int block,
                                    int gap) {
  if (core == 0) {
    ++weft_begun;
    athread_get(BCAST_MODE, (void *)main, ldm, bytes, (void *)&weft_done, 0xff, gap, block);
  }
}

/* Until all of them have ended. */
static inline void weft_wait(void) {
  while (weft_done != weft_begun)
    ;
}

/* Parts of what comes in parts that have ended, by number: the order of transfers is not known. */
__thread_local volatile int weft_came[8];

/* Those that this core has begun. */
__thread_local int weft_asked[8];

static inline void weft_get_part(int part, const void *main, void *ldm, int bytes, int block,
                                 int gap) {
  ++weft_asked[part];
  athread_get(PE_MODE, (void *)main, ldm, bytes, (void *)&weft_came[part], 0, gap, block);
}

/* Until those with a number have ended. */
static inline void weft_wait_part(int part) {
  while (weft_came[part] != weft_asked[part])
    ;
}

/* Until all cores are here, what each has put being there for all. */
static inline void weft_sync(void) { athread_syn(ARRAY_SCOPE, 0xffff); }

static inline void weft_sync_row(void) { athread_syn(ROW_SCOPE, 0xff); }

/* Those cores of the row, a bit each. */
static inline void weft_sync_part(int cores) { athread_syn(ROW_SCOPE, cores); }

static inline void weft_sync_column(void) { athread_syn(COL_SCOPE, 0xff); }

static inline doublev4 weft_from_row_v4d(void) {
  doublev4 v;
  simd_getr(v);
  return v;
}

static inline floatv4 weft_from_row_v4f(void) {
  floatv4 v;
  simd_getr(v);
  return v;
}

static inline doublev4 weft_from_column_v4d(void) {
  doublev4 v;
  simd_getc(v);
  return v;
}

static inline floatv4 weft_from_column_v4f(void) {
  floatv4 v;
  simd_getc(v);
  return v;
}

/* A message to another core of the row. */
static inline void weft_to_row_v4d(doublev4 mine, int other) { simd_putr(mine, other); }

static inline void weft_to_row_v4f(floatv4 mine, int other) { simd_putr(mine, other); }

/* A message to another core of the column. */
static inline void weft_to_column_v4d(doublev4 mine, int other) { simd_putc(mine, other); }

static inline void weft_to_column_v4f(floatv4 mine, int other) { simd_putc(mine, other); }

/* 32 bytes of any numbers, to be sent. */
static inline doublev4 weft_message(const void *from) {
  doublev4 v;
  simd_load(v, (double *)from);
  return v;
}

/* A message to all others of a row; the sender keeps it, too. */
static inline void weft_send_row(doublev4 message, void *to) {
  simd_putr(message, 8);
  simd_store(message, (double *)to);
}

/* A message to all others of a column; the sender keeps it, too. */
static inline void weft_send_column(doublev4 message, void *to) {
  simd_putc(message, 8);
  simd_store(message, (double *)to);
}

static inline void weft_receive_row(void *to) {
  doublev4 v;
  simd_getr(v);
  simd_store(v, (double *)to);
}

static inline void weft_receive_column(void *to) {
  doublev4 v;
  simd_getc(v);
  simd_store(v, (double *)to);
}

/* Two of what cores have: their sum, or with 1 the greater one, with -1 the lesser one. */
static inline doublev4 weft_both_v4d(int which, doublev4 a, doublev4 b) {
  return which > 0 ? weft_maximum_v4d(a, b) : which < 0 ? weft_minimum_v4d(a, b) : a + b;
}

/* That of all cores, for all of them: along the rows, along the first column, back. */
static inline doublev4 weft_all_v4d(int core, int which, doublev4 part) {
  const int row = core / 8, column = core % 8;
  weft_sync();
  if (column < 7)
    part = weft_both_v4d(which, part, weft_from_row_v4d());
  if (column > 0) {
    simd_putr(part, column - 1);
    return weft_from_row_v4d();
  }
  if (row < 7)
    part = weft_both_v4d(which, part, weft_from_column_v4d());
  if (row > 0) {
    simd_putc(part, row - 1);
    part = weft_from_column_v4d();
  } else {
    simd_putc(part, 8);
  }
  simd_putr(part, 8);
  return part;
}

/* The sum of what all cores have, for all of them. */
static inline doublev4 weft_sum_v4d(int core, doublev4 part) { return weft_all_v4d(core, 0, part); }

/* The place of a core in a line along the first row of the mesh, back along the second, and so on;
 * -1 of one that is not in it. */
static inline int weft_place(int core, int columns, int cores) {
  const int row = core / 8, column = core % 8;
  const int place = row * columns + (row % 2 ? columns - 1 - column : column);
  return column < columns && place < cores ? place : -1;
}

/* The core at a place of such a line. */
static inline int weft_core_at(int place, int columns) {
  const int row = place / columns, column = place % columns;
  return row * 8 + (row % 2 ? columns - 1 - column : column);
}

/* A message to a core of the row, or of the column. */
static inline void weft_tell(int along_row, int core, doublev4 message) {
  if (along_row)
    simd_putr(message, core % 8);
  else
    simd_putc(message, core / 8);
}

/* A message that has come along the row, or the column. */
static inline doublev4 weft_hear(int along_row) {
  return along_row ? weft_from_row_v4d() : weft_from_column_v4d();
}

/* Messages to one core, and as many from another one. The second leaves before the first is taken:
 * each core has room for one to send and for one that came. */
static inline void weft_pass_along(int to_row, int to, int from_row, const double *out, double *in,
                                   int messages) {
  int n = 1;
  weft_tell(to_row, to, weft_message(out));
  for (; n + 4 <= messages; n += 4) {
    const doublev4 first = weft_message(out + 4 * n), second = weft_message(out + 4 * n + 4);
    const doublev4 third = weft_message(out + 4 * n + 8), fourth = weft_message(out + 4 * n + 12);
    weft_tell(to_row, to, first);
    simd_store(weft_hear(from_row), in + 4 * n - 4);
    weft_tell(to_row, to, second);
    simd_store(weft_hear(from_row), in + 4 * n);
    weft_tell(to_row, to, third);
    simd_store(weft_hear(from_row), in + 4 * n + 4);
    weft_tell(to_row, to, fourth);
    simd_store(weft_hear(from_row), in + 4 * n + 8);
  }
  for (; n < messages; ++n) {
    weft_tell(to_row, to, weft_message(out + 4 * n));
    simd_store(weft_hear(from_row), in + 4 * n - 4);
  }
  simd_store(weft_hear(from_row), in + 4 * messages - 4);
}

/* Messages to one core, and none from another one. */
static inline void weft_pass_on(int to_row, int to, const double *out, int messages) {
  int n = 0;
  for (; n + 4 <= messages; n += 4) {
    const doublev4 first = weft_message(out + 4 * n), second = weft_message(out + 4 * n + 4);
    const doublev4 third = weft_message(out + 4 * n + 8), fourth = weft_message(out + 4 * n + 12);
    weft_tell(to_row, to, first);
    weft_tell(to_row, to, second);
    weft_tell(to_row, to, third);
    weft_tell(to_row, to, fourth);
  }
  for (; n < messages; ++n)
    weft_tell(to_row, to, weft_message(out + 4 * n));
}

/* Messages from one core, and none to another one. */
static inline void weft_take(int from_row, double *in, int messages) {
  int n = 0;
  for (; n + 4 <= messages; n += 4) {
    simd_store(weft_hear(from_row), in + 4 * n);
    simd_store(weft_hear(from_row), in + 4 * n + 4);
    simd_store(weft_hear(from_row), in + 4 * n + 8);
    simd_store(weft_hear(from_row), in + 4 * n + 12);
  }
  for (; n < messages; ++n)
    simd_store(weft_hear(from_row), in + 4 * n);
}

/* Messages to one core and as many from another one, each in a row or a column with this one; -1:
 * to none, from none. */
static inline void weft_pass(int core, int to, int from, const void *out, void *in, int messages) {
  const int to_row = to / 8 == core / 8, from_row = from / 8 == core / 8;
  const double *mine = (const double *)out;
  double *its = (double *)in;
  if (to >= 0 && from >= 0 && to_row && from_row)
    weft_pass_along(1, to, 1, mine, its, messages);
  else if (to >= 0 && from >= 0 && to_row)
    weft_pass_along(1, to, 0, mine, its, messages);
  else if (to >= 0 && from >= 0 && from_row)
    weft_pass_along(0, to, 1, mine, its, messages);
  else if (to >= 0 && from >= 0)
    weft_pass_along(0, to, 0, mine, its, messages);
  else if (to >= 0 && to_row)
    weft_pass_on(1, to, mine, messages);
  else if (to >= 0)
    weft_pass_on(0, to, mine, messages);
  else if (from >= 0 && from_row)
    weft_take(1, its, messages);
  else if (from >= 0)
    weft_take(0, its, messages);
}

/* A core's messages for all others of its row. */
static inline void weft_tell_row(const double *out, double *kept, int messages) {
  for (int n = 0; n < messages; ++n)
    weft_send_row(weft_message(out + 4 * n), kept + 4 * n);
}

/* Messages of another core of the row. */
static inline void weft_hear_row(double *in, int messages) {
  int n = 0;
  for (; n + 4 <= messages; n += 4) {
    weft_receive_row(in + 4 * n);
    weft_receive_row(in + 4 * n + 4);
    weft_receive_row(in + 4 * n + 8);
    weft_receive_row(in + 4 * n + 12);
  }
  for (; n < messages; ++n)
    weft_receive_row(in + 4 * n);
}

/* A core's messages for all others of its column. */
static inline void weft_tell_column(const double *out, int messages) {
  int n = 0;
  for (; n + 4 <= messages; n += 4) {
    const doublev4 first = weft_message(out + 4 * n), second = weft_message(out + 4 * n + 4);
    const doublev4 third = weft_message(out + 4 * n + 8), fourth = weft_message(out + 4 * n + 12);
    simd_putc(first, 8);
    simd_putc(second, 8);
    simd_putc(third, 8);
    simd_putc(fourth, 8);
  }
  for (; n < messages; ++n)
    simd_putc(weft_message(out + 4 * n), 8);
}

/* Messages of another core of the column. */
static inline void weft_hear_column(double *in, int messages) {
  int n = 0;
  for (; n + 4 <= messages; n += 4) {
    weft_receive_column(in + 4 * n);
    weft_receive_column(in + 4 * n + 4);
    weft_receive_column(in + 4 * n + 8);
    weft_receive_column(in + 4 * n + 12);
  }
  for (; n < messages; ++n)
    weft_receive_column(in + 4 * n);
}

/* What each core of a line has, one behind the other, for all cores: those of a row give each other
 * theirs, then those of a column what their rows have. */
static inline void weft_collect(int core, int columns, int rows, const void *part, void *all,
                                int messages) {
  const int row = core / 8, column = core % 8, along = columns * messages;
  double *const to = (double *)all;
  for (int from = 0; row < rows && from < columns; ++from) {
    double *const its = to + 4 * (row * along + (row % 2 ? columns - 1 - from : from) * messages);
    weft_sync_row();
    if (from == column)
      weft_tell_row((const double *)part, its, messages);
    else
      weft_hear_row(its, messages);
  }
  for (int from = 0; from < rows; ++from) {
    weft_sync_column();
    if (from == row)
      weft_tell_column(to + 4 * from * along, along);
    else
      weft_hear_column(to + 4 * from * along, along);
  }
}
