/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Register communication in a row (r) or a column (c) of CPEs. Included by simd.h. */
#ifndef WEFT_SW26010_SIMD_MESSAGE_H
#define WEFT_SW26010_SIMD_MESSAGE_H

/* Destination: the low three bits are a column in the row, or a row in the column; bit 3 set sends
 * to all others. */
#define simd_putr(va, dest) __weft_putr((va), (dest))
#define simd_putc(va, dest) __weft_putc((va), (dest))
/* The oldest message received; waits for one. */
#define simd_getr(va) ((va) = __weft_getr((__weft_vector_of(va) *)0))
#define simd_getc(va) ((va) = __weft_getc((__weft_vector_of(va) *)0))
/* The compiler's names of the same: public code has them bare. */
#define __builtin_sw64_putR(va, dest) __weft_putr((va), (dest))
#define __builtin_sw64_putC(va, dest) __weft_putc((va), (dest))
#define __builtin_sw64_getxR(va) __weft_getr((__weft_vector_of(va) *)0)
#define __builtin_sw64_getxC(va) __weft_getc((__weft_vector_of(va) *)0)
/* Load 32 bytes of LDM, or 8 into all lanes (loader, loadec), and send them to all others. */
#define simd_loadr(va, addr) ((va) = __weft_loadr((__weft_vector_of(va) *)0, (const void *)(addr)))
#define simd_loadc(va, addr) ((va) = __weft_loadc((__weft_vector_of(va) *)0, (const void *)(addr)))
#define simd_loader(va, addr)                                                                      \
  ((va) = __weft_loader((__weft_vector_of(va) *)0, (const void *)(addr)))
#define simd_loadec(va, addr)                                                                      \
  ((va) = __weft_loadec((__weft_vector_of(va) *)0, (const void *)(addr)))

#if defined(__sw_slave__) || defined(WEFT_SW26010_PLAIN)
#define __weft_refuse(name)
#else
#define __weft_refuse(name)                                                                        \
  __attribute__((unavailable("simd_" #name " is an instruction of the CPEs: the MPE has no "       \
                             "register communication; call it in slave code")))
#endif

#define __weft_put(name, vector)                                                                   \
  __weft_refuse(name) __weft_overload void __weft_##name(vector a, int destination) {              \
    __weft_call(name##__r)((__weft_reg)a, destination);                                            \
  }                                                                                                \
  __weft_end_group
#define __weft_get(name, vector)                                                                   \
  __weft_refuse(name) __weft_overload vector __weft_##name(const vector *type) {                   \
    (void)type;                                                                                    \
    return (vector)__weft_call(name##__r)();                                                       \
  }                                                                                                \
  __weft_end_group
#define __weft_send(name, mnemonic, vector)                                                        \
  __weft_refuse(name) __weft_overload vector __weft_##name(const vector *type,                     \
                                                           const void *address) {                  \
    (void)type;                                                                                    \
    return (vector)__weft_call(mnemonic##__r)(address);                                            \
  }                                                                                                \
  __weft_end_group
#define __weft_messages(vector)                                                                    \
  __weft_put(putr, vector);                                                                        \
  __weft_put(putc, vector);                                                                        \
  __weft_get(getr, vector);                                                                        \
  __weft_get(getc, vector);                                                                        \
  __weft_send(loadr, vldr, vector);                                                                \
  __weft_send(loadc, vldc, vector);                                                                \
  __weft_send(loader, ldder, vector);                                                              \
  __weft_send(loadec, lddec, vector)
__weft_messages(doublev4);
__weft_messages(intv8);
__weft_messages(uintv8);
__weft_messages(int256);
__weft_messages(uint256);
#undef __weft_messages
#undef __weft_put
#undef __weft_get
#undef __weft_send

/* A floatv4 travels as its register holds it, four lanes in the format of doubles. */
#define __weft_messages(put, get)                                                                  \
  __weft_refuse(put) __weft_overload void __weft_##put(floatv4 a, int destination) {               \
    __weft_call(put##__s)(a, destination);                                                         \
  }                                                                                                \
  __weft_refuse(get) __weft_overload floatv4 __weft_##get(const floatv4 *type) {                   \
    (void)type;                                                                                    \
    return __weft_call(get##__s)();                                                                \
  }                                                                                                \
  __weft_end_group
__weft_messages(putr, getr);
__weft_messages(putc, getc);
#undef __weft_messages
#undef __weft_refuse
#define __weft_send(name)                                                                          \
  __weft_overload floatv4 __weft_##name(const floatv4 *type, const void *address)                  \
      __attribute__((unavailable("simd_" #name " of a floatv4: the instruction moves whole "       \
                                 "registers or doubles; load it and simd_putr or simd_putc it")))
__weft_send(loadr);
__weft_send(loadc);
__weft_send(loader);
__weft_send(loadec);
#undef __weft_send

#endif /* WEFT_SW26010_SIMD_MESSAGE_H */
