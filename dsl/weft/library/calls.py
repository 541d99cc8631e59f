# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions that programs call. They are compiled for any CPU, without the target's flags: so
they can say that a CPU lacks the target's instructions, where the kernel would stop the program.
"""

from __future__ import annotations

from collections.abc import Sequence

from weft.library.header import KINDS, prototype
from weft.library.names import Array, Function
from weft.machine import Machine

SCRATCH_ALIGNMENT = 64

COMMON = """\
#define WEFT_EXPORTED __attribute__((visibility("default")))

/* One argument: where it begins, how long it is, and what its address is a multiple of. */
struct weft_argument {
  const void *start;
  size_t bytes, alignment;
};

/* A status: 0, or what is wrong with the first argument with which something is wrong. Those from
 * `outputs` on are written to. */
static int weft_looked_at(const struct weft_argument *arguments, int outputs, int count) {
  for (int i = 0; i < count; ++i) {
    uintptr_t start = (uintptr_t)arguments[i].start;
    if (start == 0)
      return -(WEFT_NULL + 16 * (i + 1));
    if (start % arguments[i].alignment != 0)
      return -(WEFT_MISALIGNED + 16 * (i + 1));
    for (int j = 0; i >= outputs && j < i; ++j) {
      uintptr_t other = (uintptr_t)arguments[j].start;
      if (start < other + arguments[j].bytes && other < start + arguments[i].bytes)
        return -(WEFT_OVERLAP + 16 * (i + 1));
    }
  }
  return 0;
}

/* Scratch memory for one call, in huge pages where it is large; or a null pointer. */
__attribute__((unused)) static void *weft_taken(size_t bytes) {
  const size_t huge = (size_t)2 << 20;
  size_t alignment = bytes >= huge ? huge : 64;
  if (bytes > SIZE_MAX - alignment)
    return NULL;
  bytes = (bytes + alignment - 1) / alignment * alignment;
  void *memory = aligned_alloc(alignment, bytes);
#ifdef MADV_HUGEPAGE
  if (memory != NULL && alignment == huge)
    (void)madvise(memory, bytes, MADV_HUGEPAGE); /* a hint: without it the call is slower */
#endif
  return memory;
}
"""


def labels(functions: Sequence[Function]) -> str:
    """Stands before the emitted C: a kernel's symbol becomes one that nobody's program can have."""
    lines = ["#include <stdbool.h>", "#include <stddef.h>", "#include <stdint.h>", ""]
    for number, function in enumerate(functions):
        lines += [
            f'{_kernel(function, function.c_name)} __asm__("{_label(number)}");',
            f'size_t {function.c_name}_scratch_bytes(void) __asm__("{_label(number)}_bytes");',
        ]
    return "\n".join(lines) + "\n"


def text(library: str, machine: Machine, functions: Sequence[Function]) -> str:
    opening = (
        f"/* The functions of the library {library}, made by Weft: they look at CPU and\n"
        " * arguments, then run a kernel. */\n"
        "#define _DEFAULT_SOURCE\n"
        f'#include "{library}.h"\n\n'
        "#include <stdatomic.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <sys/mman.h>\n\n"
    )
    parts = [opening + COMMON]
    if machine.cpu_flags:
        parts.append(_cpu(library, machine))
    for number, function in enumerate(functions):
        parts.append(_function(number, function, machine))
    return "\n".join(parts)


def _cpu(library: str, machine: Machine) -> str:
    all_there = " &&\n         ".join(f'__builtin_cpu_supports("{f}")' for f in machine.cpu_flags)
    missing = "\n".join(
        f'  if (!__builtin_cpu_supports("{flag}"))\n    fputs(" {flag}", stderr);'
        for flag in machine.cpu_flags
    )
    return f"""\
static bool weft_runs_here(void) {{
  __builtin_cpu_init();
  return {all_there};
}}

