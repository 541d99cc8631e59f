# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernel of a transform on an array: its text, of a shape, axes and lengths that fit together.

Dimensions side by side that are not transformed are one in the kernel: arrays of 4x6x100 and of
24x100 numbers have the same, along the last axis.
"""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from weft import driver
from weft.call import as_array, of_out
from weft.diagnostics import RunError, SourceError, close_match
from weft.execution import Kernel
from weft.fft.cosines import Cosine
from weft.fft.refusals import WrongAxis, WrongType, WrongValue
from weft.fft.texts import ELEMENTS, numpy_of, text_of

READ = frozenset(np.dtype(name) for name in ELEMENTS)
# By what the transforms there and back are scaled, in the words of the language.
NORMS = {
    "backward": ("none", "inverse"),
    "ortho": ("ortho", "ortho"),
    "forward": ("inverse", "none"),
}


@dataclass(frozen=True)
class Wanted:
    """A transform along axes: `fft`, `ifft`, `rfft`, `irfft`, `hfft`, `ihfft`, or of cosines.

    The last axis is the one that is halved; `lengths` are those of the signal, for each axis, None
    where it is the array's.
    """

    kind: str | Cosine
    axes: tuple[int, ...]
    lengths: tuple[int | None, ...]
    norm: str

    @property
    def scales(self) -> tuple[str, str]:
        return NORMS[self.norm]


class Plan:
    """A transform of arrays of one shape and element type."""

    def __init__(self, wanted: Wanted, shape: tuple[int, ...], element: str) -> None:
        if wanted.kind in ("rfft", "ihfft") and element in ("c64", "c128"):
            raise WrongType(
                f"{wanted.kind} is of real numbers",
                argument="x",
                expected="float32, float64 or integers",
                found="complex numbers",
                help="take their real parts: x.real",
            )
        self._tables: tuple[np.ndarray, ...] = ()
        self._kernel: Kernel | None = None
        self.bytes = 0
        # Along no axis numbers stay what they are, real ones too, as in NumPy and SciPy.
        self._copies = not wanted.axes and (
            isinstance(wanted.kind, Cosine) or wanted.kind in ("fft", "ifft")
        )
        if self._copies:
            self.result, self.element = shape, numpy_of(element)
            return
        axes = _axes(wanted.axes, len(shape))
        lengths = _lengths(wanted, shape, axes)
        if isinstance(wanted.kind, Cosine):
            _require_ends(wanted.kind, lengths)
        self._inside, places = _merged(shape, axes)
        chosen = [places[axis] for axis in axes]
        written = text_of(wanted, element, self._inside, chosen, lengths)
        inside, self.element = written.inside, written.element
        result = list(shape)
        for axis, place in zip(axes, chosen, strict=True):
            result[axis] = inside[place]
        self.result, self._out = tuple(result), tuple(inside)
        self._reshapes = self._inside != shape
        # Of no numbers the transform is of zeros, if it is of anything.
        some = math.prod(shape) * math.prod(inside)
        self._kernel = _compiled(wanted, written.text) if some else None
        if self._kernel is not None:
            # What it keeps from call to call: scratch, and room for a result in place.
            self.bytes = int(self._kernel.report["scratch_bytes"])
            self.bytes += math.prod(inside) * np.dtype(self.element).itemsize
            self._tables = tuple(table.array(written.table) for table in written.tables)
            self.bytes += sum(table.nbytes for table in self._tables)

    def __call__(self, x: np.ndarray, threads: int | None, out: Any) -> np.ndarray:
        if out is not None:
            out = self._place(out)
        if self._copies:
            same: np.ndarray = np.empty(self.result, self.element) if out is None else out
            same[...] = x
            return same
        if self._kernel is None:
            zeros: np.ndarray = np.empty(self.result, self.element) if out is None else out
            zeros[...] = 0
            return zeros
        given = x.reshape(self._inside) if self._reshapes else x
        place = out.reshape(self._out) if self._reshapes and out is not None else out
        try:
            found: np.ndarray = self._kernel(given, *self._tables, out=place, threads=threads)
        except RunError as error:
            raise of_out(error, WrongValue) from None
        if out is not None:
            whole: np.ndarray = out
            return whole
        return found.reshape(self.result) if self._reshapes else found

    def _place(self, out: Any) -> np.ndarray:
        """The caller's array for the result, which is never copied."""
        wanted = f"{self.element} of shape {self.result}, contiguous in row-major order"
        if not isinstance(out, np.ndarray):
            found = type(out).__name__
        elif out.shape != self.result or out.dtype != self.element:
            found = f"{out.dtype} of shape {out.shape}"
        elif not out.flags.c_contiguous:
            found = f"strides {out.strides}"
        elif not out.flags.writeable:
            found = "an array that is only read"
        else:
            return out
        raise WrongValue(
            "the result does not fit into out",
            argument="out",
            expected=wanted,
            found=found,
            help=f"np.empty({self.result}, np.{self.element}) makes one",
        )


