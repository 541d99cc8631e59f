/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Vector types under reserved names, and how an operation is declared.
 *
 * An operation that has a CPE instruction of its own, which LLVM IR cannot name plainly, is two
 * functions of one signature: the marker __weft_sw_<mnemonic>, which slave code calls, and the
 * meaning __weft_sem_<mnemonic>. weft-swcc's pass selects and charges the instruction <mnemonic>
 * for a call of the marker, then lets the call go to the meaning and inlines that, uncharged. A
 * form for other lane types has a suffix that is no part of the mnemonic:
 *
 *     (none) the natural type: doublev4, or intv8 or int256 for integer operations
 *     __s    floatv4
 *     __r    register to register, as inline assembly has it: every operand is __weft_reg
 *
 * Additions, products, divisions, roots, fused products, conversions, loads, stores, splats and
 * plain logic are LLVM operations and have no marker.
 *
 * Host code, and everything under WEFT_SW26010_PLAIN, calls the meaning directly. */
#ifndef WEFT_SW26010_TYPES_H
#define WEFT_SW26010_TYPES_H

typedef double __weft_d4 __attribute__((ext_vector_type(4)));
typedef float __weft_f4 __attribute__((ext_vector_type(4)));
typedef int __weft_w8 __attribute__((ext_vector_type(8)));
typedef unsigned int __weft_u8 __attribute__((ext_vector_type(8)));
typedef long __weft_l4 __attribute__((ext_vector_type(4)));
typedef unsigned long __weft_ul4 __attribute__((ext_vector_type(4)));
typedef int __weft_i4 __attribute__((ext_vector_type(4)));
typedef short __weft_h16 __attribute__((ext_vector_type(16)));
typedef signed char __weft_b32 __attribute__((ext_vector_type(32)));

/* A register as inline assembly sees it: four lanes of 64 bits. A scalar is in lane 0, a word
 * sign-extended, a float in the format of a double; so are the lanes of a floatv4. */
typedef __weft_l4 __weft_reg;

#if defined(__sw_slave__) && !defined(WEFT_SW26010_PLAIN)
#define WEFT_SW26010_MARKED 1
#endif

#define __weft_inline static __inline__ __attribute__((always_inline))

#ifdef __cplusplus
#define __weft_extern extern "C"
#define __weft_overload static __inline__ __attribute__((always_inline))
#else
#define __weft_extern extern
#define __weft_overload static __inline__ __attribute__((always_inline, overloadable))
#endif

/* Ends a macro that defines functions, so that its uses take a semicolon. */
#define __weft_end_group struct __weft_group

#ifdef WEFT_SW26010_MARKED
/* The meaning must outlive the optimizer until the pass has the markers call it. */
#define __weft_meaning static __attribute__((used, always_inline)) __inline__
/* __weft_op: the result depends on nothing but the operands. __weft_act: it does. */
#define __weft_op(result, name, parameters)                                                        \
  __weft_extern result __weft_sw_##name parameters __attribute__((const, nothrow));                \
  __weft_meaning result __weft_sem_##name parameters
#define __weft_act(result, name, parameters)                                                       \
  __weft_extern result __weft_sw_##name parameters __attribute__((nothrow));                       \
  __weft_meaning result __weft_sem_##name parameters
#define __weft_call(name) __weft_sw_##name
#else
#define __weft_op(result, name, parameters) __weft_inline result __weft_sem_##name parameters
#define __weft_act(result, name, parameters) __weft_inline result __weft_sem_##name parameters
#define __weft_call(name) __weft_sem_##name
#endif

#endif /* WEFT_SW26010_TYPES_H */
