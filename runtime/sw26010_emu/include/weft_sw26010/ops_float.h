/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the floating-point operations do that are no plain LLVM operation: comparisons, selections,
 * signs, and moves of lanes. */
#ifndef WEFT_SW26010_OPS_FLOAT_H
#define WEFT_SW26010_OPS_FLOAT_H

#include "types.h"

/* Lanes of `yes` where all bits of `mask` are set, of `no` where none is. */
#define __weft_choose(vector, bits, mask, yes, no)                                                 \
  ((vector)(((mask) & (bits)(yes)) | (~(mask) & (bits)(no))))

/* Comparisons give 2.0 where they hold and 0.0 elsewhere; with a NaN only vfcmpun holds. */
#define __weft_comparison(name, condition)                                                         \
  __weft_op(__weft_d4, name, (__weft_d4 a, __weft_d4 b)) {                                         \
    return (__weft_d4)((condition) & 0x4000000000000000L);                                         \
  }                                                                                                \
  __weft_op(__weft_f4, name##__s, (__weft_f4 a, __weft_f4 b)) {                                    \
    return (__weft_f4)((condition) & 0x40000000);                                                  \
  }                                                                                                \
  __weft_end_group
__weft_comparison(vfcmpeq, a == b);
__weft_comparison(vfcmple, a <= b);
__weft_comparison(vfcmplt, a < b);
__weft_comparison(vfcmpun, (a != a) | (b != b));
#undef __weft_comparison

/* Selections: (a op 0) ? b : c. A NaN holds for none of them, -0.0 equals zero. */
#define __weft_selection(name, compared)                                                           \
  __weft_op(__weft_d4, name, (__weft_d4 a, __weft_d4 b, __weft_d4 c)) {                            \
    return __weft_choose(__weft_d4, __weft_l4, a compared 0.0, b, c);                              \
  }                                                                                                \
  __weft_op(__weft_f4, name##__s, (__weft_f4 a, __weft_f4 b, __weft_f4 c)) {                       \
    return __weft_choose(__weft_f4, __weft_i4, a compared 0.0f, b, c);                             \
  }                                                                                                \
  __weft_end_group
__weft_selection(vseleq, ==);
__weft_selection(vsellt, <);
__weft_selection(vselle, <=);
#undef __weft_selection

/* Copies of sign (vcpys), inverted sign (vcpysn), sign and exponent (vcpyse) of a onto b. */
#define __weft_sign_copy(name, from, bits64, bits32)                                               \
  __weft_op(__weft_d4, name, (__weft_d4 a, __weft_d4 b)) {                                         \
    const __weft_l4 taken = (long)(bits64);                                                        \
    return __weft_choose(__weft_d4, __weft_l4, taken, from(__weft_l4) a, b);                       \
  }                                                                                                \
  __weft_op(__weft_f4, name##__s, (__weft_f4 a, __weft_f4 b)) {                                    \
    const __weft_i4 taken = (int)(bits32);                                                         \
    return __weft_choose(__weft_f4, __weft_i4, taken, from(__weft_i4) a, b);                       \
  }                                                                                                \
  __weft_end_group
__weft_sign_copy(vcpys, +, 0x8000000000000000UL, 0x80000000U);
__weft_sign_copy(vcpysn, ~, 0x8000000000000000UL, 0x80000000U);
__weft_sign_copy(vcpyse, +, 0xfff0000000000000UL, 0xff800000U);
#undef __weft_sign_copy

/* Lane moves. A lane number is taken modulo the number of lanes, as its bits in the instruction
 * are. */
__weft_op(double, vextf, (__weft_d4 a, int lane)) { return a[lane & 3]; }
__weft_op(float, vextf__s, (__weft_f4 a, int lane)) { return a[lane & 3]; }
__weft_op(__weft_d4, vinsf, (double a, __weft_d4 b, int lane)) {
  b[lane & 3] = a;
  return b;
}
__weft_op(__weft_f4, vinsf__s, (float a, __weft_f4 b, int lane)) {
  b[lane & 3] = a;
  return b;
}
__weft_op(__weft_d4, vcpyf, (double a)) { return (__weft_d4)a; }
__weft_op(__weft_f4, vcpyf__s, (float a)) { return (__weft_f4)a; }

/* Two bits of `mask` a lane of the result: the high two lanes come from a, the low two from b. */
__weft_op(__weft_d4, vshff, (__weft_d4 a, __weft_d4 b, int mask)) {
  return (__weft_d4){b[mask & 3], b[(mask >> 2) & 3], a[(mask >> 4) & 3], a[(mask >> 6) & 3]};
}
__weft_op(__weft_f4, vshff__s, (__weft_f4 a, __weft_f4 b, int mask)) {
  return (__weft_f4){b[mask & 3], b[(mask >> 2) & 3], a[(mask >> 4) & 3], a[(mask >> 6) & 3]};
}

#endif /* WEFT_SW26010_OPS_FLOAT_H */
