/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Integer instructions on registers, as inline assembly names them. Included by weft_sw26010_asm.h.
 * A word instruction sign-extends its result. */
#ifndef WEFT_SW26010_ASM_INTEGER_H
#define WEFT_SW26010_ASM_INTEGER_H

/* ---- scalar: lane 0 in, lane 0 out, the others zero ---- */

#define __weft_scalar(name, expression)                                                            \
  __weft_op(__weft_reg, name##__r, (__weft_reg x, __weft_reg y)) {                                 \
    const unsigned long a = (unsigned long)x[0], b = (unsigned long)y[0];                          \
    return (__weft_reg){(long)(expression), 0, 0, 0};                                              \
  }                                                                                                \
  __weft_end_group
#define __weft_long_and_word(name, expression)                                                     \
  __weft_scalar(name##l, expression);                                                              \
  __weft_scalar(name##w, (long)(int)(expression))
__weft_long_and_word(add, a + b);
__weft_long_and_word(sub, a - b);
__weft_long_and_word(mul, a *b);
__weft_long_and_word(s4add, a * 4 + b);
__weft_long_and_word(s8add, a * 8 + b);
__weft_long_and_word(s4sub, a * 4 - b);
__weft_long_and_word(s8sub, a * 8 - b);
__weft_scalar(umulh, (unsigned long)(((__weft_u128)a * b) >> 64));
__weft_scalar(cmpeq, a == b);
__weft_scalar(cmplt, (long)a < (long)b);
__weft_scalar(cmple, (long)a <= (long)b);
__weft_scalar(cmpult, a < b);
__weft_scalar(cmpule, a <= b);
__weft_scalar(bis, a | b);
__weft_scalar(bic, a & ~b);
__weft_scalar(ornot, a | ~b);
__weft_scalar(eqv, ~(a ^ b));
__weft_scalar(sll, a << (b & 63));
__weft_scalar(srl, a >> (b & 63));
__weft_scalar(sra, (long)a >> (b & 63));
/* The names of <iso646.h> may be macros: pasted, they are not replaced. */
#define __weft_word_of_iso646(left, right, expression) __weft_scalar(left##right, expression)
__weft_word_of_iso646(an, d, a &b);
__weft_word_of_iso646(o, r, a | b);
__weft_word_of_iso646(xo, r, a ^ b);
#undef __weft_word_of_iso646
#undef __weft_long_and_word
#undef __weft_scalar

/* Bytes that the low eight bits of the second operand clear (zap) or keep (zapnot). */
__weft_inline unsigned long __weft_byte_mask(unsigned long bits) {
  unsigned long mask = 0;
  int byte;
  for (byte = 0; byte < 8; ++byte)
    if (bits >> byte & 1)
      mask |= 0xffUL << (8 * byte);
  return mask;
}
__weft_op(__weft_reg, zap__r, (__weft_reg a, __weft_reg b)) {
  return (__weft_reg){(long)((unsigned long)a[0] & ~__weft_byte_mask((unsigned long)b[0])), 0, 0,
                      0};
}
__weft_op(__weft_reg, zapnot__r, (__weft_reg a, __weft_reg b)) {
  return (__weft_reg){(long)((unsigned long)a[0] & __weft_byte_mask((unsigned long)b[0])), 0, 0, 0};
}

#define __weft_scalar(name, expression)                                                            \
  __weft_op(__weft_reg, name##__r, (__weft_reg x)) {                                               \
    const long a = x[0];                                                                           \
    return (__weft_reg){(long)(expression), 0, 0, 0};                                              \
  }                                                                                                \
  __weft_end_group
__weft_scalar(sextb, (signed char)a);
__weft_scalar(sexth, (short)a);
__weft_scalar(sextw, (int)a);
__weft_scalar(ctpop, __builtin_popcountl((unsigned long)a));
__weft_scalar(ctlz, a == 0 ? 64 : __builtin_clzl((unsigned long)a));
__weft_scalar(cttz, a == 0 ? 64 : __builtin_ctzl((unsigned long)a));
#undef __weft_scalar

/* (a op 0) ? b : c */
#define __weft_selection(name, condition)                                                          \
  __weft_op(__weft_reg, name##__r, (__weft_reg x, __weft_reg b, __weft_reg c)) {                   \
    const long a = x[0];                                                                           \
    return (__weft_reg){(condition) ? b[0] : c[0], 0, 0, 0};                                       \
  }                                                                                                \
  __weft_end_group
__weft_selection(seleq, a == 0);
__weft_selection(selne, a != 0);
__weft_selection(sellt, a < 0);
__weft_selection(selle, a <= 0);
__weft_selection(selgt, a > 0);
__weft_selection(selge, a >= 0);
__weft_selection(sellbc, (a & 1) == 0);
__weft_selection(sellbs, (a & 1) != 0);
#undef __weft_selection

/* Addresses and copies. */
__weft_op(__weft_reg, ldi__r, (__weft_reg a, int offset)) {
  return (__weft_reg){a[0] + offset, 0, 0, 0};
}
__weft_op(__weft_reg, ldih__r, (__weft_reg a, int offset)) {
  return (__weft_reg){a[0] + offset * 65536L, 0, 0, 0};
}
__weft_op(__weft_reg, mov__r, (__weft_reg a)) { return (__weft_reg){a[0], 0, 0, 0}; }
__weft_op(__weft_reg, clr__r, (void)) { return (__weft_reg)0L; }

/* ---- eight words, four longs, 256 bits ---- */

#define __weft_vector(name, lanes, expression)                                                     \
  __weft_op(__weft_reg, name##__r, (__weft_reg x, __weft_reg y)) {                                 \
    const lanes a = (lanes)x, b = (lanes)y;                                                        \
    return (__weft_reg)(expression);                                                               \
  }                                                                                                \
  __weft_end_group
__weft_vector(vaddw, __weft_w8, a + b);
__weft_vector(vsubw, __weft_w8, a - b);
__weft_vector(vaddl, __weft_l4, a + b);
__weft_vector(vsubl, __weft_l4, a - b);
__weft_vector(vandw, __weft_w8, a &b);
__weft_vector(vand, __weft_w8, a &b);
__weft_vector(vbicw, __weft_w8, a & ~b);
__weft_vector(vbic, __weft_w8, a & ~b);
__weft_vector(vbisw, __weft_w8, a | b);
__weft_vector(vbis, __weft_w8, a | b);
__weft_vector(vornotw, __weft_w8, a | ~b);
__weft_vector(vornot, __weft_w8, a | ~b);
__weft_vector(vxorw, __weft_w8, a ^ b);
__weft_vector(vxor, __weft_w8, a ^ b);
__weft_vector(veqvw, __weft_w8, ~(a ^ b));
__weft_vector(veqv, __weft_w8, ~(a ^ b));
__weft_vector(vcmpeqw, __weft_w8, __weft_sem_vcmpeqw(a, b));
__weft_vector(vcmplew, __weft_w8, __weft_sem_vcmplew(a, b));
__weft_vector(vcmpltw, __weft_w8, __weft_sem_vcmpltw(a, b));
__weft_vector(vcmpulew, __weft_u8, __weft_sem_vcmpulew(a, b));
__weft_vector(vcmpultw, __weft_u8, __weft_sem_vcmpultw(a, b));
__weft_vector(vucaddw, __weft_w8, __weft_sem_vucaddw(a, b));
__weft_vector(vucsubw, __weft_w8, __weft_sem_vucsubw(a, b));
__weft_vector(vucaddh, __weft_w8, __weft_sem_vucaddh(a, b));
__weft_vector(vucsubh, __weft_w8, __weft_sem_vucsubh(a, b));
__weft_vector(vucaddb, __weft_w8, __weft_sem_vucaddb(a, b));
__weft_vector(vucsubb, __weft_w8, __weft_sem_vucsubb(a, b));
__weft_vector(umulqa, __weft_ul4, __weft_sem_umulqa(a, b));
#undef __weft_vector
/* Some of word 0..7 of the first equals the low word of the second operand. Only zero and non-zero
 * are known of the result. */
__weft_op(__weft_reg, vmatch__r, (__weft_reg a, __weft_reg b)) {
  const __weft_w8 equal = (__weft_w8)a == (__weft_w8)(int)b[0];
  return (__weft_reg){__builtin_reduce_or(equal) & 1, 0, 0, 0};
}

#define __weft_vector(name)                                                                        \
  __weft_op(__weft_reg, name##__r, (__weft_reg a, int count)) {                                    \
    return (__weft_reg)__weft_sem_##name((__weft_w8)a, count);                                     \
  }                                                                                                \
  __weft_end_group
__weft_vector(vsllw);
__weft_vector(vsrlw);
__weft_vector(vsraw);
__weft_vector(vrolw);
#undef __weft_vector
#define __weft_vector(name)                                                                        \
  __weft_op(__weft_reg, name##__r, (__weft_reg a, __weft_reg b, __weft_reg c)) {                   \
    return (__weft_reg)__weft_sem_##name((__weft_w8)a, (__weft_w8)b, (__weft_w8)c);                \
  }                                                                                                \
  __weft_end_group
__weft_vector(vseleqw);
__weft_vector(vsellew);
__weft_vector(vselltw);
__weft_vector(vsellbcw);
#undef __weft_vector
__weft_op(__weft_reg, sllow__r, (__weft_reg a, int count)) { return __weft_sem_sllow(a, count); }
__weft_op(__weft_reg, srlow__r, (__weft_reg a, int count)) { return __weft_sem_srlow(a, count); }
__weft_op(__weft_reg, ctpopow__r, (__weft_reg a)) {
  return (__weft_reg){__weft_sem_ctpopow(a), 0, 0, 0};
}
__weft_op(__weft_reg, ctlzow__r, (__weft_reg a)) {
  return (__weft_reg){__weft_sem_ctlzow(a), 0, 0, 0};
}

#define __weft_carrying(name, lanes)                                                               \
  __weft_act(__weft_reg, name##__r, (__weft_reg a, __weft_reg b)) {                                \
    return (__weft_reg)__weft_sem_##name((lanes)a, (lanes)b);                                      \
  }                                                                                                \
  __weft_end_group
__weft_carrying(uaddo_carry, __weft_ul4);
__weft_carrying(usubo_carry, __weft_ul4);
__weft_carrying(addo_carry, __weft_l4);
__weft_carrying(subo_carry, __weft_l4);
__weft_carrying(uaddo_take_carry, __weft_ul4);
__weft_carrying(usubo_take_carry, __weft_ul4);
__weft_carrying(addo_take_carry, __weft_l4);
__weft_carrying(subo_take_carry, __weft_l4);
#undef __weft_carrying

/* Logic by truth table: the table, or the number of its register, is the end of the mnemonic. */
__weft_op(__weft_reg, vlog2x__r, (__weft_reg a, __weft_reg b, int table)) {
  return (__weft_reg)__weft_sem_vlog2x((__weft_w8)a, (__weft_w8)b, table);
}
__weft_op(__weft_reg, vlog__r, (__weft_reg a, __weft_reg b, __weft_reg c, int table)) {
  return (__weft_reg)__weft_sem_vlog((__weft_w8)a, (__weft_w8)b, (__weft_w8)c, table);
}
__weft_act(__weft_reg, vlog3r__r, (__weft_reg a, __weft_reg b, __weft_reg c, int number)) {
  return (__weft_reg)__weft_sem_vlog3r((__weft_w8)a, (__weft_w8)b, (__weft_w8)c, number);
}

/* Lanes. */
__weft_op(__weft_reg, vextw__r, (__weft_reg a, int lane)) {
  return (__weft_reg){__weft_sem_vextw((__weft_w8)a, lane), 0, 0, 0};
}
__weft_op(__weft_reg, vinsw__r, (__weft_reg a, __weft_reg b, int lane)) {
  return (__weft_reg)__weft_sem_vinsw((int)a[0], (__weft_w8)b, lane);
}
__weft_op(__weft_reg, vcpyw__r, (__weft_reg a)) { return (__weft_reg)__weft_sem_vcpyw((int)a[0]); }
__weft_op(__weft_reg, vshfw__r, (__weft_reg a, __weft_reg b, int mask)) {
  return (__weft_reg)__weft_sem_vshfw((__weft_w8)a, (__weft_w8)b, mask);
}
__weft_act(__weft_reg, selldw__r, (__weft_reg a, __weft_reg b, int lane)) {
  return (__weft_reg)__weft_sem_selldw((__weft_w8)a, (__weft_w8)b, lane);
}

#endif /* WEFT_SW26010_ASM_INTEGER_H */
