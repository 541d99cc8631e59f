# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers of networks on NumPy arrays: each is a kernel, compiled once for its shapes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from weft.call import of_out
from weft.diagnostics import RunError
from weft.execution import Kernel
from weft.nn.layers import (
    Each,
    Options,
    Padding,
    Settings,
    arrays_of,
    check_fixed,
    kernel_of,
    named_settings,
    settings_of,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["Conv1d", "Conv2d", "Conv3d", "conv1d", "conv2d", "conv3d"]

Array = np.ndarray[Any, Any]


def __getattr__(name: str) -> Any:
    raise AttributeError(
        f"module 'weft.nn' has no attribute {name!r}: there are {', '.join(__all__)}; what else a"
        " network does is written in a kernel (weft.compile)"
        if not name.startswith("_")
        else f"module 'weft.nn' has no attribute {name!r}"
    )


def conv2d(
    x: Any,
    w: Any,
    bias: Any = None,
    *,
    stride: Each = 1,
    padding: Padding = 0,
    dilation: Each = 1,
    groups: int = 1,
    residual: Any = None,
    activation: Literal["relu"] | None = None,
    algorithm: str = "auto",
    max_error: float | None = None,
    layout: str | None = None,
    out_layout: str | None = None,
    target: str | None = None,
    threads: int | None = None,
    out: Array | None = None,
) -> Array:
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
        dilation: 1; other distances between a filter's taps are refused.
        groups: Channels and filters in so many parts, each part for itself.
        residual: Of the result's shape, added before the activation.
        activation: `relu`, or nothing.
        algorithm: `auto` (by cost), `direct`, or `winograd(m)` with tiles of m by m results.
        max_error: What tiles that `auto` takes may lose: the largest error relative to the largest
            result. The direct sum, which it takes where none keeps to that, has no bound.
        layout: Of `x`: `nchw`, as above; `nhwc`, [N, H, W, C]; `nchw16c`, [N, C // 16, H, W, 16].
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
    settings = settings_of(
        *(2, stride, padding, dilation, groups, activation, algorithm, max_error),
        *(layout, out_layout, target),
    )
    return _run(settings, x, w, bias, residual, threads, out)


def conv1d(
    x: Any,
    w: Any,
    bias: Any = None,
    *,
    residual: Any = None,
    threads: int | None = None,
    out: Array | None = None,
    **options: Unpack[Options],
) -> Array:
    """`conv2d` for signals, images of one dimension.

    Args:
        x: [N, C, W], or as `layout` says: `nwc`, `ncw16c`.
        w: [K, C // groups, R].
        bias: As in `conv2d`, and so are the others; `stride` and `padding` are one number.
    """
    return _run(named_settings("conv1d", 1, options), x, w, bias, residual, threads, out)


def conv3d(
    x: Any,
    w: Any,
    bias: Any = None,
    *,
    residual: Any = None,
    threads: int | None = None,
    out: Array | None = None,
    **options: Unpack[Options],
) -> Array:
    """`conv2d` for volumes, images of three dimensions.

    Args:
        x: [N, C, D, H, W], or as `layout` says: `ndhwc`, `ncdhw16c`.
        w: [K, C // groups, Q, R, S].
        bias: As in `conv2d`, and so are the others; `stride` and `padding` are one number or three.
    """
    return _run(named_settings("conv3d", 3, options), x, w, bias, residual, threads, out)


def _run(
    settings: Settings,
    x: Any,
    w: Any,
    bias: Any,
    residual: Any,
    threads: int | None,
    out: Array | None,
) -> Array:
    arrays = arrays_of(x=x, w=w, bias=bias, residual=residual)
    return _called(kernel_of(settings, arrays), arrays, threads, out)


def _called(
    kernel: Kernel, arrays: dict[str, Any], threads: int | None, out: Array | None
) -> Array:
    try:
        found: Array = kernel(*arrays.values(), out=out, threads=threads)
    except RunError as error:
        raise of_out(error) from None
    return found


class Conv2d:
    """A convolution layer whose filters stay the same: `conv2d`, but what is computed of `w` and
    `bias` alone is computed once for each shape of images.

    Args:
        w: Filters, [K, C // groups, R, S], in float32 or float64; copied.
        bias: [K], added to each pixel; copied.
        options: As in `conv2d`: `stride`, `padding`, `dilation`, `groups`, `activation`,
            `algorithm`, `max_error`, `layout`, `out_layout`, `target`.

    Raises:
        RunError: As of `conv2d`; what depends on the images' shape, at the first call with it.
    """

    dims: ClassVar[int] = 2

    def __init__(self, w: Any, bias: Any = None, *rest: object, **options: Unpack[Options]) -> None:
        if rest:
            counts = ": channels and sizes follow from the filters w" if np.ndim(w) == 0 else ""
            raise TypeError(
                f"{type(self).__name__}() takes w and bias by place, and options by their names"
                + counts
            )
        given = arrays_of(w=w, bias=bias)
        self._settings = named_settings(type(self).__name__, self.dims, options)
        check_fixed(self._settings, given)
        self._fixed = {k: np.array(v) for k, v in given.items()}
        self._kernels: dict[tuple[Any, ...], Kernel] = {}

    def __repr__(self) -> str:
        arrays = [f"{name}: {a.dtype}{list(a.shape)}" for name, a in self._fixed.items()]
        return f"{type(self).__name__}({', '.join([*arrays, *self._settings.told()])})"

    def __call__(
        self,
        x: Any,
        *,
        residual: Any = None,
        threads: int | None = None,
        out: Array | None = None,
    ) -> Array:
        """The layer's result for images of its layout, as `conv2d` has it."""
        given = arrays_of(x=x, residual=residual)
        images = given.get("x")
        beside = type(given.get("residual"))
        form = (getattr(images, "shape", ()), getattr(images, "dtype", None), beside)
        kernel = self._kernels.get(form)
        if kernel is None:
            arrays = {"x": images, **self._fixed, **given}
            kernel = self._kernels[form] = kernel_of(self._settings, arrays).fix(**self._fixed)
        return _called(kernel, given, threads, out)


class Conv1d(Conv2d):
    """`Conv2d` for signals, as `conv1d` has them: filters [K, C // groups, R]."""

    dims: ClassVar[int] = 1


class Conv3d(Conv2d):
    """`Conv2d` for volumes, as `conv3d` has them: filters [K, C // groups, Q, R, S]."""

    dims: ClassVar[int] = 3
