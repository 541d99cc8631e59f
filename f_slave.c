/* C for sw26010, made by Weft:
 * weft compile jk.weft:f --target=sw26010 --size a=16 --size n=64 --size m=128
 * Integers wrap around: compile with -fwrapv.
 */

#include <math.h>
#include <simd.h>
#include <slave.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline doublev4 weft_load_v4d(const double *p) {
  doublev4 v;
  simd_load(v, (double *)p);
  return v;
}

static inline doublev4 weft_splat_v4d(double a) {
  doublev4 v = a;
  return v;
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

/* Until all of them have ended. */
static inline void weft_wait(void) {
  while (weft_done != weft_begun)
    ;
}

static inline void weft_sync_row(void) { athread_syn(ROW_SCOPE, 0xff); }

static inline doublev4 weft_from_row_v4d(void) {
  doublev4 v;
  simd_getr(v);
  return v;
}

/* A message to another core of the row. */
static inline void weft_to_row_v4d(doublev4 mine, int other) { simd_putr(mine, other); }

_Alignas(128) static const double w_64[112] = {
    1.0,
    0.0,
    1.0,
    0.0,
    1.0,
    0.0,
    1.0,
    0.0,
    1.0,
    0.0,
    1.0,
    0.0,
    1.0,
    0.0,
    0.9951847266721969,
    -0.0980171403295606,
    0.9807852804032304,
    -0.19509032201612828,
    0.9569403357322088,
    -0.2902846772544624,
    0.9238795325112867,
    -0.3826834323650898,
    0.881921264348355,
    -0.47139673682599764,
    0.8314696123025452,
    -0.5555702330196022,
    0.773010453362737,
    -0.6343932841636455,
    0.9807852804032304,
    -0.19509032201612828,
    0.9238795325112867,
    -0.3826834323650898,
    0.8314696123025452,
    -0.5555702330196022,
    0.7071067811865476,
    -0.7071067811865476,
    0.5555702330196022,
    -0.8314696123025452,
    0.3826834323650898,
    -0.9238795325112867,
    0.19509032201612828,
    -0.9807852804032304,
    0.9569403357322088,
    -0.2902846772544624,
    0.8314696123025452,
    -0.5555702330196022,
    0.6343932841636455,
    -0.773010453362737,
    0.3826834323650898,
    -0.9238795325112867,
    0.0980171403295606,
    -0.9951847266721969,
    -0.19509032201612828,
    -0.9807852804032304,
    -0.47139673682599764,
    -0.881921264348355,
    0.9238795325112867,
    -0.3826834323650898,
    0.7071067811865476,
    -0.7071067811865476,
    0.3826834323650898,
    -0.9238795325112867,
    0.0,
    -1.0,
    -0.3826834323650898,
    -0.9238795325112867,
    -0.7071067811865476,
    -0.7071067811865476,
    -0.9238795325112867,
    -0.3826834323650898,
    0.881921264348355,
    -0.47139673682599764,
    0.5555702330196022,
    -0.8314696123025452,
    0.0980171403295606,
    -0.9951847266721969,
    -0.3826834323650898,
    -0.9238795325112867,
    -0.773010453362737,
    -0.6343932841636455,
    -0.9807852804032304,
    -0.19509032201612828,
    -0.9569403357322088,
    0.2902846772544624,
    0.8314696123025452,
    -0.5555702330196022,
    0.3826834323650898,
    -0.9238795325112867,
    -0.19509032201612828,
    -0.9807852804032304,
    -0.7071067811865476,
    -0.7071067811865476,
    -0.9807852804032304,
    -0.19509032201612828,
    -0.9238795325112867,
    0.3826834323650898,
    -0.5555702330196022,
    0.8314696123025452,
    0.773010453362737,
    -0.6343932841636455,
    0.19509032201612828,
    -0.9807852804032304,
    -0.47139673682599764,
    -0.881921264348355,
    -0.9238795325112867,
    -0.3826834323650898,
    -0.9569403357322088,
    0.2902846772544624,
    -0.5555702330196022,
    0.8314696123025452,
    0.0980171403295606,
    0.9951847266721969,
};

_Alignas(128) static const double w_128[240] = {
    1.0,
    0.0,
    0.9987954562051724,
    -0.049067674327418015,
    0.9951847266721969,
    -0.0980171403295606,
    0.989176509964781,
    -0.14673047445536175,
    0.9807852804032304,
    -0.19509032201612828,
    0.970031253194544,
    -0.2429801799032639,
    0.9569403357322088,
    -0.2902846772544624,
    0.9415440651830208,
    -0.33688985339222005,
    1.0,
    0.0,
    0.9951847266721969,
    -0.0980171403295606,
    0.9807852804032304,
    -0.19509032201612828,
    0.9569403357322088,
    -0.2902846772544624,
    0.9238795325112867,
    -0.3826834323650898,
    0.881921264348355,
    -0.47139673682599764,
    0.8314696123025452,
    -0.5555702330196022,
    0.773010453362737,
    -0.6343932841636455,
    1.0,
    0.0,
    0.989176509964781,
    -0.14673047445536175,
    0.9569403357322088,
    -0.2902846772544624,
    0.9039892931234433,
    -0.4275550934302821,
    0.8314696123025452,
    -0.5555702330196022,
    0.7409511253549591,
    -0.6715589548470184,
    0.6343932841636455,
    -0.773010453362737,
    0.5141027441932218,
    -0.8577286100002721,
    1.0,
    0.0,
    0.9807852804032304,
    -0.19509032201612828,
    0.9238795325112867,
    -0.3826834323650898,
    0.8314696123025452,
    -0.5555702330196022,
    0.7071067811865476,
    -0.7071067811865476,
    0.5555702330196022,
    -0.8314696123025452,
    0.3826834323650898,
    -0.9238795325112867,
    0.19509032201612828,
    -0.9807852804032304,
    1.0,
    0.0,
    0.970031253194544,
    -0.2429801799032639,
    0.881921264348355,
    -0.47139673682599764,
    0.7409511253549591,
    -0.6715589548470184,
    0.5555702330196022,
    -0.8314696123025452,
    0.33688985339222005,
    -0.9415440651830208,
    0.0980171403295606,
    -0.9951847266721969,
    -0.14673047445536175,
    -0.989176509964781,
    1.0,
    0.0,
    0.9569403357322088,
    -0.2902846772544624,
    0.8314696123025452,
    -0.5555702330196022,
    0.6343932841636455,
    -0.773010453362737,
    0.3826834323650898,
    -0.9238795325112867,
    0.0980171403295606,
    -0.9951847266721969,
    -0.19509032201612828,
    -0.9807852804032304,
    -0.47139673682599764,
    -0.881921264348355,
    1.0,
    0.0,
    0.9415440651830208,
    -0.33688985339222005,
    0.773010453362737,
    -0.6343932841636455,
    0.5141027441932218,
    -0.8577286100002721,
    0.19509032201612828,
    -0.9807852804032304,
    -0.14673047445536175,
    -0.989176509964781,
    -0.47139673682599764,
    -0.881921264348355,
    -0.7409511253549591,
    -0.6715589548470184,
    1.0,
    0.0,
    0.9238795325112867,
    -0.3826834323650898,
    0.7071067811865476,
    -0.7071067811865476,
    0.3826834323650898,
    -0.9238795325112867,
    0.0,
    -1.0,
    -0.3826834323650898,
    -0.9238795325112867,
    -0.7071067811865476,
    -0.7071067811865476,
    -0.9238795325112867,
    -0.3826834323650898,
    1.0,
    0.0,
    0.9039892931234433,
    -0.4275550934302821,
    0.6343932841636455,
    -0.773010453362737,
    0.2429801799032639,
    -0.970031253194544,
    -0.19509032201612828,
    -0.9807852804032304,
    -0.5956993044924334,
    -0.8032075314806449,
    -0.881921264348355,
    -0.47139673682599764,
    -0.9987954562051724,
    -0.049067674327418015,
    1.0,
    0.0,
    0.881921264348355,
    -0.47139673682599764,
    0.5555702330196022,
    -0.8314696123025452,
    0.0980171403295606,
    -0.9951847266721969,
    -0.3826834323650898,
    -0.9238795325112867,
    -0.773010453362737,
    -0.6343932841636455,
    -0.9807852804032304,
    -0.19509032201612828,
    -0.9569403357322088,
    0.2902846772544624,
    1.0,
    0.0,
    0.8577286100002721,
    -0.5141027441932218,
    0.47139673682599764,
    -0.881921264348355,
    -0.049067674327418015,
    -0.9987954562051724,
    -0.5555702330196022,
    -0.8314696123025452,
    -0.9039892931234433,
    -0.4275550934302821,
    -0.9951847266721969,
    0.0980171403295606,
    -0.8032075314806449,
    0.5956993044924334,
    1.0,
    0.0,
    0.8314696123025452,
    -0.5555702330196022,
    0.3826834323650898,
    -0.9238795325112867,
    -0.19509032201612828,
    -0.9807852804032304,
    -0.7071067811865476,
    -0.7071067811865476,
    -0.9807852804032304,
    -0.19509032201612828,
    -0.9238795325112867,
    0.3826834323650898,
    -0.5555702330196022,
    0.8314696123025452,
    1.0,
    0.0,
    0.8032075314806449,
    -0.5956993044924334,
    0.2902846772544624,
    -0.9569403357322088,
    -0.33688985339222005,
    -0.9415440651830208,
    -0.8314696123025452,
    -0.5555702330196022,
    -0.9987954562051724,
    0.049067674327418015,
    -0.773010453362737,
    0.6343932841636455,
    -0.2429801799032639,
    0.970031253194544,
    1.0,
    0.0,
    0.773010453362737,
    -0.6343932841636455,
    0.19509032201612828,
    -0.9807852804032304,
    -0.47139673682599764,
    -0.881921264348355,
    -0.9238795325112867,
    -0.3826834323650898,
    -0.9569403357322088,
    0.2902846772544624,
    -0.5555702330196022,
    0.8314696123025452,
    0.0980171403295606,
    0.9951847266721969,
    1.0,
    0.0,
    0.7409511253549591,
    -0.6715589548470184,
    0.0980171403295606,
    -0.9951847266721969,
    -0.5956993044924334,
    -0.8032075314806449,
    -0.9807852804032304,
    -0.19509032201612828,
    -0.8577286100002721,
    0.5141027441932218,
    -0.2902846772544624,
    0.9569403357322088,
    0.4275550934302821,
    0.9039892931234433,
};

struct f_cores {
  double *y;
  double *x;
};

/* All arrays in a core's own memory. */
__thread_local char weft_arrays[37632] __attribute__((aligned(64)));

/* f, jk.weft:2:9: what each core does. */
void f_cores(struct f_cores *given) {
  const int core = athread_get_id(-1);
  weft_begin();
  double *const y = given->y;
  double *const x = given->x;
  const doublev4 v0 = simd_set_doublev4(-0.7071067811865476, 0.7071067811865476,
                                        -0.7071067811865476, 0.7071067811865476);
  const doublev4 v1 = simd_set_doublev4(0.7071067811865476, -0.7071067811865476, 0.7071067811865476,
                                        -0.7071067811865476);
  const doublev4 v2 = simd_set_doublev4(-1.0, 1.0, -1.0, 1.0);
  const doublev4 v3 = simd_set_doublev4(1.0, -1.0, 1.0, -1.0);
  const doublev4 v4 = weft_splat_v4d(0.7071067811865476);
  const doublev4 v5 = weft_splat_v4d(0.9238795325112867);
  const doublev4 v6 = weft_splat_v4d(0.3826834323650898);
  double *const w_64_1 = (double *)(weft_arrays + 1920);
  /* jk.weft:2:9, nest 1 */
  weft_get(w_64, w_64_1, 896, 0, 0);
  double *const w_128_1 = (double *)(weft_arrays + 0);
  /* jk.weft:2:13, nest 2 */
  weft_get(w_128, w_128_1, 1920, 0, 0);
  weft_wait();
  for (ptrdiff_t i = 0; i < 16; i += 8) {
    double *const buffer0 = (double *)(weft_arrays + 2816);
    double *const buffer1 = (double *)(weft_arrays + 19200);
    double *const y_1 = (double *)(weft_arrays + 19200);
    /* jk.weft:2:13, nest 3 */
    for (ptrdiff_t task = core; task < 64; task += 64) {
      const ptrdiff_t i_1 = task / 8;
      const ptrdiff_t i_2 = task % 8;
      double *const x_1 = (double *)(weft_arrays + 2816);
      weft_get(x + ((i + i_1) * 8 + i_2) * 2048, x_1, 16384, 0, 0);
      weft_wait();
      for (ptrdiff_t k = 0; k < 8; ++k) {
        double *const buffer2 = (double *)(weft_arrays + 35584);
        for (ptrdiff_t p = 0; p < 8; p += 4) {
          const doublev4 x0 = weft_load_v4d(&x_1[(k * 128 + p) * 2]);
          const doublev4 x0_1 = weft_load_v4d(&x_1[(k * 128 + p + 2) * 2]);
          const doublev4 x0_2 = simd_vshff(x0_1, x0, 136);
          const doublev4 x0_3 = simd_vshff(x0_1, x0, 221);
          const doublev4 x8 = weft_load_v4d(&x_1[(k * 128 + p + 64) * 2]);
          const doublev4 x8_1 = weft_load_v4d(&x_1[(k * 128 + p + 66) * 2]);
          const doublev4 x8_2 = simd_vshff(x8_1, x8, 136);
          const doublev4 x8_3 = simd_vshff(x8_1, x8, 221);
          const doublev4 v7 = x0_2 + x8_2;
          const doublev4 v8 = x0_3 + x8_3;
          const doublev4 v9 = x0_2 - x8_2;
          const doublev4 v10 = x0_3 - x8_3;
          const doublev4 x4 = weft_load_v4d(&x_1[(k * 128 + p + 32) * 2]);
          const doublev4 x4_1 = weft_load_v4d(&x_1[(k * 128 + p + 34) * 2]);
          const doublev4 x4_2 = simd_vshff(x4_1, x4, 136);
          const doublev4 x4_3 = simd_vshff(x4_1, x4, 221);
          const doublev4 x12 = weft_load_v4d(&x_1[(k * 128 + p + 96) * 2]);
          const doublev4 x12_1 = weft_load_v4d(&x_1[(k * 128 + p + 98) * 2]);
          const doublev4 x12_2 = simd_vshff(x12_1, x12, 136);
          const doublev4 x12_3 = simd_vshff(x12_1, x12, 221);
          const doublev4 v11 = x4_2 + x12_2;
          const doublev4 v12 = x4_3 + x12_3;
          const doublev4 v13 = x4_2 - x12_2;
          const doublev4 v14 = x4_3 - x12_3;
          const doublev4 v15 = v7 + v11;
          const doublev4 v16 = v8 + v12;
          const doublev4 v17 = v9 + v14;
          const doublev4 v18 = v10 - v13;
          const doublev4 v19 = v7 - v11;
          const doublev4 v20 = v8 - v12;
          const doublev4 v21 = v9 - v14;
          const doublev4 v22 = v10 + v13;
          const doublev4 x1 = weft_load_v4d(&x_1[(k * 128 + p + 8) * 2]);
          const doublev4 x1_1 = weft_load_v4d(&x_1[(k * 128 + p + 10) * 2]);
          const doublev4 x1_2 = simd_vshff(x1_1, x1, 136);
          const doublev4 x1_3 = simd_vshff(x1_1, x1, 221);
          const doublev4 x9 = weft_load_v4d(&x_1[(k * 128 + p + 72) * 2]);
          const doublev4 x9_1 = weft_load_v4d(&x_1[(k * 128 + p + 74) * 2]);
          const doublev4 x9_2 = simd_vshff(x9_1, x9, 136);
          const doublev4 x9_3 = simd_vshff(x9_1, x9, 221);
          const doublev4 v23 = x1_2 + x9_2;
          const doublev4 v24 = x1_3 + x9_3;
          const doublev4 v25 = x1_2 - x9_2;
          const doublev4 v26 = x1_3 - x9_3;
          const doublev4 x5 = weft_load_v4d(&x_1[(k * 128 + p + 40) * 2]);
          const doublev4 x5_1 = weft_load_v4d(&x_1[(k * 128 + p + 42) * 2]);
          const doublev4 x5_2 = simd_vshff(x5_1, x5, 136);
          const doublev4 x5_3 = simd_vshff(x5_1, x5, 221);
          const doublev4 x13 = weft_load_v4d(&x_1[(k * 128 + p + 104) * 2]);
          const doublev4 x13_1 = weft_load_v4d(&x_1[(k * 128 + p + 106) * 2]);
          const doublev4 x13_2 = simd_vshff(x13_1, x13, 136);
          const doublev4 x13_3 = simd_vshff(x13_1, x13, 221);
          const doublev4 v27 = x5_2 + x13_2;
          const doublev4 v28 = x5_3 + x13_3;
          const doublev4 v29 = x5_2 - x13_2;
          const doublev4 v30 = x5_3 - x13_3;
          const doublev4 v31 = v23 + v27;
          const doublev4 v32 = v24 + v28;
          const doublev4 v33 = v25 + v30;
          const doublev4 v34 = v26 - v29;
          const doublev4 v35 = v23 - v27;
          const doublev4 v36 = v24 - v28;
          const doublev4 v37 = v25 - v30;
          const doublev4 v38 = v26 + v29;
          const doublev4 v39 = v34 * v6;
          const doublev4 v40 = simd_vmad(v33, v5, v39);
          const doublev4 v41 = v34 * v5;
          const doublev4 v42 = simd_vnmad(v33, v6, v41);
          const doublev4 v43 = v36 + v35;
          const doublev4 v44 = v36 - v35;
          const doublev4 v45 = v38 * v5;
          const doublev4 v46 = simd_vmad(v37, v6, v45);
          const doublev4 v47 = v38 * v6;
          const doublev4 v48 = simd_vnmad(v37, v5, v47);
          const doublev4 x2 = weft_load_v4d(&x_1[(k * 128 + p + 16) * 2]);
          const doublev4 x2_1 = weft_load_v4d(&x_1[(k * 128 + p + 18) * 2]);
          const doublev4 x2_2 = simd_vshff(x2_1, x2, 136);
          const doublev4 x2_3 = simd_vshff(x2_1, x2, 221);
          const doublev4 x10 = weft_load_v4d(&x_1[(k * 128 + p + 80) * 2]);
          const doublev4 x10_1 = weft_load_v4d(&x_1[(k * 128 + p + 82) * 2]);
          const doublev4 x10_2 = simd_vshff(x10_1, x10, 136);
          const doublev4 x10_3 = simd_vshff(x10_1, x10, 221);
          const doublev4 v49 = x2_2 + x10_2;
          const doublev4 v50 = x2_3 + x10_3;
          const doublev4 v51 = x2_2 - x10_2;
          const doublev4 v52 = x2_3 - x10_3;
          const doublev4 x6 = weft_load_v4d(&x_1[(k * 128 + p + 48) * 2]);
          const doublev4 x6_1 = weft_load_v4d(&x_1[(k * 128 + p + 50) * 2]);
          const doublev4 x6_2 = simd_vshff(x6_1, x6, 136);
          const doublev4 x6_3 = simd_vshff(x6_1, x6, 221);
          const doublev4 x14 = weft_load_v4d(&x_1[(k * 128 + p + 112) * 2]);
          const doublev4 x14_1 = weft_load_v4d(&x_1[(k * 128 + p + 114) * 2]);
          const doublev4 x14_2 = simd_vshff(x14_1, x14, 136);
          const doublev4 x14_3 = simd_vshff(x14_1, x14, 221);
          const doublev4 v53 = x6_2 + x14_2;
          const doublev4 v54 = x6_3 + x14_3;
          const doublev4 v55 = x6_2 - x14_2;
          const doublev4 v56 = x6_3 - x14_3;
          const doublev4 v57 = v49 + v53;
          const doublev4 v58 = v50 + v54;
          const doublev4 v59 = v51 + v56;
          const doublev4 v60 = v52 - v55;
          const doublev4 v61 = v49 - v53;
          const doublev4 v62 = v50 - v54;
          const doublev4 v63 = v51 - v56;
          const doublev4 v64 = v52 + v55;
          const doublev4 v65 = v60 + v59;
          const doublev4 v66 = v60 - v59;
          const doublev4 v67 = v64 - v63;
          const doublev4 v68 = v63 + v64;
          const doublev4 x3 = weft_load_v4d(&x_1[(k * 128 + p + 24) * 2]);
          const doublev4 x3_1 = weft_load_v4d(&x_1[(k * 128 + p + 26) * 2]);
          const doublev4 x3_2 = simd_vshff(x3_1, x3, 136);
          const doublev4 x3_3 = simd_vshff(x3_1, x3, 221);
          const doublev4 x11 = weft_load_v4d(&x_1[(k * 128 + p + 88) * 2]);
          const doublev4 x11_1 = weft_load_v4d(&x_1[(k * 128 + p + 90) * 2]);
          const doublev4 x11_2 = simd_vshff(x11_1, x11, 136);
          const doublev4 x11_3 = simd_vshff(x11_1, x11, 221);
          const doublev4 v69 = x3_2 + x11_2;
          const doublev4 v70 = x3_3 + x11_3;
          const doublev4 v71 = x3_2 - x11_2;
          const doublev4 v72 = x3_3 - x11_3;
          const doublev4 x7 = weft_load_v4d(&x_1[(k * 128 + p + 56) * 2]);
          const doublev4 x7_1 = weft_load_v4d(&x_1[(k * 128 + p + 58) * 2]);
          const doublev4 x7_2 = simd_vshff(x7_1, x7, 136);
          const doublev4 x7_3 = simd_vshff(x7_1, x7, 221);
          const doublev4 x15 = weft_load_v4d(&x_1[(k * 128 + p + 120) * 2]);
          const doublev4 x15_1 = weft_load_v4d(&x_1[(k * 128 + p + 122) * 2]);
          const doublev4 x15_2 = simd_vshff(x15_1, x15, 136);
          const doublev4 x15_3 = simd_vshff(x15_1, x15, 221);
          const doublev4 v73 = x7_2 + x15_2;
          const doublev4 v74 = x7_3 + x15_3;
          const doublev4 v75 = x7_2 - x15_2;
          const doublev4 v76 = x7_3 - x15_3;
          const doublev4 v77 = v69 + v73;
          const doublev4 v78 = v70 + v74;
          const doublev4 v79 = v71 + v76;
          const doublev4 v80 = v72 - v75;
          const doublev4 v81 = v69 - v73;
          const doublev4 v82 = v70 - v74;
          const doublev4 v83 = v71 - v76;
          const doublev4 v84 = v72 + v75;
          const doublev4 v85 = v80 * v5;
          const doublev4 v86 = simd_vmad(v79, v6, v85);
          const doublev4 v87 = v80 * v6;
          const doublev4 v88 = simd_vnmad(v79, v5, v87);
          const doublev4 v89 = v82 - v81;
          const doublev4 v90 = v89 * v4;
          const doublev4 v91 = v81 + v82;
          const doublev4 v92 = v91 * v4;
          const doublev4 v93 = v84 * v6;
          const doublev4 v94 = simd_vmad(v83, v5, v93);
          const doublev4 v95 = v84 * v5;
          const doublev4 v96 = simd_vmsd(v83, v6, v95);
          const doublev4 v97 = v15 + v57;
          const doublev4 v98 = v16 + v58;
          const doublev4 v99 = v15 - v57;
          const doublev4 v100 = v16 - v58;
          const doublev4 v101 = v31 + v77;
          const doublev4 v102 = v32 + v78;
          const doublev4 v103 = v31 - v77;
          const doublev4 v104 = v32 - v78;
          const doublev4 v105 = v97 + v101;
          const double t0 = simd_vextf1(v105);
          const double t1 = simd_vextf2(v105);
          const double t2 = simd_vextf3(v105);
          const doublev4 v106 = v98 + v102;
          const double t3 = simd_vextf0(v106);
          const double t4 = simd_vextf1(v106);
          const double t5 = simd_vextf2(v106);
          const double t6 = simd_vextf3(v106);
          const doublev4 v107 = v99 + v104;
          const doublev4 v108 = v100 - v103;
          const doublev4 v109 = v97 - v101;
          const doublev4 v110 = v98 - v102;
          const doublev4 v111 = v99 - v104;
          const doublev4 v112 = v100 + v103;
          const doublev4 v113 = simd_vmad(v65, v4, v17);
          const doublev4 v114 = simd_vmad(v66, v4, v18);
          const doublev4 v115 = simd_vnmad(v65, v4, v17);
          const doublev4 v116 = simd_vnmad(v66, v4, v18);
          const doublev4 v117 = v40 + v86;
          const doublev4 v118 = v42 + v88;
          const doublev4 v119 = v40 - v86;
          const doublev4 v120 = v42 - v88;
          const doublev4 v121 = v113 + v117;
          const doublev4 v122 = v114 + v118;
          const doublev4 v123 = v115 + v120;
          const doublev4 v124 = v116 - v119;
          const doublev4 v125 = v113 - v117;
          const doublev4 v126 = v114 - v118;
          const doublev4 v127 = v115 - v120;
          const doublev4 v128 = v116 + v119;
          const doublev4 v129 = v19 + v62;
          const doublev4 v130 = v20 - v61;
          const doublev4 v131 = v19 - v62;
          const doublev4 v132 = v20 + v61;
          const doublev4 v133 = simd_vmad(v43, v4, v90);
          const doublev4 v134 = simd_vmsd(v44, v4, v92);
          const doublev4 v135 = simd_vmsd(v43, v4, v90);
          const doublev4 v136 = simd_vmad(v44, v4, v92);
          const doublev4 v137 = v129 + v133;
          const doublev4 v138 = v130 + v134;
          const doublev4 v139 = v131 + v136;
          const doublev4 v140 = v132 - v135;
          const doublev4 v141 = v129 - v133;
          const doublev4 v142 = v130 - v134;
          const doublev4 v143 = v131 - v136;
          const doublev4 v144 = v132 + v135;
          const doublev4 v145 = simd_vmad(v67, v4, v21);
          const doublev4 v146 = simd_vnmad(v68, v4, v22);
          const doublev4 v147 = simd_vnmad(v67, v4, v21);
          const doublev4 v148 = simd_vmad(v68, v4, v22);
          const doublev4 v149 = v46 - v94;
          const doublev4 v150 = v48 + v96;
          const doublev4 v151 = v46 + v94;
          const doublev4 v152 = v48 - v96;
          const doublev4 v153 = v145 + v149;
          const doublev4 v154 = v146 + v150;
          const doublev4 v155 = v147 + v152;
          const doublev4 v156 = v148 - v151;
          const doublev4 v157 = v145 - v149;
          const doublev4 v158 = v146 - v150;
          const doublev4 v159 = v147 - v152;
          const doublev4 v160 = v148 + v151;
          const doublev4 w1 = weft_load_v4d(&w_128_1[p * 2]);
          const doublev4 w1_1 = weft_load_v4d(&w_128_1[p * 2 + 4]);
          const doublev4 w1_2 = simd_vshff(w1_1, w1, 136);
          const doublev4 w1_3 = simd_vshff(w1_1, w1, 221);
          const doublev4 v161 = v122 * w1_3;
          const doublev4 v162 = simd_vmsd(v121, w1_2, v161);
          const double t7 = simd_vextf0(v162);
          const double t8 = simd_vextf1(v162);
          const double t9 = simd_vextf2(v162);
          const double t10 = simd_vextf3(v162);
          const doublev4 v163 = v122 * w1_2;
          const doublev4 v164 = simd_vmad(v121, w1_3, v163);
          const double t11 = simd_vextf0(v164);
          const double t12 = simd_vextf1(v164);
          const double t13 = simd_vextf2(v164);
          const double t14 = simd_vextf3(v164);
          const doublev4 w2 = weft_load_v4d(&w_128_1[p * 2 + 16]);
          const doublev4 w2_1 = weft_load_v4d(&w_128_1[p * 2 + 20]);
          const doublev4 w2_2 = simd_vshff(w2_1, w2, 136);
          const doublev4 w2_3 = simd_vshff(w2_1, w2, 221);
          const doublev4 v165 = v138 * w2_3;
          const doublev4 v166 = simd_vmsd(v137, w2_2, v165);
          const double t15 = simd_vextf0(v166);
          const double t16 = simd_vextf1(v166);
          const double t17 = simd_vextf2(v166);
          const double t18 = simd_vextf3(v166);
          const doublev4 v167 = v138 * w2_2;
          const doublev4 v168 = simd_vmad(v137, w2_3, v167);
          const double t19 = simd_vextf0(v168);
          const double t20 = simd_vextf1(v168);
          const double t21 = simd_vextf2(v168);
          const double t22 = simd_vextf3(v168);
          const doublev4 w3 = weft_load_v4d(&w_128_1[p * 2 + 32]);
          const doublev4 w3_1 = weft_load_v4d(&w_128_1[p * 2 + 36]);
          const doublev4 w3_2 = simd_vshff(w3_1, w3, 136);
          const doublev4 w3_3 = simd_vshff(w3_1, w3, 221);
          const doublev4 v169 = v154 * w3_3;
          const doublev4 v170 = simd_vmsd(v153, w3_2, v169);
          const double t23 = simd_vextf0(v170);
          const double t24 = simd_vextf1(v170);
          const double t25 = simd_vextf2(v170);
          const double t26 = simd_vextf3(v170);
          const doublev4 v171 = v154 * w3_2;
          const doublev4 v172 = simd_vmad(v153, w3_3, v171);
          const double t27 = simd_vextf0(v172);
          const double t28 = simd_vextf1(v172);
          const double t29 = simd_vextf2(v172);
          const double t30 = simd_vextf3(v172);
          const doublev4 w4 = weft_load_v4d(&w_128_1[p * 2 + 48]);
          const doublev4 w4_1 = weft_load_v4d(&w_128_1[p * 2 + 52]);
          const doublev4 w4_2 = simd_vshff(w4_1, w4, 136);
          const doublev4 w4_3 = simd_vshff(w4_1, w4, 221);
          const doublev4 v173 = v108 * w4_3;
          const doublev4 v174 = simd_vmsd(v107, w4_2, v173);
          const double t31 = simd_vextf0(v174);
          const double t32 = simd_vextf1(v174);
          const double t33 = simd_vextf2(v174);
          const double t34 = simd_vextf3(v174);
          const doublev4 v175 = v108 * w4_2;
          const doublev4 v176 = simd_vmad(v107, w4_3, v175);
          const double t35 = simd_vextf0(v176);
          const double t36 = simd_vextf1(v176);
          const double t37 = simd_vextf2(v176);
          const double t38 = simd_vextf3(v176);
          const doublev4 w5 = weft_load_v4d(&w_128_1[p * 2 + 64]);
          const doublev4 w5_1 = weft_load_v4d(&w_128_1[p * 2 + 68]);
          const doublev4 w5_2 = simd_vshff(w5_1, w5, 136);
          const doublev4 w5_3 = simd_vshff(w5_1, w5, 221);
          const doublev4 v177 = v124 * w5_3;
          const doublev4 v178 = simd_vmsd(v123, w5_2, v177);
          const double t39 = simd_vextf0(v178);
          const double t40 = simd_vextf1(v178);
          const double t41 = simd_vextf2(v178);
          const double t42 = simd_vextf3(v178);
          const doublev4 v179 = v124 * w5_2;
          const doublev4 v180 = simd_vmad(v123, w5_3, v179);
          const double t43 = simd_vextf0(v180);
          const double t44 = simd_vextf1(v180);
          const double t45 = simd_vextf2(v180);
          const double t46 = simd_vextf3(v180);
          const doublev4 w6 = weft_load_v4d(&w_128_1[p * 2 + 80]);
          const doublev4 w6_1 = weft_load_v4d(&w_128_1[p * 2 + 84]);
          const doublev4 w6_2 = simd_vshff(w6_1, w6, 136);
          const doublev4 w6_3 = simd_vshff(w6_1, w6, 221);
          const doublev4 v181 = v140 * w6_3;
          const doublev4 v182 = simd_vmsd(v139, w6_2, v181);
          const double t47 = simd_vextf0(v182);
          const double t48 = simd_vextf1(v182);
          const double t49 = simd_vextf2(v182);
          const double t50 = simd_vextf3(v182);
          const doublev4 v183 = v140 * w6_2;
          const doublev4 v184 = simd_vmad(v139, w6_3, v183);
          const double t51 = simd_vextf0(v184);
          const double t52 = simd_vextf1(v184);
          const double t53 = simd_vextf2(v184);
          const double t54 = simd_vextf3(v184);
          const doublev4 w7 = weft_load_v4d(&w_128_1[p * 2 + 96]);
          const doublev4 w7_1 = weft_load_v4d(&w_128_1[p * 2 + 100]);
          const doublev4 w7_2 = simd_vshff(w7_1, w7, 136);
          const doublev4 w7_3 = simd_vshff(w7_1, w7, 221);
          const doublev4 v185 = v156 * w7_3;
          const doublev4 v186 = simd_vmsd(v155, w7_2, v185);
          const double t55 = simd_vextf0(v186);
          const double t56 = simd_vextf1(v186);
          const double t57 = simd_vextf2(v186);
          const double t58 = simd_vextf3(v186);
          const doublev4 v187 = v156 * w7_2;
          const doublev4 v188 = simd_vmad(v155, w7_3, v187);
          const double t59 = simd_vextf0(v188);
          const double t60 = simd_vextf1(v188);
          const double t61 = simd_vextf2(v188);
          const double t62 = simd_vextf3(v188);
          const doublev4 w8 = weft_load_v4d(&w_128_1[p * 2 + 112]);
          const doublev4 w8_1 = weft_load_v4d(&w_128_1[p * 2 + 116]);
          const doublev4 w8_2 = simd_vshff(w8_1, w8, 136);
          const doublev4 w8_3 = simd_vshff(w8_1, w8, 221);
          const doublev4 v189 = v110 * w8_3;
          const doublev4 v190 = simd_vmsd(v109, w8_2, v189);
          const double t63 = simd_vextf0(v190);
          const double t64 = simd_vextf1(v190);
          const double t65 = simd_vextf2(v190);
          const double t66 = simd_vextf3(v190);
          const doublev4 v191 = v110 * w8_2;
          const doublev4 v192 = simd_vmad(v109, w8_3, v191);
          const double t67 = simd_vextf0(v192);
          const double t68 = simd_vextf1(v192);
          const double t69 = simd_vextf2(v192);
          const double t70 = simd_vextf3(v192);
          const doublev4 w9 = weft_load_v4d(&w_128_1[p * 2 + 128]);
          const doublev4 w9_1 = weft_load_v4d(&w_128_1[p * 2 + 132]);
          const doublev4 w9_2 = simd_vshff(w9_1, w9, 136);
          const doublev4 w9_3 = simd_vshff(w9_1, w9, 221);
          const doublev4 v193 = v126 * w9_3;
          const doublev4 v194 = simd_vmsd(v125, w9_2, v193);
          const double t71 = simd_vextf0(v194);
          const double t72 = simd_vextf1(v194);
          const double t73 = simd_vextf2(v194);
          const double t74 = simd_vextf3(v194);
          const doublev4 v195 = v126 * w9_2;
          const doublev4 v196 = simd_vmad(v125, w9_3, v195);
          const double t75 = simd_vextf0(v196);
          const double t76 = simd_vextf1(v196);
          const double t77 = simd_vextf2(v196);
          const double t78 = simd_vextf3(v196);
          const doublev4 w10 = weft_load_v4d(&w_128_1[p * 2 + 144]);
          const doublev4 w10_1 = weft_load_v4d(&w_128_1[p * 2 + 148]);
          const doublev4 w10_2 = simd_vshff(w10_1, w10, 136);
          const doublev4 w10_3 = simd_vshff(w10_1, w10, 221);
          const doublev4 v197 = v142 * w10_3;
          const doublev4 v198 = simd_vmsd(v141, w10_2, v197);
          const double t79 = simd_vextf0(v198);
          const double t80 = simd_vextf1(v198);
          const double t81 = simd_vextf2(v198);
          const double t82 = simd_vextf3(v198);
          const doublev4 v199 = v142 * w10_2;
          const doublev4 v200 = simd_vmad(v141, w10_3, v199);
          const double t83 = simd_vextf0(v200);
          const double t84 = simd_vextf1(v200);
          const double t85 = simd_vextf2(v200);
          const double t86 = simd_vextf3(v200);
          const doublev4 w11 = weft_load_v4d(&w_128_1[p * 2 + 160]);
          const doublev4 w11_1 = weft_load_v4d(&w_128_1[p * 2 + 164]);
          const doublev4 w11_2 = simd_vshff(w11_1, w11, 136);
          const doublev4 w11_3 = simd_vshff(w11_1, w11, 221);
          const doublev4 v201 = v158 * w11_3;
          const doublev4 v202 = simd_vmsd(v157, w11_2, v201);
          const double t87 = simd_vextf0(v202);
          const double t88 = simd_vextf1(v202);
          const double t89 = simd_vextf2(v202);
          const double t90 = simd_vextf3(v202);
          const doublev4 v203 = v158 * w11_2;
          const doublev4 v204 = simd_vmad(v157, w11_3, v203);
          const double t91 = simd_vextf0(v204);
          const double t92 = simd_vextf1(v204);
          const double t93 = simd_vextf2(v204);
          const double t94 = simd_vextf3(v204);
          const doublev4 w12 = weft_load_v4d(&w_128_1[p * 2 + 176]);
          const doublev4 w12_1 = weft_load_v4d(&w_128_1[p * 2 + 180]);
          const doublev4 w12_2 = simd_vshff(w12_1, w12, 136);
          const doublev4 w12_3 = simd_vshff(w12_1, w12, 221);
          const doublev4 v205 = v112 * w12_3;
          const doublev4 v206 = simd_vmsd(v111, w12_2, v205);
          const double t95 = simd_vextf0(v206);
          const double t96 = simd_vextf1(v206);
          const double t97 = simd_vextf2(v206);
          const double t98 = simd_vextf3(v206);
          const doublev4 v207 = v112 * w12_2;
          const doublev4 v208 = simd_vmad(v111, w12_3, v207);
          const double t99 = simd_vextf0(v208);
          const double t100 = simd_vextf1(v208);
          const double t101 = simd_vextf2(v208);
          const double t102 = simd_vextf3(v208);
          const doublev4 w13 = weft_load_v4d(&w_128_1[p * 2 + 192]);
          const doublev4 w13_1 = weft_load_v4d(&w_128_1[p * 2 + 196]);
          const doublev4 w13_2 = simd_vshff(w13_1, w13, 136);
          const doublev4 w13_3 = simd_vshff(w13_1, w13, 221);
          const doublev4 v209 = v128 * w13_3;
          const doublev4 v210 = simd_vmsd(v127, w13_2, v209);
          const double t103 = simd_vextf0(v210);
          const double t104 = simd_vextf1(v210);
          const double t105 = simd_vextf2(v210);
          const double t106 = simd_vextf3(v210);
          const doublev4 v211 = v128 * w13_2;
          const doublev4 v212 = simd_vmad(v127, w13_3, v211);
          const double t107 = simd_vextf0(v212);
          const double t108 = simd_vextf1(v212);
          const double t109 = simd_vextf2(v212);
          const double t110 = simd_vextf3(v212);
          const doublev4 w14 = weft_load_v4d(&w_128_1[p * 2 + 208]);
          const doublev4 w14_1 = weft_load_v4d(&w_128_1[p * 2 + 212]);
          const doublev4 w14_2 = simd_vshff(w14_1, w14, 136);
          const doublev4 w14_3 = simd_vshff(w14_1, w14, 221);
          const doublev4 v213 = v144 * w14_3;
          const doublev4 v214 = simd_vmsd(v143, w14_2, v213);
          const double t111 = simd_vextf0(v214);
          const double t112 = simd_vextf1(v214);
          const double t113 = simd_vextf2(v214);
          const double t114 = simd_vextf3(v214);
          const doublev4 v215 = v144 * w14_2;
          const doublev4 v216 = simd_vmad(v143, w14_3, v215);
          const double t115 = simd_vextf0(v216);
          const double t116 = simd_vextf1(v216);
          const double t117 = simd_vextf2(v216);
          const double t118 = simd_vextf3(v216);
          const doublev4 w15 = weft_load_v4d(&w_128_1[p * 2 + 224]);
          const doublev4 w15_1 = weft_load_v4d(&w_128_1[p * 2 + 228]);
          const doublev4 w15_2 = simd_vshff(w15_1, w15, 136);
          const doublev4 w15_3 = simd_vshff(w15_1, w15, 221);
          const doublev4 v217 = v160 * w15_3;
          const doublev4 v218 = simd_vmsd(v159, w15_2, v217);
          const double t119 = simd_vextf0(v218);
          const double t120 = simd_vextf1(v218);
          const double t121 = simd_vextf2(v218);
          const double t122 = simd_vextf3(v218);
          const doublev4 v219 = v160 * w15_2;
          const doublev4 v220 = simd_vmad(v159, w15_3, v219);
          const double t123 = simd_vextf0(v220);
          const double t124 = simd_vextf1(v220);
          const double t125 = simd_vextf2(v220);
          const double t126 = simd_vextf3(v220);
          buffer2[p * 32] = simd_vextf0(v105);
          buffer2[p * 32 + 32] = t0;
          buffer2[p * 32 + 64] = t1;
          buffer2[p * 32 + 96] = t2;
          buffer2[p * 32 + 1] = t3;
          buffer2[p * 32 + 33] = t4;
          buffer2[p * 32 + 65] = t5;
          buffer2[p * 32 + 97] = t6;
          buffer2[p * 32 + 2] = t7;
          buffer2[p * 32 + 34] = t8;
          buffer2[p * 32 + 66] = t9;
          buffer2[p * 32 + 98] = t10;
          buffer2[p * 32 + 3] = t11;
          buffer2[p * 32 + 35] = t12;
          buffer2[p * 32 + 67] = t13;
          buffer2[p * 32 + 99] = t14;
          buffer2[p * 32 + 4] = t15;
          buffer2[p * 32 + 36] = t16;
          buffer2[p * 32 + 68] = t17;
          buffer2[p * 32 + 100] = t18;
          buffer2[p * 32 + 5] = t19;
          buffer2[p * 32 + 37] = t20;
          buffer2[p * 32 + 69] = t21;
          buffer2[p * 32 + 101] = t22;
          buffer2[p * 32 + 6] = t23;
          buffer2[p * 32 + 38] = t24;
          buffer2[p * 32 + 70] = t25;
          buffer2[p * 32 + 102] = t26;
          buffer2[p * 32 + 7] = t27;
          buffer2[p * 32 + 39] = t28;
          buffer2[p * 32 + 71] = t29;
          buffer2[p * 32 + 103] = t30;
          buffer2[p * 32 + 8] = t31;
          buffer2[p * 32 + 40] = t32;
          buffer2[p * 32 + 72] = t33;
          buffer2[p * 32 + 104] = t34;
          buffer2[p * 32 + 9] = t35;
          buffer2[p * 32 + 41] = t36;
          buffer2[p * 32 + 73] = t37;
          buffer2[p * 32 + 105] = t38;
          buffer2[p * 32 + 10] = t39;
          buffer2[p * 32 + 42] = t40;
          buffer2[p * 32 + 74] = t41;
          buffer2[p * 32 + 106] = t42;
          buffer2[p * 32 + 11] = t43;
          buffer2[p * 32 + 43] = t44;
          buffer2[p * 32 + 75] = t45;
          buffer2[p * 32 + 107] = t46;
          buffer2[p * 32 + 12] = t47;
          buffer2[p * 32 + 44] = t48;
          buffer2[p * 32 + 76] = t49;
          buffer2[p * 32 + 108] = t50;
          buffer2[p * 32 + 13] = t51;
          buffer2[p * 32 + 45] = t52;
          buffer2[p * 32 + 77] = t53;
          buffer2[p * 32 + 109] = t54;
          buffer2[p * 32 + 14] = t55;
          buffer2[p * 32 + 46] = t56;
          buffer2[p * 32 + 78] = t57;
          buffer2[p * 32 + 110] = t58;
          buffer2[p * 32 + 15] = t59;
          buffer2[p * 32 + 47] = t60;
          buffer2[p * 32 + 79] = t61;
          buffer2[p * 32 + 111] = t62;
          buffer2[p * 32 + 16] = t63;
          buffer2[p * 32 + 48] = t64;
          buffer2[p * 32 + 80] = t65;
          buffer2[p * 32 + 112] = t66;
          buffer2[p * 32 + 17] = t67;
          buffer2[p * 32 + 49] = t68;
          buffer2[p * 32 + 81] = t69;
          buffer2[p * 32 + 113] = t70;
          buffer2[p * 32 + 18] = t71;
          buffer2[p * 32 + 50] = t72;
          buffer2[p * 32 + 82] = t73;
          buffer2[p * 32 + 114] = t74;
          buffer2[p * 32 + 19] = t75;
          buffer2[p * 32 + 51] = t76;
          buffer2[p * 32 + 83] = t77;
          buffer2[p * 32 + 115] = t78;
          buffer2[p * 32 + 20] = t79;
          buffer2[p * 32 + 52] = t80;
          buffer2[p * 32 + 84] = t81;
          buffer2[p * 32 + 116] = t82;
          buffer2[p * 32 + 21] = t83;
          buffer2[p * 32 + 53] = t84;
          buffer2[p * 32 + 85] = t85;
          buffer2[p * 32 + 117] = t86;
          buffer2[p * 32 + 22] = t87;
          buffer2[p * 32 + 54] = t88;
          buffer2[p * 32 + 86] = t89;
          buffer2[p * 32 + 118] = t90;
          buffer2[p * 32 + 23] = t91;
          buffer2[p * 32 + 55] = t92;
          buffer2[p * 32 + 87] = t93;
          buffer2[p * 32 + 119] = t94;
          buffer2[p * 32 + 24] = t95;
          buffer2[p * 32 + 56] = t96;
          buffer2[p * 32 + 88] = t97;
          buffer2[p * 32 + 120] = t98;
          buffer2[p * 32 + 25] = t99;
          buffer2[p * 32 + 57] = t100;
          buffer2[p * 32 + 89] = t101;
          buffer2[p * 32 + 121] = t102;
          buffer2[p * 32 + 26] = t103;
          buffer2[p * 32 + 58] = t104;
          buffer2[p * 32 + 90] = t105;
          buffer2[p * 32 + 122] = t106;
          buffer2[p * 32 + 27] = t107;
          buffer2[p * 32 + 59] = t108;
          buffer2[p * 32 + 91] = t109;
          buffer2[p * 32 + 123] = t110;
          buffer2[p * 32 + 28] = t111;
          buffer2[p * 32 + 60] = t112;
          buffer2[p * 32 + 92] = t113;
          buffer2[p * 32 + 124] = t114;
          buffer2[p * 32 + 29] = t115;
          buffer2[p * 32 + 61] = t116;
          buffer2[p * 32 + 93] = t117;
          buffer2[p * 32 + 125] = t118;
          buffer2[p * 32 + 30] = t119;
          buffer2[p * 32 + 62] = t120;
          buffer2[p * 32 + 94] = t121;
          buffer2[p * 32 + 126] = t122;
          buffer2[p * 32 + 31] = t123;
          buffer2[p * 32 + 63] = t124;
          buffer2[p * 32 + 95] = t125;
          buffer2[p * 32 + 127] = t126;
        }
        for (ptrdiff_t l = 0; l < 16; l += 2) {
          const doublev4 x0 = weft_load_v4d(&buffer2[l * 2]);
          const doublev4 x4 = weft_load_v4d(&buffer2[l * 2 + 128]);
          const doublev4 x2 = weft_load_v4d(&buffer2[l * 2 + 64]);
          const doublev4 x6 = weft_load_v4d(&buffer2[l * 2 + 192]);
          const doublev4 x1 = weft_load_v4d(&buffer2[l * 2 + 32]);
          const doublev4 x5 = weft_load_v4d(&buffer2[l * 2 + 160]);
          const doublev4 x3 = weft_load_v4d(&buffer2[l * 2 + 96]);
          const doublev4 x7 = weft_load_v4d(&buffer2[l * 2 + 224]);
          const doublev4 v7 = x0 + x4;
          const doublev4 v8 = x2 + x6;
          const doublev4 v9 = v7 + v8;
          const doublev4 v10 = x1 + x5;
          const doublev4 v11 = x3 + x7;
          const doublev4 v12 = v10 + v11;
          const doublev4 v13 = v9 + v12;
          simd_store(v13, &buffer1[(k * 128 + l) * 2]);
          const doublev4 v14 = x0 - x4;
          const doublev4 v15 = x2 - x6;
          const doublev4 v16 = simd_vshff(v15, v15, 177);
          const doublev4 v17 = simd_vmad(v16, v3, v14);
          const doublev4 v18 = x1 - x5;
          const doublev4 v19 = x3 - x7;
          const doublev4 v20 = simd_vshff(v19, v19, 177);
          const doublev4 v21 = simd_vmad(v20, v3, v18);
          const doublev4 v22 = simd_vshff(v21, v21, 177);
          const doublev4 v23 = simd_vmad(v22, v3, v21);
          const doublev4 v24 = simd_vmad(v23, v4, v17);
          simd_store(v24, &buffer1[(k * 128 + l + 16) * 2]);
          const doublev4 v25 = v7 - v8;
          const doublev4 v26 = v10 - v11;
          const doublev4 v27 = simd_vshff(v26, v26, 177);
          const doublev4 v28 = simd_vmad(v27, v3, v25);
          simd_store(v28, &buffer1[(k * 128 + l + 32) * 2]);
          const doublev4 v29 = simd_vmad(v16, v2, v14);
          const doublev4 v30 = simd_vmad(v20, v2, v18);
          const doublev4 v31 = simd_vshff(v30, v30, 177);
          const doublev4 v32 = simd_vmad(v30, v2, v31);
          const doublev4 v33 = simd_vmad(v32, v1, v29);
          simd_store(v33, &buffer1[(k * 128 + l + 48) * 2]);
          const doublev4 v34 = v9 - v12;
          simd_store(v34, &buffer1[(k * 128 + l + 64) * 2]);
          const doublev4 v35 = simd_vnmad(v23, v4, v17);
          simd_store(v35, &buffer1[(k * 128 + l + 80) * 2]);
          const doublev4 v36 = simd_vmad(v27, v2, v25);
          simd_store(v36, &buffer1[(k * 128 + l + 96) * 2]);
          const doublev4 v37 = simd_vmad(v32, v0, v29);
          simd_store(v37, &buffer1[(k * 128 + l + 112) * 2]);
        }
      }
    }
    /* jk.weft:2:9, nest 4: exchange */
    {
      const int mine = core % 8;
      for (int n = 0; n < 8; ++n) {
        const doublev4 message = weft_load_v4d(buffer1 + (n * 8 + mine) * 32);
        const doublev4 message_1 = weft_load_v4d(buffer1 + (n * 8 + mine) * 32 + 4);
        const doublev4 message_2 = weft_load_v4d(buffer1 + (n * 8 + mine) * 32 + 8);
        const doublev4 message_3 = weft_load_v4d(buffer1 + (n * 8 + mine) * 32 + 12);
        const doublev4 message_4 = weft_load_v4d(buffer1 + (n * 8 + mine) * 32 + 16);
        const doublev4 message_5 = weft_load_v4d(buffer1 + (n * 8 + mine) * 32 + 20);
        const doublev4 message_6 = weft_load_v4d(buffer1 + (n * 8 + mine) * 32 + 24);
        const doublev4 message_7 = weft_load_v4d(buffer1 + (n * 8 + mine) * 32 + 28);
        simd_store(message, buffer0 + (mine * 8 + n) * 32);
        simd_store(message_1, buffer0 + (mine * 8 + n) * 32 + 4);
        simd_store(message_2, buffer0 + (mine * 8 + n) * 32 + 8);
        simd_store(message_3, buffer0 + (mine * 8 + n) * 32 + 12);
        simd_store(message_4, buffer0 + (mine * 8 + n) * 32 + 16);
        simd_store(message_5, buffer0 + (mine * 8 + n) * 32 + 20);
        simd_store(message_6, buffer0 + (mine * 8 + n) * 32 + 24);
        simd_store(message_7, buffer0 + (mine * 8 + n) * 32 + 28);
      }
      for (int round_1 = 1; round_1 < 8; ++round_1) {
        const int other = mine ^ round_1;
        weft_sync_row();
        for (int n = 0; n < 8; ++n) {
          const doublev4 message = weft_load_v4d(buffer1 + (n * 8 + other) * 32);
          const doublev4 message_1 = weft_load_v4d(buffer1 + (n * 8 + other) * 32 + 4);
          const doublev4 message_2 = weft_load_v4d(buffer1 + (n * 8 + other) * 32 + 8);
          const doublev4 message_3 = weft_load_v4d(buffer1 + (n * 8 + other) * 32 + 12);
          const doublev4 message_4 = weft_load_v4d(buffer1 + (n * 8 + other) * 32 + 16);
          const doublev4 message_5 = weft_load_v4d(buffer1 + (n * 8 + other) * 32 + 20);
          const doublev4 message_6 = weft_load_v4d(buffer1 + (n * 8 + other) * 32 + 24);
          const doublev4 message_7 = weft_load_v4d(buffer1 + (n * 8 + other) * 32 + 28);
          weft_to_row_v4d(message, other);
          weft_to_row_v4d(message_1, other);
          simd_store(weft_from_row_v4d(), buffer0 + (other * 8 + n) * 32);
          weft_to_row_v4d(message_2, other);
          simd_store(weft_from_row_v4d(), buffer0 + (other * 8 + n) * 32 + 4);
          weft_to_row_v4d(message_3, other);
          simd_store(weft_from_row_v4d(), buffer0 + (other * 8 + n) * 32 + 8);
          weft_to_row_v4d(message_4, other);
          simd_store(weft_from_row_v4d(), buffer0 + (other * 8 + n) * 32 + 12);
          weft_to_row_v4d(message_5, other);
          simd_store(weft_from_row_v4d(), buffer0 + (other * 8 + n) * 32 + 16);
          weft_to_row_v4d(message_6, other);
          simd_store(weft_from_row_v4d(), buffer0 + (other * 8 + n) * 32 + 20);
          weft_to_row_v4d(message_7, other);
          simd_store(weft_from_row_v4d(), buffer0 + (other * 8 + n) * 32 + 24);
          simd_store(weft_from_row_v4d(), buffer0 + (other * 8 + n) * 32 + 28);
        }
      }
    }
    /* jk.weft:2:9, nest 5 */
    for (ptrdiff_t task = core; task < 64; task += 64) {
      const ptrdiff_t i_1 = task / 8;
      const ptrdiff_t i_2 = task % 8;
      for (ptrdiff_t p = 0; p < 8; ++p) {
        const doublev4 w1 = weft_splat_v4d(w_64_1[p * 14 + 1]);
        const doublev4 v7 = w1 * v2;
        const doublev4 w1_1 = weft_splat_v4d(w_64_1[p * 14]);
        const doublev4 w2 = weft_splat_v4d(w_64_1[p * 14 + 3]);
        const doublev4 v8 = w2 * v2;
        const doublev4 w2_1 = weft_splat_v4d(w_64_1[p * 14 + 2]);
        const doublev4 w3 = weft_splat_v4d(w_64_1[p * 14 + 5]);
        const doublev4 v9 = w3 * v2;
        const doublev4 w3_1 = weft_splat_v4d(w_64_1[p * 14 + 4]);
        const doublev4 w4 = weft_splat_v4d(w_64_1[p * 14 + 7]);
        const doublev4 v10 = w4 * v2;
        const doublev4 w4_1 = weft_splat_v4d(w_64_1[p * 14 + 6]);
        const doublev4 w5 = weft_splat_v4d(w_64_1[p * 14 + 9]);
        const doublev4 v11 = w5 * v2;
        const doublev4 w5_1 = weft_splat_v4d(w_64_1[p * 14 + 8]);
        const doublev4 w6 = weft_splat_v4d(w_64_1[p * 14 + 11]);
        const doublev4 v12 = w6 * v2;
        const doublev4 w6_1 = weft_splat_v4d(w_64_1[p * 14 + 10]);
        const doublev4 w7 = weft_splat_v4d(w_64_1[p * 14 + 13]);
        const doublev4 v13 = w7 * v2;
        const doublev4 w7_1 = weft_splat_v4d(w_64_1[p * 14 + 12]);
        for (ptrdiff_t l = 0; l < 16; l += 2) {
          const doublev4 x0 = weft_load_v4d(&buffer0[(p * 16 + l) * 2]);
          const doublev4 x4 = weft_load_v4d(&buffer0[((p + 32) * 16 + l) * 2]);
          const doublev4 x2 = weft_load_v4d(&buffer0[((p + 16) * 16 + l) * 2]);
          const doublev4 x6 = weft_load_v4d(&buffer0[((p + 48) * 16 + l) * 2]);
          const doublev4 x1 = weft_load_v4d(&buffer0[((p + 8) * 16 + l) * 2]);
          const doublev4 x5 = weft_load_v4d(&buffer0[((p + 40) * 16 + l) * 2]);
          const doublev4 x3 = weft_load_v4d(&buffer0[((p + 24) * 16 + l) * 2]);
          const doublev4 x7 = weft_load_v4d(&buffer0[((p + 56) * 16 + l) * 2]);
          const doublev4 v14 = x0 + x4;
          const doublev4 v15 = x2 + x6;
          const doublev4 v16 = v14 + v15;
          const doublev4 v17 = x1 + x5;
          const doublev4 v18 = x3 + x7;
          const doublev4 v19 = v17 + v18;
          const doublev4 v20 = v16 + v19;
          simd_store(v20, &y_1[(p * 128 + l) * 2]);
          const doublev4 v21 = x0 - x4;
          const doublev4 v22 = x2 - x6;
          const doublev4 v23 = simd_vshff(v22, v22, 177);
          const doublev4 v24 = simd_vmad(v23, v3, v21);
          const doublev4 v25 = x1 - x5;
          const doublev4 v26 = x3 - x7;
          const doublev4 v27 = simd_vshff(v26, v26, 177);
          const doublev4 v28 = simd_vmad(v27, v3, v25);
          const doublev4 v29 = simd_vshff(v28, v28, 177);
          const doublev4 v30 = simd_vmad(v29, v3, v28);
          const doublev4 v31 = simd_vmad(v30, v4, v24);
          const doublev4 v32 = simd_vshff(v31, v31, 177);
          const doublev4 v33 = v32 * v7;
          const doublev4 v34 = simd_vmad(v31, w1_1, v33);
          simd_store(v34, &y_1[(p * 128 + l + 16) * 2]);
          const doublev4 v35 = v14 - v15;
          const doublev4 v36 = v17 - v18;
          const doublev4 v37 = simd_vshff(v36, v36, 177);
          const doublev4 v38 = simd_vmad(v37, v3, v35);
          const doublev4 v39 = simd_vshff(v38, v38, 177);
          const doublev4 v40 = v39 * v8;
          const doublev4 v41 = simd_vmad(v38, w2_1, v40);
          simd_store(v41, &y_1[(p * 128 + l + 32) * 2]);
          const doublev4 v42 = simd_vmad(v23, v2, v21);
          const doublev4 v43 = simd_vmad(v27, v2, v25);
          const doublev4 v44 = simd_vshff(v43, v43, 177);
          const doublev4 v45 = simd_vmad(v43, v2, v44);
          const doublev4 v46 = simd_vmad(v45, v1, v42);
          const doublev4 v47 = simd_vshff(v46, v46, 177);
          const doublev4 v48 = v47 * v9;
          const doublev4 v49 = simd_vmad(v46, w3_1, v48);
          simd_store(v49, &y_1[(p * 128 + l + 48) * 2]);
          const doublev4 v50 = v16 - v19;
          const doublev4 v51 = simd_vshff(v50, v50, 177);
          const doublev4 v52 = v51 * v10;
          const doublev4 v53 = simd_vmad(v50, w4_1, v52);
          simd_store(v53, &y_1[(p * 128 + l + 64) * 2]);
          const doublev4 v54 = simd_vnmad(v30, v4, v24);
          const doublev4 v55 = simd_vshff(v54, v54, 177);
          const doublev4 v56 = v55 * v11;
          const doublev4 v57 = simd_vmad(v54, w5_1, v56);
          simd_store(v57, &y_1[(p * 128 + l + 80) * 2]);
          const doublev4 v58 = simd_vmad(v37, v2, v35);
          const doublev4 v59 = simd_vshff(v58, v58, 177);
          const doublev4 v60 = v59 * v12;
          const doublev4 v61 = simd_vmad(v58, w6_1, v60);
          simd_store(v61, &y_1[(p * 128 + l + 96) * 2]);
          const doublev4 v62 = simd_vmad(v45, v0, v42);
          const doublev4 v63 = simd_vshff(v62, v62, 177);
          const doublev4 v64 = v63 * v13;
          const doublev4 v65 = simd_vmad(v62, w7_1, v64);
          simd_store(v65, &y_1[(p * 128 + l + 112) * 2]);
        }
      }
    }
    double *const y_2 = (double *)(weft_arrays + 2816);
    double *const y_3 = (double *)(weft_arrays + 19200);
    /* jk.weft:2:9, nest 6 */
    for (ptrdiff_t task = core; task < 64; task += 64) {
      const ptrdiff_t i_1 = task / 8;
      const ptrdiff_t i_2 = task % 8;
      for (ptrdiff_t k = 0; k < 8; ++k) {
        for (ptrdiff_t l = 0; l < 16; l += 2) {
          const doublev4 x0 = weft_load_v4d(&y_1[(k * 16 + l) * 2]);
          const doublev4 x4 = weft_load_v4d(&y_1[((k + 32) * 16 + l) * 2]);
          const doublev4 x2 = weft_load_v4d(&y_1[((k + 16) * 16 + l) * 2]);
          const doublev4 x6 = weft_load_v4d(&y_1[((k + 48) * 16 + l) * 2]);
          const doublev4 x1 = weft_load_v4d(&y_1[((k + 8) * 16 + l) * 2]);
          const doublev4 x5 = weft_load_v4d(&y_1[((k + 40) * 16 + l) * 2]);
          const doublev4 x3 = weft_load_v4d(&y_1[((k + 24) * 16 + l) * 2]);
          const doublev4 x7 = weft_load_v4d(&y_1[((k + 56) * 16 + l) * 2]);
          const doublev4 v7 = x0 + x4;
          const doublev4 v8 = x2 + x6;
          const doublev4 v9 = v7 + v8;
          const doublev4 v10 = x1 + x5;
          const doublev4 v11 = x3 + x7;
          const doublev4 v12 = v10 + v11;
          const doublev4 v13 = v9 + v12;
          simd_store(v13, &y_2[(k * 16 + l) * 2]);
          const doublev4 v14 = x0 - x4;
          const doublev4 v15 = x2 - x6;
          const doublev4 v16 = simd_vshff(v15, v15, 177);
          const doublev4 v17 = simd_vmad(v16, v3, v14);
          const doublev4 v18 = x1 - x5;
          const doublev4 v19 = x3 - x7;
          const doublev4 v20 = simd_vshff(v19, v19, 177);
          const doublev4 v21 = simd_vmad(v20, v3, v18);
          const doublev4 v22 = simd_vshff(v21, v21, 177);
          const doublev4 v23 = simd_vmad(v22, v3, v21);
          const doublev4 v24 = simd_vmad(v23, v4, v17);
          simd_store(v24, &y_2[((k + 8) * 16 + l) * 2]);
          const doublev4 v25 = v7 - v8;
          const doublev4 v26 = v10 - v11;
          const doublev4 v27 = simd_vshff(v26, v26, 177);
          const doublev4 v28 = simd_vmad(v27, v3, v25);
          simd_store(v28, &y_2[((k + 16) * 16 + l) * 2]);
          const doublev4 v29 = simd_vmad(v16, v2, v14);
          const doublev4 v30 = simd_vmad(v20, v2, v18);
          const doublev4 v31 = simd_vshff(v30, v30, 177);
          const doublev4 v32 = simd_vmad(v30, v2, v31);
          const doublev4 v33 = simd_vmad(v32, v1, v29);
          simd_store(v33, &y_2[((k + 24) * 16 + l) * 2]);
          const doublev4 v34 = v9 - v12;
          simd_store(v34, &y_2[((k + 32) * 16 + l) * 2]);
          const doublev4 v35 = simd_vnmad(v23, v4, v17);
          simd_store(v35, &y_2[((k + 40) * 16 + l) * 2]);
          const doublev4 v36 = simd_vmad(v27, v2, v25);
          simd_store(v36, &y_2[((k + 48) * 16 + l) * 2]);
          const doublev4 v37 = simd_vmad(v32, v0, v29);
          simd_store(v37, &y_2[((k + 56) * 16 + l) * 2]);
        }
      }
    }
    /* jk.weft:2:9, nest 7: exchange */
    {
      const int mine = core % 8;
      for (int n = 0; n < 8; ++n) {
        const doublev4 message = weft_load_v4d(y_2 + (mine * 8 + n) * 32);
        const doublev4 message_1 = weft_load_v4d(y_2 + (mine * 8 + n) * 32 + 4);
        const doublev4 message_2 = weft_load_v4d(y_2 + (mine * 8 + n) * 32 + 8);
        const doublev4 message_3 = weft_load_v4d(y_2 + (mine * 8 + n) * 32 + 12);
        const doublev4 message_4 = weft_load_v4d(y_2 + (mine * 8 + n) * 32 + 16);
        const doublev4 message_5 = weft_load_v4d(y_2 + (mine * 8 + n) * 32 + 20);
        const doublev4 message_6 = weft_load_v4d(y_2 + (mine * 8 + n) * 32 + 24);
        const doublev4 message_7 = weft_load_v4d(y_2 + (mine * 8 + n) * 32 + 28);
        simd_store(message, y_3 + (n * 8 + mine) * 32);
        simd_store(message_1, y_3 + (n * 8 + mine) * 32 + 4);
        simd_store(message_2, y_3 + (n * 8 + mine) * 32 + 8);
        simd_store(message_3, y_3 + (n * 8 + mine) * 32 + 12);
        simd_store(message_4, y_3 + (n * 8 + mine) * 32 + 16);
        simd_store(message_5, y_3 + (n * 8 + mine) * 32 + 20);
        simd_store(message_6, y_3 + (n * 8 + mine) * 32 + 24);
        simd_store(message_7, y_3 + (n * 8 + mine) * 32 + 28);
      }
      for (int round_1 = 1; round_1 < 8; ++round_1) {
        const int other = mine ^ round_1;
        weft_sync_row();
        for (int n = 0; n < 8; ++n) {
          const doublev4 message = weft_load_v4d(y_2 + (other * 8 + n) * 32);
          const doublev4 message_1 = weft_load_v4d(y_2 + (other * 8 + n) * 32 + 4);
          const doublev4 message_2 = weft_load_v4d(y_2 + (other * 8 + n) * 32 + 8);
          const doublev4 message_3 = weft_load_v4d(y_2 + (other * 8 + n) * 32 + 12);
          const doublev4 message_4 = weft_load_v4d(y_2 + (other * 8 + n) * 32 + 16);
          const doublev4 message_5 = weft_load_v4d(y_2 + (other * 8 + n) * 32 + 20);
          const doublev4 message_6 = weft_load_v4d(y_2 + (other * 8 + n) * 32 + 24);
          const doublev4 message_7 = weft_load_v4d(y_2 + (other * 8 + n) * 32 + 28);
          weft_to_row_v4d(message, other);
          weft_to_row_v4d(message_1, other);
          simd_store(weft_from_row_v4d(), y_3 + (n * 8 + other) * 32);
          weft_to_row_v4d(message_2, other);
          simd_store(weft_from_row_v4d(), y_3 + (n * 8 + other) * 32 + 4);
          weft_to_row_v4d(message_3, other);
          simd_store(weft_from_row_v4d(), y_3 + (n * 8 + other) * 32 + 8);
          weft_to_row_v4d(message_4, other);
          simd_store(weft_from_row_v4d(), y_3 + (n * 8 + other) * 32 + 12);
          weft_to_row_v4d(message_5, other);
          simd_store(weft_from_row_v4d(), y_3 + (n * 8 + other) * 32 + 16);
          weft_to_row_v4d(message_6, other);
          simd_store(weft_from_row_v4d(), y_3 + (n * 8 + other) * 32 + 20);
          weft_to_row_v4d(message_7, other);
          simd_store(weft_from_row_v4d(), y_3 + (n * 8 + other) * 32 + 24);
          simd_store(weft_from_row_v4d(), y_3 + (n * 8 + other) * 32 + 28);
        }
      }
    }
    /* jk.weft:2:9, nest 8 */
    for (ptrdiff_t task = core; task < 64; task += 64) {
      const ptrdiff_t i_1 = task / 8;
      const ptrdiff_t i_2 = task % 8;
      weft_put(y_3, y + ((i + i_1) * 8 + i_2) * 2048, 16384, 0, 0);
      weft_wait();
    }
  }
}
