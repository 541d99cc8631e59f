/* C for sw26010, made by Weft:
 * weft compile jk.weft:f --target=sw26010 --size a=16 --size n=64 --size m=128
 * Integers wrap around: compile with -fwrapv.
 */

#include <athread.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct f_cores {
  double *y;
  double *x;
};

extern void SLAVE_FUN(f_cores)(struct f_cores *);

/* f, jk.weft:1:1
 *
 *   operations: 5799936 flops, 3178496 additions, 557056 multiplications,
 *     1032192 fused multiply-adds, 28672 changes of sign, 569344 shuffles, 14336 broadcasts,
 *     337920 loads, 458752 stores
 *   bytes: arguments 2097152 read, arguments 2097152 written, local 10469376 read,
 *     local 8388608 written, tables 2816 read
 *   scratch: 0 bytes
 */
size_t f_scratch_bytes(void) { return 0; }

int f(const double *restrict x, double *restrict y, void *restrict scratch) {
  (void)scratch;
  {
    /* jk.weft:2:9 */
    struct f_cores given = {(double *)y, (double *)x};
    athread_spawn(f_cores, &given);
    athread_join();
  }
  return 0;
}
