/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Register communication, mesh synchronization and control registers: calls of the runtime. A
 * message is a register: the lanes of a floatv4 travel in the format of doubles. */
#ifndef WEFT_SW26010_OPS_MESSAGE_H
#define WEFT_SW26010_OPS_MESSAGE_H

#include "types.h"

__weft_extern void weft_sw_put_row(const void *value, int destination);
__weft_extern void weft_sw_put_column(const void *value, int destination);
__weft_extern void weft_sw_get_row(void *value);
__weft_extern void weft_sw_get_column(void *value);
__weft_extern void weft_sw_load_row(void *value, const void *address, int splat);
__weft_extern void weft_sw_load_column(void *value, const void *address, int splat);

#define __weft_messages(put, get, load, load_splat, way)                                           \
  __weft_act(void, put##__r, (__weft_reg value, int destination)) {                                \
    weft_sw_put_##way(&value, destination);                                                        \
  }                                                                                                \
  __weft_act(__weft_reg, get##__r, (void)) {                                                       \
    __weft_reg value;                                                                              \
    weft_sw_get_##way(&value);                                                                     \
    return value;                                                                                  \
  }                                                                                                \
  __weft_act(__weft_reg, load##__r, (const void *address)) {                                       \
    __weft_reg value;                                                                              \
    weft_sw_load_##way(&value, address, 0);                                                        \
    return value;                                                                                  \
  }                                                                                                \
  __weft_act(__weft_reg, load_splat##__r, (const void *address)) {                                 \
    __weft_reg value;                                                                              \
    weft_sw_load_##way(&value, address, 1);                                                        \
    return value;                                                                                  \
  }                                                                                                \
  __weft_act(void, put##__s, (__weft_f4 value, int destination)) {                                 \
    const __weft_d4 lanes = __builtin_convertvector(value, __weft_d4);                             \
    weft_sw_put_##way(&lanes, destination);                                                        \
  }                                                                                                \
  __weft_act(__weft_f4, get##__s, (void)) {                                                        \
    __weft_d4 lanes;                                                                               \
    weft_sw_get_##way(&lanes);                                                                     \
    return __builtin_convertvector(lanes, __weft_f4);                                              \
  }                                                                                                \
  __weft_end_group
__weft_messages(putr, getr, vldr, ldder, row);
__weft_messages(putc, getc, vldc, lddec, column);
#undef __weft_messages

#endif /* WEFT_SW26010_OPS_MESSAGE_H */
