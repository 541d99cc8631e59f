/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loads, stores, and vectors made of scalars. Included by simd.h. */
#ifndef WEFT_SW26010_SIMD_MEMORY_H
#define WEFT_SW26010_SIMD_MEMORY_H

/* The type of a vector without const and volatile. */
#ifdef __cplusplus
#define __weft_vector_of(va) __remove_cvref(__typeof__(va))
#else
#define __weft_vector_of(va) __typeof_unqual__(va)
#endif

/* Aligned to the size of the memory image: 32 bytes, 16 for a floatv4. On the CPEs anything else is
 * a fault; on the MPE it is not looked at. (Functions: clang would take what it knows of an array's
 * alignment into the access, and there would be nothing to check.) */
#define simd_load(va, addr)                                                                        \
  ((void)((va) = __weft_load((__weft_vector_of(va) *)0, (const void *)(addr))))
#define simd_store(va, addr) __weft_store((va), (void *)(addr))

/* Any address. The first operand of the functions behind them is a type to choose by. */
#define simd_loadu(va, addr)                                                                       \
  ((void)((va) = __weft_loadu((__weft_vector_of(va) *)0, (const void *)(addr))))
#define simd_storeu(va, addr) __weft_storeu((va), (void *)(addr))
/* One element, put into all lanes. */
#define simd_loade(va, addr)                                                                       \
  ((void)((va) = __weft_loade((__weft_vector_of(va) *)0, (const void *)(addr))))

#ifdef __sw_slave__
#define __weft_aligned(vector) vector
#else
#define __weft_aligned(vector) __weft_any_##vector
#endif
#define __weft_memory(vector, element, lanes)                                                      \
  typedef element __weft_any_##vector __attribute__((ext_vector_type(lanes), aligned(1)));         \
  __weft_overload vector __weft_load(const vector *type, const void *address) {                    \
    (void)type;                                                                                    \
    return *(const __weft_aligned(vector) *)address;                                               \
  }                                                                                                \
  __weft_overload void __weft_store(vector value, void *address) {                                 \
    *(__weft_aligned(vector) *)address = value;                                                    \
  }                                                                                                \
  __weft_overload vector __weft_loadu(const vector *type, const void *address) {                   \
    (void)type;                                                                                    \
    return *(const __weft_any_##vector *)address;                                                  \
  }                                                                                                \
  __weft_overload void __weft_storeu(vector value, void *address) {                                \
    *(__weft_any_##vector *)address = value;                                                       \
  }                                                                                                \
  __weft_overload vector __weft_loade(const vector *type, const void *address) {                   \
    (void)type;                                                                                    \
    return (vector) * (const element *)address;                                                    \
  }                                                                                                \
  __weft_end_group
__weft_memory(doublev4, double, 4);
__weft_memory(floatv4, float, 4);
__weft_memory(intv8, int, 8);
__weft_memory(uintv8, unsigned int, 8);
__weft_memory(int256, long, 4);
__weft_memory(uint256, unsigned long, 4);
#undef __weft_memory
#undef __weft_aligned

/* The first operand is lane 0. */
#define __weft_set4(vector, element)                                                               \
  __weft_inline vector simd_set_##vector(element a, element b, element c, element d) {             \
    return (vector){a, b, c, d};                                                                   \
  }                                                                                                \
  __weft_end_group
__weft_set4(doublev4, double);
__weft_set4(floatv4, float);
__weft_set4(int256, long);
__weft_set4(uint256, unsigned long);
#undef __weft_set4
#define __weft_set8(vector, element)                                                               \
  __weft_inline vector simd_set_##vector(element a, element b, element c, element d, element e,    \
                                         element f, element g, element h) {                        \
    return (vector){a, b, c, d, e, f, g, h};                                                       \
  }                                                                                                \
  __weft_end_group
__weft_set8(intv8, int);
__weft_set8(uintv8, unsigned int);
#undef __weft_set8

/* What weft-swcc makes of the casts (doublev4)x and (floatv4)x: a scalar goes to all lanes, between
 * the two types values are converted, other vectors of 32 bytes keep their bits. */
#define __weft_cast(vector, other)                                                                 \
  __weft_overload vector __weft_cast_##vector(double a) { return (vector)a; }                      \
  __weft_overload vector __weft_cast_##vector(float a) { return (vector)a; }                       \
  __weft_overload vector __weft_cast_##vector(int a) { return (vector)a; }                         \
  __weft_overload vector __weft_cast_##vector(unsigned int a) { return (vector)a; }                \
  __weft_overload vector __weft_cast_##vector(long a) { return (vector)a; }                        \
  __weft_overload vector __weft_cast_##vector(unsigned long a) { return (vector)a; }               \
  __weft_overload vector __weft_cast_##vector(long long a) { return (vector)a; }                   \
  __weft_overload vector __weft_cast_##vector(unsigned long long a) { return (vector)a; }          \
  __weft_overload vector __weft_cast_##vector(vector a) { return a; }                              \
  __weft_overload vector __weft_cast_##vector(other a) {                                           \
    return __builtin_convertvector(a, vector);                                                     \
  }                                                                                                \
  __weft_end_group
__weft_cast(doublev4, floatv4);
__weft_cast(floatv4, doublev4);
#undef __weft_cast
__weft_overload doublev4 __weft_cast_doublev4(intv8 a) { return (doublev4)a; }
__weft_overload doublev4 __weft_cast_doublev4(uintv8 a) { return (doublev4)a; }
__weft_overload doublev4 __weft_cast_doublev4(int256 a) { return (doublev4)a; }
__weft_overload doublev4 __weft_cast_doublev4(uint256 a) { return (doublev4)a; }

/* What weft-swcc makes of a vector where a number is wanted: lane 0, where a register has a scalar.
 */
__weft_overload double __weft_lane0(doublev4 a) { return a[0]; }
__weft_overload float __weft_lane0(floatv4 a) { return a[0]; }
__weft_overload int __weft_lane0(intv8 a) { return a[0]; }
__weft_overload unsigned int __weft_lane0(uintv8 a) { return a[0]; }
__weft_overload long __weft_lane0(int256 a) { return a[0]; }
__weft_overload unsigned long __weft_lane0(uint256 a) { return a[0]; }

#endif /* WEFT_SW26010_SIMD_MEMORY_H */
