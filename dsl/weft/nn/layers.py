# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernel of a convolution layer: its text, of settings and shapes that fit together."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal, TypedDict

import numpy as np

from weft import driver
from weft.call import as_array
from weft.diagnostics import RunError, SourceError, close_match
from weft.execution import Kernel
from weft.nn import ways_out
from weft.remembered import Remembered
from weft.semantics.conv_layouts import (
    BLOCK,
    COUNTED,
    LAYOUTS,
    Layout,
    filters_shown,
    names,
    of_dims,
)

ELEMENTS = {"float32": "f32", "float64": "f64"}
# The indices of a result by planes, its pixel's left out, and those of its bias as [block of
# channels, channel].
PLACES = {
    "planes": ("n, k, {}", "0, k"),
    "last": ("n, {}, k", "0, k"),
    "blocks": ("n, l, {}, k", "l, k"),
}
ALGORITHMS = re.compile(r"auto|direct|winograd\([1-9][0-9]*\)")
EXPECTED_PADDING = (
    "one number: of each side",
    "one number, or two (height, width): each of both sides",
    "one number, or three (depth, height, width): each of both sides",
)
Each = int | Sequence[int]
Padding = Each | Literal["same", "valid"]


class Options(TypedDict, total=False):
    """What a layer may be told by name, and what it is where nothing is said."""

    stride: Each
    padding: Padding
    dilation: Each
    groups: int
    activation: Literal["relu"] | None
    algorithm: str
    max_error: float | None
    layout: str | None
    out_layout: str | None
    target: str | None


@dataclass(frozen=True)
class Settings:
    """What a layer is besides its arrays; `layout` is by planes where it is not given."""

    dims: int
    stride: Each = 1
    padding: Padding = 0
    dilation: Each = 1
    groups: int = 1
    activation: Literal["relu"] | None = None
    algorithm: str = "auto"
    max_error: float | None = None
    layout: str | None = None
    out_layout: str | None = None
    target: str | None = None

    def __post_init__(self) -> None:
        # Whole numbers, one an axis: what is equal is the same layer.
        numbers = {"stride": _each("stride", self.stride, 1, self.dims)}
        if not isinstance(self.padding, str):
            numbers["padding"] = _each("padding", self.padding, 0, self.dims)
        for name, each in numbers.items():
            object.__setattr__(self, name, each)
        steps = _each("dilation", self.dilation, 1, self.dims)
        if set(steps) != {1}:
            taps = ", ".join(f"::{step}" for step in steps)
            wide = ", ".join(
                f"{step}*{extent} - {step - 1}" if step > 1 else extent
                for step, extent in zip(steps, ("R", "RS", "QRS")[self.dims - 1], strict=True)
            )
            raise RunError(
                "a filter's taps lie side by side",
                argument="dilation",
                expected="1",
                found=repr(self.dilation),
                help=f"zeros between them do the same: wide[..., {taps}] = w, of a filter that is"
                f" np.zeros((K, C // groups, {wide}))",
            )
        object.__setattr__(self, "dilation", 1)
        object.__setattr__(self, "groups", _whole("groups", self.groups, 1))
        _check_words(self)
        self.layouts()

    def told(self) -> list[str]:
        """What is otherwise than where nothing is said."""
        usual = Settings(self.dims)
        found = ((f.name, getattr(self, f.name)) for f in fields(self))
        return [f"{name}={value!r}" for name, value in found if value != getattr(usual, name)]

    def layouts(self) -> tuple[Layout, Layout]:
        planes = of_dims(self.dims)[0]
        given = self._named("layout", self.layout) or planes
        return given, self._named("out_layout", self.out_layout) or given

    def _named(self, argument: str, name: str | None) -> Layout | None:
        if name is None:
            return None
        found = LAYOUTS.get(name) if isinstance(name, str) else None
        if found is None or found.dims != self.dims:
            raise RunError(
                "no such layout",
                argument=argument,
                expected=names(self.dims),
                found=repr(name),
                help=ways_out.of_layout(name, self.dims),
            )
        return found


