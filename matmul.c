/* C for avx512, made by Weft:
 * weft compile mm.weft:matmul --target=avx512 --size n=64 --size m=64 --size k=64
 * Integers wrap around: compile with -fwrapv.
 */

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <immintrin.h>

/* matmul, mm.weft:1:1
 *
 *   operations: 524288 flops, 262144 additions, 262144 multiplications, 16384 broadcasts,
 *     32768 loads, 256 stores
 *   bytes: arguments 1114112 read, arguments 16384 written
 *   scratch: 0 bytes
 */
size_t matmul_scratch_bytes(void) { return 0; }

int matmul(const float *restrict a, const float *restrict b, float *restrict c,
           void *restrict scratch) {
  (void)scratch;
  const __m512 v0 = _mm512_set1_ps(0.0f);
  /* mm.weft:2:5 */
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
  for (ptrdiff_t i0 = 0; i0 < 64; ++i0) {
    for (ptrdiff_t i1 = 0; i1 < 64; i1 += 16) {
      __m512 i0_1 = v0;
      for (ptrdiff_t i0_2 = 0; i0_2 < 64; i0_2 += 8) {
        const __m512 v1 = _mm512_set1_ps(a[i0*64 + i0_2]);
        const __m512 v2 = _mm512_loadu_ps(&b[i0_2*64 + i1]);
        const __m512 v3 = _mm512_mul_ps(v1, v2);
        const __m512 v4 = _mm512_add_ps(i0_1, v3);
        const __m512 v5 = _mm512_set1_ps(a[i0*64 + i0_2 + 1]);
        const __m512 v6 = _mm512_loadu_ps(&b[(i0_2 + 1)*64 + i1]);
        const __m512 v7 = _mm512_mul_ps(v5, v6);
        const __m512 v8 = _mm512_add_ps(v4, v7);
        const __m512 v9 = _mm512_set1_ps(a[i0*64 + i0_2 + 2]);
        const __m512 v10 = _mm512_loadu_ps(&b[(i0_2 + 2)*64 + i1]);
        const __m512 v11 = _mm512_mul_ps(v9, v10);
        const __m512 v12 = _mm512_add_ps(v8, v11);
        const __m512 v13 = _mm512_set1_ps(a[i0*64 + i0_2 + 3]);
        const __m512 v14 = _mm512_loadu_ps(&b[(i0_2 + 3)*64 + i1]);
        const __m512 v15 = _mm512_mul_ps(v13, v14);
        const __m512 v16 = _mm512_add_ps(v12, v15);
        const __m512 v17 = _mm512_set1_ps(a[i0*64 + i0_2 + 4]);
        const __m512 v18 = _mm512_loadu_ps(&b[(i0_2 + 4)*64 + i1]);
        const __m512 v19 = _mm512_mul_ps(v17, v18);
        const __m512 v20 = _mm512_add_ps(v16, v19);
        const __m512 v21 = _mm512_set1_ps(a[i0*64 + i0_2 + 5]);
        const __m512 v22 = _mm512_loadu_ps(&b[(i0_2 + 5)*64 + i1]);
        const __m512 v23 = _mm512_mul_ps(v21, v22);
        const __m512 v24 = _mm512_add_ps(v20, v23);
        const __m512 v25 = _mm512_set1_ps(a[i0*64 + i0_2 + 6]);
        const __m512 v26 = _mm512_loadu_ps(&b[(i0_2 + 6)*64 + i1]);
        const __m512 v27 = _mm512_mul_ps(v25, v26);
        const __m512 v28 = _mm512_add_ps(v24, v27);
        const __m512 v29 = _mm512_set1_ps(a[i0*64 + i0_2 + 7]);
        const __m512 v30 = _mm512_loadu_ps(&b[(i0_2 + 7)*64 + i1]);
        const __m512 v31 = _mm512_mul_ps(v29, v30);
        const __m512 v32 = _mm512_add_ps(v28, v31);
        i0_1 = v32;
      }
      _mm512_storeu_ps(&c[i0*64 + i1], i0_1);
    }
  }
  return 0;
}
