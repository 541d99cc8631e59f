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
from weft.semantics.conv_layouts import BLOCK, DIMENSIONS

ELEMENTS = {"float32": "f32", "float64": "f64"}
# The indices of a result, and those of its bias as [block of channels, channel].
POINTS = {
    "nchw": ("n, k, i, j", "0, k"),
    "nhwc": ("n, i, j, k", "0, k"),
    "nchw16c": ("n, l, i, j, k", "l, k"),
}
ALGORITHMS = re.compile(r"auto|direct|winograd\([1-9][0-9]*\)")
Pair = int | Sequence[int]
Layout = Literal["nchw", "nhwc", "nchw16c"]


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
    layout: Layout = "nchw",
    out_layout: Layout | None = None,
    target: str | None = None,
    threads: int | None = None,
    out: np.ndarray[Any, Any] | None = None,
) -> np.ndarray[Any, Any]:
    """The convolution of images with filters, as networks have it (cross-correlation).

    `activation(sum over c, r, s of x[n, c, stride*i + r, stride*j + s] * w[k, c, r, s] + bias[k] +
    residual[n, k, i, j])`, `x` surrounded by zeros, in the order of indices of `nchw`. The first
    call with new shapes compiles a kernel or finds it in the cache; later ones only run it.

    Args:
        x: Images in float32 or float64: [N, C, H, W], or as `layout` says.
        w: Filters, [K, C // groups, R, S], of the same type.
        bias: [K], added to each pixel.
        stride: Between windows; one number, or those of rows and columns.
        padding: Rows of zeros above and below, columns left and right; one number or two. `same` is
            as many as leave the size as it is (odd filters, stride 1), `valid` none.
        groups: Channels and filters in so many parts, each part for itself.
        residual: Of the result's shape, added before the activation.
        activation: `relu`, or nothing.
        algorithm: `auto` (by cost), `direct`, or `winograd(m)` with tiles of m by m results.
        max_error: What `auto` may lose: the largest error relative to the largest result.
        layout: Of `x`: `nchw`; `nhwc`, [N, H, W, C]; `nchw16c`, [N, C // 16, H, W, 16].
        out_layout: Of the result, that of `x` if it is not given.
        target: As in `weft.compile`.
        threads: As in a kernel's call.
        out: Takes the result: a contiguous array of its shape.

    Returns:
        [N, K, (H + 2*padding - R) // stride + 1, (W + 2*padding - S) // stride + 1], or those
        extents as `out_layout` has them.

    Raises:
        RunError: A shape or a type does not fit, by the argument's name; the algorithm cannot do
            it.
    """
    arrays = _arrays(x=x, w=w, bias=bias, residual=residual)
    kernel = _layer(
        arrays,
        Settings(
            *(stride, padding, groups, activation, algorithm, max_error),
            *(layout, out_layout or layout, target),
        ),
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
        layout: Layout = "nchw",
        out_layout: Layout | None = None,
        target: str | None = None,
    ) -> None:
        self._fixed = {k: np.array(v) for k, v in _arrays(w=w, bias=bias).items()}
        self._settings = Settings(
            *(stride, padding, groups, activation, algorithm, max_error),
            *(layout, out_layout or layout, target),
        )
        self._kernels: dict[tuple[Any, ...], Kernel] = {}

    def __call__(
        self,
        x: Any,
        *,
        residual: Any = None,
        threads: int | None = None,
        out: np.ndarray[Any, Any] | None = None,
    ) -> np.ndarray[Any, Any]:
        """The layer's result for images of its layout, as `conv2d` has it."""
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
    layout: Layout
    out_layout: Layout
    target: str | None


def _arrays(**given: Any) -> dict[str, Any]:
    return {name: as_array(name, value) for name, value in given.items() if value is not None}


def _layer(arrays: dict[str, Any], settings: Settings) -> Kernel:
    """The kernel of a layer on these arrays: x, w, and bias and residual if it has them."""
    for argument, layout in (("layout", settings.layout), ("out_layout", settings.out_layout)):
        if layout not in DIMENSIONS:
            raise RunError(
                "no such layout",
                argument=argument,
                expected="nchw, nhwc or nchw16c",
                found=repr(layout),
            )
    element = _element(arrays, settings.layout)
    activation, algorithm, max_error = settings.activation, settings.algorithm, settings.max_error
    steps = _pair("stride", settings.stride, 1)
    groups = _whole("groups", settings.groups, 1)
    shape = arrays["w"].shape
    pad = _padding(settings.padding, shape[2:], steps)
    image = _extents(arrays["x"].shape, settings.layout)
    result = _in_layout(_result(image, shape, pad, steps, groups), settings.out_layout)
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
    words += f", layout={settings.layout}, out_layout={settings.out_layout}"
    given = ", ".join(f"{name}: {element}{list(a.shape)}" for name, a in arrays.items())
    text = f"kernel conv2d({given}) -> (y: {element}{list(result)}):\n"
    place, of_bias = POINTS[settings.out_layout]
    total = f"t[{place}]"
    if "bias" in arrays:
        total += f" + b[{of_bias}]"
        blocks = result[1] if settings.out_layout == "nchw16c" else 1
        text += f"    b = reshape(bias, [{blocks}, {shape[0] // blocks}])\n"
    if "residual" in arrays:
        total += f" + residual[{place}]"
    if activation == "relu":
        total = f"max({total}, 0)"
    if total == f"t[{place}]":
        text += f"    y = conv(x, w, {words})\n"
    else:
        text += f"    t = conv(x, w, {words})\n    y[{place}] = {total}\n"
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


def _extents(shape: tuple[int, ...], layout: Layout) -> tuple[int, ...]:
    """N, C, H, W of images in a layout."""
    if layout == "nhwc":
        n, h, w, c = shape
        return n, c, h, w
    if layout == "nchw":
        return shape
    n, blocks, h, w, block = shape
    if block != BLOCK:
        raise RunError(
            f"images in nchw16c have {BLOCK} channels side by side",
            argument="x",
            expected=DIMENSIONS[layout],
            found=str(shape),
            help="for other numbers of channels: layout='nhwc'",
        )
    return n, blocks * BLOCK, h, w


def _in_layout(shape: tuple[int, ...], layout: Layout) -> tuple[int, ...]:
    n, k, h, w = shape
    if layout == "nhwc":
        return n, h, w, k
    if layout == "nchw":
        return shape
    if k % BLOCK:
        raise RunError(
            f"results in nchw16c have channels in blocks of {BLOCK}",
            argument="w",
            expected=f"a multiple of {BLOCK} filters",
            found=str(k),
            help="for other numbers of filters: out_layout='nhwc'",
        )
    return n, k // BLOCK, h, w, BLOCK


def _element(arrays: dict[str, Any], layout: Layout) -> str:
    for name, dimensions in (("x", DIMENSIONS[layout]), ("w", "[K, C // groups, R, S]")):
        value, rank = arrays[name], dimensions.count(",") + 1
        if not isinstance(value, np.ndarray) or value.ndim != rank:
            raise RunError(
                f"conv2d takes {name} with {'four' if rank == 4 else 'five'} dimensions",
                argument=name,
                expected=dimensions,
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
