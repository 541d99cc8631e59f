/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The library of performance counters: penv_slave<counter>_<event>_init() sets a counter of a CPE
 * to 0 and starts it, of every CPE if the MPE calls it; penv_slave<counter>_<event>_count(&value)
 * stores an unsigned long. A counter counts one event at a time. Without prototypes: programs
 * declare them themselves in several ways. */
#ifndef WEFT_SW26010_PENV_H
#define WEFT_SW26010_PENV_H

#ifdef __cplusplus
#define __weft_penv(event) void penv_##event##_init(void)
#else
#define __weft_penv(event)                                                                         \
  void penv_##event##_init();                                                                      \
  void penv_##event##_count()
#endif

__weft_penv(slave0_cycle);
__weft_penv(slave0_cond_jmp);
__weft_penv(slave0_jmp);
__weft_penv(slave0_inst);
__weft_penv(slave0_pipe0_inst);
__weft_penv(slave0_ldm_read);
__weft_penv(slave0_ldm_write);
__weft_penv(slave0_mbox_ldm_block);
__weft_penv(slave0_add_sub_mul);
__weft_penv(slave1_cycle);
__weft_penv(slave1_cond_jmp);
__weft_penv(slave1_nocond_jmp);
__weft_penv(slave1_jmp);
__weft_penv(slave1_pipe1_inst);
__weft_penv(slave1_syn);
__weft_penv(slave1_access_block);
__weft_penv(slave1_put_block);
__weft_penv(slave1_getr_block);
__weft_penv(slave1_getc_block);
__weft_penv(slave1_1inst);
__weft_penv(slave1_data_rel_block);
__weft_penv(slave1_syn_jmp_block);
__weft_penv(slave1_icache_miss);
__weft_penv(slave1_ldm_access);
__weft_penv(slave1_div_sqrt);
__weft_penv(slave2_gld);
__weft_penv(slave2_gst);
__weft_penv(slave2_gf_and_a);
__weft_penv(slave2_gupdate);
__weft_penv(slave2_icache_miss);
__weft_penv(slave2_row_syn);
__weft_penv(slave2_col_syn);
__weft_penv(slave2_dma_req);
__weft_penv(slave2_pipe_miss);
__weft_penv(slave2_put);
__weft_penv(slave2_putr);
__weft_penv(slave2_putc);
__weft_penv(slave2_inst_load);
__weft_penv(slave2_inst_load_miss);
__weft_penv(slave2_ldrc);
__weft_penv(slave2_ldr);
__weft_penv(slave2_ldc);

#undef __weft_penv

#endif /* WEFT_SW26010_PENV_H */