def _check_words(settings: Settings) -> None:
    """What can be said of names and bounds without arrays."""
    activation, algorithm, bound = settings.activation, settings.algorithm, settings.max_error
    if not (activation is None or (isinstance(activation, str) and activation == "relu")):
        raise RunError(
            "no such activation",
            argument="activation",
            expected="relu",
            found=repr(activation),
            help=ways_out.of_activation(activation),
        )
    if not isinstance(algorithm, str) or not ALGORITHMS.fullmatch(algorithm):
        raise RunError(
            "no such algorithm",
            argument="algorithm",
            expected="auto, direct or winograd(m)",
            found=repr(algorithm),
            help=ways_out.of_algorithm(algorithm),
        )
    is_number = isinstance(bound, int | float | np.integer | np.floating)
    is_number &= not isinstance(bound, bool)
    if bound is not None and not (is_number and 0 < bound < math.inf):
        raise RunError(
            "max_error is no bound",
            argument="max_error",
            expected="a number, more than 0",
            found=repr(bound),
            help="algorithm='winograd(6)' takes a tile whatever its error"
            if is_number and bound == math.inf
            else "",
        )


def named_settings(caller: str, dims: int, options: Any) -> Settings:
    """Of options by their names; a TypeError of the caller's for one that there is not."""
    for name in options:
        if name not in Options.__annotations__:
            near = close_match(name, Options.__annotations__)
            raise TypeError(
                f"{caller}() got an unexpected keyword argument '{name}'"
                + (f": {near}" if near else "")
            )
    return Settings(dims, **options)


# By settings as they were written, which are looked at once.
_written: Remembered[Settings] = Remembered()
_PLAIN = (int, str, type(None))


def settings_of(*given: Any) -> Settings:
    """`Settings` of these; 1 and True and 1.0 are one key, and not all of them a number here."""
    for one in given:
        if type(one) not in _PLAIN:
            return Settings(*given)
    return _written.get(given, lambda: Settings(*given))


# By settings and the arrays' names, shapes and types.
_kernels: Remembered[Kernel] = Remembered()


def kernel_of(settings: Settings, arrays: dict[str, Any]) -> Kernel:
    """Of a layer on these arrays: x, w, and bias and residual if it has them."""
    forms = ((getattr(a, "shape", None), getattr(a, "dtype", None)) for a in arrays.values())
    try:
        return _kernels.get((settings, *arrays, *forms), lambda: _compiled(settings, arrays))
    except TypeError:  # no key: what is to be a name or a number is a list, or something else
        return _compiled(settings, arrays)


def arrays_of(**given: Any) -> dict[str, Any]:
    """As arrays; without a bias and a residual that are not given."""
    return {
        name: as_array(name, value)
        for name, value in given.items()
        if value is not None or name in ("x", "w")
    }


def _text(arrays: dict[str, Any], settings: Settings) -> str:
    """A kernel; what does not fit is refused by its argument's name."""
    layout, out_layout = settings.layouts()
    element = _element(arrays, layout)
    steps, groups = settings.stride, settings.groups
    assert isinstance(steps, tuple)
    shape = arrays["w"].shape
    pad = _padding(settings.padding, shape[2:], steps, layout)
    image = _extents(arrays["x"].shape, layout)
    result = _in_layout(_result(image, shape, pad, steps, groups), out_layout)
    for name, wanted in (("bias", shape[:1]), ("residual", result)):
        if name in arrays:
            _check(name, arrays[name], wanted, arrays["x"].dtype)
    words = f"pad={list(pad)}, stride={list(steps)}, groups={groups}"
    words += f", algorithm={settings.algorithm}"
    if settings.max_error is not None:
        words += f", max_error={float(settings.max_error)!r}"
    words += f", layout={layout.name}, out_layout={out_layout.name}"
    given = ", ".join(f"{name}: {element}{list(a.shape)}" for name, a in arrays.items())
    text = f"kernel conv{layout.dims}d({given}) -> (y: {element}{list(result)}):\n"
    place, of_bias = PLACES[out_layout.order]
    place = place.format(", ".join("hij"[-layout.dims :]))
    total = f"t[{place}]"
    if "bias" in arrays:
        total += f" + b[{of_bias}]"
        blocks = result[1] if out_layout.order == "blocks" else 1
        text += f"    b = reshape(bias, [{blocks}, {shape[0] // blocks}])\n"
    if "residual" in arrays:
        total += f" + residual[{place}]"
    if settings.activation == "relu":
        total = f"max({total}, 0)"
    if total == f"t[{place}]":
        text += f"    y = conv(x, w, {words})\n"
    else:
        text += f"    t = conv(x, w, {words})\n    y[{place}] = {total}\n"
    return text


