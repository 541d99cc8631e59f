# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statements of random kernels that are a built-in each: borders, tiles, places that data says,
transforms of real numbers, Winograd and convolution, sums of products."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np

from fuzz.scopes import Extent, Shape, Value
from fuzz.terms import COMPLEX, COMPLEX_OF, EPSILON, EXACT_BELOW, INTEGERS, REAL_OF, Retry, Term
from weft.semantics import conv_layouts, winograd_points

FLOATS = tuple(EPSILON)


class Maker(Protocol):
    """A kernel in the making."""

    pick: random.Random
    values: list[Value]
    lines: list[str]

    def fresh(self) -> str: ...

    def keep(self, name: str, term: Term, shape: Shape) -> Value: ...


def _some(maker: Maker, fits: Callable[[Value], bool]) -> Value:
    fitting = [v for v in maker.values if fits(v)]
    if not fitting:
        raise Retry
    return maker.pick.choice(fitting)


def _define(maker: Maker, text: str, term: Term, shape: Sequence[int | Extent]) -> None:
    """`t = text`, judged by `term`."""
    target = maker.fresh()
    extents = tuple(e if isinstance(e, Extent) else _extent(e) for e in shape)
    if math.prod(e.value for e in extents) > 200_000:
        raise Retry
    maker.lines.append(f"{target} = {text}")
    maker.keep(target, term.judged(), extents)


def _extent(value: int) -> Extent:
    # The language may know a 1 by the name of a size: then it does not stretch.
    return Extent("1*1" if value == 1 else str(value), value)


# ------------------------------------------------------------------------------- borders and tiles


def rolled(maker: Maker) -> None:
    value, pick = _some(maker, lambda v: bool(v.shape)), maker.pick
    axis = pick.randrange(len(value.shape))
    shift = pick.choice([0, 1, -1, 2, -3, 7, 40])
    words = pick.choice([f", axis={axis}", f", axis={axis - len(value.shape)}", ""])
    shifted = str(shift)
    if len(value.shape) > 1 and pick.random() < 0.3:
        axes = pick.sample(range(len(value.shape)), 2)
        shifted, words = f"[{shift}, {pick.randrange(-5, 6)}]", f", axes={axes}"
    _define(maker, f"roll({value.name}, {shifted}{words})", value.at(""), value.shape)


def padded(maker: Maker) -> None:
    value, pick = _some(maker, lambda v: bool(v.shape) and v.kind != "bool"), maker.pick
    last = pick.randrange(1, len(value.shape) + 1)
    before = [pick.choice([0, 0, 1, 2, 3]) for _ in range(last)]
    after = [pick.choice([0, 0, 1, 2, 5]) for _ in range(last)]
    text = f"pad({value.name}, {before}, {after}"
    if pick.random() < 0.3:
        after = before
        text = f"pad({value.name}, {before}"
    bound = value.bound
    if pick.random() < 0.4:
        text += ", value=3"
        bound = max(bound, 3.0)
    extents = [e.value for e in value.shape]
    for at, (a, b) in enumerate(zip(before, after, strict=True), len(extents) - last):
        extents[at] += a + b
    _define(maker, f"{text})", Term("", value.kind, bound, value.error, value.whole), extents)


