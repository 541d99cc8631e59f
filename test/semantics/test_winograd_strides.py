# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Winograd's algorithm with a stride: its matrices compute every second result, exactly."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import weft
from weft.semantics import winograd_points, winograd_strides

WAYS = ("algorithm=direct", "algorithm=winograd(2)", "algorithm=winograd(4)", "max_error=1e-3")

rng = np.random.default_rng(20261130)


def exact(matrix: winograd_points.Matrix) -> np.ndarray:
    return np.array([[entry.near() for entry in row] for row in matrix], dtype=object)


@pytest.mark.parametrize("r", [3, 4, 5, 7])
@pytest.mark.parametrize("m", [1, 2, 3, 4, 5])
def test_every_second_result(m: int, r: int) -> None:
    made = winograd_strides.family(m, r, 2)
    at, g, bt = (exact(made.matrix(name)) for name in ("AT", "G", "BT"))
    n = 2 * (m - 1) + r
    assert (at.shape, g.shape, bt.shape) == ((m, n), (n, r), (n, n))
    # Of each pixel and each element alone: what is linear in both is right then for all.
    for pixel in range(n):
        for element in range(r):
            found = at @ (g[:, element] * bt[:, pixel])
            wanted = [Fraction(int(2 * i + element == pixel)) for i in range(m)]
            assert list(found) == wanted


def test_without_a_stride_it_is_the_family_of_that_name() -> None:
    assert winograd_strides.family(4, 3, 1) == winograd_points.family(4, 3)


@pytest.mark.parametrize("target", ["avx512", "avx2", "portable"])
@pytest.mark.parametrize(
    ("types", "rest"),
    [
        ("x: f32[2, 16, 15, 17], g: f32[32, 16, 3, 3]", "pad=1, stride=2"),
        ("x: f64[1, 3, 20, 21], g: f64[8, 3, 5, 5]", "pad=2, stride=2"),
        ("x: f32[1, 4, 9, 30], g: f32[16, 4, 1, 7]", "pad=[0, 3], stride=[1, 2]"),
        ("x: f32[3, 16, 40], g: f32[16, 8, 3]", "pad=1, stride=2, groups=2"),
    ],
)
def test_named_and_by_cost(target: str, types: str, rest: str) -> None:
    arrays = []
    for text in types.split("], "):
        kind, extents = text.rstrip("]").split(": ")[1].split("[")
        shape = tuple(map(int, extents.split(",")))
        arrays.append(rng.uniform(-1, 1, shape).astype({"f32": "f4", "f64": "f8"}[kind]))
    found = [
        weft.compile(
            f"kernel k({types}) -> (s: {kind}):\n    s = sum(conv(x, g, {rest}, {way})**2)\n",
            target=target,
        )(*arrays)
        for way in WAYS
    ]
    np.testing.assert_allclose(found[1:], found[0], rtol=1e-4)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("n", "size", "filters"), [(128, 8, 5), (16, 9, 3)])
def test_on_a_core_group(n: int, size: int, filters: int, way: str) -> None:
    """Also where all results of stride 1 are made, of which some are taken: by no transforms."""
    x, g = rng.uniform(-1, 1, (2, n, size, size)), rng.uniform(-1, 1, (n, n, filters, filters))
    text = (
        f"kernel k(x: f64[2,{n},{size},{size}], g: f64[{n},{n},{filters},{filters}]) -> (s: f64):\n"
        f"    s = sum(conv(x, g, pad={filters // 2}, stride=2, {way})**2)\n"
    )
    wanted = weft.compile(text.replace(way, WAYS[0]), target="portable")(x, g)
    np.testing.assert_allclose(weft.compile(text, target="sw26010")(x, g), wanted, rtol=1e-4)
