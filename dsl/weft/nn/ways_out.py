# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What to write instead, for who comes from other libraries: the help of the layers' refusals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from weft.diagnostics import close_match
from weft.semantics.conv_layouts import LAYOUTS, Layout, of_dims

UNLIKE_SIDES = (
    "for sides that differ give padding=0 and images that have their zeros: np.pad(x, ...), or"
    " pad(x, ...) before conv in a kernel"
)


def of_layout(given: Any, dims: int) -> str:
    """The names that other libraries have for the same."""
    planes, last, _ = (one.name for one in of_dims(dims))
    if given in ("channels_first", "channels_last"):
        return f"here it is {(last if given == 'channels_last' else planes)!r}"
    if not isinstance(given, str):
        return ""
    return close_match(given, [one.name for one in LAYOUTS.values() if one.dims == dims])


def of_algorithm(given: Any) -> str:
    if isinstance(given, str) and given.lower().startswith("winograd"):
        return "winograd(4) has tiles of 4 results; the filter's size is that of w"
    return close_match(given, ("auto", "direct")) if isinstance(given, str) else ""


def of_activation(given: Any) -> str:
    if isinstance(given, str) and given.lower() == "relu":
        return "did you mean 'relu'?"
    return "others are written in a kernel of your own: y = tanh(conv(x, w))"


def of_padding(given: Any, window: tuple[int, ...]) -> str:
    if given == "full":
        wide = [extent - 1 for extent in window]
        return f"padding={wide} has every place where a filter meets the image"
    return close_match(given, ("same", "valid")) if isinstance(given, str) else ""


def of_rank(name: str, value: Any, layout: Layout | None, rank: int) -> str:
    """Of an array with other dimensions than images of a layout, or filters, have."""
    if is_nested(value):
        return f"np.asarray({name}, np.float32) makes one"
    if name == "w" and isinstance(value, int | np.integer):
        return "a layer is made of its filters: np.zeros((K, C, R, S), np.float32), or trained ones"
    if not isinstance(value, np.ndarray) or layout is None:
        return ""
    if value.ndim == rank - 1 and layout.order != "blocks":
        return f"{name}[None] is one image"
    if layout.order == "blocks" and value.ndim == layout.dims + 2:
        planes = of_dims(layout.dims)[0].name
        return f"layout={planes!r}, out_layout={layout.name!r} takes planes and gives blocks"
    return ""


def of_fit(name: str, value: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> str:
    """Of a bias or residual of another shape or type."""
    if isinstance(value, bool):
        return f"{name}=None has none"
    if is_scalar(value):
        return f"np.full({shape}, {name}, np.{dtype}) has it everywhere"
    if is_nested(value):
        return f"np.asarray({name}, np.{dtype}) makes one"
    if not isinstance(value, np.ndarray):
        return ""
    if value.shape == shape:
        return f"{name}.astype(np.{dtype})"
    if value.dtype == dtype and value.size == shape[0] and len(shape) == 1:
        return f"{name}.reshape({shape[0]})"
    return ""


def as_same(window: tuple[int, ...], steps: tuple[int, ...], layout: Layout) -> str:
    """The zeros that leave a result for every pixel, or for every stride that one begins."""
    size = "leaves the size as it is" if set(steps) == {1} else "gives ceil(size / stride) results"
    if all(extent % 2 for extent in window):
        return f"padding={[extent // 2 for extent in window]} {size}"
    widths = [(0, 0)] * layout.rank
    for axis, extent in enumerate(window, layout.first_pixel):
        widths[axis] = ((extent - 1) // 2, extent // 2)
    return f"np.pad(x, {widths}) with padding=0 {size}"


def kind(value: Any) -> str:
    """What was given where an array was to be."""
    name = type(value).__name__
    if is_scalar(value):
        return f"a scalar ({name})"
    return "nothing" if value is None else f"{name}, which is no array"


def is_scalar(value: Any) -> bool:
    return isinstance(value, bool | int | float | complex | np.generic)


def is_nested(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)