def tiled(maker: Maker) -> None:
    """Tiles, which may overlap, or which are put together again."""
    value, pick = _some(maker, lambda v: len(v.shape) in (1, 2, 3)), maker.pick
    last = pick.randrange(1, min(2, len(value.shape)) + 1)
    extents = [e.value for e in value.shape]
    kept, ends = extents[:-last], extents[-last:]
    size = [pick.randrange(1, min(end, 7) + 1) for end in ends]
    step = [pick.randrange(1, s + 1) for s in size]
    words = f", step={step}"
    if pick.random() < 0.4:
        step, words = size, ""
    cover = [end - (s - t) for end, s, t in zip(ends, size, step, strict=True)]
    if pick.random() < 0.4:
        cover = [pick.randrange(1, end + 1) for end in ends]
        words += f", cover={cover}"
    if min(cover) < 1:
        raise Retry
    counts = [-(-c // t) for c, t in zip(cover, step, strict=True)]
    _define(
        maker,
        f"tiles({value.name}, size={size}{words})",
        value.at(""),
        [*kept, *counts, *size],
    )


def untiled(maker: Maker) -> None:
    value, pick = _some(maker, lambda v: len(v.shape) >= 2), maker.pick
    last = 2 if len(value.shape) >= 4 and pick.random() < 0.7 else 1
    extents = [e.value for e in value.shape]
    kept, counts, size = extents[: -2 * last], extents[-2 * last : -last], extents[-last:]
    ends = [c * s for c, s in zip(counts, size, strict=True)]
    words = f", step={size}"
    if pick.random() < 0.5:
        ends = [pick.randrange(1, end + 1) for end in ends]
        words += f", crop={ends}"
    _define(maker, f"untile({value.name}{words})", value.at(""), [*kept, *ends])


# --------------------------------------------------------------------------- places that data says


def _places(maker: Maker, below: int, ranks: tuple[int, ...]) -> tuple[str, Shape]:
    """Indices that any integers make."""
    value = _some(maker, lambda v: v.kind in INTEGERS and len(v.shape) in ranks and v.count < 3000)
    shifted = maker.pick.choice([value.name, f"({value.name} + {maker.pick.randrange(1, 9)})"])
    text = f"{shifted} % {below}"
    if maker.pick.random() < 0.4:
        named = maker.fresh()
        maker.lines.append(f"{named} = {text}")
        maker.keep(named, Term(named, value.kind, float(below), 0.0, True), value.shape)
        text = named
    return text, value.shape


def gathered(maker: Maker) -> None:
    value = _some(maker, lambda v: bool(v.shape))
    axis = maker.pick.randrange(len(value.shape))
    places, shape = _places(maker, value.shape[axis].value, (0, 1, 2))
    words = f", axis={axis}" if axis or maker.pick.random() < 0.3 else ""
    extents = [*value.shape[:axis], *shape, *value.shape[axis + 1 :]]
    _define(maker, f"gather({value.name}, {places}{words})", value.at(""), extents)


def scattered(maker: Maker) -> None:
    pick = maker.pick
    base = _some(maker, lambda v: bool(v.shape) and v.kind != "bool")
    places, shape = _places(maker, base.shape[0].value, (1,))
    count = shape[0].value
    op = pick.choice(["", "add", "mul", "set"] + ([] if base.kind in COMPLEX else ["max", "min"]))
    updates = [
        v for v in maker.values if v.kind == base.kind and v.shape == (*shape, *base.shape[1:])
    ]
    if updates and pick.random() < 0.8:
        update = pick.choice(updates)
        text, of = update.name, update.at("")
    else:
        text, of = "2", Term("", base.kind, 2.0, 0.0, True)
    bound, error = max(base.bound, of.bound), max(base.error, of.error)
    if op in ("", "add"):
        bound, error = base.bound + count * of.bound, base.error + count * of.error
    elif op == "mul":
        if count > 6:
            raise Retry
        most = max(base.bound + base.error, of.bound + of.error, 1.0)
        bound, error = most ** (count + 1), (count + 1) * most**count * error
    whole = base.whole and of.whole
    if base.kind in EPSILON and not (whole and error == 0 and bound < EXACT_BELOW[base.kind]):
        error += 2 * (count + 1) * EPSILON[base.kind] * bound
    words = f", op={op}" if op else ""
    term = Term("", base.kind, bound, error, whole)
    _define(maker, f"scatter({base.name}, {places}, {text}{words})", term, base.shape)


# ------------------------------------------------------------------------ transforms of real values


def half_spectrum(maker: Maker) -> None:
    """rfft and irfft."""
    value, pick = _some(maker, lambda v: bool(v.shape) and v.kind in FLOATS), maker.pick
    axis = pick.randrange(len(value.shape))
    extents = [e.value for e in value.shape]
    norm = pick.choice(["", "none", "ortho", "inverse"])
    words = f", axis={axis}" if len(extents) > 1 or pick.random() < 0.5 else ""
    words += f", norm={norm}" if norm else ""
    if value.kind in COMPLEX:
        name, kind = "irfft", REAL_OF[value.kind]
        length = 2 * (extents[axis] - 1)
        if length < 1 or pick.random() < 0.6:
            length = pick.randrange(1, 2 * extents[axis] + 3)
            words += f", n={length}"
        extents[axis] = length
    else:
        name, kind = "rfft", COMPLEX_OF[value.kind]
        length = extents[axis]
        extents[axis] = length // 2 + 1
    norm = norm or ("inverse" if name == "irfft" else "none")
    scale = {"none": 1.0, "ortho": 1 / math.sqrt(length), "inverse": 1 / length}[norm]
    bound = value.bound * length * scale
    error = value.error * length * scale
    error += 16 * EPSILON[kind] * bound * (1 + math.log2(length))
    _define(maker, f"{name}({value.name}{words})", Term("", kind, bound, error), extents)


# -------------------------------------------------------------------------- Winograd, convolution


def _norm(family: winograd_points.Family, name: str) -> float:
    """The largest sum of magnitudes of a row: how far a matrix takes a bound."""
    return float(np.abs(winograd_points.extended(family.matrix(name))).sum(axis=1).max())


def winograd(maker: Maker) -> None:
    """A matrix of a family on one of the last two dimensions, or on both."""
    pick = maker.pick
    m, r = pick.choice([(2, 3), (4, 3), (6, 3), (2, 2), (3, 2), (1, 3), (4, 1), (2, 5)])
    family = winograd_points.family(m, r)
    shapes = {name: _extents(family, name) for name in ("BT", "B", "G", "GT", "A", "AT")}
    usable = []
    for name, (rows, columns) in shapes.items():
        for v in maker.values:
            if v.kind in FLOATS and len(v.shape) >= 2:
                usable += [(name, v, "left")] * (v.shape[-2].value == columns)
                usable += [(name, v, "right")] * (v.shape[-1].value == rows)
    if not usable:
        raise Retry
    name, value, side = pick.choice(usable)
    rows, columns = shapes[name]
    extents = [e.value for e in value.shape]
    growth = _norm(family, name if side == "left" else _turned(name))
    if side == "left":
        extents[-2], text = rows, f"w.{name} @ {value.name}"
    else:
        extents[-1], text = columns, f"{value.name} @ w.{name}"
    named = maker.fresh()
    maker.lines.append(f"{named} = winograd(m={m}, r={r})")
    bound = growth * value.bound
    error = growth * value.error + 2 * (max(rows, columns) + 2) * EPSILON[value.kind] * bound
    text = text.replace("w.", f"{named}.")
    _define(maker, text, Term("", value.kind, bound, error), extents)


def _turned(name: str) -> str:
    return name[:-1] if name.endswith("T") else f"{name}T"


def _extents(family: winograd_points.Family, name: str) -> tuple[int, int]:
    matrix = family.matrix(name)
    return len(matrix), len(matrix[0])


def convolved(maker: Maker) -> None:
    """Images and filters cut from values by reshapes, so that any two values will do."""
    pick = maker.pick
    images = _some(maker, lambda v: v.kind in ("f32", "f64") and v.count >= 4)
    filters = _some(maker, lambda v: v.kind == images.kind and v.count >= 1)
    groups = pick.choice([1, 1, 1, 2, 3])
    dims = pick.choice([1, 2, 2, 2, 3])
    r = pick.choice([1, 2, 3, 3, 3, 5])
    window = [r] * dims
    if pick.random() < 0.3:
        window[pick.randrange(dims)] = pick.randrange(1, 4)
    batch, channels = pick.choice([1, 1, 2]), groups * pick.choice([1, 2, 3, 5, 16])
    results = groups * pick.choice([1, 2, 3, 8, 16])
    pad = [pick.choice([0, 0, 1, 2]) for _ in range(dims)]
    stride = pick.choice([[1], [1], [1], [2]]) * dims
    if pick.random() < 0.2:
        stride[pick.randrange(dims)] = pick.choice([1, 2, 3])
    image = [pick.randrange(1, most) for most in {1: (60,), 2: (15, 19), 3: (6, 8, 19)}[dims]]
    result = [
        (extent + 2 * border - own) // step + 1
        for extent, border, own, step in zip(image, pad, window, stride, strict=True)
    ]
    if min(result) < 1:
        raise Retry
    x, g = maker.fresh(), maker.fresh()
    planes, last, blocks = (one.name for one in conv_layouts.of_dims(dims))
    layout = pick.choice([planes, planes, last, blocks if channels % 16 == 0 else last])
    out_layout = pick.choice([planes, layout, last, blocks])
    if out_layout == blocks and results % 16:
        out_layout = layout if layout != blocks else last
    image_shape = _in_layout(layout, batch, channels, image)
    filter_shape = [results, channels // groups, *window]
    _cut(maker, x, images, image_shape)
    _cut(maker, g, filters, filter_shape)
    r = max(window)
    plain = set(stride) == {1} and set(window) <= {1, r}
    way = pick.choice(["", "direct", "auto", *(["winograd"] * 3 if plain else [])])
    count = channels // groups * math.prod(window)
    bound = count * images.bound * filters.bound
    spread = count * (images.error * (filters.bound + filters.error) + filters.error * images.bound)
    rounding = 2.0 * count * EPSILON[images.kind] * bound
    words = ""
    if way == "winograd":
        m = pick.choice([2, 3, 4, 6])
        family = winograd_points.family(m, r)
        along = window.count(r)
        grown = _norm(family, "AT") * _norm(family, "BT") * _norm(family, "G")
        rounding = 8.0 * (family.n + channels) * EPSILON[images.kind] * grown**along * bound
        rounding /= math.prod(window)
        spread *= grown**along
        words = f", algorithm=winograd({m})"
    elif way:
        words = f", algorithm={way}"
    if way in ("", "auto"):
        rounding += 4096 * EPSILON[images.kind] * bound
        spread *= 2
    words += f", pad={pad}" if any(pad) else ""
    words += f", stride={stride}" if set(stride) != {1} else ""
    words += f", groups={groups}" if groups > 1 else ""
    words += f", layout={layout}" if layout != planes else ""
    words += f", out_layout={out_layout}" if out_layout != layout else ""
    extents = _in_layout(out_layout, batch, results, result)
    term = Term("", images.kind, bound, spread + rounding)
    _define(maker, f"conv({x}, {g}{words})", term, extents)


def _in_layout(layout: str, batch: int, channels: int, pixel: list[int]) -> list[int]:
    if layout[1] != "c":
        return [batch, *pixel, channels]
    if layout.endswith("16c"):
        return [batch, channels // 16, *pixel, 16]
    return [batch, channels, *pixel]


def _cut(maker: Maker, name: str, value: Value, shape: list[int]) -> None:
    """A tensor of the shape whose elements are those of the value, again and again."""
    flat, places = maker.fresh(), []
    rest = math.prod(shape)
    maker.lines.append(f"{flat} = reshape({value.name}, [{value.count}])")
    items = []
    for number, extent in enumerate(shape):
        rest //= extent
        places.append(f"{rest}*j{number}")
        items.append(f"j{number} in 0:{extent}")
    maker.lines.append(
        f"{name}[{', '.join(items)}] = {flat}[({' + '.join(places)}) % {value.count}]"
    )
    extents = tuple(Extent(str(e), e) for e in shape)
    maker.keep(name, value.at(name), extents)


# ------------------------------------------------------------------------------- sums of products


def contracted(maker: Maker) -> None:
    """Two values with indices in common, some of them summed; or stacks of matrices."""
    pick = maker.pick
    a = _some(maker, lambda v: bool(v.shape) and v.kind != "bool" and len(v.shape) < 4)
    b = _some(maker, lambda v: v.kind == a.kind and bool(v.shape) and len(v.shape) < 4)
    letters: dict[str, Extent] = {}
    reads = []
    for value in (a, b):
        free = list(letters)
        items = []
        for extent in value.shape:
            known = [n for n in free if letters[n].value == extent.value]
            if known and pick.random() < 0.75:
                name = pick.choice(known)
                free.remove(name)
            else:
                name = f"i{len(letters)}"
                letters[name] = extent
            items.append(name)
        reads.append(f"{value.name}[{', '.join(items)}]")
    if math.prod(e.value for e in letters.values()) > 300_000:
        raise Retry
    names = list(letters)
    summed = pick.sample(names, pick.randrange(1, len(names) + 1))
    kept = [n for n in names if n not in summed]
    pick.shuffle(kept)
    count = math.prod(letters[n].value for n in summed)
    factor = pick.choice(["", "", "", "2 * "])
    growth = 2.0 if factor else 1.0
    bound = growth * count * a.bound * b.bound
    error = growth * count * (a.error * (b.bound + b.error) + b.error * a.bound)
    whole = a.whole and b.whole
    if a.kind in EPSILON and not (whole and error == 0 and bound < EXACT_BELOW[a.kind]):
        error += 2 * (count + 2) * EPSILON[a.kind] * bound
    clauses = ", ".join(f"{n} in 0:{letters[n].text}" for n in summed)
    right = f"sum({factor}{reads[0]} * {reads[1]} for {clauses})"
    term = Term("", a.kind, bound, error, whole).judged()
    target = maker.fresh()
    shape = tuple(letters[n] for n in kept)
    left = f"{target}[{', '.join(f'{n} in 0:{letters[n].text}' for n in kept)}]"
    maker.lines.append(f"{left if kept else target} = {right}")
    maker.keep(target, term, shape)


def stacked(maker: Maker) -> None:
    """`@` of stacks of matrices, and of a matrix and a vector."""
    pick = maker.pick
    pairs = [
        (a, b)
        for a in maker.values
        for b in maker.values
        if a.kind == b.kind and a.kind != "bool" and _multiply(a.shape, b.shape) is not None
    ]
    if not pairs:
        raise Retry
    a, b = pick.choice(pairs)
    shape = _multiply(a.shape, b.shape)
    assert shape is not None
    count = a.shape[-1].value
    bound = count * a.bound * b.bound
    error = count * (a.error * (b.bound + b.error) + b.error * a.bound)
    whole = a.whole and b.whole
    if a.kind in EPSILON and not (whole and error == 0 and bound < EXACT_BELOW[a.kind]):
        error += 2 * (count + 2) * EPSILON[a.kind] * bound
    _define(maker, f"{a.name} @ {b.name}", Term("", a.kind, bound, error, whole), shape)


def _multiply(a: Shape, b: Shape) -> Shape | None:
    if len(a) < 2 or len(b) < 2 or a[-1] != b[-2]:
        return None
    if a[:-2] and b[:-2] and a[:-2] != b[:-2]:
        return None
    return (*(a[:-2] or b[:-2]), a[-2], b[-1])


ALL: tuple[Callable[[Maker], None], ...] = (
    *(rolled, padded, tiled, untiled, gathered, scattered, half_spectrum, winograd),
    *(convolved, contracted, contracted, stacked),
)
