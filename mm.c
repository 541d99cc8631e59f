/* C for sw26010, made by Weft:
 * weft compile one.weft:mm --target=sw26010 --size M=512 --size N=512 --size K=512
 * Integers wrap around: compile with -fwrapv.
 */

#include <athread.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mm_cores {
  double *c;
  double *b;
  double *a;
};

extern void SLAVE_FUN(mm_cores)(struct mm_cores *);

/* mm, one.weft:1:1
 *
 *   operations: 268435456 flops, 134217728 fused multiply-adds, 8388608 broadcasts,
 *     19070976 loads, 2359296 stores
 *   bytes: arguments 7077888 read, arguments 2097152 written, local 408944640 read,
 *     local 75497472 written
 *   scratch: 0 bytes
 */
size_t mm_scratch_bytes(void) { return 0; }

int mm(const double *restrict a, const double *restrict b, double *restrict c,
       void *restrict scratch) {
  (void)scratch;
  {
    /* one.weft:2:5 */
    struct mm_cores given = {(double *)c, (double *)b, (double *)a};
    athread_spawn(mm_cores, &given);
    athread_join();
  }
  return 0;
}
