# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""conv: what it computes, which transforms it may use, and the errors these make."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from semantics.test_meaning import complexes, reals, run
from weft.semantics import checker, convolution, reference_conv, typed, winograd_points
from weft.semantics.types import Element
from weft.syntax.parser import parse


def direct(
    x: np.ndarray,
    g: np.ndarray,
    pad: tuple[int, ...] = (),
    stride: tuple[int, ...] = (),
    groups: int = 1,
) -> np.ndarray:
    """By windows: not the way of the reference. One, two or three dimensions."""
    dims = x.ndim - 2
    x = np.pad(x, [(0, 0), (0, 0), *((border, border) for border in pad or (0,) * dims)])
    windows = np.lib.stride_tricks.sliding_window_view(x, g.shape[2:], axis=range(2, 2 + dims))
    windows = windows[(slice(None), slice(None), *(slice(None, None, step) for step in stride))]
    parts = zip(np.split(windows, groups, 1), np.split(g, groups, 0), strict=True)
    inside, pixel = "rst"[:dims], "hwd"[:dims]
    sums = f"kc{inside},nc{pixel}{inside}->nk{pixel}"
    return np.concatenate([np.einsum(sums, f, w) for w, f in parts], 1)


def conv_node(
    arguments: str, g: str = "[K, C, 3, 3]", element: str = "f32", **sizes: int
) -> typed.Conv:
    text = f"""\
kernel f[C: size, K: size](x: {element}[1, C, 14, 14], g: {element}{g}) -> (s: {element}):
    s = sum(conv(x, g{arguments}))
"""
    checked = checker.check(parse(text, "t.weft"))
    body = checker.instantiate(checked, "f", {"C": 4, "K": 2, **sizes}).entry.body
    (node,) = [s for s in body if isinstance(s, typed.Conv)]
    return node


CASES: list[tuple[str, dict[str, Any], tuple[int, ...], tuple[int, ...]]] = [
    ("", {}, (2, 3, 7, 9), (4, 3, 3, 3)),
    (", pad=1", {"pad": (1, 1)}, (1, 3, 5, 5), (2, 3, 3, 3)),
    (", pad=[2, 0], stride=[1, 2]", {"pad": (2, 0), "stride": (1, 2)}, (2, 2, 6, 8), (3, 2, 5, 2)),
    (", stride=3, algorithm=direct", {"stride": (3, 3)}, (1, 2, 9, 8), (2, 2, 3, 1)),
    (", groups=2", {"groups": 2}, (2, 4, 5, 6), (6, 2, 2, 3)),
    (
        ", groups=4, pad=1, stride=2",
        {"groups": 4, "pad": (1, 1), "stride": (2, 2)},
        (1, 4, 6, 6),
        (4, 1, 3, 3),
    ),
    (", algorithm=winograd(2)", {}, (1, 3, 6, 5), (2, 3, 3, 3)),
    (", pad=1, algorithm=winograd(m=4)", {"pad": (1, 1)}, (2, 3, 6, 5), (2, 3, 5, 5)),
    (", max_error=1e-3", {}, (1, 1, 4, 4), (1, 1, 4, 4)),
]
# Filters along a line; signals; volumes.
OTHER_DIMENSIONS: list[tuple[str, dict[str, Any], tuple[int, ...], tuple[int, ...]]] = [
    (", algorithm=winograd(4)", {}, (1, 3, 6, 13), (4, 3, 1, 5)),
    (", pad=2, stride=2", {"pad": (2,), "stride": (2,)}, (2, 3, 11), (4, 3, 5)),
    (
        ", pad=[3], groups=2, algorithm=winograd(4)",
        {"pad": (3,), "groups": 2},
        (2, 4, 17),
        (6, 2, 7),
    ),
    (
        ", pad=[1, 0, 2], stride=[1, 2, 1], groups=2",
        {"pad": (1, 0, 2), "stride": (1, 2, 1), "groups": 2},
        (1, 4, 4, 5, 6),
        (4, 2, 3, 2, 3),
    ),
    (", pad=1, algorithm=winograd(2)", {"pad": (1, 1, 1)}, (2, 3, 3, 4, 5), (2, 3, 3, 3, 3)),
]


