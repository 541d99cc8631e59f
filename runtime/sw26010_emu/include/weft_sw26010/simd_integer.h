/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Operations on intv8 and uintv8. Included by simd.h. The name says how words are read, signed or
 * not; the type of the operands only passes through. */
#ifndef WEFT_SW26010_SIMD_INTEGER_H
#define WEFT_SW26010_SIMD_INTEGER_H

#define __weft_plain(name, expression)                                                             \
  __weft_overload intv8 simd_##name(intv8 a, intv8 b) { return expression; }                       \
  __weft_overload uintv8 simd_##name(uintv8 a, uintv8 b) { return expression; }                    \
  __weft_end_group
__weft_plain(vaddw, a + b);
__weft_plain(vsubw, a - b);
__weft_plain(vandw, a &b);
__weft_plain(vbicw, a & ~b);
__weft_plain(vbisw, a | b);
__weft_plain(vornotw, a | ~b);
__weft_plain(vxorw, a ^ b);
__weft_plain(veqvw, ~(a ^ b));
#undef __weft_plain

/* `native` is the type that the operation itself is declared with. */
#define __weft_words(name, native)                                                                 \
  __weft_overload intv8 simd_##name(intv8 a, intv8 b) {                                            \
    return (intv8)__weft_call(name)((native)a, (native)b);                                         \
  }                                                                                                \
  __weft_overload uintv8 simd_##name(uintv8 a, uintv8 b) {                                         \
    return (uintv8)__weft_call(name)((native)a, (native)b);                                        \
  }                                                                                                \
  __weft_end_group
__weft_words(vcmpeqw, intv8);
__weft_words(vcmplew, intv8);
__weft_words(vcmpltw, intv8);
__weft_words(vcmpulew, uintv8);
__weft_words(vcmpultw, uintv8);
__weft_words(vucaddw, intv8);
__weft_words(vucsubw, intv8);
__weft_words(vucaddh, intv8);
__weft_words(vucsubh, intv8);
__weft_words(vucaddb, intv8);
__weft_words(vucsubb, intv8);
#undef __weft_words

#define __weft_words(name)                                                                         \
  __weft_overload intv8 simd_##name(intv8 a, int count) { return __weft_call(name)(a, count); }    \
  __weft_overload uintv8 simd_##name(uintv8 a, int count) {                                        \
    return (uintv8)__weft_call(name)((intv8)a, count);                                             \
  }                                                                                                \
  __weft_end_group
__weft_words(vsllw);
__weft_words(vsrlw);
__weft_words(vsraw);
__weft_words(vrolw);
#undef __weft_words

#define __weft_words(name)                                                                         \
  __weft_overload intv8 simd_##name(intv8 a, intv8 b, intv8 c) {                                   \
    return __weft_call(name)(a, b, c);                                                             \
  }                                                                                                \
  __weft_overload uintv8 simd_##name(uintv8 a, uintv8 b, uintv8 c) {                               \
    return (uintv8)__weft_call(name)((intv8)a, (intv8)b, (intv8)c);                                \
  }                                                                                                \
  __weft_end_group
__weft_words(vseleqw);
__weft_words(vsellew);
__weft_words(vselltw);
__weft_words(vsellbcw);
#undef __weft_words

/* Logic by truth table. vlog3x takes the number of a table register (wcsr 0x80 + n), the others the
 * table itself. */
#define __weft_logic(vector)                                                                       \
  __weft_overload vector simd_vlog2x(int table, vector a, vector b) {                              \
    return (vector)__weft_call(vlog2x)((intv8)a, (intv8)b, table);                                 \
  }                                                                                                \
  __weft_overload vector simd_vlog(int table, vector a, vector b, vector c) {                      \
    return (vector)__weft_call(vlog)((intv8)a, (intv8)b, (intv8)c, table);                         \
  }                                                                                                \
  __weft_overload vector simd_vlog3x(int number, vector a, vector b, vector c) {                   \
    return (vector)__weft_call(vlog3r)((intv8)a, (intv8)b, (intv8)c, number);                      \
  }                                                                                                \
  __weft_end_group
