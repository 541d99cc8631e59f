# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MLIR as text: lines, names of values, locations, numbers.

Names are the user's where there is one, made unique as MLIR wants it: no value may hide another one
that is visible. Locations are written once, as aliases at the end of the module.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from weft.diagnostics import Span
from weft.semantics.types import Element

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np

# Tables up to this many elements are written as numbers that a person can read.
READABLE_ELEMENTS = 16


class Locations:
    """Each distinct location of a module gets one alias, numbered in order of first use."""

    def __init__(self) -> None:
        self._aliases: dict[str, str] = {}
        self._places: dict[tuple[str, int, int], str] = {}

    def place(self, path: str, span: Span) -> str:
        """The alias of a line and column."""
        line, column = span.source.line_column(span.start)
        key = (path, line, column)
        if key not in self._places:
            self._places[key] = self._alias(f"loc({quoted(path)}:{line}:{column})")
        return self._places[key]

    def named(self, name: str, path: str, span: Span) -> str:
        """The alias of a place with the user's name of what is computed there."""
        place = self.place(path, span)
        return self._alias(f"loc({quoted(name)}({place}))") if name else place

    def _alias(self, text: str) -> str:
        return self._aliases.setdefault(text, f"#loc{len(self._aliases)}")

    def lines(self) -> list[str]:
        return [f"{alias} = {text}" for text, alias in self._aliases.items()]


class Writer:
    """Lines of one module. `path` names the source in the locations of what is being written."""

    def __init__(self, locations: Locations) -> None:
        self.lines: list[str] = []
        self.path = ""
        self._locations = locations
        self._depth = 0
        self._names: list[set[str]] = [set()]
        self._temporaries = 0

    def location(self, span: Span, name: str = "") -> str:
        return f"loc({self._locations.named(name, self.path, span)})"

    def line(self, text: str) -> None:
        self.lines.append("  " * self._depth + text)

    def arguments(self, text: str) -> None:
        """The line of block arguments that begins a region; it stands under the op."""
        self.lines.append("  " * (self._depth - 1) + text)

    def op(self, text: str, span: Span, name: str = "") -> None:
        """An operation without a region; `name` is the user's for its result."""
        self.line(f"{text} {self.location(span, name)}")

    def fresh(self, hint: str = "") -> str:
        """A value name that no visible value has."""
        if not hint:
            hint = str(self._temporaries)
            self._temporaries += 1
        name, number = hint, 0
        while any(name in scope for scope in self._names):
            name = f"{hint}_{number}"
            number += 1
        self._names[-1].add(name)
        return "%" + name

    @contextmanager
    def region(self, opening: str, closing: str, span: Span, name: str = "") -> Iterator[None]:
        """What is written inside is a region of the op `opening ... closing`; a scope of names."""
        self.line(opening)
        self._depth += 1
        self._names.append(set())
        yield
        self._names.pop()
        self._depth -= 1
        self.line(f"{closing} {self.location(span, name)}")

    @contextmanager
    def function(self) -> Iterator[None]:
        """Functions see nothing of each other: names begin anew."""
        saved, self._names, self._temporaries = self._names, [set()], 0
        yield
        self._names = saved


def listed(items: Iterable[object]) -> str:
    return ", ".join(map(str, items))


def quoted(text: str) -> str:
    """A string literal; whatever is not plain ASCII as bytes in hex."""
    out = []
    for byte in text.encode("utf-8", "surrogateescape"):
        plain = 32 <= byte < 127 and byte not in b'"\\'
        out.append(chr(byte) if plain else f"\\{byte:02X}")
    return '"' + "".join(out) + '"'


def real(value: float, element: Element) -> str:
    """A float literal that reads back as exactly this value."""
    if value - value != 0:
        # MLIR has no words for infinity and NaN: their bits.
        short = element is Element.F32
        bits = struct.pack(">f" if short else ">d", value)
        return "0x" + bits.hex().upper()
    text = repr(float(value))
    mantissa, e, exponent = text.partition("e")
    if "." not in mantissa:
        mantissa += ".0"
    return mantissa + e + exponent


def scalar(value: complex, element: Element) -> str:
    """The literal inside of `arith.constant` and `dense<>`, without its type."""
    if element is Element.BOOL:
        return "true" if value else "false"
    if element.is_complex:
        z = complex(value)
        return f"({real(z.real, element.real)}, {real(z.imag, element.real)})"
    if element.is_int:
        return str(int(value.real))
    return real(value.real, element)


def dense(data: np.ndarray, element: Element) -> str:
    """`dense<...>` of a table: numbers where few, else its bytes in hex."""
    if data.size > READABLE_ELEMENTS and element is not Element.BOOL:
        little = data.astype(data.dtype.newbyteorder("<"))
        if _is_splat(little):
            return f"dense<{scalar(data.flat[0], element)}>"
        return f'dense<"0x{little.tobytes().hex().upper()}">'

    return f"dense<{_nested(data, element)}>"


def matrix_text(data: np.ndarray, element: Element) -> str:
    """`dense<[[..]]> : tensor<..>` of a small matrix, always as numbers that a person can read."""
    extents = "x".join(map(str, data.shape))
    return f"dense<{_nested(data, element)}> : tensor<{extents}x{element.mlir}>"


def _nested(part: np.ndarray, element: Element) -> str:
    if part.ndim == 0:
        return scalar(part.item(), element)
    return "[" + listed(_nested(row, element) for row in part) + "]"


def _is_splat(data: np.ndarray) -> bool:
    """All elements have the bytes of the first, so that -0.0 is not 0.0."""
    raw = data.tobytes()
    return raw == raw[: data.itemsize] * data.size


# Words of affine maps; everything else may name a dimension.
_WORDS = {"mod", "floordiv", "ceildiv", "symbol"}


def affine_names(values: Sequence[str]) -> list[str]:
    """Names of an affine_map's dimensions after those of values, where MLIR can read them."""
    names = [value[1:] for value in values]
    if all(re.fullmatch(r"[A-Za-z]\w*", name) and name not in _WORDS for name in names):
        return names
    return [f"d{n}" for n in range(len(names))]
