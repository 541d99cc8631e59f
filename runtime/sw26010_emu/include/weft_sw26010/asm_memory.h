/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loads, stores, control registers and synchronization of inline assembly. Included by
 * weft_sw26010_asm.h. __weft_mem_<mnemonic> are no markers: the pass inlines them where the
 * instruction stands, before it selects instructions, so that the access is checked and charged
 * like any other. */
#ifndef WEFT_SW26010_ASM_MEMORY_H
#define WEFT_SW26010_ASM_MEMORY_H

#ifdef WEFT_SW26010_MARKED
#define __weft_memory static __attribute__((used, always_inline)) __inline__
#else
#define __weft_memory __weft_inline
#endif

/* The value of type `memory` at the address; `expression` makes a register of it. */
#define __weft_load(name, memory, expression)                                                      \
  __weft_memory __weft_reg __weft_mem_##name(const void *address) {                                \
    const memory a = *(const volatile memory *)address;                                            \
    return (__weft_reg)(expression);                                                               \
  }                                                                                                \
  __weft_end_group
#define __weft_word(a) ((__weft_reg){(long)(a), 0, 0, 0})
__weft_load(vldd, __weft_l4, a);
__weft_load(vldw, __weft_l4, a);
__weft_load(vlds, __weft_f4, __builtin_convertvector(a, __weft_d4));
__weft_load(ldde, long, a);
__weft_load(ldwe, int, (__weft_w8)a);
__weft_load(ldse, float, (__weft_d4)a);
__weft_load(ldl, long, __weft_word(a));
__weft_load(ldw, int, __weft_word(a));
__weft_load(ldhu, unsigned short, __weft_word(a));
__weft_load(ldbu, unsigned char, __weft_word(a));
__weft_load(fldd, long, __weft_word(a));
__weft_load(flds, float, ((__weft_d4){a, 0.0, 0.0, 0.0}));
#undef __weft_word
#undef __weft_load

#define __weft_store(name, memory, expression)                                                     \
  __weft_memory void __weft_mem_##name(void *address, __weft_reg a) {                              \
    *(volatile memory *)address = (memory)(expression);                                            \
  }                                                                                                \
  __weft_end_group
__weft_store(vstd, __weft_l4, a);
__weft_store(vstw, __weft_l4, a);
__weft_store(vsts, __weft_f4, __builtin_convertvector((__weft_d4)a, __weft_f4));
__weft_store(stl, long, a[0]);
__weft_store(stw, int, a[0]);
__weft_store(sth, short, a[0]);
__weft_store(stb, signed char, a[0]);
__weft_store(fstd, long, a[0]);
__weft_store(fsts, float, ((__weft_d4)a)[0]);
#undef __weft_store
#undef __weft_memory

__weft_extern void weft_sw_write_csr(int number, unsigned long value);
__weft_extern void weft_sw_sync_row(int mask);
__weft_extern void weft_sw_sync_column(int mask);
__weft_act(__weft_reg, rcsr__r, (int number)) {
  return (__weft_reg){(long)weft_sw_read_csr(number), 0, 0, 0};
}
__weft_act(void, wcsr__r, (__weft_reg value, int number)) {
  weft_sw_write_csr(number, (unsigned long)value[0]);
}
__weft_act(void, synr__r, (int mask)) { weft_sw_sync_row(mask); }
__weft_act(void, sync__r, (int mask)) { weft_sw_sync_column(mask); }
__weft_extern void weft_sw_dma(unsigned long low, unsigned long high, unsigned long memory,
                               unsigned long ldm);
__weft_act(void, dma__r, (__weft_reg descriptor, __weft_reg memory, __weft_reg ldm)) {
  weft_sw_dma((unsigned long)descriptor[0], (unsigned long)descriptor[1], (unsigned long)memory[0],
              (unsigned long)ldm[0]);
}
/* One is added to a word or long in main memory, atomically; the result is what it was. */
__weft_extern unsigned long weft_sw_atomic(void *address, int bytes, int operation,
                                           unsigned long operand);
__weft_act(__weft_reg, faaw__r, (const void *address)) {
  return (__weft_reg){(int)weft_sw_atomic((void *)address, 4, 0, 1), 0, 0, 0};
}
__weft_act(__weft_reg, faal__r, (const void *address)) {
  return (__weft_reg){(long)weft_sw_atomic((void *)address, 8, 0, 1), 0, 0, 0};
}
/* The register of floating-point control: of its bits only those of flushing to zero are known. */
__weft_extern unsigned long weft_sw_read_fpcr(void);
__weft_extern void weft_sw_write_fpcr(unsigned long value);
__weft_act(__weft_reg, rfpcr__r, (void)) {
  return (__weft_reg){(long)weft_sw_read_fpcr(), 0, 0, 0};
}
__weft_act(void, wfpcr__r, (__weft_reg value)) { weft_sw_write_fpcr((unsigned long)value[0]); }
/* The memory of a core is ordered as it is: memb takes time only. */
__weft_act(void, memb__r, (void)) {}
__weft_act(void, nop__r, (void)) {}

#endif /* WEFT_SW26010_ASM_MEMORY_H */