/* Tells it once, also to programs that do not look at what a function returns. */
static int weft_refused(void) {{
  static atomic_flag told = ATOMIC_FLAG_INIT;
  if (atomic_flag_test_and_set(&told))
    return -WEFT_WRONG_CPU;
  fputs("lib{library}.so: this CPU cannot run code for {machine.name}: it lacks", stderr);
{missing}
  fputs("; make the library with --target=portable, which runs anywhere\\n", stderr);
  return -WEFT_WRONG_CPU;
}}
"""


def _function(number: int, function: Function, machine: Machine) -> str:
    name = _label(number)
    lent = function.scratch_bytes
    inputs = sum(not array.is_output for array in function.arrays)
    count = len(function.arrays)
    entries = [
        f"      {{{a.parameter}, {a.bytes}, {a.element.alignment}}}," for a in function.arrays
    ]
    if lent:
        entries.append(f"      {{scratch, {lent}, {SCRATCH_ALIGNMENT}}},")
    given = ", ".join([*(_cast(array) for array in function.arrays), "%s"])
    lines = [f"{_kernel(function, name)};", "", f"WEFT_EXPORTED {prototype(function)} {{"]
    if machine.cpu_flags:
        lines += ["  if (!weft_runs_here())", "    return weft_refused();"]
    lines += ["  const struct weft_argument weft_arguments[] = {", *entries, "  };"]
    number_given = f"{count} + (scratch != NULL)" if lent else str(count)
    lines += [
        f"  int weft_status = weft_looked_at(weft_arguments, {inputs}, {number_given});",
        "  if (weft_status != 0)",
        "    return weft_status;",
    ]
    if lent:
        lines += [
            "  if (scratch != NULL)",
            f"    return {name}({given % 'scratch'});",
            f"  void *weft_memory = weft_taken({lent});",
            "  if (weft_memory == NULL)",
            "    return -WEFT_NO_MEMORY;",
            f"  weft_status = {name}({given % 'weft_memory'});",
            "  free(weft_memory);",
            "  return weft_status;",
        ]
    else:
        lines += ["  (void)scratch;", f"  return {name}({given % 'NULL'});"]
    lines += [
        "}",
        "",
        f"WEFT_EXPORTED size_t {function.symbol}_scratch_bytes(void) {{ return {lent}; }}",
        "",
        *_messages(function, machine),
    ]
    return "\n".join(lines) + "\n"


def _messages(function: Function, machine: Machine) -> list[str]:
    """Every status of a function in words."""
    told: list[tuple[int, str]] = [(0, "done")]
    if machine.cpu_flags:
        needs = ", ".join(machine.cpu_flags)
        told.append(
            (
                -KINDS["WEFT_WRONG_CPU"],
                f"this CPU cannot run the target {machine.name}: it needs {needs}",
            )
        )
    if function.scratch_bytes:
        lacking = f"no memory for {function.scratch_bytes} bytes of scratch"
        told.append((-KINDS["WEFT_NO_MEMORY"], lacking))
    arguments = [
        (array.name, array.element.alignment, array.is_output) for array in function.arrays
    ]
    if function.scratch_bytes:
        arguments.append(("scratch", SCRATCH_ALIGNMENT, True))
    for number, (name, alignment, written) in enumerate(arguments, 1):
        wrong = {"WEFT_NULL": "a null pointer"} if name != "scratch" else {}
        if alignment > 1:
            wrong["WEFT_MISALIGNED"] = f"its address is no multiple of {alignment}"
        if written and number > 1:
            wrong["WEFT_OVERLAP"] = "it shares memory with an argument before it"
        told += [(-(KINDS[kind] + 16 * number), f"{name}: {text}") for kind, text in wrong.items()]
    told += [(code, f"{text}, expected {expected}") for code, text, expected in function.faults]
    return [
        f"WEFT_EXPORTED const char *{function.symbol}_message(int status) {{",
        "  switch (status) {",
        *(f"  case {code}:\n    return {_literal(text)};" for code, text in told),
        "  }",
        '  return "no status of this function";',
        "}",
    ]


def _literal(text: str) -> str:
    """A C string; names of files may hold anything."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("?", "\\?")
    return '"' + escaped.replace("\n", "\\n").replace("\r", "\\r") + '"'


def _label(number: int) -> str:
    return f"weft_kernel_{number}"


def _kernel(function: Function, name: str) -> str:
    """The kernel as the emitter declares it, without the names of its parameters."""
    const = {False: "const ", True: ""}
    types = [f"{const[a.is_output]}{a.element.in_kernel} *" for a in function.arrays]
    return f"int {name}({', '.join([*types, 'void *'])})"


def _cast(array: Array) -> str:
    if array.element.in_header == array.element.in_kernel:
        return array.parameter
    const = "" if array.is_output else "const "
    return f"({const}{array.element.in_kernel} *){array.parameter}"
