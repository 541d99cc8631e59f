# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tiles that stay with the cores between transforms and products: shapes, borders, biases."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import weft

TARGET = "sw26010"
SOURCE = """\
kernel plain[N: size, C: size, K: size, H: size, W: size](
    x: {t}[N, C, H, W], g: {t}[K, C, 3, 3]) -> (y: {t}[N, K, H-2+2*{P}, W-2+2*{P}]):
    y = conv(x, g, pad={P}, algorithm=winograd({m}))

kernel added[N: size, C: size, K: size, H: size, W: size](
    x: {t}[N, C, H, W], g: {t}[K, C, 3, 3], b: {t}[K]) -> (y: {t}[N, K, H-2+2*{P}, W-2+2*{P}]):
    s = conv(x, g, pad={P}, algorithm=winograd({m}))
    y[n, k, i, j] = max(s[n, k, i, j] + b[k], 0)

kernel residual[N: size, C: size, K: size, H: size, W: size](
    x: {t}[N, C, H, W], g: {t}[K, C, 3, 3], z: {t}[N, K, H-2, W-2]) -> (y: {t}[N, K, H-2, W-2]):
    s = conv(x, g, algorithm=winograd({m}))
    y[n, k, i, j] = s[n, k, i, j] + z[n, k, i, j]

kernel volumes[N: size, C: size, K: size, D: size, H: size, W: size](
    x: {t}[N, C, D, H, W], g: {t}[K, C, 3, 3, 3]) -> (y: {t}[N, K, D-2, H-2, W-2]):
    y = conv(x, g, algorithm=winograd(2))

kernel signals[N: size, C: size, K: size, W: size](
    x: {t}[N, C, W], g: {t}[K, C, 3]) -> (y: {t}[N, K, W-2]):
    y = conv(x, g, algorithm=winograd({m}))

kernel grouped[N: size, C: size, K: size, H: size, W: size](
    x: {t}[N, 2*C, H, W], g: {t}[2*K, C, 3, 3]) -> (y: {t}[N, 2*K, H-2, W-2]):
    y = conv(x, g, groups=2, algorithm=winograd({m}))
"""
TYPES = {"f64": np.dtype(np.float64), "f32": np.dtype(np.float32)}
# Largest error by 2-norm of the result's elements, in eps, of F(m, 3).
ERRORS = {2: 30, 3: 60, 4: 250, 5: 500, 6: 2500}


def compiled(name: str, type_: str, m: int, pad: int = 0, **rest: Any) -> weft.driver.Compiled:
    return weft.compile(SOURCE.format(t=type_, P=pad, m=m), name, target=TARGET, **rest)


def tiles_stay(kernel: weft.driver.Compiled) -> bool:
    """Whether cores have an array of results that go to memory, as they have beside tiles."""
    return any(array["name"].endswith("_going") for array in kernel.report["arrays"])


def numbers(type_: str, *shape: int) -> np.ndarray:
    return np.random.default_rng(sum(shape)).standard_normal(shape).astype(TYPES[type_])


def reference(x: np.ndarray, g: np.ndarray, pad: int = 0) -> np.ndarray:
    dims = g.ndim - 2
    images = np.pad(x.astype(np.float64), [(0, 0), (0, 0)] + [(pad, pad)] * dims)
    windows = np.lib.stride_tricks.sliding_window_view(
        images, g.shape[2:], axis=tuple(range(2, 2 + dims))
    )
    pixels, taps = "ijl"[:dims], "rst"[:dims]
    return np.einsum(
        f"nc{pixels}{taps},kc{taps}->nk{pixels}", windows, g.astype(np.float64), optimize=True
    )


def check(kernel: weft.driver.Compiled, found: np.ndarray, wanted: np.ndarray, m: int) -> None:
    scale = np.sqrt((wanted**2).mean())
    np.testing.assert_allclose(
        found, wanted, rtol=0, atol=ERRORS[m] * np.finfo(found.dtype).eps * scale
    )
    assert kernel.report["run"]["hazards"] == []


def layer(type_: str, sizes: tuple[int, ...], m: int = 4, pad: int = 0) -> bool:
    n, c, k, h, w = sizes
    kernel = compiled("plain", type_, m, pad, N=n, C=c, K=k, H=h, W=w)
    x, g = numbers(type_, n, c, h, w), numbers(type_, k, c, 3, 3)
    check(kernel, kernel(x, g), reference(x, g, pad), m)
    return tiles_stay(kernel)


@given(
    n=st.integers(1, 9),
    c=st.sampled_from([8, 16, 24, 40, 64]),
    k=st.sampled_from([8, 16, 40, 64]),
    h=st.integers(3, 27),
    w=st.integers(3, 35),
    m=st.sampled_from([2, 3, 4]),
    pad=st.integers(0, 2),
)
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_extents(n: int, c: int, k: int, h: int, w: int, m: int, pad: int) -> None:
    layer("f32", (n, c, k, h, w), m, pad)


