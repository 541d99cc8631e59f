/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the operations on eight words do that are no plain LLVM operation. */
#ifndef WEFT_SW26010_OPS_INTEGER_H
#define WEFT_SW26010_OPS_INTEGER_H

#include "types.h"

/* Comparisons give 1 where they hold and 0 elsewhere. */
#define __weft_comparison(vector, name, compared)                                                  \
  __weft_op(vector, name, (vector a, vector b)) { return (vector)((a compared b) & 1); }           \
  __weft_end_group
__weft_comparison(__weft_w8, vcmpeqw, ==);
__weft_comparison(__weft_w8, vcmplew, <=);
__weft_comparison(__weft_w8, vcmpltw, <);
__weft_comparison(__weft_u8, vcmpulew, <=);
__weft_comparison(__weft_u8, vcmpultw, <);
#undef __weft_comparison

/* Selections: condition on a ? b : c. */
#define __weft_selection(name, condition)                                                          \
  __weft_op(__weft_w8, name, (__weft_w8 a, __weft_w8 b, __weft_w8 c)) {                            \
    const __weft_w8 taken = (condition);                                                           \
    return (taken & b) | (~taken & c);                                                             \
  }                                                                                                \
  __weft_end_group
__weft_selection(vseleqw, a == 0);
__weft_selection(vsellew, a <= 0);
__weft_selection(vselltw, a < 0);
__weft_selection(vsellbcw, (a & 1) == 0);
#undef __weft_selection

/* Saturating sums and differences of 8 words, 16 halfwords, 32 bytes, all signed. */
#define __weft_saturation(name, vector, builtin)                                                   \
  __weft_op(__weft_w8, name, (__weft_w8 a, __weft_w8 b)) {                                         \
    return (__weft_w8)builtin((vector)a, (vector)b);                                               \
  }                                                                                                \
  __weft_end_group
__weft_saturation(vucaddw, __weft_w8, __builtin_elementwise_add_sat);
__weft_saturation(vucsubw, __weft_w8, __builtin_elementwise_sub_sat);
__weft_saturation(vucaddh, __weft_h16, __builtin_elementwise_add_sat);
__weft_saturation(vucsubh, __weft_h16, __builtin_elementwise_sub_sat);
__weft_saturation(vucaddb, __weft_b32, __builtin_elementwise_add_sat);
__weft_saturation(vucsubb, __weft_b32, __builtin_elementwise_sub_sat);
#undef __weft_saturation

/* Shifts use the low five bits of the count. */
__weft_op(__weft_w8, vsllw, (__weft_w8 a, int count)) { return a << (count & 31); }
__weft_op(__weft_w8, vsraw, (__weft_w8 a, int count)) { return a >> (count & 31); }
__weft_op(__weft_w8, vsrlw, (__weft_w8 a, int count)) {
  return (__weft_w8)((__weft_u8)a >> (unsigned)(count & 31));
}
__weft_op(__weft_w8, vrolw, (__weft_w8 a, int count)) {
  const unsigned left = (unsigned)count & 31U;
  return (__weft_w8)(((__weft_u8)a << left) | ((__weft_u8)a >> ((32U - left) & 31U)));
}

/* Logic by truth table: the bits of the operands, first operand highest, number a bit of it. */
__weft_op(__weft_w8, vlog2x, (__weft_w8 a, __weft_w8 b, int table)) {
  const __weft_w8 zero = 0;
  __weft_w8 result = zero;
  if (table & 1)
    result |= ~a & ~b;
  if (table & 2)
    result |= ~a & b;
  if (table & 4)
    result |= a & ~b;
  if (table & 8)
    result |= a & b;
  return result;
}
__weft_op(__weft_w8, vlog, (__weft_w8 a, __weft_w8 b, __weft_w8 c, int table)) {
  return (~a & __weft_sem_vlog2x(b, c, table)) | (a & __weft_sem_vlog2x(b, c, table >> 4));
}

/* The same with the table in control register 0x80 + `number`, set by wcsr. */
__weft_extern unsigned long weft_sw_read_csr(int number);
__weft_act(__weft_w8, vlog3r, (__weft_w8 a, __weft_w8 b, __weft_w8 c, int number)) {
  return __weft_sem_vlog(a, b, c, (int)weft_sw_read_csr(0x80 + (number & 15)));
}

/* Lane moves; a lane number is taken modulo eight. */
__weft_op(int, vextw, (__weft_w8 a, int lane)) { return a[lane & 7]; }
__weft_op(__weft_w8, vinsw, (int a, __weft_w8 b, int lane)) {
  b[lane & 7] = a;
  return b;
}
__weft_op(__weft_w8, vcpyw, (int a)) { return (__weft_w8)a; }

/* Four bits of `mask` a word of the result, three of them used: the high four words come from a,
 * the low four from b. */
__weft_op(__weft_w8, vshfw, (__weft_w8 a, __weft_w8 b, int mask)) {
  const unsigned fields = (unsigned)mask;
  return (__weft_w8){b[fields & 7],         b[(fields >> 4) & 7],  b[(fields >> 8) & 7],
                     b[(fields >> 12) & 7], a[(fields >> 16) & 7], a[(fields >> 20) & 7],
                     a[(fields >> 24) & 7], a[(fields >> 28) & 7]};
}

#endif /* WEFT_SW26010_OPS_INTEGER_H */
