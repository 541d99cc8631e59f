# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A filter for each channel (`groups` = channels), in all layouts, against windows in NumPy."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from conftest import runnable
from end_to_end.test_convolution import near
from semantics.test_convolution import direct, in_layout
from semantics.test_meaning import complexes, reals
from weft import explanation
from weft.semantics.types import Element

# Image [N, C, extents], filter, border, stride.
CASES = [
    ((1, 32, 14, 14), (3, 3), (1, 1), (1, 1)),  # rows shorter than a vector
    ((2, 48, 7, 7), (3, 3), (1, 1), (1, 1)),  # nearly all at the border
    ((1, 16, 13, 30), (5, 5), (2, 2), (1, 1)),  # more kinds of results than have sums of their own
    ((2, 16, 9, 40), (3, 3), (1, 1), (2, 2)),
    ((1, 32, 10, 11), (3, 1), (0, 2), (1, 3)),  # windows without a pixel
    ((1, 16, 6, 5), (3, 3), (0, 0), (1, 1)),
    ((1, 16, 1, 1), (3, 3), (1, 1), (1, 1)),
    ((1, 16, 2, 3), (7, 7), (3, 3), (1, 1)),  # filters larger than the image
    ((3, 48, 33), (3,), (1,), (1,)),
    ((1, 16, 5, 6, 7), (3, 3, 3), (1, 1, 1), (1, 1, 1)),
    ((1, 16, 4, 9, 8), (1, 3, 2), (0, 1, 1), (2, 1, 1)),
    # Planes that go through blocks of channels: images turned whole, rows by rows, with a border.
    ((3, 32, 7, 7), (3, 3), (1, 1), (2, 2)),
    ((2, 64, 7, 6), (5, 5), (2, 2), (2, 2)),
    ((2, 16, 14, 15), (5, 5), (2, 2), (2, 2)),
    ((17, 16, 12, 12), (3, 3), (0, 1), (1, 2)),
    ((1, 80, 19, 19), (7, 7), (3, 3), (1, 1)),
    ((1, 16, 3, 4), (5, 3), (2, 1), (2, 1)),
    ((2, 32, 11), (3,), (1,), (2,)),
    # Turns that go together were as many as a loop has: the compiler crashed, or never ended.
    ((1, 8, 4, 32), (3, 3), (1, 1), (1, 1)),
    ((2, 4, 12), (3,), (1,), (1,)),
    ((1, 3, 5, 17), (3, 3), (1, 1), (1, 1)),
    ((2, 7, 19, 23), (2, 4), (1, 0), (1, 1)),
    # Rows shorter than a vector, which are shifted in registers: a border of one, of two, of two
    # sizes, and windows that are wider than the border.
    ((2, 3, 7, 7), (3, 3), (1, 1), (1, 1)),
    ((1, 5, 14, 14), (5, 5), (2, 2), (1, 1)),
    ((2, 4, 6, 11), (3, 5), (1, 2), (1, 1)),
    ((1, 3, 9, 13), (5, 4), (1, 1), (1, 1)),
    # Whole vectors of channels and a rest, each with pixels that go together.
    ((1, 33, 9, 14), (5, 5), (2, 2), (1, 1)),
    ((1, 17, 12, 11), (3, 3), (0, 0), (1, 1)),
]
NAMES = {1: ("ncw", "nwc", "ncw16c"), 2: ("nchw", "nhwc", "nchw16c")}
NAMES[3] = ("ncdhw", "ndhwc", "ncdhw16c")


def check(target: str, element: str, layout: str, case: tuple[tuple[int, ...], ...]) -> None:
    image, window, pad, stride = case
    make = complexes if element.startswith("c") else reals
    dtype = np.dtype(Element(element).numpy).name
    x, g = make(*image, dtype=dtype), make(image[1], 1, *window, dtype=dtype)
    meaning = {"pad": pad, "stride": stride, "groups": image[1]}
    given, wanted = in_layout(x, layout), in_layout(direct(x, g, **meaning), layout)
    kernel = weft.compile(
        f"kernel f(x: {element}{list(given.shape)}, g: {element}{list(g.shape)})"
        f" -> (y: {element}{list(wanted.shape)}):\n"
        f"    y = conv(x, g, pad={list(pad)}, stride={list(stride)}, groups={image[1]},"
        f" layout={layout}, algorithm=direct)\n",
        target=target,
    )
    found = kernel(given, g)
    if layout.endswith("16c"):
        found = np.concatenate(list(np.moveaxis(found, 1, 0)), -1)
    if layout != NAMES[len(window)][0]:
        found = np.einsum("n...c->nc...", found)
    near(found, x, g, element, **meaning)


