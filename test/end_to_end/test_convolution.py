# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolutions and Winograd's transforms compiled, on both targets, against windows in NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import weft
from semantics.test_convolution import CASES, LAYOUTS, OTHER_DIMENSIONS, direct, in_layout
from semantics.test_meaning import complexes, reals
from semantics.test_tiling import WINOGRAD
from weft.semantics import winograd_points
from weft.semantics.types import Element

UNIT = {"f32": 2.0**-24, "f64": 2.0**-53, "c64": 2.0**-24, "c128": 2.0**-53}
# Of F(6x6, 3x3), the worst that is used here.
AMPLIFICATION = 50


def data(element: str, *shape: int) -> np.ndarray:
    make = complexes if element.startswith("c") else reals
    return make(*shape, dtype=np.dtype(Element(element).numpy).name)


def near(found: np.ndarray, x: np.ndarray, g: np.ndarray, element: str, **meaning: Any) -> None:
    """Within what rounding makes of it, relative to the largest result."""
    wide = np.complex128 if element.startswith("c") else np.float64
    exact = direct(x.astype(wide), g.astype(wide), **meaning)
    allowed = UNIT[element] * AMPLIFICATION * (3 + np.sqrt(g.shape[1]))
    assert found.shape == exact.shape
    assert found.dtype == x.dtype
    assert np.abs(found - exact).max() <= allowed * np.abs(exact).max()


# Those of other dimensions in one element type each.
ELEMENTS = ["f32", "c128", "f64", "c64", "f32"]


@pytest.mark.parametrize("element", UNIT)
def test_conv(target: str, element: str) -> None:
    """All cases in one kernel: each is a convolution of its own."""
    cases = CASES + [c for e, c in zip(ELEMENTS, OTHER_DIMENSIONS, strict=True) if e == element]
    given, wanted, body, checks = [], [], "", []
    arrays: list[np.ndarray] = []
    for number, (arguments, meaning, image, filters) in enumerate(cases):
        x, g = data(element, *image), data(element, *filters)
        arrays += [x, g]
        given += [f"x{number}: {element}{list(image)}", f"g{number}: {element}{list(filters)}"]
        wanted.append(f"y{number}: {element}{list(direct(x, g, **meaning).shape)}")
        body += f"    y{number} = conv(x{number}, g{number}{arguments})\n"
        checks.append((x, g, meaning))
    text = f"kernel f({', '.join(given)}) -> ({', '.join(wanted)}):\n{body}"
    results = weft.compile(text, target=target)(*arrays)
    for found, (x, g, meaning) in zip(results, checks, strict=True):
        near(found, x, g, element, **meaning)


@pytest.mark.parametrize(
    "algorithm", ["direct", "winograd(2)", "winograd(4)", "winograd(6)", "auto"]
)
@pytest.mark.parametrize(
    "sizes",
    # The last has filters whose transforms are larger than a cache.
    [
        (1, 64, 64, 14, 14),
        (2, 35, 33, 9, 21),
        (1, 1, 1, 3, 3),
        (3, 16, 5, 4, 40),
        (1, 96, 128, 8, 8),
    ],
    ids=str,
)
def test_algorithms(target: str, algorithm: str, sizes: tuple[int, ...]) -> None:
    n, c, k, h, w = sizes
    text = f"""\
kernel f(x: f32[{n}, {c}, {h}, {w}], g: f32[{k}, {c}, 3, 3]) -> (y: f32[{n}, {k}, {h}, {w}]):
    y = conv(x, g, pad=1, algorithm={algorithm})
"""
    x, g = data("f32", n, c, h, w), data("f32", k, c, 3, 3)
    near(weft.compile(text, target=target)(x, g), x, g, "f32", pad=(1, 1))


