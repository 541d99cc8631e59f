/* C for sw26010, made by Weft:
 * weft compile ex.weft:planes --target=sw26010 --size a=8 --size n=60 --size m=128  # schedule of
 * planes: exchange 32 Integers wrap around: compile with -fwrapv.
 */

#include <athread.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct planes_cores {
  double *y;
  double *x;
};

extern void SLAVE_FUN(planes_cores)(struct planes_cores *);

/* planes, ex.weft:1:1
 *
 *   operations: 1511424 flops, 638976 additions, 159744 multiplications,
 *     356352 fused multiply-adds, 61440 shuffles, 27648 broadcasts, 89088 loads, 61440 stores
 *   bytes: arguments 983040 read, arguments 983040 written, local 2187264 read,
 *     local 1966080 written, tables 864 read
 *   scratch: 0 bytes
 */
size_t planes_scratch_bytes(void) { return 0; }

int planes(const double *restrict x, double *restrict y, void *restrict scratch) {
  (void)scratch;
  {
    /* ex.weft:2:9 */
    struct planes_cores given = {(double *)y, (double *)x};
    athread_spawn(planes_cores, &given);
    athread_join();
  }
  return 0;
}