def _compiled(wanted: Wanted, text: str) -> Kernel:
    """What the language refuses is told of the transform, not of its text."""
    try:
        return driver.compile(text)
    except SourceError as error:
        first = error.errors[0]
        raise WrongValue(
            f"{wanted.kind}: {first.message}",
            argument="s" if len(wanted.axes) > 1 else "n",
            expected=first.expected,
            found=first.found,
            # Another length is another spectrum.
            help=f"{first.help}, as {'s' if len(wanted.axes) > 1 else 'n'}= where zeros may follow"
            " the signal, as in convolutions"
            if first.help.startswith("choose a length")
            else "",
        ) from error


def numbers(x: Any) -> np.ndarray:
    """As an array of a type that kernels read."""
    try:
        array = np.asarray(as_array("x", x))
    except ValueError as error:  # lists of different lengths
        raise WrongValue(
            f"x is no array: {error}",
            argument="x",
            expected="numbers, in rows of one length",
            found=type(x).__name__,
        ) from None
    dtype = array.dtype
    if dtype in READ:
        return array
    own = dtype.newbyteorder("=")
    if dtype.kind in "biu":
        own = np.dtype(np.float64)
    elif own == np.float16:
        own = np.dtype(np.float32)
    if own in READ:
        return array.astype(own)
    raise WrongType(
        "numbers of this type are not transformed",
        argument="x",
        expected=", ".join(ELEMENTS),
        found=str(dtype),
        help="numpy.fft and scipy.fft have those of more digits" if dtype.kind in "fc" else "",
    )


def threads_of(workers: Any) -> int | None:
    """SciPy's number of workers as a number of threads: from -1 down counted from all."""
    if workers is None or (type(workers) is int and workers > 0):
        return workers
    (count,) = _integers("workers", (workers,))
    threads = count + 1 + (os.cpu_count() or 1) if count < 0 else count
    if threads < 1:
        raise WrongValue(
            "no such number of workers",
            argument="workers",
            expected=f"1 or more, or -1 to -{os.cpu_count()}: all, all but one ...",
            found=repr(workers),
        )
    return threads


def wanted_of(kind: str | Cosine, axes: Any, lengths: Any, norm: Any, many: bool) -> Wanted:
    """What is asked for, in numbers and words that are there; an axis may still not exist.

    Along one axis, or along many, of which -1 is a length: all of the array's.
    """
    if norm is None:
        norm = "backward"
    if not isinstance(norm, str) or norm not in NORMS:
        raise WrongValue(
            "no such norm",
            argument="norm",
            expected="backward, ortho or forward",
            found=repr(norm),
            help=close_match(str(norm), NORMS),
        )
    whole = _integers("axes" if many else "axis", axes)
    if lengths is None:
        extents: tuple[int | None, ...] = (None,) * len(whole)
    else:
        extents = _integers("s" if many else "n", lengths if many else (lengths,))
    if len(whole) != len(extents):
        raise WrongValue(
            "as many lengths as axes are needed",
            argument="s",
            expected=f"{len(whole)}, for the axes {whole}",
            found=str(len(extents)),
        )
    for length in extents:
        if length is not None and length < 1 and not (many and length == -1):
            raise WrongValue(
                f"a line of {length} points has no transform",
                argument="s" if many else "n",
                expected="1 or more",
                found=repr(lengths),
            )
    return Wanted(kind, whole, extents, norm)