def _compiled(settings: Settings, arrays: dict[str, Any]) -> Kernel:
    """Compiled; what the language refuses is told of the layer, not of its text."""
    text = _text(arrays, settings)
    try:
        return driver.compile(text, target=settings.target)
    except SourceError as error:
        first = error.errors[0]
        raise RunError(
            f"conv{settings.dims}d: {first.message}",
            expected=first.expected,
            found=first.found,
            help=first.help,
        ) from error


def _extents(shape: tuple[int, ...], layout: Layout) -> tuple[int, ...]:
    """N, C and the pixels' extents of images in a layout."""
    pixel = shape[layout.first_pixel :][: layout.dims]
    if layout.order == "planes":
        return shape
    if layout.order == "last":
        return shape[0], shape[-1], *pixel
    if shape[-1] != BLOCK:
        raise RunError(
            f"images in {layout.name} have {BLOCK} channels side by side",
            argument="x",
            expected=layout.shown,
            found=str(shape),
            help=f"for other numbers of channels: layout={Layout('last', layout.dims).name!r}",
        )
    return shape[0], shape[1] * BLOCK, *pixel


def _in_layout(shape: tuple[int, ...], layout: Layout) -> tuple[int, ...]:
    n, k, *pixel = shape
    if layout.order == "last":
        return n, *pixel, k
    if layout.order == "planes":
        return shape
    if k % BLOCK:
        raise RunError(
            f"results in {layout.name} have channels in blocks of {BLOCK}",
            argument="w",
            expected=f"a multiple of {BLOCK} filters",
            found=str(k),
            help=f"for other numbers of filters: out_layout={Layout('last', layout.dims).name!r}",
        )
    return n, k // BLOCK, *pixel, BLOCK


def _element(arrays: dict[str, Any], layout: Layout) -> str:
    layer = f"conv{layout.dims}d"
    _check_rank("x", arrays["x"], layout.dims, layout.rank, layout.shown, layout)
    _check_rank("w", arrays["w"], layout.dims, layout.dims + 2, filters_shown(layout.dims))
    x, w = arrays["x"], arrays["w"]
    if x.dtype != w.dtype or str(x.dtype) not in ELEMENTS:
        one = "one type" if x.dtype != w.dtype else "float32 or float64"
        raise RunError(
            f"{layer} takes images and filters of {one}",
            argument="w" if str(x.dtype) in ELEMENTS else "x",
            expected="float32 or float64",
            found=f"{x.dtype} and {w.dtype}",
            help="convert one of them: w.astype(x.dtype)"
            if str(x.dtype) in ELEMENTS
            else "x.astype(np.float32)",
        )
    return ELEMENTS[str(x.dtype)]


def check_fixed(settings: Settings, arrays: dict[str, Any]) -> None:
    """What can be said of filters and bias before there are images."""
    dims, w = settings.dims, arrays.get("w")
    _check_rank("w", w, dims, dims + 2, filters_shown(dims))
    assert isinstance(w, np.ndarray)
    if str(w.dtype) not in ELEMENTS:
        raise RunError(
            f"conv{dims}d takes no such filters",
            argument="w",
            expected="float32 or float64",
            found=str(w.dtype),
            help="w.astype(np.float32)",
        )
    if "bias" in arrays:
        _check("bias", arrays["bias"], w.shape[:1], w.dtype)
    layout, out_layout = settings.layouts()
    assert isinstance(settings.stride, tuple)
    _padding(settings.padding, w.shape[2:], settings.stride, layout)
    _check_groups("filters", w.shape[0], settings.groups)
    _in_layout((1, *w.shape[:1], *(1,) * dims), out_layout)


