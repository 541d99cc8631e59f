/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Operations on int256 and uint256. Included by simd.h. */
#ifndef WEFT_SW26010_SIMD_WIDE_H
#define WEFT_SW26010_SIMD_WIDE_H

/* Four longs, lane by lane; so are + and - on the types. */
__weft_overload int256 simd_vaddl(int256 a, int256 b) { return a + b; }
__weft_overload uint256 simd_vaddl(uint256 a, uint256 b) { return a + b; }
__weft_overload int256 simd_vsubl(int256 a, int256 b) { return a - b; }
__weft_overload uint256 simd_vsubl(uint256 a, uint256 b) { return a - b; }

/* One integer of 256 bits. (<< and >> on the types shift lane by lane.) */
__weft_overload int256 simd_sllow(int256 a, int count) { return __weft_call(sllow)(a, count); }
__weft_overload uint256 simd_sllow(uint256 a, int count) {
  return (uint256)__weft_call(sllow)((int256)a, count);
}
__weft_overload int256 simd_srlow(int256 a, int count) { return __weft_call(srlow)(a, count); }
__weft_overload uint256 simd_srlow(uint256 a, int count) {
  return (uint256)__weft_call(srlow)((int256)a, count);
}
__weft_overload int simd_ctpopow(int256 a) { return __weft_call(ctpopow)(a); }
__weft_overload int simd_ctpopow(uint256 a) { return __weft_call(ctpopow)((int256)a); }
__weft_overload int simd_ctlzow(int256 a) { return __weft_call(ctlzow)(a); }
__weft_overload int simd_ctlzow(uint256 a) { return __weft_call(ctlzow)((int256)a); }

#define __weft_wide(name, native)                                                                  \
  __weft_overload int256 simd_##name(int256 a, int256 b) {                                         \
    return (int256)__weft_call(name)((native)a, (native)b);                                        \
  }                                                                                                \
  __weft_overload uint256 simd_##name(uint256 a, uint256 b) {                                      \
    return (uint256)__weft_call(name)((native)a, (native)b);                                       \
  }                                                                                                \
  __weft_end_group
__weft_wide(umulqa, uint256);
__weft_wide(uaddo_carry, uint256);
__weft_wide(usubo_carry, uint256);
__weft_wide(addo_carry, int256);
__weft_wide(subo_carry, int256);
__weft_wide(uaddo_take_carry, uint256);
__weft_wide(usubo_take_carry, uint256);
__weft_wide(addo_take_carry, int256);
__weft_wide(subo_take_carry, int256);
#undef __weft_wide

#endif /* WEFT_SW26010_SIMD_WIDE_H */
