/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Vectors as text, highest lane first: "[4.000000, 3.000000, 2.000000, 1.000000]" and a newline.
 * Included by simd.h. simd_fprint_* needs <stdio.h>. */
#ifndef WEFT_SW26010_SIMD_PRINT_H
#define WEFT_SW26010_SIMD_PRINT_H

#define __weft_print4(vector, type, format)                                                        \
  __weft_inline void simd_print_##vector(vector a) {                                               \
    __builtin_printf("[" format ", " format ", " format ", " format "]\n", (type)a[3], (type)a[2], \
                     (type)a[1], (type)a[0]);                                                      \
  }                                                                                                \
  __weft_end_group
__weft_print4(doublev4, double, "%f");
__weft_print4(floatv4, double, "%f");
__weft_print4(int256, long, "0x%lx");
__weft_print4(uint256, unsigned long, "0x%lx");
#undef __weft_print4
#define __weft_print8(vector, type, format)                                                        \
  __weft_inline void simd_print_##vector(vector a) {                                               \
    __builtin_printf("[" format ", " format ", " format ", " format ", " format ", " format        \
                     ", " format ", " format "]\n",                                                \
                     a[7], a[6], a[5], a[4], a[3], a[2], a[1], a[0]);                              \
  }                                                                                                \
  __weft_end_group
__weft_print8(intv8, int, "%d");
__weft_print8(uintv8, unsigned int, "%u");
#undef __weft_print8

#define __weft_fprint4(file, vector, type, format, value)                                          \
  __extension__({                                                                                  \
    const vector __weft_value = (value);                                                           \
    fprintf((file), "[" format ", " format ", " format ", " format "]\n", (type)__weft_value[3],   \
            (type)__weft_value[2], (type)__weft_value[1], (type)__weft_value[0]);                  \
    (void)0;                                                                                       \
  })
#define __weft_fprint8(file, vector, format, value)                                                \
  __extension__({                                                                                  \
    const vector __weft_value = (value);                                                           \
    fprintf((file),                                                                                \
            "[" format ", " format ", " format ", " format ", " format ", " format ", " format     \
            ", " format "]\n",                                                                     \
            __weft_value[7], __weft_value[6], __weft_value[5], __weft_value[4], __weft_value[3],   \
            __weft_value[2], __weft_value[1], __weft_value[0]);                                    \
    (void)0;                                                                                       \
  })
#define simd_fprint_doublev4(file, va) __weft_fprint4(file, doublev4, double, "%f", va)
#define simd_fprint_floatv4(file, va) __weft_fprint4(file, floatv4, double, "%f", va)
#define simd_fprint_int256(file, va) __weft_fprint4(file, int256, long, "0x%lx", va)
#define simd_fprint_uint256(file, va) __weft_fprint4(file, uint256, unsigned long, "0x%lx", va)
#define simd_fprint_intv8(file, va) __weft_fprint8(file, intv8, "%d", va)
#define simd_fprint_uintv8(file, va) __weft_fprint8(file, uintv8, "%u", va)

#endif /* WEFT_SW26010_SIMD_PRINT_H */
