# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of transforms in the language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.fft.cosines import Cosine, cosines

if TYPE_CHECKING:
    from weft.fft.plans import Wanted

# What a kernel reads, by what an array has; others are converted to float64.
ELEMENTS = {"float32": "f32", "float64": "f64", "complex64": "c64", "complex128": "c128"}
COMPLEX = {"f32": "c64", "f64": "c128", "c64": "c64", "c128": "c128"}
REAL = {"c64": "f32", "c128": "f64"}
# Real lines from so many points on are transformed as such, and their other halves copied.
MIRRORED = 512


def text_of(
    wanted: Wanted, element: str, extents: tuple[int, ...], axes: list[int], lengths: list[int]
) -> tuple[str, list[int], str]:
    """A kernel, the extents of its result, and NumPy's name of the result's elements."""
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
        lines.append(f"y = conj(rfft({x}, axis={last}, norm={back}))")
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
    element: str, extents: tuple[int, ...], result: str, inside: list[int], lines: list[str]
) -> tuple[str, list[int], str]:
    numpy = next(name for name, own in ELEMENTS.items() if own == result)
    signature = f"x: {element}{list(extents)}) -> (y: {result}{inside}"
    body = "".join(f"    {line}\n" for line in lines)
    return f"kernel transform({signature}):\n{body}", inside, numpy


def _cosine_text(
    kind: Cosine,
    norm: str,
    element: str,
    extents: tuple[int, ...],
    axes: list[int],
    lengths: list[int],
) -> tuple[str, list[int], str]:
    """Of complex numbers the real and the imaginary parts, each by itself."""
    x, inside = _fitted(extents, dict(zip(axes, lengths, strict=True)))
    if element not in REAL:
        lines = [] if x == "x" else [f"given = {x}"]
        lines += cosines(kind, norm, inside, axes, "x" if x == "x" else "given", "y")
        return _kernel(element, extents, element, inside, lines)
    lines = []
    for part in ("real", "imag"):
        lines.append(f"{part}_part = {part}({x})")
        lines += cosines(kind, norm, inside, axes, f"{part}_part", f"of_{part}")
    lines.append("y = of_real + 1j*of_imag")
    return _kernel(element, extents, element, inside, lines)


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
