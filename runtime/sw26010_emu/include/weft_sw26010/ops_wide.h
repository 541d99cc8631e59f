/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Operations on the register as one 256-bit integer, with the carry register CA, and the table
 * look-up in LDM. */
#ifndef WEFT_SW26010_OPS_WIDE_H
#define WEFT_SW26010_OPS_WIDE_H

#include "types.h"

__extension__ typedef unsigned _BitInt(256) __weft_u256;
__extension__ typedef _BitInt(256) __weft_s256;
__extension__ typedef _BitInt(320) __weft_s320; /* exact sums of 256-bit integers and CA */
__extension__ typedef unsigned _BitInt(128) __weft_u128;

/* The bits of a vector as one number, lane 0 lowest, and back. */
__weft_inline __weft_u256 __weft_number(__weft_l4 a) {
  union {
    __weft_l4 lanes;
    __weft_u256 number;
  } both;
  both.lanes = a;
  return both.number;
}
__weft_inline __weft_l4 __weft_lanes(__weft_u256 a) {
  union {
    __weft_u256 number;
    __weft_l4 lanes;
  } both;
  both.number = a;
  return both.lanes;
}

/* The count is the low eight bits. */
__weft_op(__weft_l4, sllow, (__weft_l4 a, int count)) {
  return __weft_lanes(__weft_number(a) << (count & 255));
}
__weft_op(__weft_l4, srlow, (__weft_l4 a, int count)) {
  return __weft_lanes(__weft_number(a) >> (count & 255));
}
__weft_op(int, ctpopow, (__weft_l4 a)) {
  return __builtin_popcountl((unsigned long)a[0]) + __builtin_popcountl((unsigned long)a[1]) +
         __builtin_popcountl((unsigned long)a[2]) + __builtin_popcountl((unsigned long)a[3]);
}
/* Zeros above the highest one: 256 of a zero. */
__weft_op(int, ctlzow, (__weft_l4 a)) {
  int lane;
  for (lane = 3; lane >= 0; --lane)
    if (a[lane] != 0)
      return 64 * (3 - lane) + __builtin_clzl((unsigned long)a[lane]);
  return 256;
}
/* Product of the low 128 bits, unsigned. */
__weft_op(__weft_ul4, umulqa, (__weft_ul4 a, __weft_ul4 b)) {
  const __weft_u256 left = (__weft_u128)__weft_number((__weft_l4)a);
  const __weft_u256 right = (__weft_u128)__weft_number((__weft_l4)b);
  return (__weft_ul4)__weft_lanes(left * right);
}

/* CA: eight bits, signed, 0 at the start of a core group's program, one a core. Setting it beyond
 * -128..127 is a fault. */
__weft_extern int weft_sw_carry(void);
__weft_extern void weft_sw_set_carry(int value);

/* Sums and differences wrap to 256 bits, and CA tells by how often: exact = result + CA * 2^256.
 * The _carry forms add that to CA; the _take_carry forms also add the old CA in, and replace it. */
#define __weft_carrying(name, vector, number, sign)                                                \
  __weft_act(vector, name##_carry, (vector a, vector b)) {                                         \
    const __weft_s320 exact = (__weft_s320)(number)__weft_number((__weft_l4)a)                     \
        sign(__weft_s320)(number) __weft_number((__weft_l4)b);                                     \
    const number result = (number)exact;                                                           \
    weft_sw_set_carry(weft_sw_carry() + (int)((exact - result) >> 256));                           \
    return (vector)__weft_lanes((__weft_u256)result);                                              \
  }                                                                                                \
  __weft_act(vector, name##_take_carry, (vector a, vector b)) {                                    \
    const __weft_s320 exact = (__weft_s320)(number)__weft_number((__weft_l4)a)                     \
                                  sign(__weft_s320)(number) __weft_number((__weft_l4)b) +          \
                              weft_sw_carry();                                                     \
    const number result = (number)exact;                                                           \
    weft_sw_set_carry((int)((exact - result) >> 256));                                             \
    return (vector)__weft_lanes((__weft_u256)result);                                              \
  }                                                                                                \
  __weft_end_group
__weft_carrying(uaddo, __weft_ul4, __weft_u256, +);
__weft_carrying(usubo, __weft_ul4, __weft_u256, -);
__weft_carrying(addo, __weft_l4, __weft_s256, +);
__weft_carrying(subo, __weft_l4, __weft_s256, -);
#undef __weft_carrying

/* Table look-up: the word of LDM at the first address in `base` plus byte offset `lane` of
 * `offsets` goes to that lane of a hidden buffer; for lane 0 the buffer is the result. An LDM
 * address is 16 bits: what is above them in a word is not looked at. */
__weft_extern void weft_sw_table_word(unsigned ldm_address, int lane);
__weft_extern void weft_sw_table_result(void *words);
__weft_act(__weft_w8, selldw, (__weft_w8 offsets, __weft_w8 base, int lane)) {
  __weft_w8 result = 0;
  weft_sw_table_word(((unsigned)base[0] + (unsigned)offsets[lane & 7]) & 0xffffU, lane & 7);
  if ((lane & 7) == 0)
    weft_sw_table_result(&result);
  return result;
}

#endif /* WEFT_SW26010_OPS_WIDE_H */
