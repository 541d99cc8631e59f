/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Linked into every program: where its parts lie, and the way to its main. The program is linked
 * with --wrap=main, so that the C library's start comes here. */
#include "Abi.h"

/* The system's own variables of a CPE; linked first, they are at the beginning of LDM. */
#define LDM __attribute__((section("weft_ldm"), used))
LDM int _MYID = 0;
LDM char _CGN = 0, _ROW = 0, _COL = 0, _PEN = 0;

extern char __start_weft_ldm[] __attribute__((weak)), __stop_weft_ldm[] __attribute__((weak));
extern void **__start_weft_ldm_relocations[] __attribute__((weak));
extern void **__stop_weft_ldm_relocations[] __attribute__((weak));
extern const char __start_weft_code[] __attribute__((weak));
extern const char __stop_weft_code[] __attribute__((weak));
extern char __start_weft_private[] __attribute__((weak));
extern char __stop_weft_private[] __attribute__((weak));
extern WeftSegment __start_weft_segments[] __attribute__((weak));
extern WeftSegment __stop_weft_segments[] __attribute__((weak));
int __real_main(int, char **, char **);

/* Where the runtime finds the system's variables in the image. */
static const WeftSystemVariables system_variables = {&_MYID, &_CGN, &_ROW, &_COL, &_PEN};

int __wrap_main(int argc, char **argv, char **envp) {
  static WeftProgram program;
  program.main = __real_main;
  program.system = &system_variables;
  program.ldm_begin = __start_weft_ldm;
  program.ldm_end = __stop_weft_ldm;
  program.ldm_pointers_begin = __start_weft_ldm_relocations;
  program.ldm_pointers_end = __stop_weft_ldm_relocations;
  program.private_begin = __start_weft_private;
  program.private_end = __stop_weft_private;
  program.segments_begin = __start_weft_segments;
  program.segments_end = __stop_weft_segments;
  program.code_begin = __start_weft_code;
  program.code_end = __stop_weft_code;
  return weft_sw_start(&program, argc, argv, envp);
}
