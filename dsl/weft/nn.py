# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers of networks on NumPy arrays: each is a kernel, compiled once for its shapes."""

from __future__ import annotations

import operator
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np

from weft import driver
from weft.call import as_array
from weft.diagnostics import RunError, SourceError
from weft.execution import Kernel

ELEMENTS = {"float32": "f32", "float64": "f64"}
ALGORITHMS = re.compile(r"auto|direct|winograd\([1-9][0-9]*\)")
Pair = int | Sequence[int]


def conv2d(
    x: Any,
    w: Any,
    bias: Any = None,
    *,
    stride: Pair = 1,
    padding: Pair | Literal["same", "valid"] = 0,
    groups: int = 1,
    residual: Any = None,
    activation: Literal["relu"] | None = None,
    algorithm: str = "auto",
    max_error: float | None = None,
    target: str | None = None,
    threads: int | None = None,
    out: np.ndarray[Any, Any] | None = None,
) -> np.ndarray[Any, Any]:
    """The convolution of images with filters, as networks have it (cross-correlation).

    `activation(sum over c, r, s of x[n, c, stride*i + r, stride*j + s] * w[k, c, r, s] + bias[k] +
    residual[n, k, i, j])`, `x` surrounded by zeros. The first call with new shapes compiles a
    kernel or finds it in the cache; later ones only run it.

    Args:
        x: Images, [N, C, H, W], in float32 or float64.
        w: Filters, [K, C // groups, R, S], of the same type.
        bias: [K], added to each pixel.
        stride: Between windows; one number, or those of rows and columns.
        padding: Rows of zeros above and below, columns left and right; one number or two. `same` is
            as many as leave the size as it is (odd filters, stride 1), `valid` none.
        groups: Channels and filters in so many parts, each part for itself.
        residual: [N, K, rows, columns], added before the activation.
        activation: `relu`, or nothing.
        algorithm: `auto` (by cost), `direct`, or `winograd(m)` with tiles of m by m results.
        max_error: What `auto` may lose: the largest error relative to the largest result.
        target: As in `weft.compile`.
        threads: As in a kernel's call.
        out: Takes the result: a contiguous array of its shape.

    Returns:
        [N, K, (H + 2*padding - R) // stride + 1, (W + 2*padding - S) // stride + 1].

    Raises:
        RunError: A shape or a type does not fit, by the argument's name; the algorithm cannot do
            it.
    """
    arrays = _arrays(x=x, w=w, bias=bias, residual=residual)
    kernel = _layer(
        arrays, Settings(stride, padding, groups, activation, algorithm, max_error, target)
    )
    found: np.ndarray[Any, Any] = kernel(*arrays.values(), out=out, threads=threads)
    return found


class Conv2d:
    """A convolution layer whose filters stay the same: `conv2d`, but what is computed of `w` and
    `bias` alone is computed once for each shape of images.

    Args:
        w: Filters, [K, C // groups, R, S], in float32 or float64; copied.
        bias: [K], added to each pixel; copied.
        stride: As in `conv2d`, and so are the others.

    Raises:
        RunError: As of `conv2d`; what depends on the images' shape, at the first call with it.
    """

    def __init__(
        self,
        w: Any,
        bias: Any = None,
        *,
        stride: Pair = 1,
        padding: Pair | Literal["same", "valid"] = 0,
        groups: int = 1,
        activation: Literal["relu"] | None = None,
        algorithm: str = "auto",
        max_error: float | None = None,
        target: str | None = None,
    ) -> None:
        self._fixed = {k: np.array(v) for k, v in _arrays(w=w, bias=bias).items()}
        self._settings = Settings(stride, padding, groups, activation, algorithm, max_error, target)
        self._kernels: dict[tuple[Any, ...], Kernel] = {}

    def __call__(
        self,
        x: Any,
        *,
        residual: Any = None,
        threads: int | None = None,
        out: np.ndarray[Any, Any] | None = None,
    ) -> np.ndarray[Any, Any]:
        """The layer's result for images [N, C, H, W], as `conv2d` has it."""
        given = _arrays(x=x, residual=residual)
        images = given.get("x")
        form = (getattr(images, "shape", ()), getattr(images, "dtype", None), "residual" in given)
        kernel = self._kernels.get(form)
        if kernel is None:
            arrays = {"x": images, **self._fixed, **given}
            kernel = self._kernels[form] = _layer(arrays, self._settings).fix(**self._fixed)
        found: np.ndarray[Any, Any] = kernel(*given.values(), out=out, threads=threads)
        return found


@dataclass(frozen=True)
class Settings:
    """What a layer is besides its arrays."""

    stride: Pair
    padding: Pair | Literal["same", "valid"]
    groups: int
    activation: Literal["relu"] | None
    algorithm: str
    max_error: float | None
    target: str | None


def _arrays(**given: Any) -> dict[str, Any]:
    return {name: as_array(name, value) for name, value in given.items() if value is not None}


