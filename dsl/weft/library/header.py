# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NAME.h: complete in itself, for C from C99 on and C++ from C++11 on."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from weft.library.names import Array, Function
from weft.machine import Machine

WIDTH = 98
# A status is 0, one of the kernel's own, or -(one of these + 16 * the number of the argument).
KINDS = {
    "WEFT_WRONG_CPU": 1,
    "WEFT_NO_MEMORY": 2,
    "WEFT_NULL": 3,
    "WEFT_MISALIGNED": 4,
    "WEFT_OVERLAP": 5,
}

# The same in every library's header: a program may include several.
COMMON = """\
#ifndef WEFT_LIBRARY_TYPES
#define WEFT_LIBRARY_TYPES

#ifdef __cplusplus
#include <complex>
#include <cstddef>
#include <cstdint>
typedef std::complex<float> weft_c64;
typedef std::complex<double> weft_c128;
#define WEFT_RESTRICT __restrict
#else
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
typedef float _Complex weft_c64;
typedef double _Complex weft_c128;
#define WEFT_RESTRICT restrict
#endif

/* WEFT_REFUSAL(status): one of these where a call was refused before it wrote anything, else 0;
 * WEFT_ARGUMENT(status): the number of the argument that it is about, the first being 1, else 0. */
enum {
  WEFT_WRONG_CPU = 1,  /* the CPU lacks instructions of the target */
  WEFT_NO_MEMORY = 2,  /* no scratch was lent, and there is no memory for it */
  WEFT_NULL = 3,       /* a null pointer */
  WEFT_MISALIGNED = 4, /* not at a multiple of its element's (scratch: 64 bytes) alignment */
  WEFT_OVERLAP = 5     /* an output shares memory with another argument */
};
#define WEFT_REFUSAL(status) ((status) < 0 ? -(status) % 16 : 0)
#define WEFT_ARGUMENT(status) ((status) < 0 ? -(status) / 16 : 0)

#endif /* WEFT_LIBRARY_TYPES */
"""


def text(library: str, machine: Machine, command: str, functions: Sequence[Function]) -> str:
    guard = f"WEFT_LIBRARY_{library}_H"
    needs = ", ".join(machine.cpu_flags)
    on = f"on CPUs with {needs}; others are refused by status" if needs else "on any CPU"
    opening = [
        f"Kernels of the library {library} for C99 and C++11, made by Weft:",
        *command.splitlines(),
        "",
        *_wrapped(
            f"Target {machine.name}: runs {on}. There is nothing to plan, initialise or free. "
            "Every function returns 0, or a status that says what was wrong; NAME_message(status) "
            "is that in words. Functions may be called from any number of threads at once."
        ),
        "",
        *_wrapped(
            "Arrays are contiguous, the last index runs fastest, strides below are in elements. No "
            "output may share memory with another argument. Elements need the alignment of their "
            "type only; from multiples of 64 bytes they are read fastest. A complex number is its "
            "real part, then its imaginary part: float or double arrays of that form can be cast."
        ),
        "",
        *_wrapped(
            "scratch: NAME_scratch_bytes() bytes at a multiple of 64, for this call alone; or a "
            "null pointer, then the function takes memory for the time of the call."
        ),
    ]
    parts = [
        _comment(opening),
        f"#ifndef {guard}\n#define {guard}\n",
        COMMON,
        '#ifdef __cplusplus\nextern "C" {\n#endif\n',
        *(declaration(function) for function in functions),
        "#ifdef __cplusplus\n}\n#endif\n",
        f"#endif /* {guard} */\n",
    ]
    return "\n".join(parts)


def declaration(function: Function) -> str:
    """One function with what there is to know of its arguments."""
    sizes = ", ".join(f"{name}={value}" for name, value in function.sizes)
    lines = [f"{function.kernel}{f' [{sizes}]' if sizes else ''}", ""]
    names = [array.parameter for array in function.arrays]
    width = max(len(name) for name in [*names, "scratch"])
    for array in function.arrays:
        role = "out" if array.is_output else "in "
        lines.append(f"  {array.parameter:<{width}}  {role}  {_shape(array)}")
    lent = f"{function.scratch_bytes} bytes" if function.scratch_bytes else "not used"
    lines.append(f"  {'scratch':<{width}}       {lent}")
    for code, told, expected in function.faults:
        lines += ["", *_wrapped(f"Status {code}: {told}, expected {expected}.")]
    return _comment(lines) + (
        f"{prototype(function)};\n"
        f"size_t {function.symbol}_scratch_bytes(void);\n"
        f"const char *{function.symbol}_message(int status);\n"
    )


def prototype(function: Function) -> str:
    head = f"int {function.symbol}("
    parameters = [_parameter(array) for array in function.arrays] + ["void *WEFT_RESTRICT scratch"]
    lines, line = [], head
    for number, parameter in enumerate(parameters):
        last = number == len(parameters) - 1
        part = parameter + (")" if last else ",")
        if line is not head and len(line) + 1 + len(part) > WIDTH:
            lines.append(line)
            line = "    " + part
        else:
            line += part if line is head else " " + part
    return "\n".join([*lines, line])


def _parameter(array: Array) -> str:
    const = "" if array.is_output else "const "
    return f"{const}{array.element.in_header} *WEFT_RESTRICT {array.parameter}"


def _shape(array: Array) -> str:
    if not array.shape:
        return f"{array.element.weft}, one element"
    shape = ", ".join(map(str, array.shape))
    strides = ", ".join(map(str, array.strides))
    return f"{array.element.weft} [{shape}], strides {strides}, {array.bytes} bytes"


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH - 3, break_long_words=False, break_on_hyphens=False)


def _comment(lines: Sequence[str]) -> str:
    """A comment may not end before its end, nor begin another."""
    safe = [line.replace("*/", "* /").replace("/*", "/ *") for line in lines]
    return "/* " + "\n".join(f" * {line}".rstrip() for line in safe)[3:] + "\n */\n"
