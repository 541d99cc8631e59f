/* C for sw26010, made by Weft:
 * weft compile jk.weft:f --target=sw26010 --size a=64 --size n=64 --size m=64
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
 *   operations: 10616832 flops, 5767168 additions, 917504 multiplications,
 *     1966080 fused multiply-adds, 573440 changes of sign, 917504 shuffles, 57344 broadcasts,
 *     696320 loads, 524288 stores
 *   bytes: arguments 4194304 read, arguments 4194304 written, local 20905984 read,
 *     local 16777216 written, tables 1792 read
 *   scratch: 0 bytes
 */
size_t f_scratch_bytes(void) { return 0; }

int f(const double *restrict x, double *restrict y, void *restrict scratch) {
  (void)scratch;
  {
    /* jk.weft:2:13 */
    struct f_cores given = {(double *)y, (double *)x};
    athread_spawn(f_cores, &given);
    athread_join();
  }
  return 0;
}