@pytest.mark.parametrize("algorithm", ["direct", "winograd(4)"])
@pytest.mark.parametrize(
    ("image", "filters", "pad", "layout", "out_layout"),
    # Tiles in strips along a signal and of several of them; panels; channels behind pixels.
    [
        ((1, 32, 9000), (32, 32, 3), (1,), "ncw", "ncw"),
        ((3, 32, 1500), (48, 32, 7), (0,), "ncw16c", "nwc"),
        ((1, 16, 7, 12, 22), (32, 16, 3, 3, 3), (1, 0, 1), "ncdhw", "ncdhw"),
        ((2, 16, 9, 20, 21), (16, 16, 3, 1, 3), (1, 0, 1), "ncdhw16c", "ncdhw"),
        ((1, 32, 40, 50), (32, 32, 1, 7), (0, 3), "nchw", "nchw"),
    ],
    ids=str,
)
def test_signals_and_volumes(
    target: str,
    algorithm: str,
    image: tuple[int, ...],
    filters: tuple[int, ...],
    pad: tuple[int, ...],
    layout: str,
    out_layout: str,
) -> None:
    x, g = data("f32", *image), data("f32", *filters)
    exact = in_layout(direct(x.astype("f8"), g.astype("f8"), pad), out_layout)
    given = in_layout(x, layout)
    text = f"""\
kernel f(x: f32{list(given.shape)}, g: f32{list(g.shape)}) -> (y: f32{list(exact.shape)}):
    y = conv(x, g, pad={list(pad)}, algorithm={algorithm}, layout={layout}, out_layout={out_layout})
"""
    kernel = weft.compile(text, target=target)
    allowed = UNIT["f32"] * AMPLIFICATION * (3 + np.sqrt(image[1])) * np.abs(exact).max()
    found = kernel(given, g)
    assert np.abs(found - exact).max() <= allowed
    assert np.array_equal(kernel(given, g, threads=2), found)


@pytest.mark.parametrize("element", UNIT)
@pytest.mark.parametrize(
    "sizes", [(1, 3, 5, 6, 6), (2, 17, 9, 11, 8), (1, 32, 48, 12, 20)], ids=str
)
def test_winograd_written_out(target: str, element: str, sizes: tuple[int, ...]) -> None:
    n, c, k, h, w = sizes
    text = WINOGRAD.replace("f64", element)
    kernel = weft.compile(text, target=target, N=n, C=c, K=k, H=h, W=w)
    x, g = data(element, n, c, h, w), data(element, k, c, 3, 3)
    near(kernel(x, g), x, g, element)


@pytest.mark.parametrize("element", UNIT)
@pytest.mark.parametrize(("m", "r"), [(2, 3), (4, 3), (6, 3), (2, 5), (1, 4)])
def test_transforms_of_an_axis(target: str, element: str, m: int, r: int) -> None:
    """Each matrix on the last and on an inner axis; extents that are no multiple of any vector."""
    count = m + r - 1
    text = f"""\
kernel f[a: size, b: size](x: {element}[a, {count}, b], z: {element}[a, b, {count}]) -> (
    y: {element}[a, {m}, b], w: {element}[a, b, {m}], v: {element}[a, {count}, b]):
    t = winograd(m={m}, r={r})
    y = t.AT @ x
    w = z @ t.A
    v = t.BT @ x
"""
    x, z = data(element, 3, count, 19), data(element, 3, 19, count)
    y, w, v = weft.compile(text, target=target, a=3, b=19)(x, z)
    made = winograd_points.family(m, r)
    at, bt = (winograd_points.rounded(made.matrix(n), Element.F64) for n in ("AT", "BT"))
    for found, exact, matrix in ((y, at @ x, at), (w, z @ at.T, at), (v, bt @ x, bt)):
        allowed = 2 * count * UNIT[element] * np.abs(matrix).sum(1).max() * np.abs(x).max()
        assert np.abs(found - exact).max() <= allowed


def test_zero_entries_take_no_part(target: str) -> None:
    text = """\
kernel f[n: size](x: f32[4, n]) -> (y: f32[4, n]):
    t = winograd(m=2, r=3)
    y = t.BT @ x
"""
    x = np.ones((4, 37), np.float32)
    x[3] = np.inf
    y = weft.compile(text, target=target, n=37)(x)
    assert np.array_equal(y, np.repeat([[0.0], [2.0], [0.0], [np.inf]], 37, axis=1))


