# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of transforms in the language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from weft.fft.cosines import Cosine, Roots, cosines

if TYPE_CHECKING:
    from weft.fft.plans import Wanted

# What a kernel reads, by what an array has; others are converted to float64.
ELEMENTS = {"float32": "f32", "float64": "f64", "complex64": "c64", "complex128": "c128"}
COMPLEX = {"f32": "c64", "f64": "c128", "c64": "c64", "c128": "c128"}
REAL = {"c64": "f32", "c128": "f64"}
# Real lines from so many points on are transformed as such, and their other halves copied.
MIRRORED = 512


def numpy_of(element: str) -> str:
    """NumPy's name of an element type."""
    return next(name for name, own in ELEMENTS.items() if own == element)


class Written(NamedTuple):
    """A kernel: its text, the extents of its result, NumPy's name of the result's elements, and
    the tables that follow `x` in a call, with NumPy's name of theirs."""

    text: str
    inside: list[int]
    element: str
    tables: tuple[Roots, ...] = ()
    table: str = ""


def text_of(
    wanted: Wanted, element: str, extents: tuple[int, ...], axes: list[int], lengths: list[int]
) -> Written:
    """The kernel of a transform of arrays of that shape."""
    kind = wanted.kind
    if isinstance(kind, Cosine):
        return _cosine_text(kind, wanted.norm, element, extents, axes, lengths)
    there, back = wanted.scales
    last, half = axes[-1], lengths[-1] // 2 + 1
    lines = []
    fitted = dict(zip(axes, lengths, strict=True))
    if kind in ("irfft", "hfft"):
        del fitted[last]  # irfft cuts it, or goes on with zeros
    x, inside = _fitted(extents, fitted)
    if kind in ("fft", "ifft", "irfft", "hfft") and element in ("f32", "f64"):
        mirrored = kind == "fft" and axes == [len(extents) - 1] and lengths[0] >= MIRRORED
        x = x if mirrored else f"{COMPLEX[element]}({x})"
    else:
        mirrored = False
    others = axes[:-1]
    result = COMPLEX[element]
    if mirrored:
        lines += [f"h = rfft({x}, axis={last}, norm={there})", *_mirror(inside, half)]
    elif kind == "fft":
        lines.append(f"y = dft({x}, axes={axes}, norm={there})")
    elif kind == "ifft":
        lines.append(f"y = idft({x}, axes={axes}, norm={back})")
    elif kind == "rfft":
        inside[last] = half
        name = "h" if others else "y"
        lines.append(f"{name} = rfft({x}, axis={last}, norm={there})")
        if others:
            lines.append(f"y = dft(h, axes={others}, norm={there})")
    elif kind == "ihfft":
        inside[last] = half
        name = "h" if others else "y"
        lines.append(f"{name} = conj(rfft({x}, axis={last}, norm={back}))")
        if others:
            lines.append(f"y = idft(h, axes={others}, norm={back})")
    else:
        inside[last] = lengths[-1]
        scale = there if kind == "hfft" else back
        if kind == "hfft":
            x = f"conj({x})"
        if others:
            lines.append(f"h = idft({x}, axes={others}, norm={scale})")
            x = "h"
        lines.append(f"y = irfft({x}, n={lengths[-1]}, axis={last}, norm={scale})")
        result = REAL[result]
    return _kernel(element, extents, result, inside, lines)


def _kernel(
    element: str,
    extents: tuple[int, ...],
    result: str,
    inside: list[int],
    lines: list[str],
    tables: Sequence[Roots] = (),
) -> Written:
    complex_ = COMPLEX[element]
    given = [f"x: {element}{list(extents)}"]
    given += [f"{table.name}: {complex_}[{table.points}]" for table in tables]
    body = "".join(f"    {line}\n" for line in lines)
    text = f"kernel transform({', '.join(given)}) -> (y: {result}{inside}):\n{body}"
    return Written(text, inside, numpy_of(result), tuple(tables), numpy_of(complex_))


def _cosine_text(
    kind: Cosine,
    norm: str,
    element: str,
    extents: tuple[int, ...],
    axes: list[int],
    lengths: list[int],
) -> Written:
    """Of complex numbers the real and the imaginary parts, each by itself."""
    x, inside = _fitted(extents, dict(zip(axes, lengths, strict=True)))
    if element not in REAL:
        lines, tables = cosines(kind, norm, inside, axes, "given", "y")
        return _kernel(element, extents, element, inside, [f"given = {x}", *lines], tables)
    lines, tables = [], []
    for part in ("real", "imag"):
        lines.append(f"{part}_part = {part}({x})")
        more, own = cosines(kind, norm, inside, axes, f"{part}_part", f"of_{part}")
        lines += more
        tables += own
    lines.append("y = of_real + 1j*of_imag")
    return _kernel(element, extents, element, inside, lines, tables)


def _fitted(extents: tuple[int, ...], lengths: dict[int, int]) -> tuple[str, list[int]]:
    """`x` cut, or with zeros behind it, to these lengths along axes."""
    inside, x = list(extents), "x"
    if any(length < extents[axis] for axis, length in lengths.items()):
        inside = [min(n, lengths.get(axis, n)) for axis, n in enumerate(extents)]
        x += f"[{', '.join(f'0:{n}' for n in inside)}]"
    if any(length > extents[axis] for axis, length in lengths.items()):
        more = [lengths.get(axis, n) - n for axis, n in enumerate(inside)]
        x = f"pad({x}, {[0] * len(more)}, {more})"
        inside = [n + zeros for n, zeros in zip(inside, more, strict=True)]
    return x, inside


def _mirror(inside: list[int], half: int) -> list[str]:
    """All of a real line's spectrum, of the half `h` along the last axis."""
    *before, length = inside
    names = "".join(f"i{axis}, " for axis in range(len(before)))
    return [
        f"y[{names}k in 0:{half}] = h[{names}k]",
        f"y[{names}k in {half}:{length}] = conj(h[{names}{length} - k])",
    ]