@pytest.mark.parametrize(("arguments", "meaning", "image", "filters"), CASES + OTHER_DIMENSIONS)
def test_conv(
    arguments: str, meaning: dict[str, Any], image: tuple[int, ...], filters: tuple[int, ...]
) -> None:
    x, g = reals(*image), reals(*filters)
    expected = direct(x, g, **meaning)
    text = f"""\
kernel f(x: f64{list(image)}, g: f64{list(filters)}) -> (y: f64{list(expected.shape)}):
    y = conv(x, g{arguments})
"""
    np.testing.assert_allclose(run(text, x=x, g=g), expected, rtol=1e-13, atol=1e-13)


def in_layout(x: np.ndarray, layout: str) -> np.ndarray:
    """Of images [N, C, H, W], [N, C, W] or [N, C, D, H, W]; not the way of the reference."""
    if layout[1] != "c":
        return np.einsum("nc...->n...c", x).copy()
    if layout.endswith("16c"):
        blocks = [np.einsum("nc...->n...c", x[:, c : c + 16]) for c in range(0, x.shape[1], 16)]
        return np.stack(blocks, 1)
    return x


# layout, out_layout, groups; channels and filters of a group.
LAYOUTS = [
    ("nhwc", "nhwc", 1, 3, 5),
    ("nhwc", "nhwc", 3, 2, 7),
    ("nchw16c", "nchw16c", 1, 32, 16),
    ("nchw16c", "nchw16c", 4, 8, 4),
    ("nchw16c", "nchw16c", 2, 16, 32),
    ("nchw", "nchw16c", 1, 3, 32),
    ("nchw16c", "nchw", 1, 16, 3),
    ("nchw16c", "nhwc", 2, 8, 5),
    ("nhwc", "nchw16c", 2, 5, 24),
    ("nchw", "nhwc", 1, 4, 20),
    ("nhwc", "nchw", 2, 4, 3),
]


