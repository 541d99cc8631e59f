/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Operations on doublev4 and floatv4. Included by simd.h. A name that ends in d is for doublev4, in
 * s for floatv4; the others take both. */
#ifndef WEFT_SW26010_SIMD_FLOAT_H
#define WEFT_SW26010_SIMD_FLOAT_H

#define __weft_arithmetic(name, vector, expression)                                                \
  __weft_inline vector simd_##name(vector a, vector b) { return expression; }                      \
  __weft_end_group
__weft_arithmetic(vaddd, doublev4, a + b);
__weft_arithmetic(vadds, floatv4, a + b);
__weft_arithmetic(vsubd, doublev4, a - b);
__weft_arithmetic(vsubs, floatv4, a - b);
__weft_arithmetic(vmuld, doublev4, a *b);
__weft_arithmetic(vmuls, floatv4, a *b);
__weft_arithmetic(vdivd, doublev4, a / b);
__weft_arithmetic(vdivs, floatv4, a / b);
#undef __weft_arithmetic

__weft_inline doublev4 simd_vsqrtd(doublev4 a) { return __builtin_elementwise_sqrt(a); }
__weft_inline floatv4 simd_vsqrts(floatv4 a) { return __builtin_elementwise_sqrt(a); }

/* Product and sum, rounded once. */
#define __weft_fused(name, vector, product, sum)                                                   \
  __weft_inline vector simd_##name(vector a, vector b, vector c) {                                 \
    return __builtin_elementwise_fma(product a, b, sum c);                                         \
  }                                                                                                \
  __weft_end_group
__weft_fused(vmad, doublev4, +, +);
__weft_fused(vmas, floatv4, +, +);
__weft_fused(vmsd, doublev4, +, -);
__weft_fused(vmss, floatv4, +, -);
__weft_fused(vnmad, doublev4, -, +);
__weft_fused(vnmas, floatv4, -, +);
__weft_fused(vnmsd, doublev4, -, -);
__weft_fused(vnmss, floatv4, -, -);
#undef __weft_fused

#define __weft_both(name)                                                                          \
  __weft_overload doublev4 simd_##name(doublev4 a, doublev4 b) { return __weft_call(name)(a, b); } \
  __weft_overload floatv4 simd_##name(floatv4 a, floatv4 b) {                                      \
    return __weft_call(name##__s)(a, b);                                                           \
  }                                                                                                \
  __weft_end_group
__weft_both(vfcmpeq);
__weft_both(vfcmple);
__weft_both(vfcmplt);
__weft_both(vfcmpun);
__weft_both(vcpys);
__weft_both(vcpysn);
__weft_both(vcpyse);
#undef __weft_both

#define __weft_both(name)                                                                          \
  __weft_overload doublev4 simd_##name(doublev4 a, doublev4 b, doublev4 c) {                       \
    return __weft_call(name)(a, b, c);                                                             \
  }                                                                                                \
  __weft_overload floatv4 simd_##name(floatv4 a, floatv4 b, floatv4 c) {                           \
    return __weft_call(name##__s)(a, b, c);                                                        \
  }                                                                                                \
  __weft_end_group
__weft_both(vseleq);
__weft_both(vsellt);
__weft_both(vselle);
#undef __weft_both

/* Lane n: taken out as a scalar, or replaced by a scalar or by lane 0 of a vector. */
#define __weft_lane(n)                                                                             \
  __weft_overload double simd_vextf##n(doublev4 a) { return __weft_call(vextf)(a, n); }            \
  __weft_overload float simd_vextf##n(floatv4 a) { return __weft_call(vextf__s)(a, n); }           \
  __weft_overload doublev4 simd_vinsf##n(double a, doublev4 b) {                                   \
    return __weft_call(vinsf)(a, b, n);                                                            \
  }                                                                                                \
  __weft_overload doublev4 simd_vinsf##n(doublev4 a, doublev4 b) {                                 \
    return __weft_call(vinsf)(a[0], b, n);                                                         \
  }                                                                                                \
  __weft_overload floatv4 simd_vinsf##n(float a, floatv4 b) {                                      \
    return __weft_call(vinsf__s)(a, b, n);                                                         \
  }                                                                                                \
  __weft_overload floatv4 simd_vinsf##n(floatv4 a, floatv4 b) {                                    \
    return __weft_call(vinsf__s)(a[0], b, n);                                                      \
  }                                                                                                \
  __weft_end_group
__weft_lane(0);
__weft_lane(1);
__weft_lane(2);
__weft_lane(3);
#undef __weft_lane

/* Lane 0 into all lanes. */
__weft_overload doublev4 simd_vcpyf(doublev4 a) { return __weft_call(vcpyf)(a[0]); }
__weft_overload floatv4 simd_vcpyf(floatv4 a) { return __weft_call(vcpyf__s)(a[0]); }
__weft_overload doublev4 simd_vcpyf(double a) { return __weft_call(vcpyf)(a); }
__weft_overload floatv4 simd_vcpyf(float a) { return __weft_call(vcpyf__s)(a); }

__weft_overload doublev4 simd_vshff(doublev4 a, doublev4 b, int mask) {
  return __weft_call(vshff)(a, b, mask);
}
__weft_overload floatv4 simd_vshff(floatv4 a, floatv4 b, int mask) {
  return __weft_call(vshff__s)(a, b, mask);
}

#endif /* WEFT_SW26010_SIMD_FLOAT_H */
