/* C for sw26010, made by Weft:
 * weft compile jk.weft:f --target=sw26010 --size a=64 --size n=64 --size m=64
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

_Alignas(128) static const double w_64_1[112] = {
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

struct f_cores {
  double *y;
  double *x;
};

/* All arrays in a core's own memory. */
__thread_local char weft_arrays[35584] __attribute__((aligned(64)));

/* f, jk.weft:2:13: what each core does. */
void f_cores(struct f_cores *given) {
  const int core = athread_get_id(-1);
  weft_begin();
  double *const y = given->y;
  double *const x = given->x;
  const doublev4 v0 = simd_set_doublev4(-0.7071067811865476, 0.7071067811865476,
                                        -0.7071067811865476, 0.7071067811865476);
  const doublev4 v1 = simd_set_doublev4(0.7071067811865476, -0.7071067811865476, 0.7071067811865476,
                                        -0.7071067811865476);
  const doublev4 v2 = weft_splat_v4d(0.7071067811865476);
  const doublev4 v3 = simd_set_doublev4(1.0, -1.0, 1.0, -1.0);
  const doublev4 v4 = simd_set_doublev4(-1.0, 1.0, -1.0, 1.0);
  double *const w_64_2 = (double *)(weft_arrays + 0);
  /* jk.weft:2:13, nest 1 */
  weft_get(w_64, w_64_2, 896, 0, 0);
  double *const w_64_3 = (double *)(weft_arrays + 896);
  /* jk.weft:2:9, nest 2 */
  weft_get(w_64_1, w_64_3, 896, 0, 0);
  weft_wait();
  for (ptrdiff_t i = 0; i < 64; i += 16) {
    double *const buffer0 = (double *)(weft_arrays + 18176);
    double *const buffer1 = (double *)(weft_arrays + 1792);
    double *const x_1 = (double *)(weft_arrays + 18176);
    double *const x_2 = (double *)(weft_arrays + 1792);
    /* jk.weft:2:13, nest 3 */
    for (ptrdiff_t task = core; task < 64; task += 64) {
      const ptrdiff_t i_1 = task / 8;
      const ptrdiff_t i_2 = task % 8;
      weft_get(x + ((i_1 * 2 + i) * 4 + i_2) * 2048, x_2, 16384, 0, 0);
      weft_wait();
    }
    /* jk.weft:2:13, nest 4: exchange */
    {
      const int mine = core % 8;
      for (int n = 0; n < 8; ++n) {
        const doublev4 message = weft_load_v4d(x_2 + (n * 16 + mine) * 16);
        const doublev4 message_1 = weft_load_v4d(x_2 + (n * 16 + mine) * 16 + 4);
        const doublev4 message_2 = weft_load_v4d(x_2 + (n * 16 + mine) * 16 + 8);
        const doublev4 message_3 = weft_load_v4d(x_2 + (n * 16 + mine) * 16 + 12);
        const doublev4 message_4 = weft_load_v4d(x_2 + (n * 16 + mine + 8) * 16);
        const doublev4 message_5 = weft_load_v4d(x_2 + (n * 16 + mine + 8) * 16 + 4);
        const doublev4 message_6 = weft_load_v4d(x_2 + (n * 16 + mine + 8) * 16 + 8);
        const doublev4 message_7 = weft_load_v4d(x_2 + (n * 16 + mine + 8) * 16 + 12);
        simd_store(message, x_1 + (mine * 8 + n) * 32);
        simd_store(message_1, x_1 + (mine * 8 + n) * 32 + 4);
        simd_store(message_2, x_1 + (mine * 8 + n) * 32 + 8);
        simd_store(message_3, x_1 + (mine * 8 + n) * 32 + 12);
        simd_store(message_4, x_1 + (mine * 8 + n) * 32 + 16);
        simd_store(message_5, x_1 + (mine * 8 + n) * 32 + 20);
        simd_store(message_6, x_1 + (mine * 8 + n) * 32 + 24);
        simd_store(message_7, x_1 + (mine * 8 + n) * 32 + 28);
      }
      for (int round_1 = 1; round_1 < 8; ++round_1) {
        const int other = mine ^ round_1;
        weft_sync_row();
        for (int n = 0; n < 8; ++n) {
          const doublev4 message = weft_load_v4d(x_2 + (n * 16 + other) * 16);
          const doublev4 message_1 = weft_load_v4d(x_2 + (n * 16 + other) * 16 + 4);
          const doublev4 message_2 = weft_load_v4d(x_2 + (n * 16 + other) * 16 + 8);
          const doublev4 message_3 = weft_load_v4d(x_2 + (n * 16 + other) * 16 + 12);
          const doublev4 message_4 = weft_load_v4d(x_2 + (n * 16 + other + 8) * 16);
          const doublev4 message_5 = weft_load_v4d(x_2 + (n * 16 + other + 8) * 16 + 4);
          const doublev4 message_6 = weft_load_v4d(x_2 + (n * 16 + other + 8) * 16 + 8);
          const doublev4 message_7 = weft_load_v4d(x_2 + (n * 16 + other + 8) * 16 + 12);
          weft_to_row_v4d(message, other);
          weft_to_row_v4d(message_1, other);
          simd_store(weft_from_row_v4d(), x_1 + (other * 8 + n) * 32);
          weft_to_row_v4d(message_2, other);
          simd_store(weft_from_row_v4d(), x_1 + (other * 8 + n) * 32 + 4);
          weft_to_row_v4d(message_3, other);
          simd_store(weft_from_row_v4d(), x_1 + (other * 8 + n) * 32 + 8);
          weft_to_row_v4d(message_4, other);
          simd_store(weft_from_row_v4d(), x_1 + (other * 8 + n) * 32 + 12);
          weft_to_row_v4d(message_5, other);
          simd_store(weft_from_row_v4d(), x_1 + (other * 8 + n) * 32 + 16);
          weft_to_row_v4d(message_6, other);
          simd_store(weft_from_row_v4d(), x_1 + (other * 8 + n) * 32 + 20);
          weft_to_row_v4d(message_7, other);
          simd_store(weft_from_row_v4d(), x_1 + (other * 8 + n) * 32 + 24);
          simd_store(weft_from_row_v4d(), x_1 + (other * 8 + n) * 32 + 28);
        }
      }
    }
    /* jk.weft:2:13, nest 5 */
    for (ptrdiff_t task = core; task < 64; task += 64) {
      const ptrdiff_t i_1 = task / 8;
      const ptrdiff_t i_2 = task % 8;
      for (ptrdiff_t k = 0; k < 2; ++k) {
        for (ptrdiff_t p = 0; p < 8; ++p) {
          const doublev4 w1 = weft_splat_v4d(w_64_2[p * 14 + 1]);
          const doublev4 v5 = w1 * v4;
          const doublev4 w1_1 = weft_splat_v4d(w_64_2[p * 14]);
          const doublev4 w2 = weft_splat_v4d(w_64_2[p * 14 + 3]);
          const doublev4 v6 = w2 * v4;
          const doublev4 w2_1 = weft_splat_v4d(w_64_2[p * 14 + 2]);
          const doublev4 w3 = weft_splat_v4d(w_64_2[p * 14 + 5]);
          const doublev4 v7 = w3 * v4;
          const doublev4 w3_1 = weft_splat_v4d(w_64_2[p * 14 + 4]);
          const doublev4 w4 = weft_splat_v4d(w_64_2[p * 14 + 7]);
          const doublev4 v8 = w4 * v4;
          const doublev4 w4_1 = weft_splat_v4d(w_64_2[p * 14 + 6]);
          const doublev4 w5 = weft_splat_v4d(w_64_2[p * 14 + 9]);
          const doublev4 v9 = w5 * v4;
          const doublev4 w5_1 = weft_splat_v4d(w_64_2[p * 14 + 8]);
          const doublev4 w6 = weft_splat_v4d(w_64_2[p * 14 + 11]);
          const doublev4 v10 = w6 * v4;
          const doublev4 w6_1 = weft_splat_v4d(w_64_2[p * 14 + 10]);
          const doublev4 w7 = weft_splat_v4d(w_64_2[p * 14 + 13]);
          const doublev4 v11 = w7 * v4;
          const doublev4 w7_1 = weft_splat_v4d(w_64_2[p * 14 + 12]);
          for (ptrdiff_t m = 0; m < 8; m += 2) {
            const doublev4 x0 = weft_load_v4d(&x_1[((k * 64 + p) * 8 + m) * 2]);
            const doublev4 x4 = weft_load_v4d(&x_1[((k * 64 + p + 32) * 8 + m) * 2]);
            const doublev4 x2 = weft_load_v4d(&x_1[((k * 64 + p + 16) * 8 + m) * 2]);
            const doublev4 x6 = weft_load_v4d(&x_1[((k * 64 + p + 48) * 8 + m) * 2]);
            const doublev4 x1 = weft_load_v4d(&x_1[((k * 64 + p + 8) * 8 + m) * 2]);
            const doublev4 x5 = weft_load_v4d(&x_1[((k * 64 + p + 40) * 8 + m) * 2]);
            const doublev4 x3 = weft_load_v4d(&x_1[((k * 64 + p + 24) * 8 + m) * 2]);
            const doublev4 x7 = weft_load_v4d(&x_1[((k * 64 + p + 56) * 8 + m) * 2]);
            const doublev4 v12 = x0 + x4;
            const doublev4 v13 = x2 + x6;
            const doublev4 v14 = v12 + v13;
            const doublev4 v15 = x1 + x5;
            const doublev4 v16 = x3 + x7;
            const doublev4 v17 = v15 + v16;
            const doublev4 v18 = v14 + v17;
            simd_store(v18, &buffer1[((p * 16 + k) * 8 + m) * 2]);
            const doublev4 v19 = x0 - x4;
            const doublev4 v20 = x2 - x6;
            const doublev4 v21 = simd_vshff(v20, v20, 177);
            const doublev4 v22 = simd_vmad(v21, v3, v19);
            const doublev4 v23 = x1 - x5;
            const doublev4 v24 = x3 - x7;
            const doublev4 v25 = simd_vshff(v24, v24, 177);
            const doublev4 v26 = simd_vmad(v25, v3, v23);
            const doublev4 v27 = simd_vshff(v26, v26, 177);
            const doublev4 v28 = simd_vmad(v27, v3, v26);
            const doublev4 v29 = simd_vmad(v28, v2, v22);
            const doublev4 v30 = simd_vshff(v29, v29, 177);
            const doublev4 v31 = v30 * v5;
            const doublev4 v32 = simd_vmad(v29, w1_1, v31);
            simd_store(v32, &buffer1[((p * 16 + k + 2) * 8 + m) * 2]);
            const doublev4 v33 = v12 - v13;
            const doublev4 v34 = v15 - v16;
            const doublev4 v35 = simd_vshff(v34, v34, 177);
            const doublev4 v36 = simd_vmad(v35, v3, v33);
            const doublev4 v37 = simd_vshff(v36, v36, 177);
            const doublev4 v38 = v37 * v6;
            const doublev4 v39 = simd_vmad(v36, w2_1, v38);
            simd_store(v39, &buffer1[((p * 16 + k + 4) * 8 + m) * 2]);
            const doublev4 v40 = simd_vmad(v21, v4, v19);
            const doublev4 v41 = simd_vmad(v25, v4, v23);
            const doublev4 v42 = simd_vshff(v41, v41, 177);
            const doublev4 v43 = simd_vmad(v41, v4, v42);
            const doublev4 v44 = simd_vmad(v43, v1, v40);
            const doublev4 v45 = simd_vshff(v44, v44, 177);
            const doublev4 v46 = v45 * v7;
            const doublev4 v47 = simd_vmad(v44, w3_1, v46);
            simd_store(v47, &buffer1[((p * 16 + k + 6) * 8 + m) * 2]);
            const doublev4 v48 = v14 - v17;
            const doublev4 v49 = simd_vshff(v48, v48, 177);
            const doublev4 v50 = v49 * v8;
            const doublev4 v51 = simd_vmad(v48, w4_1, v50);
            simd_store(v51, &buffer1[((p * 16 + k + 8) * 8 + m) * 2]);
            const doublev4 v52 = simd_vnmad(v28, v2, v22);
            const doublev4 v53 = simd_vshff(v52, v52, 177);
            const doublev4 v54 = v53 * v9;
            const doublev4 v55 = simd_vmad(v52, w5_1, v54);
            simd_store(v55, &buffer1[((p * 16 + k + 10) * 8 + m) * 2]);
            const doublev4 v56 = simd_vmad(v35, v4, v33);
            const doublev4 v57 = simd_vshff(v56, v56, 177);
            const doublev4 v58 = v57 * v10;
            const doublev4 v59 = simd_vmad(v56, w6_1, v58);
            simd_store(v59, &buffer1[((p * 16 + k + 12) * 8 + m) * 2]);
            const doublev4 v60 = simd_vmad(v43, v0, v40);
            const doublev4 v61 = simd_vshff(v60, v60, 177);
            const doublev4 v62 = v61 * v11;
            const doublev4 v63 = simd_vmad(v60, w7_1, v62);
            simd_store(v63, &buffer1[((p * 16 + k + 14) * 8 + m) * 2]);
          }
        }
      }
    }
    /* jk.weft:2:13, nest 6 */
    for (ptrdiff_t task = core; task < 64; task += 64) {
      const ptrdiff_t i_1 = task / 8;
      const ptrdiff_t i_2 = task % 8;
      for (ptrdiff_t k = 0; k < 2; ++k) {
        for (ptrdiff_t l = 0; l < 8; ++l) {
          for (ptrdiff_t m = 0; m < 8; m += 2) {
            const doublev4 x0 = weft_load_v4d(&buffer1[((l * 2 + k) * 8 + m) * 2]);
            const doublev4 x4 = weft_load_v4d(&buffer1[(((l + 32) * 2 + k) * 8 + m) * 2]);
            const doublev4 x2 = weft_load_v4d(&buffer1[(((l + 16) * 2 + k) * 8 + m) * 2]);
            const doublev4 x6 = weft_load_v4d(&buffer1[(((l + 48) * 2 + k) * 8 + m) * 2]);
            const doublev4 x1 = weft_load_v4d(&buffer1[(((l + 8) * 2 + k) * 8 + m) * 2]);
            const doublev4 x5 = weft_load_v4d(&buffer1[(((l + 40) * 2 + k) * 8 + m) * 2]);
            const doublev4 x3 = weft_load_v4d(&buffer1[(((l + 24) * 2 + k) * 8 + m) * 2]);
            const doublev4 x7 = weft_load_v4d(&buffer1[(((l + 56) * 2 + k) * 8 + m) * 2]);
            const doublev4 v5 = x0 + x4;
            const doublev4 v6 = x2 + x6;
            const doublev4 v7 = v5 + v6;
            const doublev4 v8 = x1 + x5;
            const doublev4 v9 = x3 + x7;
            const doublev4 v10 = v8 + v9;
            const doublev4 v11 = v7 + v10;
            simd_store(v11, &buffer1[((l * 2 + k) * 8 + m) * 2]);
            const doublev4 v12 = x0 - x4;
            const doublev4 v13 = x2 - x6;
            const doublev4 v14 = simd_vshff(v13, v13, 177);
            const doublev4 v15 = simd_vmad(v14, v3, v12);
            const doublev4 v16 = x1 - x5;
            const doublev4 v17 = x3 - x7;
            const doublev4 v18 = simd_vshff(v17, v17, 177);
            const doublev4 v19 = simd_vmad(v18, v3, v16);
            const doublev4 v20 = simd_vshff(v19, v19, 177);
            const doublev4 v21 = simd_vmad(v20, v3, v19);
            const doublev4 v22 = simd_vmad(v21, v2, v15);
            simd_store(v22, &buffer1[(((l + 8) * 2 + k) * 8 + m) * 2]);
            const doublev4 v23 = v5 - v6;
            const doublev4 v24 = v8 - v9;
            const doublev4 v25 = simd_vshff(v24, v24, 177);
            const doublev4 v26 = simd_vmad(v25, v3, v23);
            simd_store(v26, &buffer1[(((l + 16) * 2 + k) * 8 + m) * 2]);
            const doublev4 v27 = simd_vmad(v14, v4, v12);
            const doublev4 v28 = simd_vmad(v18, v4, v16);
            const doublev4 v29 = simd_vshff(v28, v28, 177);
            const doublev4 v30 = simd_vmad(v28, v4, v29);
            const doublev4 v31 = simd_vmad(v30, v1, v27);
            simd_store(v31, &buffer1[(((l + 24) * 2 + k) * 8 + m) * 2]);
            const doublev4 v32 = v7 - v10;
            simd_store(v32, &buffer1[(((l + 32) * 2 + k) * 8 + m) * 2]);
            const doublev4 v33 = simd_vnmad(v21, v2, v15);
            simd_store(v33, &buffer1[(((l + 40) * 2 + k) * 8 + m) * 2]);
            const doublev4 v34 = simd_vmad(v25, v4, v23);
            simd_store(v34, &buffer1[(((l + 48) * 2 + k) * 8 + m) * 2]);
            const doublev4 v35 = simd_vmad(v30, v0, v27);
            simd_store(v35, &buffer1[(((l + 56) * 2 + k) * 8 + m) * 2]);
          }
        }
      }
    }
    /* jk.weft:2:9, nest 7: exchange */
    {
      const int mine = core % 8;
      for (int n = 0; n < 8; ++n) {
        const doublev4 message = weft_load_v4d(buffer1 + (mine * 8 + n) * 32);
        const doublev4 message_1 = weft_load_v4d(buffer1 + (mine * 8 + n) * 32 + 4);
        const doublev4 message_2 = weft_load_v4d(buffer1 + (mine * 8 + n) * 32 + 8);
        const doublev4 message_3 = weft_load_v4d(buffer1 + (mine * 8 + n) * 32 + 12);
        const doublev4 message_4 = weft_load_v4d(buffer1 + (mine * 8 + n) * 32 + 16);
        const doublev4 message_5 = weft_load_v4d(buffer1 + (mine * 8 + n) * 32 + 20);
        const doublev4 message_6 = weft_load_v4d(buffer1 + (mine * 8 + n) * 32 + 24);
        const doublev4 message_7 = weft_load_v4d(buffer1 + (mine * 8 + n) * 32 + 28);
        simd_store(message, buffer0 + (n * 16 + mine) * 16);
        simd_store(message_1, buffer0 + (n * 16 + mine) * 16 + 4);
        simd_store(message_2, buffer0 + (n * 16 + mine) * 16 + 8);
        simd_store(message_3, buffer0 + (n * 16 + mine) * 16 + 12);
        simd_store(message_4, buffer0 + (n * 16 + mine + 8) * 16);
        simd_store(message_5, buffer0 + (n * 16 + mine + 8) * 16 + 4);
        simd_store(message_6, buffer0 + (n * 16 + mine + 8) * 16 + 8);
        simd_store(message_7, buffer0 + (n * 16 + mine + 8) * 16 + 12);
      }
      for (int round_1 = 1; round_1 < 8; ++round_1) {
        const int other = mine ^ round_1;
        weft_sync_row();
        for (int n = 0; n < 8; ++n) {
          const doublev4 message = weft_load_v4d(buffer1 + (other * 8 + n) * 32);
          const doublev4 message_1 = weft_load_v4d(buffer1 + (other * 8 + n) * 32 + 4);
          const doublev4 message_2 = weft_load_v4d(buffer1 + (other * 8 + n) * 32 + 8);
          const doublev4 message_3 = weft_load_v4d(buffer1 + (other * 8 + n) * 32 + 12);
          const doublev4 message_4 = weft_load_v4d(buffer1 + (other * 8 + n) * 32 + 16);
          const doublev4 message_5 = weft_load_v4d(buffer1 + (other * 8 + n) * 32 + 20);
          const doublev4 message_6 = weft_load_v4d(buffer1 + (other * 8 + n) * 32 + 24);
          const doublev4 message_7 = weft_load_v4d(buffer1 + (other * 8 + n) * 32 + 28);
          weft_to_row_v4d(message, other);
          weft_to_row_v4d(message_1, other);
          simd_store(weft_from_row_v4d(), buffer0 + (n * 16 + other) * 16);
          weft_to_row_v4d(message_2, other);
          simd_store(weft_from_row_v4d(), buffer0 + (n * 16 + other) * 16 + 4);
          weft_to_row_v4d(message_3, other);
          simd_store(weft_from_row_v4d(), buffer0 + (n * 16 + other) * 16 + 8);
          weft_to_row_v4d(message_4, other);
          simd_store(weft_from_row_v4d(), buffer0 + (n * 16 + other) * 16 + 12);
          weft_to_row_v4d(message_5, other);
          simd_store(weft_from_row_v4d(), buffer0 + (n * 16 + other + 8) * 16);
          weft_to_row_v4d(message_6, other);
          simd_store(weft_from_row_v4d(), buffer0 + (n * 16 + other + 8) * 16 + 4);
          weft_to_row_v4d(message_7, other);
          simd_store(weft_from_row_v4d(), buffer0 + (n * 16 + other + 8) * 16 + 8);
          simd_store(weft_from_row_v4d(), buffer0 + (n * 16 + other + 8) * 16 + 12);
        }
      }
    }
    /* jk.weft:2:9, nest 8 */
    for (ptrdiff_t task = core; task < 64; task += 64) {
      const ptrdiff_t i_1 = task / 8;
      const ptrdiff_t i_2 = task % 8;
      double *const buffer2 = (double *)(weft_arrays + 1792);
      for (ptrdiff_t k = 0; k < 2; ++k) {
        for (ptrdiff_t l = 0; l < 8; ++l) {
          double *const y_1 = (double *)(weft_arrays + 34560);
          for (ptrdiff_t p = 0; p < 8; p += 2) {
            const doublev4 x0 = weft_load_v4d(&buffer0[((l * 2 + k) * 64 + p) * 2]);
            const doublev4 x4 = weft_load_v4d(&buffer0[((l * 2 + k) * 64 + p + 32) * 2]);
            const doublev4 x2 = weft_load_v4d(&buffer0[((l * 2 + k) * 64 + p + 16) * 2]);
            const doublev4 x6 = weft_load_v4d(&buffer0[((l * 2 + k) * 64 + p + 48) * 2]);
            const doublev4 x1 = weft_load_v4d(&buffer0[((l * 2 + k) * 64 + p + 8) * 2]);
            const doublev4 x5 = weft_load_v4d(&buffer0[((l * 2 + k) * 64 + p + 40) * 2]);
            const doublev4 x3 = weft_load_v4d(&buffer0[((l * 2 + k) * 64 + p + 24) * 2]);
            const doublev4 x7 = weft_load_v4d(&buffer0[((l * 2 + k) * 64 + p + 56) * 2]);
            const doublev4 w1 = weft_load_v4d(&w_64_3[p * 2]);
            const doublev4 w2 = weft_load_v4d(&w_64_3[p * 2 + 16]);
            const doublev4 w3 = weft_load_v4d(&w_64_3[p * 2 + 32]);
            const doublev4 w4 = weft_load_v4d(&w_64_3[p * 2 + 48]);
            const doublev4 w5 = weft_load_v4d(&w_64_3[p * 2 + 64]);
            const doublev4 w6 = weft_load_v4d(&w_64_3[p * 2 + 80]);
            const doublev4 w7 = weft_load_v4d(&w_64_3[p * 2 + 96]);
            const doublev4 v5 = x0 + x4;
            const doublev4 v6 = x2 + x6;
            const doublev4 v7 = v5 + v6;
            const doublev4 v8 = x1 + x5;
            const doublev4 v9 = x3 + x7;
            const doublev4 v10 = v8 + v9;
            const doublev4 v11 = v7 + v10;
            const doublev4 v12 = x0 - x4;
            const doublev4 v13 = x2 - x6;
            const doublev4 v14 = simd_vshff(v13, v13, 177);
            const doublev4 v15 = simd_vmad(v14, v3, v12);
            const doublev4 v16 = x1 - x5;
            const doublev4 v17 = x3 - x7;
            const doublev4 v18 = simd_vshff(v17, v17, 177);
            const doublev4 v19 = simd_vmad(v18, v3, v16);
            const doublev4 v20 = simd_vshff(v19, v19, 177);
            const doublev4 v21 = simd_vmad(v20, v3, v19);
            const doublev4 v22 = simd_vmad(v21, v2, v15);
            const doublev4 v23 = simd_vshff(v22, v22, 177);
            const doublev4 w1_1 = simd_vshff(w1, w1, 245);
            const doublev4 v24 = v23 * w1_1;
            const doublev4 w1_2 = simd_vshff(w1, w1, 160);
            const doublev4 v25 = v24 * v4;
            const doublev4 v26 = simd_vmad(v22, w1_2, v25);
            const doublev4 y_2 = simd_vshff(v26, v11, 68);
            const doublev4 y_3 = simd_vshff(v26, v11, 238);
            simd_store(y_2, &y_1[p * 16]);
            simd_store(y_3, &y_1[p * 16 + 16]);
            const doublev4 v27 = v5 - v6;
            const doublev4 v28 = v8 - v9;
            const doublev4 v29 = simd_vshff(v28, v28, 177);
            const doublev4 v30 = simd_vmad(v29, v3, v27);
            const doublev4 v31 = simd_vshff(v30, v30, 177);
            const doublev4 w2_1 = simd_vshff(w2, w2, 245);
            const doublev4 v32 = v31 * w2_1;
            const doublev4 w2_2 = simd_vshff(w2, w2, 160);
            const doublev4 v33 = v32 * v4;
            const doublev4 v34 = simd_vmad(v30, w2_2, v33);
            const doublev4 v35 = simd_vmad(v14, v4, v12);
            const doublev4 v36 = simd_vmad(v18, v4, v16);
            const doublev4 v37 = simd_vshff(v36, v36, 177);
            const doublev4 v38 = simd_vmad(v36, v4, v37);
            const doublev4 v39 = simd_vmad(v38, v1, v35);
            const doublev4 v40 = simd_vshff(v39, v39, 177);
            const doublev4 w3_1 = simd_vshff(w3, w3, 245);
            const doublev4 v41 = v40 * w3_1;
            const doublev4 w3_2 = simd_vshff(w3, w3, 160);
            const doublev4 v42 = v41 * v4;
            const doublev4 v43 = simd_vmad(v39, w3_2, v42);
            const doublev4 y_4 = simd_vshff(v43, v34, 68);
            const doublev4 y_5 = simd_vshff(v43, v34, 238);
            simd_store(y_4, &y_1[p * 16 + 4]);
            simd_store(y_5, &y_1[p * 16 + 20]);
            const doublev4 v44 = v7 - v10;
            const doublev4 v45 = simd_vshff(v44, v44, 177);
            const doublev4 w4_1 = simd_vshff(w4, w4, 245);
            const doublev4 v46 = v45 * w4_1;
            const doublev4 w4_2 = simd_vshff(w4, w4, 160);
            const doublev4 v47 = v46 * v4;
            const doublev4 v48 = simd_vmad(v44, w4_2, v47);
            const doublev4 v49 = simd_vnmad(v21, v2, v15);
            const doublev4 v50 = simd_vshff(v49, v49, 177);
            const doublev4 w5_1 = simd_vshff(w5, w5, 245);
            const doublev4 v51 = v50 * w5_1;
            const doublev4 w5_2 = simd_vshff(w5, w5, 160);
            const doublev4 v52 = v51 * v4;
            const doublev4 v53 = simd_vmad(v49, w5_2, v52);
            const doublev4 y_6 = simd_vshff(v53, v48, 68);
            const doublev4 y_7 = simd_vshff(v53, v48, 238);
            simd_store(y_6, &y_1[p * 16 + 8]);
            simd_store(y_7, &y_1[p * 16 + 24]);
            const doublev4 v54 = simd_vmad(v29, v4, v27);
            const doublev4 v55 = simd_vshff(v54, v54, 177);
            const doublev4 w6_1 = simd_vshff(w6, w6, 245);
            const doublev4 v56 = v55 * w6_1;
            const doublev4 w6_2 = simd_vshff(w6, w6, 160);
            const doublev4 v57 = v56 * v4;
            const doublev4 v58 = simd_vmad(v54, w6_2, v57);
            const doublev4 v59 = simd_vmad(v38, v0, v35);
            const doublev4 v60 = simd_vshff(v59, v59, 177);
            const doublev4 w7_1 = simd_vshff(w7, w7, 245);
            const doublev4 v61 = v60 * w7_1;
            const doublev4 w7_2 = simd_vshff(w7, w7, 160);
            const doublev4 v62 = v61 * v4;
            const doublev4 v63 = simd_vmad(v59, w7_2, v62);
            const doublev4 y_8 = simd_vshff(v63, v58, 68);
            const doublev4 y_9 = simd_vshff(v63, v58, 238);
            simd_store(y_8, &y_1[p * 16 + 12]);
            simd_store(y_9, &y_1[p * 16 + 28]);
          }
          for (ptrdiff_t m = 0; m < 8; m += 2) {
            const doublev4 x0 = weft_load_v4d(&y_1[m * 2]);
            const doublev4 x4 = weft_load_v4d(&y_1[m * 2 + 64]);
            const doublev4 x2 = weft_load_v4d(&y_1[m * 2 + 32]);
            const doublev4 x6 = weft_load_v4d(&y_1[m * 2 + 96]);
            const doublev4 x1 = weft_load_v4d(&y_1[m * 2 + 16]);
            const doublev4 x5 = weft_load_v4d(&y_1[m * 2 + 80]);
            const doublev4 x3 = weft_load_v4d(&y_1[m * 2 + 48]);
            const doublev4 x7 = weft_load_v4d(&y_1[m * 2 + 112]);
            const doublev4 v5 = x0 + x4;
            const doublev4 v6 = x2 + x6;
            const doublev4 v7 = v5 + v6;
            const doublev4 v8 = x1 + x5;
            const doublev4 v9 = x3 + x7;
            const doublev4 v10 = v8 + v9;
            const doublev4 v11 = v7 + v10;
            simd_store(v11, &buffer2[((k * 8 + l) * 64 + m) * 2]);
            const doublev4 v12 = x0 - x4;
            const doublev4 v13 = x2 - x6;
            const doublev4 v14 = simd_vshff(v13, v13, 177);
            const doublev4 v15 = simd_vmad(v14, v3, v12);
            const doublev4 v16 = x1 - x5;
            const doublev4 v17 = x3 - x7;
            const doublev4 v18 = simd_vshff(v17, v17, 177);
            const doublev4 v19 = simd_vmad(v18, v3, v16);
            const doublev4 v20 = simd_vshff(v19, v19, 177);
            const doublev4 v21 = simd_vmad(v20, v3, v19);
            const doublev4 v22 = simd_vmad(v21, v2, v15);
            simd_store(v22, &buffer2[((k * 8 + l) * 64 + m + 8) * 2]);
            const doublev4 v23 = v5 - v6;
            const doublev4 v24 = v8 - v9;
            const doublev4 v25 = simd_vshff(v24, v24, 177);
            const doublev4 v26 = simd_vmad(v25, v3, v23);
            simd_store(v26, &buffer2[((k * 8 + l) * 64 + m + 16) * 2]);
            const doublev4 v27 = simd_vmad(v14, v4, v12);
            const doublev4 v28 = simd_vmad(v18, v4, v16);
            const doublev4 v29 = simd_vshff(v28, v28, 177);
            const doublev4 v30 = simd_vmad(v28, v4, v29);
            const doublev4 v31 = simd_vmad(v30, v1, v27);
            simd_store(v31, &buffer2[((k * 8 + l) * 64 + m + 24) * 2]);
            const doublev4 v32 = v7 - v10;
            simd_store(v32, &buffer2[((k * 8 + l) * 64 + m + 32) * 2]);
            const doublev4 v33 = simd_vnmad(v21, v2, v15);
            simd_store(v33, &buffer2[((k * 8 + l) * 64 + m + 40) * 2]);
            const doublev4 v34 = simd_vmad(v25, v4, v23);
            simd_store(v34, &buffer2[((k * 8 + l) * 64 + m + 48) * 2]);
            const doublev4 v35 = simd_vmad(v30, v0, v27);
            simd_store(v35, &buffer2[((k * 8 + l) * 64 + m + 56) * 2]);
          }
        }
      }
      weft_put(buffer2, y + ((i_1 * 2 + i) * 8 + i_2) * 1024, 16384, 8192, 57344);
      weft_wait();
    }
  }
}