@pytest.mark.parametrize(("layout", "out_layout", "groups", "channels", "filters"), LAYOUTS)
def test_layouts(layout: str, out_layout: str, groups: int, channels: int, filters: int) -> None:
    x, g = reals(2, groups * channels, 5, 6), reals(groups * filters, channels, 3, 2)
    expected = in_layout(direct(x, g, (1, 0), (2, 1), groups), out_layout)
    given = in_layout(x, layout)
    words = f"layout={layout}" + (f", out_layout={out_layout}" if layout != out_layout else "")
    text = f"""\
kernel f(x: f64{list(given.shape)}, g: f64{list(g.shape)}) -> (y: f64{list(expected.shape)}):
    y = conv(x, g, pad=[1, 0], stride=[2, 1], groups={groups}, {words})
"""
    np.testing.assert_allclose(run(text, x=given, g=g), expected, rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize(
    ("layout", "out_layout", "image"),
    [
        ("ncw", "nwc", (9,)),
        ("nwc", "ncw16c", (9,)),
        ("ncw16c", "ncw", (9,)),
        ("ndhwc", "ncdhw", (3, 4, 5)),
        ("ncdhw", "ncdhw16c", (3, 4, 5)),
        ("ncdhw16c", "ndhwc", (3, 4, 5)),
    ],
)
def test_layouts_of_signals_and_volumes(
    layout: str, out_layout: str, image: tuple[int, ...]
) -> None:
    x, g = reals(2, 16, *image), reals(32, 16, *(3, 2, 3)[: len(image)])
    expected = in_layout(direct(x, g), out_layout)
    given = in_layout(x, layout)
    text = f"""\
kernel f(x: f64{list(given.shape)}, g: f64{list(g.shape)}) -> (y: f64{list(expected.shape)}):
    y = conv(x, g, layout={layout}, out_layout={out_layout})
"""
    np.testing.assert_allclose(run(text, x=given, g=g), expected, rtol=1e-13, atol=1e-13)


def test_shapes_by_sizes() -> None:
    text = """\
kernel f[N: size, C: size, K: size, H: size, W: size, R: size](
    x: f64[N, C, H, W], g: f64[K, C, R, R]) -> (y: f64[N, K, H, (W-1)//2 + 1]):
    y = conv(x, g, pad=R//2, stride=[1, 2])
"""
    x, g = reals(1, 2, 5, 8), reals(3, 2, 3, 3)
    np.testing.assert_allclose(
        run(text, x=x, g=g), direct(x, g, (1, 1), (1, 2)), rtol=1e-13, atol=1e-13
    )


def test_element_types() -> None:
    text = """\
kernel f(x: f32[1, 2, 4, 4], g: f32[1, 2, 3, 3], z: c64[1, 2, 4, 4]) -> (
    y: f32[1, 1, 2, 2], w: c64[1, 1, 2, 2]):
    y = conv(x, g)
    w = conv(z, g)
"""
    x, g, z = reals(1, 2, 4, 4, dtype="float32"), reals(1, 2, 3, 3, dtype="float32"), None
    z = complexes(1, 2, 4, 4, dtype="complex64")
    found = run(text, x=x, g=g, z=z)
    exact = direct(x.astype("float64"), g.astype("float64"))
    assert np.array_equal(found["y"], exact.astype("float32"))
    np.testing.assert_allclose(found["w"], direct(z, g), rtol=2e-6)


def test_bands_of_rows_join(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reference_conv, "ELEMENTS_AT_ONCE", 50)
    text = "kernel f(x: f64[1, 2, 9, 7], g: f64[2, 2, 3, 3]) -> (y: f64[1, 2, 4, 3]):\n"
    x, g = reals(1, 2, 9, 7), reals(2, 2, 3, 3)
    found = run(text + "    y = conv(x, g, stride=2)\n", x=x, g=g)
    np.testing.assert_allclose(found, direct(x, g, stride=(2, 2)), rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize(
    ("arguments", "element", "allowed"),
    [
        ("", "f32", [2, 3, 4, 5, 6]),
        ("", "f64", [2, 3, 4, 5, 6]),
        (", algorithm=auto", "c64", [2, 3, 4, 5, 6]),
        (", max_error=1e-5", "f32", [2, 3, 4, 5]),
        (", max_error=1e-6", "f32", [2]),
        (", max_error=1e-7", "f32", []),
        (", max_error=1e-7", "f64", [2, 3, 4, 5, 6]),
        (", stride=2", "f32", [2, 3, 4, 5]),
        (", stride=[1, 2]", "f32", []),
        (", stride=3", "f32", []),
        (", algorithm=direct", "f32", []),
        (", algorithm=winograd(3)", "f32", [3]),
    ],
)
def test_transforms_allowed(arguments: str, element: str, allowed: list[int]) -> None:
    node = conv_node(arguments, element=element)
    assert [t.m for t in node.transforms] == allowed
    for t in node.transforms:
        assert t.r == 3
        assert t.BT.dtype == np.dtype(Element(element).real.numpy)
    word = "direct" if "direct" in arguments else "winograd" if "winograd" in arguments else "auto"
    assert node.algorithm == word


def test_more_channels_allow_less() -> None:
    few, many = (conv_node(", max_error=1e-5", C=c) for c in (4, 4096))
    assert len(many.transforms) < len(few.transforms)


def test_filters_of_several_lengths_are_direct() -> None:
    assert conv_node("", g="[K, C, 3, 5]").transforms == ()
    assert [t.r for t in conv_node("", g="[K, C, 1, 5]").transforms] == [5, 5, 5, 5, 5]
    assert conv_node("", g="[K, C, 1, 1]").transforms == ()


@pytest.mark.parametrize("m", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("channels", [1, 16, 128])
@pytest.mark.parametrize("spread", ["normal", "positive"])
def test_estimate_bounds_what_is_measured(m: int, channels: int, spread: str) -> None:
    """In f32, sums over channels one by one; and it is no wild guess: within a factor of 200."""
    random = np.random.default_rng(m * channels)
    made = winograd_points.family(m, 3)

    def data(*shape: int) -> np.ndarray:
        values = random.normal(size=shape)
        return (np.abs(values) if spread == "positive" else values).astype("float32")

    def rounded(name: str) -> np.ndarray:
        return winograd_points.rounded(made.matrix(name), Element.F32)

    d, g = data(channels, 60, made.n, made.n), data(4, channels, 3, 3)
    u = rounded("G") @ g @ rounded("GT")
    v = rounded("BT") @ d @ rounded("B")
    product = np.zeros((4, 60, made.n, made.n), "float32")
    for c in range(channels):
        product += u[:, None, c] * v[None, c]
    y = rounded("AT") @ product @ rounded("A")
    exact = direct(d.astype(float).transpose(1, 0, 2, 3), g.astype(float)).transpose(1, 0, 2, 3)
    error = np.abs(y - exact).max() / np.abs(exact).max()
    estimate = convolution.estimated_error(Element.F32, m, 3, 2, channels)
    assert estimate / 200 < error < estimate