def _integers(name: str, given: Any) -> tuple[int, ...]:
    """Of one number, or of several where `name` may be several."""
    several = name in ("s", "axes")
    try:
        if not any(isinstance(one, bool) for one in given):
            return tuple(operator.index(one) for one in given)
    except TypeError:
        pass
    what = "is made of whole numbers" if several else "is a whole number"
    way_out = ""
    if name == "axis" and isinstance(given[0], tuple | list):
        way_out = f"the functions with an n take several: fftn(x, axes={given[0]!r})"
    elif name == "s" and None in given:
        way_out = "-1 is all of an axis"
    found = given if several else given[0]
    raise WrongType(f"{name} {what}", argument=name, found=repr(found), help=way_out)


def whole_number(name: str, given: Any) -> int:
    """From 1 on."""
    (number,) = _integers(name, (given,))
    if number < 1:
        raise WrongValue(
            f"{name} is a whole number", argument=name, expected="1 or more", found=repr(given)
        )
    return number


def is_smooth(number: int, most: int) -> bool:
    """Whether no prime factor is larger than that."""
    for factor in range(2, most + 1):
        while number % factor == 0:
            number //= factor
    return number == 1


def _axes(given: tuple[int, ...], rank: int) -> tuple[int, ...]:
    for axis in given:
        if not -rank <= axis < rank:
            raise WrongAxis(
                f"there is no axis {axis}",
                argument="axes" if len(given) > 1 else "axis",
                expected=f"{-rank} to {rank - 1}" if rank else "an array: a number has no axes",
                found=f"an array of {rank} dimensions",
            )
    axes = tuple(axis % rank for axis in given)
    if len(set(axes)) != len(axes) or not axes:
        raise WrongValue(
            "an axis is transformed once" if axes else "no axis is to be transformed",
            argument="axes",
            expected="different ones" if axes else "one at least",
            found=repr(given),
        )
    return axes


def _lengths(wanted: Wanted, shape: tuple[int, ...], axes: tuple[int, ...]) -> list[int]:
    """Of the signal along each axis: the arrays', or what is asked for."""
    found = []
    halved = wanted.kind in ("irfft", "hfft")
    for axis, length in zip(axes, wanted.lengths, strict=True):
        if length is None and halved and axis == axes[-1]:
            length = 2 * (shape[axis] - 1)
        elif length is None or length == -1:
            length = shape[axis]
        if length < 1:
            raise WrongValue(
                f"a line of {length} points has no transform",
                argument="s" if len(axes) > 1 else "n",
                expected="1 or more",
                found=f"an array of shape {shape}",
            )
        found.append(length)
    return found


def _require_ends(kind: Cosine, lengths: list[int]) -> None:
    """The first and the last point of a cosine transform of type 1 are two."""
    if kind.type == 1 and not kind.is_sine and min(lengths) < 2:
        raise WrongValue(
            "a cosine transform of type 1 has two points at least",
            argument="s" if len(lengths) > 1 else "n",
            expected="2 or more",
            found=str(min(lengths)),
        )


def _merged(shape: tuple[int, ...], axes: Sequence[int]) -> tuple[tuple[int, ...], dict[int, int]]:
    """Extents where those that are not transformed are one, and where each axis is among them."""
    extents: list[int] = []
    places: dict[int, int] = {}
    is_free = False
    for axis, extent in enumerate(shape):
        if axis in axes:
            places[axis] = len(extents)
            extents.append(extent)
        elif is_free:
            extents[-1] *= extent
        else:
            extents.append(extent)
        is_free = axis not in axes
    return tuple(extents), places