@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data_=st.data())
def test_direct_sums_of_any_shape(target: str, data_: st.DataObject) -> None:
    """Rows shorter and longer than vectors, borders, strides and groups, what follows the sum."""

    def among(low: int, high: int) -> int:
        return data_.draw(st.integers(low, high))

    element = data_.draw(st.sampled_from(["f32", "f64"]))
    n, groups, c, k = among(1, 2), among(1, 2), among(1, 5), among(1, 20)
    pad, stride = (among(0, 2), among(0, 2)), (among(1, 3), among(1, 3))
    r, s = among(1, 4), among(1, 5)
    h, w = among(r, 12), among(s, 45)
    layout, out_layout = (data_.draw(st.sampled_from(["nchw", "nhwc"])) for _ in range(2))
    x, g = data(element, n, c * groups, h, w), data(element, k * groups, c, r, s)
    meaning = {"pad": pad, "stride": stride, "groups": groups}
    given = in_layout(x, layout)
    shape = list(in_layout(direct(x, g, **meaning), out_layout).shape)
    text = f"""\
kernel f(x: {element}{list(given.shape)}, g: {element}{list(g.shape)}) -> (
        y: {element}{shape}, z: {element}{shape}):
    y = conv(x, g, pad={list(pad)}, stride={list(stride)}, groups={groups}, algorithm=direct,
             layout={layout}, out_layout={out_layout})
    z[n, k, i, j] = max(y[n, k, i, j], 0) + 1
"""
    y, z = weft.compile(text, target=target)(given, g)
    planes = y if out_layout == "nchw" else np.ascontiguousarray(y.transpose(0, 3, 1, 2))
    near(planes, x, g, element, **meaning)
    np.testing.assert_allclose(z, np.maximum(y, 0) + 1, rtol=1e-6)


@pytest.mark.parametrize("layout", ["nhwc", "nchw16c"])
@pytest.mark.parametrize(
    ("pad", "stride", "size"),
    [
        ((1, 1), (2, 2), (14, 14)),
        ((1, 1), (2, 2), (7, 9)),
        ((1, 1), (1, 1), (7, 7)),
        ((1, 0), (1, 2), (3, 30)),
        ((2, 2), (2, 2), (1, 2)),
        ((1, 1), (1, 1), (2, 1)),
    ],
)
def test_windows_that_reach_beyond_the_image(
    target: str, layout: str, pad: tuple[int, int], stride: tuple[int, int], size: tuple[int, int]
) -> None:
    """No copy with a border: terms beyond the image are left out; and what follows the sum."""
    x, g, b = data("f32", 2, 32, *size), data("f32", 48, 32, 3, 3), data("f32", 48)
    exact = direct(x.astype(float), g.astype(float), pad=pad, stride=stride)
    given, shape = in_layout(x, layout), list(in_layout(exact, layout).shape)
    filter_ = "b[f]" if layout == "nhwc" else "b[16*l + f]"
    index = "n, i, j, f" if layout == "nhwc" else "n, l, i, j, f"
    text = f"""\
kernel f(x: f32{list(given.shape)}, g: f32{list(g.shape)}, b: f32[48]) -> (
        y: f32{shape}, z: f32{shape}):
    y = conv(x, g, pad={list(pad)}, stride={list(stride)}, algorithm=direct, layout={layout})
    t = conv(x, g, pad={list(pad)}, stride={list(stride)}, algorithm=direct, layout={layout})
    z[{index}] = max(t[{index}] + {filter_}, 0)
"""
    kernel = weft.compile(text, target=target)
    for y, z in (kernel(given, g, b), kernel.fix(g=g)(given, b)):
        wide = in_layout(exact, layout)
        bias = b if layout == "nhwc" else b.reshape(3, 1, 1, 16)
        assert np.abs(y - wide).max() <= 1e-5 * np.abs(wide).max()
        assert np.abs(z - np.maximum(wide + bias, 0)).max() <= 1e-5 * np.abs(wide).max()


def test_a_border_of_which_a_stride_leaves_out_as_much(target: str) -> None:
    """What was read of the image with its border was as large as the image, and taken for it."""
    x, g = data("f32", 1, 5, 3, 17), data("f32", 18, 5, 3, 2)
    text = """\
kernel f(x: f32[1, 5, 3, 17], g: f32[18, 5, 3, 2]) -> (y: f32[1, 18, 1, 16]):
    y = conv(x, g, pad=[1, 0], stride=[3, 1], algorithm=direct)
"""
    y = weft.compile(text, target=target)(x, g)
    near(y, x, g, "f32", pad=(1, 0), stride=(3, 1))


