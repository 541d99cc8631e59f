/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Floating-point instructions on registers, as inline assembly names them. Included by
 * weft_sw26010_asm.h. A single-precision instruction rounds its result to a float, which the
 * register keeps in the format of a double. */
#ifndef WEFT_SW26010_ASM_FLOAT_H
#define WEFT_SW26010_ASM_FLOAT_H

#define __weft_lanes_d(a) ((__weft_d4)(a))
#define __weft_lanes_s(a) __builtin_convertvector((__weft_d4)(a), __weft_f4)
__weft_inline __weft_reg __weft_register_d(__weft_d4 a) { return (__weft_reg)a; }
__weft_inline __weft_reg __weft_register_s(__weft_f4 a) {
  return (__weft_reg) __builtin_convertvector(a, __weft_d4);
}
/* A scalar instruction writes lane 0. What it leaves in the others is not documented: zero here. */
__weft_inline __weft_reg __weft_lane_0(__weft_reg a) { return (__weft_reg){a[0], 0, 0, 0}; }

/* Vector and scalar, double and single. The single forms compute in double and round the result,
 * which is exact for these operations on float operands. */
#define __weft_arithmetic(name, expression)                                                        \
  __weft_op(__weft_reg, v##name##d__r, (__weft_reg x, __weft_reg y)) {                             \
    const __weft_d4 a = __weft_lanes_d(x), b = __weft_lanes_d(y);                                  \
    return (__weft_reg)(expression);                                                               \
  }                                                                                                \
  __weft_op(__weft_reg, v##name##s__r, (__weft_reg x, __weft_reg y)) {                             \
    const __weft_d4 a = __weft_lanes_d(x), b = __weft_lanes_d(y);                                  \
    return __weft_register_s(__weft_lanes_s(expression));                                          \
  }                                                                                                \
  __weft_op(__weft_reg, f##name##d__r, (__weft_reg x, __weft_reg y)) {                             \
    return __weft_lane_0(__weft_sem_v##name##d__r(__weft_lane_0(x), __weft_lane_0(y)));            \
  }                                                                                                \
  __weft_op(__weft_reg, f##name##s__r, (__weft_reg x, __weft_reg y)) {                             \
    return __weft_lane_0(__weft_sem_v##name##s__r(__weft_lane_0(x), __weft_lane_0(y)));            \
  }                                                                                                \
  __weft_end_group
__weft_arithmetic(add, a + b);
__weft_arithmetic(sub, a - b);
__weft_arithmetic(mul, a *b);
__weft_arithmetic(div, a / b);
#undef __weft_arithmetic

__weft_op(__weft_reg, vsqrtd__r, (__weft_reg a)) {
  return (__weft_reg)__builtin_elementwise_sqrt(__weft_lanes_d(a));
}
__weft_op(__weft_reg, vsqrts__r, (__weft_reg a)) {
  return __weft_register_s(__weft_lanes_s(__builtin_elementwise_sqrt(__weft_lanes_d(a))));
}
__weft_op(__weft_reg, fsqrtd__r, (__weft_reg a)) {
  return __weft_lane_0(__weft_sem_vsqrtd__r(__weft_lane_0(a)));
}
__weft_op(__weft_reg, fsqrts__r, (__weft_reg a)) {
  return __weft_lane_0(__weft_sem_vsqrts__r(__weft_lane_0(a)));
}

/* vmad, vmas, fmad, fmas and their like: `stem` is what stands between v or f and the last letter.
 */
#define __weft_fused(stem, product, sum)                                                           \
  __weft_op(__weft_reg, v##stem##d__r, (__weft_reg a, __weft_reg b, __weft_reg c)) {               \
    return __weft_register_d(__builtin_elementwise_fma(product __weft_lanes_d(a),                  \
                                                       __weft_lanes_d(b), sum __weft_lanes_d(c))); \
  }                                                                                                \
  __weft_op(__weft_reg, v##stem##s__r, (__weft_reg a, __weft_reg b, __weft_reg c)) {               \
    return __weft_register_s(__builtin_elementwise_fma(product __weft_lanes_s(a),                  \
                                                       __weft_lanes_s(b), sum __weft_lanes_s(c))); \
  }                                                                                                \
  __weft_op(__weft_reg, f##stem##d__r, (__weft_reg a, __weft_reg b, __weft_reg c)) {               \
    return __weft_lane_0(                                                                          \
        __weft_sem_v##stem##d__r(__weft_lane_0(a), __weft_lane_0(b), __weft_lane_0(c)));           \
  }                                                                                                \
  __weft_op(__weft_reg, f##stem##s__r, (__weft_reg a, __weft_reg b, __weft_reg c)) {               \
    return __weft_lane_0(                                                                          \
        __weft_sem_v##stem##s__r(__weft_lane_0(a), __weft_lane_0(b), __weft_lane_0(c)));           \
  }                                                                                                \
  __weft_end_group
__weft_fused(ma, +, +);
__weft_fused(ms, +, -);
__weft_fused(nma, -, +);
__weft_fused(nms, -, -);
#undef __weft_fused

/* On registers a float is a double: these have no single form. */
#define __weft_pair(name)                                                                          \
  __weft_op(__weft_reg, v##name##__r, (__weft_reg a, __weft_reg b)) {                              \
    return (__weft_reg)__weft_sem_v##name(__weft_lanes_d(a), __weft_lanes_d(b));                   \
  }                                                                                                \
  __weft_op(__weft_reg, f##name##__r, (__weft_reg a, __weft_reg b)) {                              \
    return __weft_lane_0((__weft_reg)__weft_sem_v##name(__weft_lanes_d(a), __weft_lanes_d(b)));    \
  }                                                                                                \
  __weft_end_group
__weft_pair(cpys);
__weft_pair(cpysn);
__weft_pair(cpyse);
#undef __weft_pair
#define __weft_comparison(name)                                                                    \
  __weft_op(__weft_reg, v##name##__r, (__weft_reg a, __weft_reg b)) {                              \
    return (__weft_reg)__weft_sem_v##name(__weft_lanes_d(a), __weft_lanes_d(b));                   \
  }                                                                                                \
  __weft_op(__weft_reg, name##__r, (__weft_reg a, __weft_reg b)) {                                 \
    return __weft_lane_0((__weft_reg)__weft_sem_v##name(__weft_lanes_d(a), __weft_lanes_d(b)));    \
  }                                                                                                \
  __weft_end_group
__weft_comparison(fcmpeq);
__weft_comparison(fcmple);
__weft_comparison(fcmplt);
__weft_comparison(fcmpun);
#undef __weft_comparison

/* (a op 0) ? b : c */
#define __weft_selection(name)                                                                     \
  __weft_op(__weft_reg, v##name##__r, (__weft_reg a, __weft_reg b, __weft_reg c)) {                \
    return (__weft_reg)__weft_sem_v##name(__weft_lanes_d(a), __weft_lanes_d(b),                    \
                                          __weft_lanes_d(c));                                      \
  }                                                                                                \
  __weft_end_group
__weft_selection(seleq);
__weft_selection(sellt);
__weft_selection(selle);
#undef __weft_selection
#define __weft_selection(name, compared)                                                           \
  __weft_op(__weft_reg, name##__r, (__weft_reg a, __weft_reg b, __weft_reg c)) {                   \
    return __weft_lane_0(__weft_lanes_d(a)[0] compared 0.0 ? b : c);                               \
  }                                                                                                \
  __weft_end_group
__weft_selection(fseleq, ==);
__weft_selection(fselne, !=);
__weft_selection(fsellt, <);
__weft_selection(fselle, <=);
__weft_selection(fselgt, >);
__weft_selection(fselge, >=);
#undef __weft_selection

/* Conversions of lane 0 between a long, a double and a float. Beyond a long's range: the lowest
 * long. */
__weft_inline __weft_reg __weft_scalar_d(double a) {
  return (__weft_reg)(__weft_d4){a, 0.0, 0.0, 0.0};
}
__weft_inline __weft_reg __weft_to_long(double a) {
  const long lowest = -0x7fffffffffffffffL - 1L;
  return (__weft_reg){a >= -0x1p63 && a < 0x1p63 ? (long)a : lowest, 0, 0, 0};
}
__weft_op(__weft_reg, fcvtld__r, (__weft_reg a)) { return __weft_scalar_d((double)a[0]); }
__weft_op(__weft_reg, fcvtls__r, (__weft_reg a)) { return __weft_scalar_d((double)(float)a[0]); }
__weft_op(__weft_reg, fcvtds__r, (__weft_reg a)) {
  return __weft_scalar_d((double)(float)__weft_lanes_d(a)[0]);
}
__weft_op(__weft_reg, fcvtsd__r, (__weft_reg a)) { return __weft_lane_0(a); }
__weft_op(__weft_reg, fcvtdl__r, (__weft_reg a)) {
  return __weft_to_long(__builtin_roundeven(__weft_lanes_d(a)[0]));
}
__weft_op(__weft_reg, fcvtdl_z__r, (__weft_reg a)) { return __weft_to_long(__weft_lanes_d(a)[0]); }
/* Rounding 5 is down and 7 is up; others are refused before this is called. */
__weft_op(__weft_reg, fcvtdlr__r, (__weft_reg a, int rounding)) {
  const double value = __weft_lanes_d(a)[0];
  return __weft_to_long(rounding == 5 ? __builtin_floor(value) : __builtin_ceil(value));
}

/* Lanes. */
__weft_op(__weft_reg, vextf__r, (__weft_reg a, int lane)) {
  return (__weft_reg){a[lane & 3], 0, 0, 0};
}
__weft_op(__weft_reg, vinsf__r, (__weft_reg a, __weft_reg b, int lane)) {
  b[lane & 3] = a[0];
  return b;
}
__weft_op(__weft_reg, vcpyf__r, (__weft_reg a)) { return (__weft_reg)a[0]; }
__weft_op(__weft_reg, vshff__r, (__weft_reg a, __weft_reg b, int mask)) {
  return (__weft_reg)__weft_sem_vshff(__weft_lanes_d(a), __weft_lanes_d(b), mask);
}
__weft_op(__weft_reg, fmov__r, (__weft_reg a)) { return __weft_lane_0(a); }
__weft_op(__weft_reg, vfmov__r, (__weft_reg a)) { return a; }

#endif /* WEFT_SW26010_ASM_FLOAT_H */
