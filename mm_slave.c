/* C for sw26010, made by Weft:
 * weft compile one.weft:mm --target=sw26010 --size M=512 --size N=512 --size K=512
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

/* Until all cores are here, what each has put being there for all. */
static inline void weft_sync(void) { athread_syn(ARRAY_SCOPE, 0xffff); }

static inline void weft_sync_row(void) { athread_syn(ROW_SCOPE, 0xff); }

static inline void weft_sync_column(void) { athread_syn(COL_SCOPE, 0xff); }

static inline doublev4 weft_from_row_v4d(void) {
  doublev4 v;
  simd_getr(v);
  return v;
}

static inline doublev4 weft_from_column_v4d(void) {
  doublev4 v;
  simd_getc(v);
  return v;
}

struct mm_cores {
  double *c;
  double *b;
  double *a;
};

/* All arrays in a core's own memory. */
__thread_local char weft_arrays[53248] __attribute__((aligned(64)));

/* mm, one.weft:2:5: what each core does. */
void mm_cores(struct mm_cores *given) {
  const int core = athread_get_id(-1);
  weft_begin();
  double *const c = given->c;
  double *const b = given->b;
  double *const a = given->a;
  const doublev4 v0 = weft_splat_v4d(0.0);
  double *const c_block = (double *)(weft_arrays + 0);
  double *const a_coming = (double *)(weft_arrays + 40960);
  double *const a_part = (double *)(weft_arrays + 45056);
  double *const a_sent = (double *)(weft_arrays + 49152);
  double *const b_coming = (double *)(weft_arrays + 16384);
  double *const b_part = (double *)(weft_arrays + 24576);
  double *const b_sent = (double *)(weft_arrays + 32768);
  /* one.weft:2:5 */
  for (ptrdiff_t task = core; task < 64; task += 64) {
    const ptrdiff_t c_1 = task / 8;
    const ptrdiff_t c_2 = task % 8;
    weft_get(a + (c_1 * 1024 + c_2) * 16, a_coming, 4096, 128, 3968);
    weft_get(b + (c_1 * 128 + c_2) * 64, b_coming, 8192, 512, 3584);
  }
  for (ptrdiff_t c_1 = 0; c_1 < 2; ++c_1) {
    for (ptrdiff_t task = core; task < 64; task += 64) {
      const ptrdiff_t c_2 = task / 8;
      const ptrdiff_t c_3 = task % 8;
      for (ptrdiff_t c_4 = 0; c_4 < 2048; c_4 += 16) {
        simd_store(v0, &c_block[c_4]);
        simd_store(v0, &c_block[c_4 + 4]);
        simd_store(v0, &c_block[c_4 + 8]);
        simd_store(v0, &c_block[c_4 + 12]);
      }
    }
    for (ptrdiff_t c_2 = 0; c_2 < 4; ++c_2) {
      weft_wait();
      for (ptrdiff_t task = core; task < 64; task += 64) {
        const ptrdiff_t c_3 = task / 8;
        const ptrdiff_t c_4 = task % 8;
        for (ptrdiff_t c_5 = 0; c_5 < 512; c_5 += 16) {
          const doublev4 c_6 = weft_load_v4d(&a_coming[c_5]);
          simd_store(c_6, &a_part[c_5]);
          const doublev4 c_7 = weft_load_v4d(&a_coming[c_5 + 4]);
          simd_store(c_7, &a_part[c_5 + 4]);
          const doublev4 c_8 = weft_load_v4d(&a_coming[c_5 + 8]);
          simd_store(c_8, &a_part[c_5 + 8]);
          const doublev4 c_9 = weft_load_v4d(&a_coming[c_5 + 12]);
          simd_store(c_9, &a_part[c_5 + 12]);
        }
      }
      for (ptrdiff_t task = core; task < 64; task += 64) {
        const ptrdiff_t c_3 = task / 8;
        const ptrdiff_t c_4 = task % 8;
        for (ptrdiff_t c_5 = 0; c_5 < 1024; c_5 += 16) {
          const doublev4 c_6 = weft_load_v4d(&b_coming[c_5]);
          simd_store(c_6, &b_part[c_5]);
          const doublev4 c_7 = weft_load_v4d(&b_coming[c_5 + 4]);
          simd_store(c_7, &b_part[c_5 + 4]);
          const doublev4 c_8 = weft_load_v4d(&b_coming[c_5 + 8]);
          simd_store(c_8, &b_part[c_5 + 8]);
          const doublev4 c_9 = weft_load_v4d(&b_coming[c_5 + 12]);
          simd_store(c_9, &b_part[c_5 + 12]);
        }
      }
      for (ptrdiff_t task = core; task < 64; task += 64) {
        const ptrdiff_t c_3 = task / 8;
        const ptrdiff_t c_4 = task % 8;
        weft_get(a + ((((-(((c_1 + (c_2 + 1) / 4) / 2) * 2) + c_1) * 256 + ((c_2 + 1) / 4) * 255 +
                        c_3 * 32) *
                           4 +
                       c_2 + 1) *
                          8 +
                      c_4) *
                         16,
                 a_coming, 4096, 128, 3968);
        weft_get(b + (((-(((c_2 + 1) / 4) * 4) + c_2 + 1) * 8 + c_3) * 128 + c_4) * 64, b_coming,
                 8192, 512, 3584);
      }
      for (ptrdiff_t c_3 = 0; c_3 < 8; ++c_3) {
        weft_sync_row();
        if (core % 8 == c_3) {
          for (int n = 0; n < 512; n += 32) {
            {
              const doublev4 message = weft_load_v4d(a_part + n);
              simd_putr(message, 8);
              simd_store(message, a_sent + n);
            }
            {
              const doublev4 message = weft_load_v4d(a_part + n + 4);
              simd_putr(message, 8);
              simd_store(message, a_sent + n + 4);
            }
            {
              const doublev4 message = weft_load_v4d(a_part + n + 8);
              simd_putr(message, 8);
              simd_store(message, a_sent + n + 8);
            }
            {
              const doublev4 message = weft_load_v4d(a_part + n + 12);
              simd_putr(message, 8);
              simd_store(message, a_sent + n + 12);
            }
            {
              const doublev4 message = weft_load_v4d(a_part + n + 16);
              simd_putr(message, 8);
              simd_store(message, a_sent + n + 16);
            }
            {
              const doublev4 message = weft_load_v4d(a_part + n + 20);
              simd_putr(message, 8);
              simd_store(message, a_sent + n + 20);
            }
            {
              const doublev4 message = weft_load_v4d(a_part + n + 24);
              simd_putr(message, 8);
              simd_store(message, a_sent + n + 24);
            }
            {
              const doublev4 message = weft_load_v4d(a_part + n + 28);
              simd_putr(message, 8);
              simd_store(message, a_sent + n + 28);
            }
          }
        } else {
          for (int n = 0; n < 512; n += 32) {
            simd_store(weft_from_row_v4d(), a_sent + n);
            simd_store(weft_from_row_v4d(), a_sent + n + 4);
            simd_store(weft_from_row_v4d(), a_sent + n + 8);
            simd_store(weft_from_row_v4d(), a_sent + n + 12);
            simd_store(weft_from_row_v4d(), a_sent + n + 16);
            simd_store(weft_from_row_v4d(), a_sent + n + 20);
            simd_store(weft_from_row_v4d(), a_sent + n + 24);
            simd_store(weft_from_row_v4d(), a_sent + n + 28);
          }
        }
        weft_sync_column();
        if (core / 8 == c_3) {
          for (int n = 0; n < 1024; n += 32) {
            {
              const doublev4 message = weft_load_v4d(b_part + n);
              simd_putc(message, 8);
              simd_store(message, b_sent + n);
            }
            {
              const doublev4 message = weft_load_v4d(b_part + n + 4);
              simd_putc(message, 8);
              simd_store(message, b_sent + n + 4);
            }
            {
              const doublev4 message = weft_load_v4d(b_part + n + 8);
              simd_putc(message, 8);
              simd_store(message, b_sent + n + 8);
            }
            {
              const doublev4 message = weft_load_v4d(b_part + n + 12);
              simd_putc(message, 8);
              simd_store(message, b_sent + n + 12);
            }
            {
              const doublev4 message = weft_load_v4d(b_part + n + 16);
              simd_putc(message, 8);
              simd_store(message, b_sent + n + 16);
            }
            {
              const doublev4 message = weft_load_v4d(b_part + n + 20);
              simd_putc(message, 8);
              simd_store(message, b_sent + n + 20);
            }
            {
              const doublev4 message = weft_load_v4d(b_part + n + 24);
              simd_putc(message, 8);
              simd_store(message, b_sent + n + 24);
            }
            {
              const doublev4 message = weft_load_v4d(b_part + n + 28);
              simd_putc(message, 8);
              simd_store(message, b_sent + n + 28);
            }
          }
        } else {
          for (int n = 0; n < 1024; n += 32) {
            simd_store(weft_from_column_v4d(), b_sent + n);
            simd_store(weft_from_column_v4d(), b_sent + n + 4);
            simd_store(weft_from_column_v4d(), b_sent + n + 8);
            simd_store(weft_from_column_v4d(), b_sent + n + 12);
            simd_store(weft_from_column_v4d(), b_sent + n + 16);
            simd_store(weft_from_column_v4d(), b_sent + n + 20);
            simd_store(weft_from_column_v4d(), b_sent + n + 24);
            simd_store(weft_from_column_v4d(), b_sent + n + 28);
          }
        }
        for (ptrdiff_t task = core; task < 64; task += 64) {
          const ptrdiff_t c_4 = task / 8;
          const ptrdiff_t c_5 = task % 8;
          for (ptrdiff_t c_6 = 0; c_6 < 32; c_6 += 4) {
            for (ptrdiff_t c_7 = 0; c_7 < 64; c_7 += 16) {
              const doublev4 c_8 = weft_load_v4d(&c_block[c_6 * 64 + c_7]);
              const doublev4 c_9 = weft_load_v4d(&c_block[c_6 * 64 + c_7 + 4]);
              const doublev4 c_10 = weft_load_v4d(&c_block[c_6 * 64 + c_7 + 8]);
              const doublev4 c_11 = weft_load_v4d(&c_block[c_6 * 64 + c_7 + 12]);
              const doublev4 c_12 = weft_load_v4d(&c_block[(c_6 + 1) * 64 + c_7]);
              const doublev4 c_13 = weft_load_v4d(&c_block[(c_6 + 1) * 64 + c_7 + 4]);
              const doublev4 c_14 = weft_load_v4d(&c_block[(c_6 + 1) * 64 + c_7 + 8]);
              const doublev4 c_15 = weft_load_v4d(&c_block[(c_6 + 1) * 64 + c_7 + 12]);
              const doublev4 c_16 = weft_load_v4d(&c_block[(c_6 + 2) * 64 + c_7]);
              const doublev4 c_17 = weft_load_v4d(&c_block[(c_6 + 2) * 64 + c_7 + 4]);
              const doublev4 c_18 = weft_load_v4d(&c_block[(c_6 + 2) * 64 + c_7 + 8]);
              const doublev4 c_19 = weft_load_v4d(&c_block[(c_6 + 2) * 64 + c_7 + 12]);
              const doublev4 c_20 = weft_load_v4d(&c_block[(c_6 + 3) * 64 + c_7]);
              const doublev4 c_21 = weft_load_v4d(&c_block[(c_6 + 3) * 64 + c_7 + 4]);
              const doublev4 c_22 = weft_load_v4d(&c_block[(c_6 + 3) * 64 + c_7 + 8]);
              const doublev4 c_23 = weft_load_v4d(&c_block[(c_6 + 3) * 64 + c_7 + 12]);
              const doublev4 c_24 = weft_load_v4d(&b_sent[c_7]);
              const doublev4 c_25 = weft_load_v4d(&b_sent[c_7 + 4]);
              const doublev4 c_26 = weft_load_v4d(&b_sent[c_7 + 8]);
              const doublev4 c_27 = weft_load_v4d(&b_sent[c_7 + 12]);
              const doublev4 c_28 = weft_splat_v4d(a_sent[c_6 * 16]);
              const doublev4 c_29 = simd_vmad(c_28, c_24, c_8);
              const doublev4 c_30 = simd_vmad(c_28, c_25, c_9);
              const doublev4 c_31 = simd_vmad(c_28, c_26, c_10);
              const doublev4 c_32 = simd_vmad(c_28, c_27, c_11);
              const doublev4 c_33 = weft_splat_v4d(a_sent[c_6 * 16 + 16]);
              const doublev4 c_34 = simd_vmad(c_33, c_24, c_12);
              const doublev4 c_35 = simd_vmad(c_33, c_25, c_13);
              const doublev4 c_36 = simd_vmad(c_33, c_26, c_14);
              const doublev4 c_37 = simd_vmad(c_33, c_27, c_15);
              const doublev4 c_38 = weft_splat_v4d(a_sent[c_6 * 16 + 32]);
              const doublev4 c_39 = simd_vmad(c_38, c_24, c_16);
              const doublev4 c_40 = simd_vmad(c_38, c_25, c_17);
              const doublev4 c_41 = simd_vmad(c_38, c_26, c_18);
              const doublev4 c_42 = simd_vmad(c_38, c_27, c_19);
              const doublev4 c_43 = weft_splat_v4d(a_sent[c_6 * 16 + 48]);
              const doublev4 c_44 = simd_vmad(c_43, c_24, c_20);
              const doublev4 c_45 = simd_vmad(c_43, c_25, c_21);
              const doublev4 c_46 = simd_vmad(c_43, c_26, c_22);
              const doublev4 c_47 = simd_vmad(c_43, c_27, c_23);
              const doublev4 c_48 = weft_load_v4d(&b_sent[c_7 + 64]);
              const doublev4 c_49 = weft_load_v4d(&b_sent[c_7 + 68]);
              const doublev4 c_50 = weft_load_v4d(&b_sent[c_7 + 72]);
              const doublev4 c_51 = weft_load_v4d(&b_sent[c_7 + 76]);
              const doublev4 c_52 = weft_splat_v4d(a_sent[c_6 * 16 + 1]);
              const doublev4 c_53 = simd_vmad(c_52, c_48, c_29);
              const doublev4 c_54 = simd_vmad(c_52, c_49, c_30);
              const doublev4 c_55 = simd_vmad(c_52, c_50, c_31);
              const doublev4 c_56 = simd_vmad(c_52, c_51, c_32);
              const doublev4 c_57 = weft_splat_v4d(a_sent[c_6 * 16 + 17]);
              const doublev4 c_58 = simd_vmad(c_57, c_48, c_34);
              const doublev4 c_59 = simd_vmad(c_57, c_49, c_35);
              const doublev4 c_60 = simd_vmad(c_57, c_50, c_36);
              const doublev4 c_61 = simd_vmad(c_57, c_51, c_37);
              const doublev4 c_62 = weft_splat_v4d(a_sent[c_6 * 16 + 33]);
              const doublev4 c_63 = simd_vmad(c_62, c_48, c_39);
              const doublev4 c_64 = simd_vmad(c_62, c_49, c_40);
              const doublev4 c_65 = simd_vmad(c_62, c_50, c_41);
              const doublev4 c_66 = simd_vmad(c_62, c_51, c_42);
              const doublev4 c_67 = weft_splat_v4d(a_sent[c_6 * 16 + 49]);
              const doublev4 c_68 = simd_vmad(c_67, c_48, c_44);
              const doublev4 c_69 = simd_vmad(c_67, c_49, c_45);
              const doublev4 c_70 = simd_vmad(c_67, c_50, c_46);
              const doublev4 c_71 = simd_vmad(c_67, c_51, c_47);
              const doublev4 c_72 = weft_load_v4d(&b_sent[c_7 + 128]);
              const doublev4 c_73 = weft_load_v4d(&b_sent[c_7 + 132]);
              const doublev4 c_74 = weft_load_v4d(&b_sent[c_7 + 136]);
              const doublev4 c_75 = weft_load_v4d(&b_sent[c_7 + 140]);
              const doublev4 c_76 = weft_splat_v4d(a_sent[c_6 * 16 + 2]);
              const doublev4 c_77 = simd_vmad(c_76, c_72, c_53);
              const doublev4 c_78 = simd_vmad(c_76, c_73, c_54);
              const doublev4 c_79 = simd_vmad(c_76, c_74, c_55);
              const doublev4 c_80 = simd_vmad(c_76, c_75, c_56);
              const doublev4 c_81 = weft_splat_v4d(a_sent[c_6 * 16 + 18]);
              const doublev4 c_82 = simd_vmad(c_81, c_72, c_58);
              const doublev4 c_83 = simd_vmad(c_81, c_73, c_59);
              const doublev4 c_84 = simd_vmad(c_81, c_74, c_60);
              const doublev4 c_85 = simd_vmad(c_81, c_75, c_61);
              const doublev4 c_86 = weft_splat_v4d(a_sent[c_6 * 16 + 34]);
              const doublev4 c_87 = simd_vmad(c_86, c_72, c_63);
              const doublev4 c_88 = simd_vmad(c_86, c_73, c_64);
              const doublev4 c_89 = simd_vmad(c_86, c_74, c_65);
              const doublev4 c_90 = simd_vmad(c_86, c_75, c_66);
              const doublev4 c_91 = weft_splat_v4d(a_sent[c_6 * 16 + 50]);
              const doublev4 c_92 = simd_vmad(c_91, c_72, c_68);
              const doublev4 c_93 = simd_vmad(c_91, c_73, c_69);
              const doublev4 c_94 = simd_vmad(c_91, c_74, c_70);
              const doublev4 c_95 = simd_vmad(c_91, c_75, c_71);
              const doublev4 c_96 = weft_load_v4d(&b_sent[c_7 + 192]);
              const doublev4 c_97 = weft_load_v4d(&b_sent[c_7 + 196]);
              const doublev4 c_98 = weft_load_v4d(&b_sent[c_7 + 200]);
              const doublev4 c_99 = weft_load_v4d(&b_sent[c_7 + 204]);
              const doublev4 c_100 = weft_splat_v4d(a_sent[c_6 * 16 + 3]);
              const doublev4 c_101 = simd_vmad(c_100, c_96, c_77);
              const doublev4 c_102 = simd_vmad(c_100, c_97, c_78);
              const doublev4 c_103 = simd_vmad(c_100, c_98, c_79);
              const doublev4 c_104 = simd_vmad(c_100, c_99, c_80);
              const doublev4 c_105 = weft_splat_v4d(a_sent[c_6 * 16 + 19]);
              const doublev4 c_106 = simd_vmad(c_105, c_96, c_82);
              const doublev4 c_107 = simd_vmad(c_105, c_97, c_83);
              const doublev4 c_108 = simd_vmad(c_105, c_98, c_84);
              const doublev4 c_109 = simd_vmad(c_105, c_99, c_85);
              const doublev4 c_110 = weft_splat_v4d(a_sent[c_6 * 16 + 35]);
              const doublev4 c_111 = simd_vmad(c_110, c_96, c_87);
              const doublev4 c_112 = simd_vmad(c_110, c_97, c_88);
              const doublev4 c_113 = simd_vmad(c_110, c_98, c_89);
              const doublev4 c_114 = simd_vmad(c_110, c_99, c_90);
              const doublev4 c_115 = weft_splat_v4d(a_sent[c_6 * 16 + 51]);
              const doublev4 c_116 = simd_vmad(c_115, c_96, c_92);
              const doublev4 c_117 = simd_vmad(c_115, c_97, c_93);
              const doublev4 c_118 = simd_vmad(c_115, c_98, c_94);
              const doublev4 c_119 = simd_vmad(c_115, c_99, c_95);
              const doublev4 c_120 = weft_load_v4d(&b_sent[c_7 + 256]);
              const doublev4 c_121 = weft_load_v4d(&b_sent[c_7 + 260]);
              const doublev4 c_122 = weft_load_v4d(&b_sent[c_7 + 264]);
              const doublev4 c_123 = weft_load_v4d(&b_sent[c_7 + 268]);
              const doublev4 c_124 = weft_splat_v4d(a_sent[c_6 * 16 + 4]);
              const doublev4 c_125 = simd_vmad(c_124, c_120, c_101);
              const doublev4 c_126 = simd_vmad(c_124, c_121, c_102);
              const doublev4 c_127 = simd_vmad(c_124, c_122, c_103);
              const doublev4 c_128 = simd_vmad(c_124, c_123, c_104);
              const doublev4 c_129 = weft_splat_v4d(a_sent[c_6 * 16 + 20]);
              const doublev4 c_130 = simd_vmad(c_129, c_120, c_106);
              const doublev4 c_131 = simd_vmad(c_129, c_121, c_107);
              const doublev4 c_132 = simd_vmad(c_129, c_122, c_108);
              const doublev4 c_133 = simd_vmad(c_129, c_123, c_109);
              const doublev4 c_134 = weft_splat_v4d(a_sent[c_6 * 16 + 36]);
              const doublev4 c_135 = simd_vmad(c_134, c_120, c_111);
              const doublev4 c_136 = simd_vmad(c_134, c_121, c_112);
              const doublev4 c_137 = simd_vmad(c_134, c_122, c_113);
              const doublev4 c_138 = simd_vmad(c_134, c_123, c_114);
              const doublev4 c_139 = weft_splat_v4d(a_sent[c_6 * 16 + 52]);
              const doublev4 c_140 = simd_vmad(c_139, c_120, c_116);
              const doublev4 c_141 = simd_vmad(c_139, c_121, c_117);
              const doublev4 c_142 = simd_vmad(c_139, c_122, c_118);
              const doublev4 c_143 = simd_vmad(c_139, c_123, c_119);
              const doublev4 c_144 = weft_load_v4d(&b_sent[c_7 + 320]);
              const doublev4 c_145 = weft_load_v4d(&b_sent[c_7 + 324]);
              const doublev4 c_146 = weft_load_v4d(&b_sent[c_7 + 328]);
              const doublev4 c_147 = weft_load_v4d(&b_sent[c_7 + 332]);
              const doublev4 c_148 = weft_splat_v4d(a_sent[c_6 * 16 + 5]);
              const doublev4 c_149 = simd_vmad(c_148, c_144, c_125);
              const doublev4 c_150 = simd_vmad(c_148, c_145, c_126);
              const doublev4 c_151 = simd_vmad(c_148, c_146, c_127);
              const doublev4 c_152 = simd_vmad(c_148, c_147, c_128);
              const doublev4 c_153 = weft_splat_v4d(a_sent[c_6 * 16 + 21]);
              const doublev4 c_154 = simd_vmad(c_153, c_144, c_130);
              const doublev4 c_155 = simd_vmad(c_153, c_145, c_131);
              const doublev4 c_156 = simd_vmad(c_153, c_146, c_132);
              const doublev4 c_157 = simd_vmad(c_153, c_147, c_133);
              const doublev4 c_158 = weft_splat_v4d(a_sent[c_6 * 16 + 37]);
              const doublev4 c_159 = simd_vmad(c_158, c_144, c_135);
              const doublev4 c_160 = simd_vmad(c_158, c_145, c_136);
              const doublev4 c_161 = simd_vmad(c_158, c_146, c_137);
              const doublev4 c_162 = simd_vmad(c_158, c_147, c_138);
              const doublev4 c_163 = weft_splat_v4d(a_sent[c_6 * 16 + 53]);
              const doublev4 c_164 = simd_vmad(c_163, c_144, c_140);
              const doublev4 c_165 = simd_vmad(c_163, c_145, c_141);
              const doublev4 c_166 = simd_vmad(c_163, c_146, c_142);
              const doublev4 c_167 = simd_vmad(c_163, c_147, c_143);
              const doublev4 c_168 = weft_load_v4d(&b_sent[c_7 + 384]);
              const doublev4 c_169 = weft_load_v4d(&b_sent[c_7 + 388]);
              const doublev4 c_170 = weft_load_v4d(&b_sent[c_7 + 392]);
              const doublev4 c_171 = weft_load_v4d(&b_sent[c_7 + 396]);
              const doublev4 c_172 = weft_splat_v4d(a_sent[c_6 * 16 + 6]);
              const doublev4 c_173 = simd_vmad(c_172, c_168, c_149);
              const doublev4 c_174 = simd_vmad(c_172, c_169, c_150);
              const doublev4 c_175 = simd_vmad(c_172, c_170, c_151);
              const doublev4 c_176 = simd_vmad(c_172, c_171, c_152);
              const doublev4 c_177 = weft_splat_v4d(a_sent[c_6 * 16 + 22]);
              const doublev4 c_178 = simd_vmad(c_177, c_168, c_154);
              const doublev4 c_179 = simd_vmad(c_177, c_169, c_155);
              const doublev4 c_180 = simd_vmad(c_177, c_170, c_156);
              const doublev4 c_181 = simd_vmad(c_177, c_171, c_157);
              const doublev4 c_182 = weft_splat_v4d(a_sent[c_6 * 16 + 38]);
              const doublev4 c_183 = simd_vmad(c_182, c_168, c_159);
              const doublev4 c_184 = simd_vmad(c_182, c_169, c_160);
              const doublev4 c_185 = simd_vmad(c_182, c_170, c_161);
              const doublev4 c_186 = simd_vmad(c_182, c_171, c_162);
              const doublev4 c_187 = weft_splat_v4d(a_sent[c_6 * 16 + 54]);
              const doublev4 c_188 = simd_vmad(c_187, c_168, c_164);
              const doublev4 c_189 = simd_vmad(c_187, c_169, c_165);
              const doublev4 c_190 = simd_vmad(c_187, c_170, c_166);
              const doublev4 c_191 = simd_vmad(c_187, c_171, c_167);
              const doublev4 c_192 = weft_load_v4d(&b_sent[c_7 + 448]);
              const doublev4 c_193 = weft_load_v4d(&b_sent[c_7 + 452]);
              const doublev4 c_194 = weft_load_v4d(&b_sent[c_7 + 456]);
              const doublev4 c_195 = weft_load_v4d(&b_sent[c_7 + 460]);
              const doublev4 c_196 = weft_splat_v4d(a_sent[c_6 * 16 + 7]);
              const doublev4 c_197 = simd_vmad(c_196, c_192, c_173);
              const doublev4 c_198 = simd_vmad(c_196, c_193, c_174);
              const doublev4 c_199 = simd_vmad(c_196, c_194, c_175);
              const doublev4 c_200 = simd_vmad(c_196, c_195, c_176);
              const doublev4 c_201 = weft_splat_v4d(a_sent[c_6 * 16 + 23]);
              const doublev4 c_202 = simd_vmad(c_201, c_192, c_178);
              const doublev4 c_203 = simd_vmad(c_201, c_193, c_179);
              const doublev4 c_204 = simd_vmad(c_201, c_194, c_180);
              const doublev4 c_205 = simd_vmad(c_201, c_195, c_181);
              const doublev4 c_206 = weft_splat_v4d(a_sent[c_6 * 16 + 39]);
              const doublev4 c_207 = simd_vmad(c_206, c_192, c_183);
              const doublev4 c_208 = simd_vmad(c_206, c_193, c_184);
              const doublev4 c_209 = simd_vmad(c_206, c_194, c_185);
              const doublev4 c_210 = simd_vmad(c_206, c_195, c_186);
              const doublev4 c_211 = weft_splat_v4d(a_sent[c_6 * 16 + 55]);
              const doublev4 c_212 = simd_vmad(c_211, c_192, c_188);
              const doublev4 c_213 = simd_vmad(c_211, c_193, c_189);
              const doublev4 c_214 = simd_vmad(c_211, c_194, c_190);
              const doublev4 c_215 = simd_vmad(c_211, c_195, c_191);
              const doublev4 c_216 = weft_load_v4d(&b_sent[c_7 + 512]);
              const doublev4 c_217 = weft_load_v4d(&b_sent[c_7 + 516]);
              const doublev4 c_218 = weft_load_v4d(&b_sent[c_7 + 520]);
              const doublev4 c_219 = weft_load_v4d(&b_sent[c_7 + 524]);
              const doublev4 c_220 = weft_splat_v4d(a_sent[c_6 * 16 + 8]);
              const doublev4 c_221 = simd_vmad(c_220, c_216, c_197);
              const doublev4 c_222 = simd_vmad(c_220, c_217, c_198);
              const doublev4 c_223 = simd_vmad(c_220, c_218, c_199);
              const doublev4 c_224 = simd_vmad(c_220, c_219, c_200);
              const doublev4 c_225 = weft_splat_v4d(a_sent[c_6 * 16 + 24]);
              const doublev4 c_226 = simd_vmad(c_225, c_216, c_202);
              const doublev4 c_227 = simd_vmad(c_225, c_217, c_203);
              const doublev4 c_228 = simd_vmad(c_225, c_218, c_204);
              const doublev4 c_229 = simd_vmad(c_225, c_219, c_205);
              const doublev4 c_230 = weft_splat_v4d(a_sent[c_6 * 16 + 40]);
              const doublev4 c_231 = simd_vmad(c_230, c_216, c_207);
              const doublev4 c_232 = simd_vmad(c_230, c_217, c_208);
              const doublev4 c_233 = simd_vmad(c_230, c_218, c_209);
              const doublev4 c_234 = simd_vmad(c_230, c_219, c_210);
              const doublev4 c_235 = weft_splat_v4d(a_sent[c_6 * 16 + 56]);
              const doublev4 c_236 = simd_vmad(c_235, c_216, c_212);
              const doublev4 c_237 = simd_vmad(c_235, c_217, c_213);
              const doublev4 c_238 = simd_vmad(c_235, c_218, c_214);
              const doublev4 c_239 = simd_vmad(c_235, c_219, c_215);
              const doublev4 c_240 = weft_load_v4d(&b_sent[c_7 + 576]);
              const doublev4 c_241 = weft_load_v4d(&b_sent[c_7 + 580]);
              const doublev4 c_242 = weft_load_v4d(&b_sent[c_7 + 584]);
              const doublev4 c_243 = weft_load_v4d(&b_sent[c_7 + 588]);
              const doublev4 c_244 = weft_splat_v4d(a_sent[c_6 * 16 + 9]);
              const doublev4 c_245 = simd_vmad(c_244, c_240, c_221);
              const doublev4 c_246 = simd_vmad(c_244, c_241, c_222);
              const doublev4 c_247 = simd_vmad(c_244, c_242, c_223);
              const doublev4 c_248 = simd_vmad(c_244, c_243, c_224);
              const doublev4 c_249 = weft_splat_v4d(a_sent[c_6 * 16 + 25]);
              const doublev4 c_250 = simd_vmad(c_249, c_240, c_226);
              const doublev4 c_251 = simd_vmad(c_249, c_241, c_227);
              const doublev4 c_252 = simd_vmad(c_249, c_242, c_228);
              const doublev4 c_253 = simd_vmad(c_249, c_243, c_229);
              const doublev4 c_254 = weft_splat_v4d(a_sent[c_6 * 16 + 41]);
              const doublev4 c_255 = simd_vmad(c_254, c_240, c_231);
              const doublev4 c_256 = simd_vmad(c_254, c_241, c_232);
              const doublev4 c_257 = simd_vmad(c_254, c_242, c_233);
              const doublev4 c_258 = simd_vmad(c_254, c_243, c_234);
              const doublev4 c_259 = weft_splat_v4d(a_sent[c_6 * 16 + 57]);
              const doublev4 c_260 = simd_vmad(c_259, c_240, c_236);
              const doublev4 c_261 = simd_vmad(c_259, c_241, c_237);
              const doublev4 c_262 = simd_vmad(c_259, c_242, c_238);
              const doublev4 c_263 = simd_vmad(c_259, c_243, c_239);
              const doublev4 c_264 = weft_load_v4d(&b_sent[c_7 + 640]);
              const doublev4 c_265 = weft_load_v4d(&b_sent[c_7 + 644]);
              const doublev4 c_266 = weft_load_v4d(&b_sent[c_7 + 648]);
              const doublev4 c_267 = weft_load_v4d(&b_sent[c_7 + 652]);
              const doublev4 c_268 = weft_splat_v4d(a_sent[c_6 * 16 + 10]);
              const doublev4 c_269 = simd_vmad(c_268, c_264, c_245);
              const doublev4 c_270 = simd_vmad(c_268, c_265, c_246);
              const doublev4 c_271 = simd_vmad(c_268, c_266, c_247);
              const doublev4 c_272 = simd_vmad(c_268, c_267, c_248);
              const doublev4 c_273 = weft_splat_v4d(a_sent[c_6 * 16 + 26]);
              const doublev4 c_274 = simd_vmad(c_273, c_264, c_250);
              const doublev4 c_275 = simd_vmad(c_273, c_265, c_251);
              const doublev4 c_276 = simd_vmad(c_273, c_266, c_252);
              const doublev4 c_277 = simd_vmad(c_273, c_267, c_253);
              const doublev4 c_278 = weft_splat_v4d(a_sent[c_6 * 16 + 42]);
              const doublev4 c_279 = simd_vmad(c_278, c_264, c_255);
              const doublev4 c_280 = simd_vmad(c_278, c_265, c_256);
              const doublev4 c_281 = simd_vmad(c_278, c_266, c_257);
              const doublev4 c_282 = simd_vmad(c_278, c_267, c_258);
              const doublev4 c_283 = weft_splat_v4d(a_sent[c_6 * 16 + 58]);
              const doublev4 c_284 = simd_vmad(c_283, c_264, c_260);
              const doublev4 c_285 = simd_vmad(c_283, c_265, c_261);
              const doublev4 c_286 = simd_vmad(c_283, c_266, c_262);
              const doublev4 c_287 = simd_vmad(c_283, c_267, c_263);
              const doublev4 c_288 = weft_load_v4d(&b_sent[c_7 + 704]);
              const doublev4 c_289 = weft_load_v4d(&b_sent[c_7 + 708]);
              const doublev4 c_290 = weft_load_v4d(&b_sent[c_7 + 712]);
              const doublev4 c_291 = weft_load_v4d(&b_sent[c_7 + 716]);
              const doublev4 c_292 = weft_splat_v4d(a_sent[c_6 * 16 + 11]);
              const doublev4 c_293 = simd_vmad(c_292, c_288, c_269);
              const doublev4 c_294 = simd_vmad(c_292, c_289, c_270);
              const doublev4 c_295 = simd_vmad(c_292, c_290, c_271);
              const doublev4 c_296 = simd_vmad(c_292, c_291, c_272);
              const doublev4 c_297 = weft_splat_v4d(a_sent[c_6 * 16 + 27]);
              const doublev4 c_298 = simd_vmad(c_297, c_288, c_274);
              const doublev4 c_299 = simd_vmad(c_297, c_289, c_275);
              const doublev4 c_300 = simd_vmad(c_297, c_290, c_276);
              const doublev4 c_301 = simd_vmad(c_297, c_291, c_277);
              const doublev4 c_302 = weft_splat_v4d(a_sent[c_6 * 16 + 43]);
              const doublev4 c_303 = simd_vmad(c_302, c_288, c_279);
              const doublev4 c_304 = simd_vmad(c_302, c_289, c_280);
              const doublev4 c_305 = simd_vmad(c_302, c_290, c_281);
              const doublev4 c_306 = simd_vmad(c_302, c_291, c_282);
              const doublev4 c_307 = weft_splat_v4d(a_sent[c_6 * 16 + 59]);
              const doublev4 c_308 = simd_vmad(c_307, c_288, c_284);
              const doublev4 c_309 = simd_vmad(c_307, c_289, c_285);
              const doublev4 c_310 = simd_vmad(c_307, c_290, c_286);
              const doublev4 c_311 = simd_vmad(c_307, c_291, c_287);
              const doublev4 c_312 = weft_load_v4d(&b_sent[c_7 + 768]);
              const doublev4 c_313 = weft_load_v4d(&b_sent[c_7 + 772]);
              const doublev4 c_314 = weft_load_v4d(&b_sent[c_7 + 776]);
              const doublev4 c_315 = weft_load_v4d(&b_sent[c_7 + 780]);
              const doublev4 c_316 = weft_splat_v4d(a_sent[c_6 * 16 + 12]);
              const doublev4 c_317 = simd_vmad(c_316, c_312, c_293);
              const doublev4 c_318 = simd_vmad(c_316, c_313, c_294);
              const doublev4 c_319 = simd_vmad(c_316, c_314, c_295);
              const doublev4 c_320 = simd_vmad(c_316, c_315, c_296);
              const doublev4 c_321 = weft_splat_v4d(a_sent[c_6 * 16 + 28]);
              const doublev4 c_322 = simd_vmad(c_321, c_312, c_298);
              const doublev4 c_323 = simd_vmad(c_321, c_313, c_299);
              const doublev4 c_324 = simd_vmad(c_321, c_314, c_300);
              const doublev4 c_325 = simd_vmad(c_321, c_315, c_301);
              const doublev4 c_326 = weft_splat_v4d(a_sent[c_6 * 16 + 44]);
              const doublev4 c_327 = simd_vmad(c_326, c_312, c_303);
              const doublev4 c_328 = simd_vmad(c_326, c_313, c_304);
              const doublev4 c_329 = simd_vmad(c_326, c_314, c_305);
              const doublev4 c_330 = simd_vmad(c_326, c_315, c_306);
              const doublev4 c_331 = weft_splat_v4d(a_sent[c_6 * 16 + 60]);
              const doublev4 c_332 = simd_vmad(c_331, c_312, c_308);
              const doublev4 c_333 = simd_vmad(c_331, c_313, c_309);
              const doublev4 c_334 = simd_vmad(c_331, c_314, c_310);
              const doublev4 c_335 = simd_vmad(c_331, c_315, c_311);
              const doublev4 c_336 = weft_load_v4d(&b_sent[c_7 + 832]);
              const doublev4 c_337 = weft_load_v4d(&b_sent[c_7 + 836]);
              const doublev4 c_338 = weft_load_v4d(&b_sent[c_7 + 840]);
              const doublev4 c_339 = weft_load_v4d(&b_sent[c_7 + 844]);
              const doublev4 c_340 = weft_splat_v4d(a_sent[c_6 * 16 + 13]);
              const doublev4 c_341 = simd_vmad(c_340, c_336, c_317);
              const doublev4 c_342 = simd_vmad(c_340, c_337, c_318);
              const doublev4 c_343 = simd_vmad(c_340, c_338, c_319);
              const doublev4 c_344 = simd_vmad(c_340, c_339, c_320);
              const doublev4 c_345 = weft_splat_v4d(a_sent[c_6 * 16 + 29]);
              const doublev4 c_346 = simd_vmad(c_345, c_336, c_322);
              const doublev4 c_347 = simd_vmad(c_345, c_337, c_323);
              const doublev4 c_348 = simd_vmad(c_345, c_338, c_324);
              const doublev4 c_349 = simd_vmad(c_345, c_339, c_325);
              const doublev4 c_350 = weft_splat_v4d(a_sent[c_6 * 16 + 45]);
              const doublev4 c_351 = simd_vmad(c_350, c_336, c_327);
              const doublev4 c_352 = simd_vmad(c_350, c_337, c_328);
              const doublev4 c_353 = simd_vmad(c_350, c_338, c_329);
              const doublev4 c_354 = simd_vmad(c_350, c_339, c_330);
              const doublev4 c_355 = weft_splat_v4d(a_sent[c_6 * 16 + 61]);
              const doublev4 c_356 = simd_vmad(c_355, c_336, c_332);
              const doublev4 c_357 = simd_vmad(c_355, c_337, c_333);
              const doublev4 c_358 = simd_vmad(c_355, c_338, c_334);
              const doublev4 c_359 = simd_vmad(c_355, c_339, c_335);
              const doublev4 c_360 = weft_load_v4d(&b_sent[c_7 + 896]);
              const doublev4 c_361 = weft_load_v4d(&b_sent[c_7 + 900]);
              const doublev4 c_362 = weft_load_v4d(&b_sent[c_7 + 904]);
              const doublev4 c_363 = weft_load_v4d(&b_sent[c_7 + 908]);
              const doublev4 c_364 = weft_splat_v4d(a_sent[c_6 * 16 + 14]);
              const doublev4 c_365 = simd_vmad(c_364, c_360, c_341);
              const doublev4 c_366 = simd_vmad(c_364, c_361, c_342);
              const doublev4 c_367 = simd_vmad(c_364, c_362, c_343);
              const doublev4 c_368 = simd_vmad(c_364, c_363, c_344);
              const doublev4 c_369 = weft_splat_v4d(a_sent[c_6 * 16 + 30]);
              const doublev4 c_370 = simd_vmad(c_369, c_360, c_346);
              const doublev4 c_371 = simd_vmad(c_369, c_361, c_347);
              const doublev4 c_372 = simd_vmad(c_369, c_362, c_348);
              const doublev4 c_373 = simd_vmad(c_369, c_363, c_349);
              const doublev4 c_374 = weft_splat_v4d(a_sent[c_6 * 16 + 46]);
              const doublev4 c_375 = simd_vmad(c_374, c_360, c_351);
              const doublev4 c_376 = simd_vmad(c_374, c_361, c_352);
              const doublev4 c_377 = simd_vmad(c_374, c_362, c_353);
              const doublev4 c_378 = simd_vmad(c_374, c_363, c_354);
              const doublev4 c_379 = weft_splat_v4d(a_sent[c_6 * 16 + 62]);
              const doublev4 c_380 = simd_vmad(c_379, c_360, c_356);
              const doublev4 c_381 = simd_vmad(c_379, c_361, c_357);
              const doublev4 c_382 = simd_vmad(c_379, c_362, c_358);
              const doublev4 c_383 = simd_vmad(c_379, c_363, c_359);
              const doublev4 c_384 = weft_load_v4d(&b_sent[c_7 + 960]);
              const doublev4 c_385 = weft_load_v4d(&b_sent[c_7 + 964]);
              const doublev4 c_386 = weft_load_v4d(&b_sent[c_7 + 968]);
              const doublev4 c_387 = weft_load_v4d(&b_sent[c_7 + 972]);
              const doublev4 c_388 = weft_splat_v4d(a_sent[c_6 * 16 + 15]);
              const doublev4 c_389 = simd_vmad(c_388, c_384, c_365);
              const doublev4 c_390 = simd_vmad(c_388, c_385, c_366);
              const doublev4 c_391 = simd_vmad(c_388, c_386, c_367);
              const doublev4 c_392 = simd_vmad(c_388, c_387, c_368);
              const doublev4 c_393 = weft_splat_v4d(a_sent[c_6 * 16 + 31]);
              const doublev4 c_394 = simd_vmad(c_393, c_384, c_370);
              const doublev4 c_395 = simd_vmad(c_393, c_385, c_371);
              const doublev4 c_396 = simd_vmad(c_393, c_386, c_372);
              const doublev4 c_397 = simd_vmad(c_393, c_387, c_373);
              const doublev4 c_398 = weft_splat_v4d(a_sent[c_6 * 16 + 47]);
              const doublev4 c_399 = simd_vmad(c_398, c_384, c_375);
              const doublev4 c_400 = simd_vmad(c_398, c_385, c_376);
              const doublev4 c_401 = simd_vmad(c_398, c_386, c_377);
              const doublev4 c_402 = simd_vmad(c_398, c_387, c_378);
              const doublev4 c_403 = weft_splat_v4d(a_sent[c_6 * 16 + 63]);
              const doublev4 c_404 = simd_vmad(c_403, c_384, c_380);
              const doublev4 c_405 = simd_vmad(c_403, c_385, c_381);
              const doublev4 c_406 = simd_vmad(c_403, c_386, c_382);
              const doublev4 c_407 = simd_vmad(c_403, c_387, c_383);
              simd_store(c_389, &c_block[c_6 * 64 + c_7]);
              simd_store(c_390, &c_block[c_6 * 64 + c_7 + 4]);
              simd_store(c_391, &c_block[c_6 * 64 + c_7 + 8]);
              simd_store(c_392, &c_block[c_6 * 64 + c_7 + 12]);
              simd_store(c_394, &c_block[(c_6 + 1) * 64 + c_7]);
              simd_store(c_395, &c_block[(c_6 + 1) * 64 + c_7 + 4]);
              simd_store(c_396, &c_block[(c_6 + 1) * 64 + c_7 + 8]);
              simd_store(c_397, &c_block[(c_6 + 1) * 64 + c_7 + 12]);
              simd_store(c_399, &c_block[(c_6 + 2) * 64 + c_7]);
              simd_store(c_400, &c_block[(c_6 + 2) * 64 + c_7 + 4]);
              simd_store(c_401, &c_block[(c_6 + 2) * 64 + c_7 + 8]);
              simd_store(c_402, &c_block[(c_6 + 2) * 64 + c_7 + 12]);
              simd_store(c_404, &c_block[(c_6 + 3) * 64 + c_7]);
              simd_store(c_405, &c_block[(c_6 + 3) * 64 + c_7 + 4]);
              simd_store(c_406, &c_block[(c_6 + 3) * 64 + c_7 + 8]);
              simd_store(c_407, &c_block[(c_6 + 3) * 64 + c_7 + 12]);
            }
          }
        }
      }
    }
    for (ptrdiff_t task = core; task < 64; task += 64) {
      const ptrdiff_t c_2 = task / 8;
      const ptrdiff_t c_3 = task % 8;
      weft_put(c_block, c + ((c_1 * 8 + c_2) * 256 + c_3) * 64, 16384, 512, 3584);
    }
    weft_wait();
  }
  weft_sync();
}