def test_windows_written_out(target: str) -> None:
    """A correlation in one dimension, and one whose rows have two indices."""
    text = """\
kernel f[n: size](x: f64[2, n+4], g: f64[3, 7, 2, 5]) -> (y: f64[3, 7, n], z: f64[7, n]):
    y[a, b, j in 0:n] = sum(g[a, b, c, s] * x[c, j + s] for c in 0:2, s in 0:5)
    z[b, j in 0:n] = sqrt(abs(sum(x[c, j + 4 - s] * g[1, b, c, s] for c in 0:2, s in 0:5)))
"""
    for n in (3, 16, 41, 200):
        x, g = data("f64", 2, n + 4), data("f64", 3, 7, 2, 5)
        y, z = weft.compile(text, target=target, n=n)(x, g)
        windows = np.lib.stride_tricks.sliding_window_view(x, 5, axis=1)
        np.testing.assert_allclose(y, np.einsum("abcs,cjs->abj", g, windows), atol=1e-13)
        back = np.einsum("bcs,cjs->bj", g[1], windows[..., ::-1])
        np.testing.assert_allclose(z, np.sqrt(np.abs(back)), atol=1e-6)


@pytest.mark.parametrize("algorithm", ["winograd(3)", "winograd(4)"])
@pytest.mark.parametrize(
    "sizes",
    # Whole tiles and parts of them in the last strip; several images; a strip of a whole image;
    # filters of which batches lie a power of two of bytes apart.
    [(1, 32, 32, 96, 96), (2, 16, 32, 70, 75), (40, 32, 32, 14, 13), (1, 64, 128, 50, 50)],
    ids=str,
)
def test_tiles_in_strips(target: str, algorithm: str, sizes: tuple[int, ...]) -> None:
    n, c, k, h, w = sizes
    shape = [n, k, h - 2, w]
    text = f"""\
kernel f(x: f32[{n}, {c}, {h}, {w}], g: f32[{k}, {c}, 3, 3], b: f32[{k}]) -> (y: f32{shape}):
    t = conv(x, g, pad=[0, 1], algorithm={algorithm})
    y[n, k, i, j] = max(t[n, k, i, j] + b[k], 0)
"""
    x, g, b = data("f32", n, c, h, w), data("f32", k, c, 3, 3), data("f32", k)
    kernel = weft.compile(text, target=target)
    exact = np.maximum(direct(x.astype("f8"), g.astype("f8"), pad=(0, 1)) + b[:, None, None], 0)
    allowed = UNIT["f32"] * AMPLIFICATION * (3 + np.sqrt(c)) * np.abs(exact).max()
    found = kernel(x, g, b, threads=1)
    assert np.abs(found - exact).max() <= allowed
    # Two take whole strips, more than there are strips share each.
    for threads in (2, 5, 90):
        assert np.array_equal(kernel(x, g, b, threads=threads), found)


@pytest.mark.parametrize(("layout", "out_layout", "groups", "channels", "filters"), LAYOUTS)
def test_layouts(
    target: str, layout: str, out_layout: str, groups: int, channels: int, filters: int
) -> None:
    """Rows and columns that tiles fill and that they do not; with and without a border."""
    given, wanted, body, exact = [], [], "", []
    arrays: list[np.ndarray] = []
    for pad, height, width in ((1, 12, 20), (0, 7, 19)):
        x = data("f32", 2, groups * channels, height, width)
        g = data("f32", groups * filters, channels, 3, 3)
        sums = direct(x.astype("f8"), g.astype("f8"), pad=(pad, pad), groups=groups)
        arrays += [in_layout(x, layout), g]
        given += [f"x{pad}: f32{list(arrays[-2].shape)}", f"g{pad}: f32{list(g.shape)}"]
        for number, algorithm in enumerate(("direct", "winograd(4)")):
            exact.append(in_layout(sums, out_layout))
            wanted.append(f"y{pad}_{number}: f32{list(exact[-1].shape)}")
            body += f"""\
    y{pad}_{number} = conv(x{pad}, g{pad}, pad={pad}, groups={groups}, algorithm={algorithm},
                           layout={layout}, out_layout={out_layout})
"""
    text = f"kernel f({', '.join(given)}) -> ({', '.join(wanted)}):\n{body}"
    allowed = UNIT["f32"] * AMPLIFICATION * (3 + np.sqrt(channels))
    for found, expected in zip(weft.compile(text, target=target)(*arrays), exact, strict=True):
        assert np.abs(found - expected).max() <= allowed * np.abs(expected).max()