@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize("kind", range(3), ids=["planes", "last", "blocks"])
def test_channel_by_channel(target: str, case: tuple[tuple[int, ...], ...], kind: int) -> None:
    if kind == 2 and case[0][1] % 16:
        pytest.skip("channels that are no whole blocks")
    check(target, "f32", NAMES[len(case[1])][kind], case)


@pytest.mark.parametrize("element", ["f64", "c64", "c128"])
@pytest.mark.parametrize("layout", NAMES[2])
def test_elements(target: str, element: str, layout: str) -> None:
    for case in (CASES[0], CASES[3]):
        check(target, element, layout, case)


@pytest.mark.parametrize("layout", NAMES[2])
def test_on_a_core_group(layout: str) -> None:
    """No form of its own there."""
    assert runnable("sw26010")
    check("sw26010", "f32", layout, ((1, 16, 6, 8), (3, 3), (1, 1), (1, 1)))


def test_what_follows_goes_into_the_sums() -> None:
    """Bias and ReLU behind results that are made in parts: right in each of them."""
    x, g, b = reals(1, 32, 14, 14), reals(32, 1, 3, 3), reals(32)
    x, g, b = (a.astype(np.float32) for a in (x, g, b))
    text = """\
kernel f(x: f32[1, 14, 14, 32], g: f32[32, 1, 3, 3], b: f32[32]) -> (y: f32[1, 14, 14, 32]):
    t = conv(x, g, pad=1, groups=32, layout=nhwc)
    y[n, h, w, c] = min(max(t[n, h, w, c] + b[c], 0), 6)
"""
    exact = direct(x.astype(float), g.astype(float), pad=(1, 1), groups=32)
    wanted = np.clip(exact + b[:, None, None], 0, 6).transpose(0, 2, 3, 1)
    given = np.ascontiguousarray(x.transpose(0, 2, 3, 1))
    np.testing.assert_allclose(weft.compile(text)(given, g, b), wanted, atol=1e-5)


@pytest.mark.parametrize(
    ("image", "window", "stride", "turned"),
    [
        ((1, 64, 7, 7), 3, 1, True),
        ((1, 64, 14, 14), 3, 1, False),
        ((1, 64, 14, 14), 3, 2, True),
        ((16, 64, 28, 28), 3, 1, False),
        ((16, 64, 28, 28), 5, 2, True),
        ((1, 40, 7, 7), 3, 1, False),
    ],
)
def test_planes_go_through_blocks(
    image: tuple[int, ...], window: int, stride: int, turned: bool
) -> None:
    """Where rows are short, or strides leave every second pixel of them."""
    result = [*image[:2], *((n - 1) // stride + 1 for n in image[2:])]
    text = (
        f"kernel f(x: f32{list(image)}, g: f32[{image[1]}, 1, {window}, {window}])"
        f" -> (y: f32{result}):\n"
        f"    y = conv(x, g, pad={window // 2}, stride={stride}, groups={image[1]})\n"
    )
    notes = explanation.explain(text, "f", "avx512", {})["notes"]
    assert any("through blocks of channels" in note["what"] for note in notes) == turned


@pytest.mark.parametrize(
    ("layout", "shape"),
    [("nchw", "[1, 64, 14, 14]"), ("nhwc", "[1, 14, 14, 64]"), ("nchw16c", "[1, 4, 14, 14, 16]")],
)
def test_is_chosen(layout: str, shape: str) -> None:
    text = (
        f"kernel f(x: f32{shape}, g: f32[64, 1, 3, 3]) -> (y: f32{shape}):\n"
        f"    y = conv(x, g, pad=1, groups=64, layout={layout})\n"
    )
    notes = explanation.explain(text, "f", "avx512", {})["notes"]
    assert any("the direct sum, channel by channel" in note["what"] for note in notes)
