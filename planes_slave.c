/* C for sw26010, made by Weft:
 * weft compile ex.weft:planes --target=sw26010 --size a=8 --size n=60 --size m=128  # schedule of
 * planes: exchange 32 Integers wrap around: compile with -fwrapv.
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

/* The lanes of one vector in another order. */
static inline doublev4 weft_shuffle_both_v4d(doublev4 a, int lanes) {
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

/* Until all of them have ended. */
static inline void weft_wait(void) {
  while (weft_done != weft_begun)
    ;
}

_Alignas(128) static const double w_60[108] = {
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
    1.0,
    0.0,
    1.0,
    0.0,
    0.9945218953682733,
    -0.10452846326765347,
    0.9781476007338057,
    -0.20791169081775934,
    0.9510565162951535,
    -0.30901699437494745,
    0.9135454576426009,
    -0.4067366430758002,
    0.8660254037844386,
    -0.5,
    0.8090169943749475,
    -0.5877852522924731,
    0.7431448254773942,
    -0.6691306063588582,
    0.6691306063588582,
    -0.7431448254773942,
    0.5877852522924731,
    -0.8090169943749475,
    0.9781476007338057,
    -0.20791169081775934,
    0.9135454576426009,
    -0.4067366430758002,
    0.8090169943749475,
    -0.5877852522924731,
    0.6691306063588582,
    -0.7431448254773942,
    0.5,
    -0.8660254037844386,
    0.30901699437494745,
    -0.9510565162951535,
    0.10452846326765347,
    -0.9945218953682733,
    -0.10452846326765347,
    -0.9945218953682733,
    -0.30901699437494745,
    -0.9510565162951535,
    0.9510565162951535,
    -0.30901699437494745,
    0.8090169943749475,
    -0.5877852522924731,
    0.5877852522924731,
    -0.8090169943749475,
    0.30901699437494745,
    -0.9510565162951535,
    0.0,
    -1.0,
    -0.30901699437494745,
    -0.9510565162951535,
    -0.5877852522924731,
    -0.8090169943749475,
    -0.8090169943749475,
    -0.5877852522924731,
    -0.9510565162951535,
    -0.30901699437494745,
    0.9135454576426009,
    -0.4067366430758002,
    0.6691306063588582,
    -0.7431448254773942,
    0.30901699437494745,
    -0.9510565162951535,
    -0.10452846326765347,
    -0.9945218953682733,
    -0.5,
    -0.8660254037844386,
    -0.8090169943749475,
    -0.5877852522924731,
    -0.9781476007338057,
    -0.20791169081775934,
    -0.9781476007338057,
    0.20791169081775934,
    -0.8090169943749475,
    0.5877852522924731,
    0.8660254037844386,
    -0.5,
    0.5,
    -0.8660254037844386,
    0.0,
    -1.0,
    -0.5,
    -0.8660254037844386,
    -0.8660254037844386,
    -0.5,
    -1.0,
    0.0,
    -0.8660254037844386,
    0.5,
    -0.5,
    0.8660254037844386,
    0.0,
    1.0,
};

struct planes_cores {
  double *y;
  double *x;
};

/* All arrays in a core's own memory. */
__thread_local char weft_arrays[35456] __attribute__((aligned(64)));

/* planes, ex.weft:2:9: what each core does. */
void planes_cores(struct planes_cores *given) {
  const int core = athread_get_id(-1);
  weft_begin();
  double *const y = given->y;
  double *const x = given->x;
  const doublev4 v0 = weft_splat_v4d(0.8660254037844386);
  const doublev4 v1 = weft_splat_v4d(0.5);
  const doublev4 v2 = weft_splat_v4d(0.9510565162951535);
  const doublev4 v3 = weft_splat_v4d(0.5877852522924731);
  const doublev4 v4 = weft_splat_v4d(0.5590169943749475);
  const doublev4 v5 = weft_splat_v4d(0.25);
  double *const w_60_1 = (double *)(weft_arrays + 0);
  /* ex.weft:2:9, nest 1 */
  weft_get(w_60, w_60_1, 864, 0, 0);
  weft_wait();
  for (ptrdiff_t task = core; task < 64; task += 64) {
    const ptrdiff_t i = task / 8;
    const ptrdiff_t i_1 = (task % 8) * 16;
    double *const x_1 = (double *)(weft_arrays + 896);
    weft_get(x + (i * 7680 + i_1) * 2, x_1, 15360, 256, 1792);
    double *const y_1 = (double *)(weft_arrays + 16256);
    weft_wait();
    for (ptrdiff_t j = 0; j < 4; ++j) {
      double *const y_2 = (double *)(weft_arrays + 31616);
      for (ptrdiff_t p = 0; p < 6; ++p) {
        const doublev4 w1 = weft_splat_v4d(w_60_1[p * 18]);
        const doublev4 w1_1 = weft_splat_v4d(w_60_1[p * 18 + 1]);
        const doublev4 w2 = weft_splat_v4d(w_60_1[p * 18 + 2]);
        const doublev4 w2_1 = weft_splat_v4d(w_60_1[p * 18 + 3]);
        const doublev4 w3 = weft_splat_v4d(w_60_1[p * 18 + 4]);
        const doublev4 w3_1 = weft_splat_v4d(w_60_1[p * 18 + 5]);
        const doublev4 w4 = weft_splat_v4d(w_60_1[p * 18 + 6]);
        const doublev4 w4_1 = weft_splat_v4d(w_60_1[p * 18 + 7]);
        const doublev4 w5 = weft_splat_v4d(w_60_1[p * 18 + 8]);
        const doublev4 w5_1 = weft_splat_v4d(w_60_1[p * 18 + 9]);
        const doublev4 w6 = weft_splat_v4d(w_60_1[p * 18 + 10]);
        const doublev4 w6_1 = weft_splat_v4d(w_60_1[p * 18 + 11]);
        const doublev4 w7 = weft_splat_v4d(w_60_1[p * 18 + 12]);
        const doublev4 w7_1 = weft_splat_v4d(w_60_1[p * 18 + 13]);
        const doublev4 w8 = weft_splat_v4d(w_60_1[p * 18 + 14]);
        const doublev4 w8_1 = weft_splat_v4d(w_60_1[p * 18 + 15]);
        const doublev4 w9 = weft_splat_v4d(w_60_1[p * 18 + 16]);
        const doublev4 w9_1 = weft_splat_v4d(w_60_1[p * 18 + 17]);
        const doublev4 x0 = weft_load_v4d(&x_1[(p * 4 + j) * 8]);
        const doublev4 x0_1 = weft_load_v4d(&x_1[(p * 4 + j) * 8 + 4]);
        const doublev4 x0_2 = simd_vshff(x0_1, x0, 136);
        const doublev4 x0_3 = simd_vshff(x0_1, x0, 221);
        const doublev4 x2 = weft_load_v4d(&x_1[((p + 12) * 4 + j) * 8]);
        const doublev4 x2_1 = weft_load_v4d(&x_1[((p + 12) * 4 + j) * 8 + 4]);
        const doublev4 x2_2 = simd_vshff(x2_1, x2, 136);
        const doublev4 x2_3 = simd_vshff(x2_1, x2, 221);
        const doublev4 x8 = weft_load_v4d(&x_1[((p + 48) * 4 + j) * 8]);
        const doublev4 x8_1 = weft_load_v4d(&x_1[((p + 48) * 4 + j) * 8 + 4]);
        const doublev4 x8_2 = simd_vshff(x8_1, x8, 136);
        const doublev4 x8_3 = simd_vshff(x8_1, x8, 221);
        const doublev4 v6 = x2_2 + x8_2;
        const doublev4 v7 = x2_3 + x8_3;
        const doublev4 v8 = x2_2 - x8_2;
        const doublev4 v9 = x2_3 - x8_3;
        const doublev4 x4 = weft_load_v4d(&x_1[((p + 24) * 4 + j) * 8]);
        const doublev4 x4_1 = weft_load_v4d(&x_1[((p + 24) * 4 + j) * 8 + 4]);
        const doublev4 x4_2 = simd_vshff(x4_1, x4, 136);
        const doublev4 x4_3 = simd_vshff(x4_1, x4, 221);
        const doublev4 x6 = weft_load_v4d(&x_1[((p + 36) * 4 + j) * 8]);
        const doublev4 x6_1 = weft_load_v4d(&x_1[((p + 36) * 4 + j) * 8 + 4]);
        const doublev4 x6_2 = simd_vshff(x6_1, x6, 136);
        const doublev4 x6_3 = simd_vshff(x6_1, x6, 221);
        const doublev4 v10 = x4_2 + x6_2;
        const doublev4 v11 = x4_3 + x6_3;
        const doublev4 v12 = x4_2 - x6_2;
        const doublev4 v13 = x4_3 - x6_3;
        const doublev4 v14 = v6 + v10;
        const doublev4 v15 = v7 + v11;
        const doublev4 v16 = v6 - v10;
        const doublev4 v17 = v7 - v11;
        const doublev4 v18 = simd_vnmad(v14, v5, x0_2);
        const doublev4 v19 = simd_vnmad(v15, v5, x0_3);
        const doublev4 v20 = simd_vmad(v16, v4, v18);
        const doublev4 v21 = simd_vmad(v17, v4, v19);
        const doublev4 v22 = simd_vnmad(v16, v4, v18);
        const doublev4 v23 = simd_vnmad(v17, v4, v19);
        const doublev4 v24 = x0_2 + v14;
        const doublev4 v25 = x0_3 + v15;
        const doublev4 v26 = v12 * v3;
        const doublev4 v27 = v13 * v3;
        const doublev4 v28 = simd_vmad(v8, v2, v26);
        const doublev4 v29 = simd_vmad(v9, v2, v27);
        const doublev4 v30 = v20 + v29;
        const doublev4 v31 = v21 - v28;
        const doublev4 v32 = v20 - v29;
        const doublev4 v33 = v21 + v28;
        const doublev4 v34 = v12 * v2;
        const doublev4 v35 = v13 * v2;
        const doublev4 v36 = simd_vmsd(v8, v3, v34);
        const doublev4 v37 = simd_vmsd(v9, v3, v35);
        const doublev4 v38 = v22 + v37;
        const doublev4 v39 = v23 - v36;
        const doublev4 v40 = v22 - v37;
        const doublev4 v41 = v23 + v36;
        const doublev4 x5 = weft_load_v4d(&x_1[((p + 30) * 4 + j) * 8]);
        const doublev4 x5_1 = weft_load_v4d(&x_1[((p + 30) * 4 + j) * 8 + 4]);
        const doublev4 x5_2 = simd_vshff(x5_1, x5, 136);
        const doublev4 x5_3 = simd_vshff(x5_1, x5, 221);
        const doublev4 x7 = weft_load_v4d(&x_1[((p + 42) * 4 + j) * 8]);
        const doublev4 x7_1 = weft_load_v4d(&x_1[((p + 42) * 4 + j) * 8 + 4]);
        const doublev4 x7_2 = simd_vshff(x7_1, x7, 136);
        const doublev4 x7_3 = simd_vshff(x7_1, x7, 221);
        const doublev4 x3 = weft_load_v4d(&x_1[((p + 18) * 4 + j) * 8]);
        const doublev4 x3_1 = weft_load_v4d(&x_1[((p + 18) * 4 + j) * 8 + 4]);
        const doublev4 x3_2 = simd_vshff(x3_1, x3, 136);
        const doublev4 x3_3 = simd_vshff(x3_1, x3, 221);
        const doublev4 v42 = x7_2 + x3_2;
        const doublev4 v43 = x7_3 + x3_3;
        const doublev4 v44 = x7_2 - x3_2;
        const doublev4 v45 = x7_3 - x3_3;
        const doublev4 x9 = weft_load_v4d(&x_1[((p + 54) * 4 + j) * 8]);
        const doublev4 x9_1 = weft_load_v4d(&x_1[((p + 54) * 4 + j) * 8 + 4]);
        const doublev4 x9_2 = simd_vshff(x9_1, x9, 136);
        const doublev4 x9_3 = simd_vshff(x9_1, x9, 221);
        const doublev4 x1 = weft_load_v4d(&x_1[((p + 6) * 4 + j) * 8]);
        const doublev4 x1_1 = weft_load_v4d(&x_1[((p + 6) * 4 + j) * 8 + 4]);
        const doublev4 x1_2 = simd_vshff(x1_1, x1, 136);
        const doublev4 x1_3 = simd_vshff(x1_1, x1, 221);
        const doublev4 v46 = x9_2 + x1_2;
        const doublev4 v47 = x9_3 + x1_3;
        const doublev4 v48 = x9_2 - x1_2;
        const doublev4 v49 = x9_3 - x1_3;
        const doublev4 v50 = v42 + v46;
        const doublev4 v51 = v43 + v47;
        const doublev4 v52 = v42 - v46;
        const doublev4 v53 = v43 - v47;
        const doublev4 v54 = simd_vnmad(v50, v5, x5_2);
        const doublev4 v55 = simd_vnmad(v51, v5, x5_3);
        const doublev4 v56 = simd_vmad(v52, v4, v54);
        const doublev4 v57 = simd_vmad(v53, v4, v55);
        const doublev4 v58 = simd_vnmad(v52, v4, v54);
        const doublev4 v59 = simd_vnmad(v53, v4, v55);
        const doublev4 v60 = x5_2 + v50;
        const doublev4 v61 = x5_3 + v51;
        const doublev4 v62 = v48 * v3;
        const doublev4 v63 = v49 * v3;
        const doublev4 v64 = simd_vmad(v44, v2, v62);
        const doublev4 v65 = simd_vmad(v45, v2, v63);
        const doublev4 v66 = v56 + v65;
        const doublev4 v67 = v57 - v64;
        const doublev4 v68 = v56 - v65;
        const doublev4 v69 = v57 + v64;
        const doublev4 v70 = v48 * v2;
        const doublev4 v71 = v49 * v2;
        const doublev4 v72 = simd_vmsd(v44, v3, v70);
        const doublev4 v73 = simd_vmsd(v45, v3, v71);
        const doublev4 v74 = v58 + v73;
        const doublev4 v75 = v59 - v72;
        const doublev4 v76 = v58 - v73;
        const doublev4 v77 = v59 + v72;
        const doublev4 v78 = v24 + v60;
        const doublev4 v79 = v25 + v61;
        const doublev4 v80 = v24 - v60;
        const doublev4 v81 = v25 - v61;
        const doublev4 v82 = v30 + v66;
        const doublev4 v83 = v31 + v67;
        const doublev4 v84 = v30 - v66;
        const doublev4 v85 = v31 - v67;
        const doublev4 v86 = v38 + v74;
        const doublev4 v87 = v39 + v75;
        const doublev4 v88 = v38 - v74;
        const doublev4 v89 = v39 - v75;
        const doublev4 v90 = v40 + v76;
        const doublev4 v91 = v41 + v77;
        const doublev4 v92 = v40 - v76;
        const doublev4 v93 = v41 - v77;
        const doublev4 v94 = v32 + v68;
        const doublev4 v95 = v33 + v69;
        const doublev4 v96 = v32 - v68;
        const doublev4 v97 = v33 - v69;
        const doublev4 v98 = v85 * w1_1;
        const doublev4 v99 = simd_vmsd(v84, w1, v98);
        const doublev4 v100 = v85 * w1;
        const doublev4 v101 = simd_vmad(v84, w1_1, v100);
        const doublev4 v102 = v87 * w2_1;
        const doublev4 v103 = simd_vmsd(v86, w2, v102);
        const doublev4 v104 = v87 * w2;
        const doublev4 v105 = simd_vmad(v86, w2_1, v104);
        const doublev4 v106 = v93 * w3_1;
        const doublev4 v107 = simd_vmsd(v92, w3, v106);
        const doublev4 v108 = v93 * w3;
        const doublev4 v109 = simd_vmad(v92, w3_1, v108);
        const doublev4 v110 = v95 * w4_1;
        const doublev4 v111 = simd_vmsd(v94, w4, v110);
        const doublev4 v112 = v95 * w4;
        const doublev4 v113 = simd_vmad(v94, w4_1, v112);
        const doublev4 v114 = v81 * w5_1;
        const doublev4 v115 = simd_vmsd(v80, w5, v114);
        const doublev4 v116 = v81 * w5;
        const doublev4 v117 = simd_vmad(v80, w5_1, v116);
        const doublev4 v118 = v83 * w6_1;
        const doublev4 v119 = simd_vmsd(v82, w6, v118);
        const doublev4 v120 = v83 * w6;
        const doublev4 v121 = simd_vmad(v82, w6_1, v120);
        const doublev4 v122 = v89 * w7_1;
        const doublev4 v123 = simd_vmsd(v88, w7, v122);
        const doublev4 v124 = v89 * w7;
        const doublev4 v125 = simd_vmad(v88, w7_1, v124);
        const doublev4 v126 = v91 * w8_1;
        const doublev4 v127 = simd_vmsd(v90, w8, v126);
        const doublev4 v128 = v91 * w8;
        const doublev4 v129 = simd_vmad(v90, w8_1, v128);
        const doublev4 v130 = v97 * w9_1;
        const doublev4 v131 = simd_vmsd(v96, w9, v130);
        const doublev4 v132 = v97 * w9;
        const doublev4 v133 = simd_vmad(v96, w9_1, v132);
        simd_store(v78, &y_2[p * 80]);
        simd_store(v79, &y_2[p * 80 + 4]);
        simd_store(v99, &y_2[p * 80 + 8]);
        simd_store(v101, &y_2[p * 80 + 12]);
        simd_store(v103, &y_2[p * 80 + 16]);
        simd_store(v105, &y_2[p * 80 + 20]);
        simd_store(v107, &y_2[p * 80 + 24]);
        simd_store(v109, &y_2[p * 80 + 28]);
        simd_store(v111, &y_2[p * 80 + 32]);
        simd_store(v113, &y_2[p * 80 + 36]);
        simd_store(v115, &y_2[p * 80 + 40]);
        simd_store(v117, &y_2[p * 80 + 44]);
        simd_store(v119, &y_2[p * 80 + 48]);
        simd_store(v121, &y_2[p * 80 + 52]);
        simd_store(v123, &y_2[p * 80 + 56]);
        simd_store(v125, &y_2[p * 80 + 60]);
        simd_store(v127, &y_2[p * 80 + 64]);
        simd_store(v129, &y_2[p * 80 + 68]);
        simd_store(v131, &y_2[p * 80 + 72]);
        simd_store(v133, &y_2[p * 80 + 76]);
      }
      for (ptrdiff_t k = 0; k < 10; ++k) {
        const doublev4 x0 = weft_load_v4d(&y_2[k * 8]);
        const doublev4 x0_1 = weft_load_v4d(&y_2[k * 8 + 4]);
        const doublev4 x2 = weft_load_v4d(&y_2[k * 8 + 160]);
        const doublev4 x2_1 = weft_load_v4d(&y_2[k * 8 + 164]);
        const doublev4 x4 = weft_load_v4d(&y_2[k * 8 + 320]);
        const doublev4 x4_1 = weft_load_v4d(&y_2[k * 8 + 324]);
        const doublev4 v6 = x2 + x4;
        const doublev4 v7 = x2_1 + x4_1;
        const doublev4 v8 = x2 - x4;
        const doublev4 v9 = x2_1 - x4_1;
        const doublev4 v10 = x0 + v6;
        const doublev4 v11 = x0_1 + v7;
        const doublev4 v12 = simd_vnmad(v6, v1, x0);
        const doublev4 v13 = simd_vnmad(v7, v1, x0_1);
        const doublev4 v14 = simd_vmad(v9, v0, v12);
        const doublev4 v15 = simd_vnmad(v8, v0, v13);
        const doublev4 v16 = simd_vnmad(v9, v0, v12);
        const doublev4 v17 = simd_vmad(v8, v0, v13);
        const doublev4 x3 = weft_load_v4d(&y_2[k * 8 + 240]);
        const doublev4 x3_1 = weft_load_v4d(&y_2[k * 8 + 244]);
        const doublev4 x5 = weft_load_v4d(&y_2[k * 8 + 400]);
        const doublev4 x5_1 = weft_load_v4d(&y_2[k * 8 + 404]);
        const doublev4 x1 = weft_load_v4d(&y_2[k * 8 + 80]);
        const doublev4 x1_1 = weft_load_v4d(&y_2[k * 8 + 84]);
        const doublev4 v18 = x5 + x1;
        const doublev4 v19 = x5_1 + x1_1;
        const doublev4 v20 = x5 - x1;
        const doublev4 v21 = x5_1 - x1_1;
        const doublev4 v22 = x3 + v18;
        const doublev4 v23 = x3_1 + v19;
        const doublev4 v24 = simd_vnmad(v18, v1, x3);
        const doublev4 v25 = simd_vnmad(v19, v1, x3_1);
        const doublev4 v26 = simd_vmad(v21, v0, v24);
        const doublev4 v27 = simd_vnmad(v20, v0, v25);
        const doublev4 v28 = simd_vnmad(v21, v0, v24);
        const doublev4 v29 = simd_vmad(v20, v0, v25);
        const doublev4 v30 = v10 + v22;
        const doublev4 v31 = v11 + v23;
        const doublev4 v32 = v10 - v22;
        const doublev4 v33 = v11 - v23;
        const doublev4 v34 = v14 + v26;
        const doublev4 v35 = v15 + v27;
        const doublev4 v36 = v14 - v26;
        const doublev4 v37 = v15 - v27;
        const doublev4 v38 = v16 + v28;
        const doublev4 v39 = v17 + v29;
        const doublev4 v40 = v16 - v28;
        const doublev4 v41 = v17 - v29;
        const doublev4 y_3 = weft_shuffle_both_v4d(simd_vshff(v31, v30, 55364 & 255), 55364 >> 8);
        simd_store(y_3, &y_1[(k * 4 + j) * 8]);
        const doublev4 y_4 = weft_shuffle_both_v4d(simd_vshff(v31, v30, 55534 & 255), 55534 >> 8);
        simd_store(y_4, &y_1[(k * 4 + j) * 8 + 4]);
        const doublev4 y_5 = weft_shuffle_both_v4d(simd_vshff(v37, v36, 55364 & 255), 55364 >> 8);
        simd_store(y_5, &y_1[((k + 10) * 4 + j) * 8]);
        const doublev4 y_6 = weft_shuffle_both_v4d(simd_vshff(v37, v36, 55534 & 255), 55534 >> 8);
        simd_store(y_6, &y_1[((k + 10) * 4 + j) * 8 + 4]);
        const doublev4 y_7 = weft_shuffle_both_v4d(simd_vshff(v39, v38, 55364 & 255), 55364 >> 8);
        simd_store(y_7, &y_1[((k + 20) * 4 + j) * 8]);
        const doublev4 y_8 = weft_shuffle_both_v4d(simd_vshff(v39, v38, 55534 & 255), 55534 >> 8);
        simd_store(y_8, &y_1[((k + 20) * 4 + j) * 8 + 4]);
        const doublev4 y_9 = weft_shuffle_both_v4d(simd_vshff(v33, v32, 55364 & 255), 55364 >> 8);
        simd_store(y_9, &y_1[((k + 30) * 4 + j) * 8]);
        const doublev4 y_10 = weft_shuffle_both_v4d(simd_vshff(v33, v32, 55534 & 255), 55534 >> 8);
        simd_store(y_10, &y_1[((k + 30) * 4 + j) * 8 + 4]);
        const doublev4 y_11 = weft_shuffle_both_v4d(simd_vshff(v35, v34, 55364 & 255), 55364 >> 8);
        simd_store(y_11, &y_1[((k + 40) * 4 + j) * 8]);
        const doublev4 y_12 = weft_shuffle_both_v4d(simd_vshff(v35, v34, 55534 & 255), 55534 >> 8);
        simd_store(y_12, &y_1[((k + 40) * 4 + j) * 8 + 4]);
        const doublev4 y_13 = weft_shuffle_both_v4d(simd_vshff(v41, v40, 55364 & 255), 55364 >> 8);
        simd_store(y_13, &y_1[((k + 50) * 4 + j) * 8]);
        const doublev4 y_14 = weft_shuffle_both_v4d(simd_vshff(v41, v40, 55534 & 255), 55534 >> 8);
        simd_store(y_14, &y_1[((k + 50) * 4 + j) * 8 + 4]);
      }
    }
    weft_put(y_1, y + (i * 7680 + i_1) * 2, 15360, 256, 1792);
    weft_wait();
  }
}
