# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the functions and files of a library are called: from source, sizes and its name alone."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import starmap
from math import prod
from pathlib import Path
from typing import Any

from weft.diagnostics import RunError
from weft.semantics.faults import Fault

# Libraries of every C program: -lm would find ours before them.
SYSTEM = (
    "anl asan atomic c dl gcc gcc_s gfortran gomp iomp5 itm m mvec nsl omp pthread quadmath resolv "
    "rt stdc tsan ubsan util weft"
)
TAKEN = frozenset(SYSTEM.split())
# Words of C and C++, and what their headers define as macros: no parameter can be called so.
LANGUAGE = (
    "alignas alignof and and_eq asm assert atomic auto bitand bitor bool break case catch "
    "char char16_t char32_t char8_t class co_await co_return co_yield compl complex concept "
    "const const_cast consteval constexpr constinit continue decltype default delete do "
    "double dynamic_cast else enum errno explicit export extern false float for friend goto I "
    "if imaginary inline int linux long mutable namespace new noexcept noreturn not not_eq "
    "NULL nullptr offsetof operator or or_eq private protected public register "
    "reinterpret_cast requires restrict return scratch setjmp short signed sizeof static "
    "static_assert static_cast stderr stdin stdout struct switch template this thread_local "
    "throw true try typedef typeid typename typeof union unix unsigned using va_arg virtual "
    "void volatile wchar_t while xor xor_eq"
)
WORDS = frozenset(LANGUAGE.split())


@dataclass(frozen=True)
class Element:
    """An element type as programs and as emitted C call it; the latter has complex as two reals."""

    weft: str
    in_header: str
    in_kernel: str
    size: int
    alignment: int


ELEMENTS = {
    "float32": Element("f32", "float", "float", 4, 4),
    "float64": Element("f64", "double", "double", 8, 8),
    "complex64": Element("c64", "weft_c64", "float", 8, 4),
    "complex128": Element("c128", "weft_c128", "double", 16, 8),
    "int32": Element("i32", "int32_t", "int32_t", 4, 4),
    "int64": Element("i64", "int64_t", "int64_t", 8, 8),
    "bool": Element("bool", "bool", "bool", 1, 1),
}


@dataclass(frozen=True)
class Array:
    """An input or output of a function."""

    name: str  # as in the source
    parameter: str  # as in the header
    element: Element
    shape: tuple[int, ...]
    is_output: bool

    @property
    def bytes(self) -> int:
        return self.element.size * prod(self.shape)

    @property
    def strides(self) -> tuple[int, ...]:
        """In elements: arrays are contiguous, the last index runs fastest."""
        return tuple(prod(self.shape[axis + 1 :]) for axis in range(len(self.shape)))


@dataclass(frozen=True)
class Function:
    """What a program calls: one kernel at fixed sizes."""

    symbol: str
    kernel: str  # as in the source
    c_name: str  # as in the emitted C
    sizes: tuple[tuple[str, int], ...]
    arrays: tuple[Array, ...]
    scratch_bytes: int
    faults: tuple[tuple[int, str, str], ...]  # status, what happened, what was expected


def library_name(given: str | None, file: str) -> str:
    """As asked for, else the name of the source file."""
    name = given if given is not None else re.sub(r"[^A-Za-z0-9_]", "_", Path(file).stem)
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,99}", name):
        raise RunError(
            f"{name!r} cannot be the name of a library",
            argument="name",
            expected="a letter, then letters, digits and underscores; at most 100",
            help="--name=NAME names it",
        )
    if name in TAKEN or name in WORDS:
        raise RunError(
            f"the name {name!r} of a library is taken",
            argument="name",
            expected="a name that no library of the system has, and no word of C or C++",
            help="--name=NAME names it otherwise",
        )
    return name


def symbol(library: str, kernel: str, sizes: Sequence[tuple[str, int]]) -> str:
    """`ft_evolve_nz64_ny64_nx64`; a kernel with sizes that is called as the library: `ft_nz64...`.

    The library's name stands first, so that no function is called as one of the C library or of
    another library.
    """
    first = kernel if kernel == library and sizes else f"{library}_{kernel}"
    return first + "".join(f"_{name}{value}" for name, value in sizes)


def functions(library: str, kernels: Sequence[Mapping[str, Any]]) -> list[Function]:
    """From the notes of the kernels; RunError where two would be called the same."""
    found: list[Function] = []
    suffixes = ("", "_message", "_scratch_bytes")
    taken: dict[str, str] = {}
    for notes in kernels:
        sizes = tuple(notes["sizes"].items())
        name = symbol(library, notes["name"], sizes)
        for suffix in suffixes:
            other = taken.setdefault(name + suffix, name)
            if other != name or (not suffix and any(known.symbol == name for known in found)):
                raise RunError(
                    f"two functions of the library would be called {name + suffix!r}",
                    argument="name",
                    help="--name=NAME gives the library a name that no kernel has",
                )
        arrays = _arrays(notes)
        faults = tuple(
            (fault.code, fault.message, fault.expected) for fault in starmap(Fault, notes["faults"])
        )
        scratch = int(notes["scratch_bytes"])
        known = Function(name, notes["name"], notes["c_name"], sizes, arrays, scratch, faults)
        found.append(known)
    return found


def _arrays(notes: Mapping[str, Any]) -> tuple[Array, ...]:
    """Inputs, then outputs; a name that a header cannot have gets an underscore."""
    found: list[Array] = []
    roles = [(entry, False) for entry in notes["inputs"]]
    roles += [(entry, True) for entry in notes["outputs"]]
    names = {entry["name"] for entry, _ in roles}
    for entry, output in roles:
        parameter = entry["name"]
        if parameter in WORDS or parameter.lower().startswith("weft_"):
            parameter += "_"
            while parameter in names:
                parameter += "_"
        names.add(parameter)
        element = ELEMENTS[entry["dtype"]]
        found.append(Array(entry["name"], parameter, element, tuple(entry["shape"]), output))
    return tuple(found)
