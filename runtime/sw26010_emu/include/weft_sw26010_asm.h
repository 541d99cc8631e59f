/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the instructions of inline assembly mean. weft-swcc puts this file before slave code that
 * has some, and turns each line of it into calls:
 *
 *     __weft_sw_<mnemonic>__r    operands and result are __weft_reg, counts, lanes and masks int;
 *                                charged, then replaced by its meaning (weft_sw26010/types.h)
 *     __weft_mem_<mnemonic>      loads and stores: plain code in the instruction's place
 *
 * swcc/AsmTable.def lists every mnemonic with its operands; what it does not list is refused.
 * Values go into a register uncharged: a long or an address into lane 0, an int sign-extended, a
 * double by its bits, a float as the double of its value, the lanes of a floatv4 likewise. */
#ifndef WEFT_SW26010_ASM_H
#define WEFT_SW26010_ASM_H

#include "weft_sw26010_ops.h"

#include "weft_sw26010/asm_float.h"
#include "weft_sw26010/asm_integer.h"
#include "weft_sw26010/asm_memory.h"

#endif /* WEFT_SW26010_ASM_H */