def _check_groups(what: str, count: int, groups: int) -> None:
    if count % groups:
        raise RunError(
            f"images and filters do not fit together: {count} {what} in {groups} groups",
            argument="groups" if what == "channels" else "w",
            expected=f"a number of {what} that is a multiple of groups",
            found=f"{count} {what}, groups={groups}",
        )


def _check_rank(
    name: str, value: Any, dims: int, rank: int, shown: str, layout: Layout | None = None
) -> None:
    if not isinstance(value, np.ndarray) or value.ndim != rank:
        raise RunError(
            f"conv{dims}d takes {name} with {COUNTED[rank]} dimensions",
            argument=name,
            expected=f"an array {shown}",
            found=str(value.shape) if isinstance(value, np.ndarray) else ways_out.kind(value),
            help=ways_out.of_rank(name, value, layout, rank),
        )
    if not value.size:
        raise RunError(
            f"conv{dims}d has nothing to do: {name} is empty",
            argument=name,
            expected=f"an array {shown}, extents of 1 or more",
            found=str(value.shape),
        )


def _whole(name: str, given: Any, least: int) -> int:
    try:
        number = least - 1 if isinstance(given, bool | np.bool_) else operator.index(given)
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


def _each(name: str, given: Any, least: int, dims: int) -> tuple[int, ...]:
    if not isinstance(given, Sequence | np.ndarray) or isinstance(given, str):
        given = (given,) * dims
    sides = name == "padding" and (
        len(given) == 2 * dims or any(isinstance(one, Sequence | np.ndarray) for one in given)
    )
    if len(given) != dims or sides:
        each = ["", ", or two: of rows and of columns", ", or three: of planes, rows and columns"]
        raise RunError(
            f"{name} is one whole number{each[dims - 1]}",
            argument=name,
            expected=EXPECTED_PADDING[dims - 1] if sides else "",
            found=repr(given),
            help=ways_out.UNLIKE_SIDES if sides else "",
        )
    return tuple(_whole(name, one, least) for one in given)


def _padding(
    given: Any, window: tuple[int, ...], steps: tuple[int, ...], layout: Layout
) -> tuple[int, ...]:
    if given == "valid":
        return (0,) * len(window)
    if given != "same":
        if isinstance(given, tuple):
            return given
        raise RunError(
            "no such padding",
            argument="padding",
            expected="whole numbers, 'same' or 'valid'",
            found=repr(given),
            help=ways_out.of_padding(given, window),
        )
    if any(step != 1 for step in steps) or any(extent % 2 == 0 for extent in window):
        raise RunError(
            "padding='same' needs stride 1 and filters of odd sizes",
            argument="padding",
            found=f"stride {steps}, filters of {' by '.join(map(str, window))}",
            help=ways_out.as_same(window, steps, layout),
        )
    return tuple(extent // 2 for extent in window)


def _result(
    image: tuple[int, ...],
    filters: tuple[int, ...],
    pad: tuple[int, ...],
    steps: tuple[int, ...],
    groups: int,
) -> tuple[int, ...]:
    _check_groups("channels", image[1], groups)
    _check_groups("filters", filters[0], groups)
    if image[1] != filters[1] * groups:
        each = image[1] // groups
        in_all = f": the {image[1]} of the images in {groups} groups" if groups > 1 else ""
        raise RunError(
            "images and filters do not fit together",
            argument="w",
            expected=f"filters of {each} channels{in_all}",
            found=f"w of shape {filters}",
        )
    extents = []
    whats = ("planes", "rows", "columns")[-len(pad) :]
    for axis, (border, step, what) in enumerate(zip(pad, steps, whats, strict=True), 2):
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
    is_array = isinstance(value, np.ndarray)
    if is_array and (value.shape, value.dtype) == (shape, dtype):
        return
    raise RunError(
        f"{name} does not fit the result",
        argument=name,
        expected=f"an array in {dtype} of shape {shape}",
        found=f"{value.dtype} of shape {value.shape}" if is_array else ways_out.kind(value),
        help=ways_out.of_fit(name, value, shape, dtype),
    )