def _layer(arrays: dict[str, Any], settings: Settings) -> Kernel:
    """The kernel of a layer on these arrays: x, w, and bias and residual if it has them."""
    element = _element(arrays)
    activation, algorithm, max_error = settings.activation, settings.algorithm, settings.max_error
    steps = _pair("stride", settings.stride, 1)
    groups = _whole("groups", settings.groups, 1)
    shape = arrays["w"].shape
    pad = _padding(settings.padding, shape[2:], steps)
    result = _result(arrays["x"].shape, shape, pad, steps, groups)
    for name, wanted in (("bias", shape[:1]), ("residual", result)):
        if name in arrays:
            _check(name, arrays[name], wanted, arrays["x"].dtype)
    if activation not in (None, "relu"):
        raise RunError(
            "no such activation", argument="activation", expected="relu", found=repr(activation)
        )
    if not isinstance(algorithm, str) or not ALGORITHMS.fullmatch(algorithm):
        raise RunError(
            "no such algorithm",
            argument="algorithm",
            expected="auto, direct or winograd(m)",
            found=repr(algorithm),
        )
    words = f"pad={list(pad)}, stride={list(steps)}, groups={groups}, algorithm={algorithm}"
    if max_error is not None:
        if not isinstance(max_error, int | float) or not max_error > 0:
            raise RunError(
                "max_error is no bound",
                argument="max_error",
                expected="more than 0",
                found=repr(max_error),
            )
        words += f", max_error={float(max_error)!r}"
    given = ", ".join(f"{name}: {element}{list(a.shape)}" for name, a in arrays.items())
    text = f"kernel conv2d({given}) -> (y: {element}{list(result)}):\n"
    total = "t[n, k, i, j]"
    if "bias" in arrays:
        total += " + bias[k]"
    if "residual" in arrays:
        total += " + residual[n, k, i, j]"
    if activation == "relu":
        total = f"max({total}, 0)"
    if total == "t[n, k, i, j]":
        text += f"    y = conv(x, w, {words})\n"
    else:
        text += f"    t = conv(x, w, {words})\n    y[n, k, i, j] = {total}\n"
    return _kernel(text, settings.target)


@lru_cache(maxsize=1024)
def _kernel(text: str, target: str | None) -> Kernel:
    """Compiled; what the language refuses is told of the layer, not of this text."""
    try:
        return driver.compile(text, target=target)
    except SourceError as error:
        first = error.errors[0]
        raise RunError(
            f"conv2d: {first.message}", expected=first.expected, found=first.found, help=first.help
        ) from error


def _element(arrays: dict[str, Any]) -> str:
    for name in ("x", "w"):
        value = arrays[name]
        if not isinstance(value, np.ndarray) or value.ndim != 4:
            raise RunError(
                f"conv2d takes {name} with four dimensions",
                argument=name,
                expected="[N, C, H, W]" if name == "x" else "[K, C // groups, R, S]",
                found=str(getattr(value, "shape", type(value).__name__)),
            )
    x, w = arrays["x"], arrays["w"]
    if x.dtype != w.dtype or str(x.dtype) not in ELEMENTS:
        raise RunError(
            "conv2d takes images and filters of one type",
            argument="w" if str(x.dtype) in ELEMENTS else "x",
            expected="float32 or float64",
            found=f"{x.dtype} and {w.dtype}",
            help="convert one of them: w.astype(x.dtype)" if str(x.dtype) in ELEMENTS else "",
        )
    return ELEMENTS[str(x.dtype)]


def _whole(name: str, given: Any, least: int) -> int:
    try:
        number = operator.index(given)
    except TypeError:
        number = least - 1
    if number < least:
        raise RunError(
            f"{name} is a whole number",
            argument=name,
            expected=f"{least} or more",
            found=repr(given),
        )
    return number


def _pair(name: str, given: Any, least: int) -> tuple[int, int]:
    if not isinstance(given, Sequence | np.ndarray) or isinstance(given, str):
        given = (given, given)
    if len(given) != 2:
        raise RunError(
            f"{name} is one whole number, or two: of rows and of columns",
            argument=name,
            found=repr(given),
        )
    return _whole(name, given[0], least), _whole(name, given[1], least)


def _padding(given: Any, window: tuple[int, int], steps: tuple[int, int]) -> tuple[int, int]:
    if isinstance(given, str) and given == "valid":
        return 0, 0
    if not isinstance(given, str) or given != "same":
        return _pair("padding", given, 0)
    if steps != (1, 1) or any(extent % 2 == 0 for extent in window):
        raise RunError(
            "padding='same' needs stride 1 and filters of odd sizes",
            argument="padding",
            found=f"stride {steps}, filters of {window[0]} by {window[1]}",
            help="say how many rows and columns: padding=[1, 1]",
        )
    return window[0] // 2, window[1] // 2


def _result(
    image: tuple[int, ...],
    filters: tuple[int, ...],
    pad: tuple[int, int],
    steps: tuple[int, int],
    groups: int,
) -> tuple[int, ...]:
    if image[1] != filters[1] * groups or filters[0] % groups:
        raise RunError(
            "images and filters do not fit together",
            argument="w",
            expected=f"filters of {image[1]} channels in all groups ({groups}), as many in each",
            found=f"w of shape {filters}",
        )
    extents = []
    for axis, border, step, what in zip((2, 3), pad, steps, ("rows", "columns"), strict=True):
        room = image[axis] + 2 * border - filters[axis]
        if room < 0:
            raise RunError(
                f"a filter has more {what} than the image with its border",
                argument="w",
                expected=f"{image[axis] + 2 * border} {what} at most",
                found=str(filters[axis]),
                help="padding= adds zeros around the image",
            )
        extents.append(room // step + 1)
    return (image[0], filters[0], *extents)


def _check(name: str, value: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
    if not isinstance(value, np.ndarray) or value.shape != shape or value.dtype != dtype:
        raise RunError(
            f"{name} does not fit the result",
            argument=name,
            expected=f"{dtype} of shape {shape}",
            found=f"{value.dtype} of shape {value.shape}"
            if isinstance(value, np.ndarray)
            else type(value).__name__,
        )