@pytest.mark.parametrize("element", ["f32", "f64"])
@pytest.mark.parametrize(("layout", "out_layout"), [("nchw", "nchw16c"), ("nhwc", "nhwc")])
@pytest.mark.parametrize(
    ("m", "sizes", "window", "pad"),
    # Tiles that rows and columns fill and that they do not; filters in blocks and as they come;
    # one that is transformed along rows or columns alone; rows shorter than a tile.
    [
        (4, (2, 3, 32, 16, 36), (3, 3), 1),
        (4, (1, 3, 48, 17, 75), (3, 3), 0),
        (2, (3, 1, 16, 9, 11), (3, 3), 1),
        (3, (1, 4, 80, 13, 40), (3, 3), 2),
        (2, (1, 3, 16, 20, 21), (5, 5), 2),
        (4, (2, 5, 32, 7, 50), (1, 3), 0),
        (4, (2, 5, 32, 33, 9), (3, 1), 1),
        (6, (1, 2, 16, 4, 3), (3, 3), 1),
    ],
    ids=str,
)
def test_sums_in_tiles(
    target: str,
    element: str,
    layout: str,
    out_layout: str,
    m: int,
    sizes: tuple[int, ...],
    window: tuple[int, int],
    pad: int,
) -> None:
    """Of few channels sums are written out where results are transformed."""
    n, c, k, h, w = sizes
    x, g = data(element, n, c, h, w), data(element, k, c, *window)
    exact = direct(x.astype("f8"), g.astype("f8"), pad=(pad, pad))
    given, expected = in_layout(x, layout), in_layout(exact, out_layout)
    text = f"""\
kernel f(x: {element}{list(given.shape)}, g: {element}{list(g.shape)}) -> (
    y: {element}{list(expected.shape)}):
    y = conv(x, g, pad={pad}, algorithm=winograd({m}), layout={layout}, out_layout={out_layout})
"""
    kernel = weft.compile(text, target=target)
    found = kernel(given, g, threads=1)
    allowed = UNIT[element] * AMPLIFICATION * (3 + np.sqrt(c))
    assert np.abs(found - expected).max() <= allowed * np.abs(expected).max()
    assert np.array_equal(kernel(given, g, threads=2), found)
    assert np.array_equal(kernel.fix(g=g)(given), found)


@pytest.mark.parametrize("algorithm", ["direct", "winograd(4)"])
@pytest.mark.parametrize("layout", ["nhwc", "nchw16c"])
@pytest.mark.parametrize(
    "sizes",
    # Strips of whole tiles and of parts, of several images, of a row; without a border.
    [
        (1, 32, 32, 96, 96, 1),
        (2, 16, 32, 70, 75, 1),
        (20, 32, 32, 14, 13, 1),
        (3, 64, 64, 50, 50, 0),
        (2, 48, 16, 55, 62, 2),
    ],
    ids=str,
)
def test_strips_with_channels_last(
    target: str, layout: str, algorithm: str, sizes: tuple[int, ...]
) -> None:
    n, c, k, h, w, pad = sizes
    x, g, b = data("f32", n, c, h, w), data("f32", k, c, 3, 3), data("f32", k)
    exact = direct(x.astype("f8"), g.astype("f8"), pad=(pad, pad)) + b[:, None, None]
    given, expected = in_layout(x, layout), in_layout(np.maximum(exact, 0), layout)
    last = expected.shape[-1]
    work = (
        "y[n, i, j, k] = max(t[n, i, j, k] + b[0, k], 0)"
        if layout == "nhwc"
        else "y[n, l, i, j, k] = max(t[n, l, i, j, k] + b[l, k], 0)"
    )
    text = f"""\
kernel f(x: f32{list(given.shape)}, g: f32{list(g.shape)}, b: f32[{k // last}, {last}]) -> (
        y: f32{list(expected.shape)}, z: f32{list(expected.shape)}):
    t = conv(x, g, pad={pad}, algorithm={algorithm}, layout={layout})
    {work}
    z = conv(x, g, pad={pad}, algorithm={algorithm}, layout={layout})
"""
    kernel = weft.compile(text, target=target)
    blocks = b.reshape(-1, last)
    y, z = kernel(given, g, blocks)
    wanted = in_layout(exact - b[:, None, None], layout)
    allowed = UNIT["f32"] * AMPLIFICATION * (3 + np.sqrt(c)) * np.abs(exact).max()
    assert np.abs(y - expected).max() <= allowed
    assert np.abs(z - wanted).max() <= allowed
    more = kernel(given, g, blocks, threads=2)
    assert np.array_equal(more[0], y)
    assert np.array_equal(more[1], z)