__weft_logic(intv8);
__weft_logic(uintv8);
#undef __weft_logic

/* Word n: taken out, or replaced by a scalar or by word 0 of a vector. */
#define __weft_lane(n)                                                                             \
  __weft_overload int simd_vextw##n(intv8 a) { return __weft_call(vextw)(a, n); }                  \
  __weft_overload unsigned int simd_vextw##n(uintv8 a) {                                           \
    return (unsigned int)__weft_call(vextw)((intv8)a, n);                                          \
  }                                                                                                \
  __weft_overload intv8 simd_vinsw##n(int a, intv8 b) { return __weft_call(vinsw)(a, b, n); }      \
  __weft_overload intv8 simd_vinsw##n(intv8 a, intv8 b) { return __weft_call(vinsw)(a[0], b, n); } \
  __weft_overload uintv8 simd_vinsw##n(unsigned int a, uintv8 b) {                                 \
    return (uintv8)__weft_call(vinsw)((int)a, (intv8)b, n);                                        \
  }                                                                                                \
  __weft_overload uintv8 simd_vinsw##n(uintv8 a, uintv8 b) {                                       \
    return (uintv8)__weft_call(vinsw)((int)a[0], (intv8)b, n);                                     \
  }                                                                                                \
  __weft_end_group
__weft_lane(0);
__weft_lane(1);
__weft_lane(2);
__weft_lane(3);
__weft_lane(4);
__weft_lane(5);
__weft_lane(6);
__weft_lane(7);
#undef __weft_lane

/* The low word of the register into all words. What the low word of a floatv4 is, whose lanes are
 * wider in the register than in memory, is not known. */
__weft_overload intv8 simd_vcpyw(int a) { return __weft_call(vcpyw)(a); }
__weft_overload intv8 simd_vcpyw(intv8 a) { return __weft_call(vcpyw)(a[0]); }
__weft_overload uintv8 simd_vcpyw(uintv8 a) { return (uintv8)__weft_call(vcpyw)((int)a[0]); }
__weft_overload intv8 simd_vcpyw(doublev4 a) { return __weft_call(vcpyw)(((intv8)a)[0]); }
__weft_overload intv8 simd_vcpyw(floatv4 a)
    __attribute__((unavailable("simd_vcpyw of a floatv4: its low word is not documented; copy a "
                               "doublev4 or an intv8")));

__weft_overload intv8 simd_vshff(intv8 a, intv8 b, int mask) {
  return __weft_call(vshfw)(a, b, mask);
}
__weft_overload uintv8 simd_vshff(uintv8 a, uintv8 b, int mask) {
  return (uintv8)__weft_call(vshfw)((intv8)a, (intv8)b, mask);
}

/* Table look-up in LDM: `base` holds the address of the table in word 0, `offsets` eight byte
 * offsets. */
__weft_inline intv8 simd_selldw(intv8 offsets, intv8 base, int lane) {
  return __weft_call(selldw)(offsets, base, lane);
}
__weft_inline intv8 __weft_lookup(intv8 offsets, intv8 base) {
  __weft_call(selldw)(offsets, base, 7);
  __weft_call(selldw)(offsets, base, 6);
  __weft_call(selldw)(offsets, base, 5);
  __weft_call(selldw)(offsets, base, 4);
  __weft_call(selldw)(offsets, base, 3);
  __weft_call(selldw)(offsets, base, 2);
  __weft_call(selldw)(offsets, base, 1);
  return __weft_call(selldw)(offsets, base, 0);
}
#define simd_lookup(va, vb, vc) ((vc) = __weft_lookup((va), (vb)))

#endif /* WEFT_SW26010_SIMD_INTEGER_H */