@pytest.mark.parametrize(
    ("type_", "sizes", "m", "pad"),
    [
        # Filters stay, in two blocks of each core; blocks of tiles for the last round are missing.
        ("f32", (8, 64, 64, 26, 26), 4, 0),
        # Tiles of several images side by side, as one has fewer than a vector.
        ("f32", (16, 16, 16, 6, 6), 4, 0),
        # Borders and results that are no whole tiles.
        ("f32", (4, 16, 24, 13, 21), 4, 1),
        # Whole lines a block, and parts of lines; images smaller than a tile.
        ("f32", (8, 16, 16, 12, 56), 4, 1),
        ("f32", (2, 16, 8, 64, 62), 2, 2),
        ("f32", (64, 16, 16, 3, 5), 4, 1),
        ("f64", (8, 16, 16, 14, 14), 2, 0),
        # Thirteen tiles a line: vectors with a rest.
        ("f32", (8, 24, 8, 28, 28), 2, 0),
    ],
)
def test_tiles_stay(type_: str, sizes: tuple[int, ...], m: int, pad: int) -> None:
    assert layer(type_, sizes, m, pad)


@pytest.mark.parametrize("pad", [0, 1])
def test_what_is_added_stays_too(pad: int) -> None:
    kernel = compiled("added", "f32", 4, pad, N=8, C=16, K=32, H=14, W=14)
    x, g, b = numbers("f32", 8, 16, 14, 14), numbers("f32", 32, 16, 3, 3), numbers("f32", 32)
    wanted = np.maximum(reference(x, g, pad) + b[:, None, None], 0)
    check(kernel, kernel(x, g, b), wanted, 4)
    assert tiles_stay(kernel)
    # Where results are whole tiles: nothing reads them again.
    if not pad:
        assert (
            sum(array["loaded"] for array in kernel.report["arrays"] if array["name"] == "y") == 0
        )


@pytest.mark.parametrize("images", [8, 1])
def test_a_border_is_no_copy(images: int) -> None:
    """Nor that of few planes, whose rows the cores share, in nests one behind the other."""
    kernel = compiled("plain", "f32", 4, 1, N=images, C=16, K=16, H=24, W=24)
    x, g = numbers("f32", images, 16, 24, 24), numbers("f32", 16, 16, 3, 3)
    check(kernel, kernel(x, g), reference(x, g, 1), 4)
    counters = kernel.report["run"]["counters"]
    # Transformed filters and results; no image.
    assert counters["dma_put_bytes"] == 36 * 16 * 16 * 4 + x.nbytes


def test_an_array_as_large_as_the_results_is_added_behind() -> None:
    kernel = compiled("residual", "f32", 4, N=8, C=16, K=32, H=18, W=18)
    x, g = numbers("f32", 8, 16, 18, 18), numbers("f32", 32, 16, 3, 3)
    z = numbers("f32", 8, 32, 16, 16)
    check(kernel, kernel(x, g, z), reference(x, g) + z, 4)


def test_products_wait_for_nothing() -> None:
    """Loops around that hold many values leave the products registers to load ahead into."""
    kernel = compiled("plain", "f32", 2, 1, N=4, C=128, K=128, H=14, W=14)
    x, g = numbers("f32", 4, 128, 14, 14), numbers("f32", 128, 128, 3, 3)
    check(kernel, kernel(x, g), reference(x, g, 1), 3)
    counters = kernel.report["run"]["counters"]
    assert counters["data_stall"] < 0.1 * counters["scheduled"]


def test_filters_made_once() -> None:
    source = SOURCE.format(t="f32", P=0, m=4)
    g = numbers("f32", 32, 16, 3, 3)
    kernel = weft.compile(source, "plain", target=TARGET, N=8, C=16, K=32, H=14, W=14).fix(g=g)
    x = numbers("f32", 8, 16, 14, 14)
    check(kernel, kernel(x), reference(x, g), 4)


@pytest.mark.parametrize("name", ["volumes", "signals", "grouped"])
def test_other_forms(name: str) -> None:
    """Of one dimension, of three, in groups: as NumPy has them, whichever way they take."""
    shapes = {"volumes": (10, 10, 10), "signals": (66,), "grouped": (14, 14)}[name]
    groups = 2 if name == "grouped" else 1
    sizes = dict(zip("DHW"[-len(shapes) :], shapes, strict=True))
    kernel = compiled(name, "f32", 4, N=8, C=8, K=16, **sizes)
    x = numbers("f32", 8, groups * 8, *shapes)
    g = numbers("f32", groups * 16, 8, *(3 for _ in shapes))
    parts = zip(np.split(x, groups, axis=1), np.split(g, groups), strict=True)
    check(kernel, kernel(x, g), np.concatenate([reference(a, b) for a, b in parts], axis=1), 4)