def test_windows_beside_another_read_of_the_image(target: str) -> None:
    """An index that the sum shared with a read beside it had its place outside of the sum's map."""
    text = """\
kernel f[n: size, m: size](x: f64[n+1, m+2], g: f64[8, 3]) -> (y: f64[8, n, m]):
    y[k, i in 0:n, j in 0:m] = x[i+1, j] * g[k, 0] + sum(g[k, s] * x[i+1, j+s] for s in 0:3)
"""
    x, g = data("f64", 41, 42), data("f64", 8, 3)
    windows = np.lib.stride_tricks.sliding_window_view(x[1:], 3, axis=1)
    exact = np.einsum("ks,ijs->kij", g, windows) + g[:, :1, None] * x[1:, :40]
    np.testing.assert_allclose(
        weft.compile(text, target=target, n=40, m=40)(x, g), exact, atol=1e-13
    )


@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data_=st.data())
def test_winograd_along_one_axis(target: str, data_: st.DataObject) -> None:
    """Windows of the other axis are read of what the tiles' codelet makes."""

    def among(low: int, high: int) -> int:
        return data_.draw(st.integers(low, high))

    element = data_.draw(st.sampled_from(["f32", "f64"]))
    terms = data_.draw(st.permutations(["c in 0:C", "r in 0:3"]))
    text = f"""\
kernel rows[N: size, C: size, K: size, H: size, W: size](
    x: {element}[N, C, H, W], g: {element}[K, C, 3, 3]) -> (y: {element}[N, K, H-2, W-2]):
    t = winograd(m=2, r=3)
    v = tiles(x, size=[4], step=[2], cover=[W-2]) @ t.B
    u = g @ t.GT
    p[n, k, i in 0:H-2, a, j] = sum(u[k, c, r, j] * v[n, c, i+r, a, j] for {", ".join(terms)})
    y = untile(p @ t.A, step=[2], crop=[W-2])
"""
    n, c, k, h, w = among(1, 3), among(1, 40), among(8, 40), among(3, 14), among(4, 40)
    x, g = data(element, n, c, h, w), data(element, k, c, 3, 3)
    near(weft.compile(text, target=target)(x, g), x, g, element)


@settings(
    max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data_=st.data())
def test_winograd_of_few_channels_or_filters(target: str, data_: st.DataObject) -> None:
    """Lanes lie along them as far as they fill a vector, and along nothing if they do not."""

    def among(low: int, high: int) -> int:
        return data_.draw(st.integers(low, high))

    element = data_.draw(st.sampled_from(["f32", "f64"]))
    layout = data_.draw(st.sampled_from(["nchw", "nhwc"]))
    m, pad = among(2, 4), among(0, 1)
    n, c, k, h, w = among(1, 3), among(1, 33), among(1, 33), among(3, 20), among(3, 70)
    images, results = f"N, C, {h}, {w}", f"N, K, {h - 2 + 2 * pad}, {w - 2 + 2 * pad}"
    if layout == "nhwc":
        images, results = f"N, {h}, {w}, C", f"N, {h - 2 + 2 * pad}, {w - 2 + 2 * pad}, K"
    text = f"""\
kernel f[N: size, C: size, K: size](
    x: {element}[{images}], g: {element}[K, C, 3, 3]) -> (y: {element}[{results}]):
    y = conv(x, g, pad={pad}, layout={layout}, algorithm=winograd({m}))
"""
    x, g = data(element, n, c, h, w), data(element, k, c, 3, 3)
    lain = np.ascontiguousarray(x.transpose(0, 2, 3, 1)) if layout == "nhwc" else x
    y = weft.compile(text, target=target)(lain, g)
    near(y.transpose(0, 3, 1, 2) if layout == "nhwc" else y, x, g, element, pad=(pad, pad))
