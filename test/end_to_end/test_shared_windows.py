# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sums over windows that all cores share: any extents, borders, groups and images."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import weft

TARGET = "sw26010"
SOURCE = """\
kernel layer[N: size, C: size, K: size, H: size, W: size, R: size, S: size](
    x: {t}[N, {G}*C, H, W], g: {t}[{G}*K, C, R, S]
) -> (y: {t}[N, {G}*K, H-R+1+2*{P}, W-S+1+2*{P}]):
    y = conv(x, g, pad={P}, groups={G}, algorithm=direct)

kernel added[N: size, C: size, K: size, H: size, W: size](
    x: {t}[N, C, H, W], g: {t}[K, C, 3, 3], b: {t}[K]) -> (y: {t}[N, K, H-2, W-2]):
    s = conv(x, g, algorithm=direct)
    y[n, k, i, j] = max(s[n, k, i, j] + b[k], 0)

kernel per_pixel[N: size, C: size, K: size, H: size, W: size](
    x: {t}[N, C, H, W], g: {t}[K, C, 3, 3], b: {t}[H-2, W-2]) -> (y: {t}[N, K, H-2, W-2]):
    s = conv(x, g, algorithm=direct)
    y[n, k, i, j] = s[n, k, i, j] * b[i, j]

kernel written[N: size, C: size, K: size, H: size, W: size](
    x: {t}[N, C, H, W], g: {t}[K, C, 3, 3]) -> (y: {t}[N, K, H-2, W-2]):
    y[n, k, i in 0:H-2, j in 0:W-2] = sum(g[k, c, r, s] * x[n, c, i + r, j + s] for c in 0:C,
                                          r in 0:3, s in 0:3)

kernel lines[C: size, K: size, W: size](x: {t}[C, W], g: {t}[K, C, 5]) -> (y: {t}[K, W-4]):
    y[k, j in 0:W-4] = sum(g[k, c, s] * x[c, j + s] for c in 0:C, s in 0:5)
"""
TYPES = {"f64": np.dtype(np.float64), "f32": np.dtype(np.float32)}


def compiled(
    name: str, type_: str, pad: int = 0, groups: int = 1, **rest: int
) -> weft.driver.Compiled:
    source = SOURCE.format(t=type_, P=pad, G=groups)
    return weft.compile(source, name, target=TARGET, **rest)


def numbers(type_: str, *shape: int) -> np.ndarray:
    return np.random.default_rng(sum(shape)).standard_normal(shape).astype(TYPES[type_])


def reference(x: np.ndarray, g: np.ndarray, pad: int = 0, groups: int = 1) -> np.ndarray:
    images = np.pad(x.astype(np.float64), ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    windows = np.lib.stride_tricks.sliding_window_view(images, g.shape[2:], axis=(2, 3))
    parts = [
        np.einsum("ncijrs,kcrs->nkij", part, filters, optimize=True)
        for part, filters in zip(
            np.split(windows, groups, axis=1),
            np.split(g.astype(np.float64), groups),
            strict=True,
        )
    ]
    return np.concatenate(parts, axis=1)


def check(found: np.ndarray, wanted: np.ndarray, terms: int, report: dict[str, Any]) -> None:
    """As NumPy has it, rounding of sums allowed, and nothing that depends on timing."""
    bound = np.finfo(found.dtype).eps * (3 + terms**0.5) * np.abs(wanted).max()
    np.testing.assert_allclose(found, wanted, rtol=0, atol=4 * bound)
    assert report["hazards"] == []


def check_shared(report: dict[str, Any]) -> None:
    """By messages of the cores."""
    assert any(part["counters"].get("row_sent", 0) for part in report["phases_by_function"])


def layer(type_: str, sizes: tuple[int, ...], pad: int = 0, groups: int = 1) -> dict[str, Any]:
    n, c, k, h, w, r, s = sizes
    kernel = compiled("layer", type_, pad, groups, N=n, C=c, K=k, H=h, W=w, R=r, S=s)
    x, g = numbers(type_, n, groups * c, h, w), numbers(type_, groups * k, c, r, s)
    check(kernel(x, g), reference(x, g, pad, groups), c * r * s, kernel.report["run"])
    return kernel.report["run"]


@given(
    n=st.integers(1, 9),
    c=st.sampled_from([1, 3, 8, 11, 16, 37]),
    k=st.sampled_from([4, 5, 8, 13, 32, 67]),
    h=st.integers(3, 18),
    w=st.integers(6, 27),
    pad=st.integers(0, 2),
)
@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_extents(n: int, c: int, k: int, h: int, w: int, pad: int) -> None:
    layer("f32", (n, c, k, h, w, 3, 3), pad)


@pytest.mark.parametrize(
    ("type_", "sizes", "pad", "groups"),
    [
        ("f64", (2, 16, 16, 12, 13, 3, 3), 1, 1),
        ("f32", (1, 16, 24, 20, 26, 5, 3), 0, 1),
        ("f32", (3, 8, 16, 9, 14, 3, 3), 1, 3),
    ],
)
def test_types_windows_and_groups(
    type_: str, sizes: tuple[int, ...], pad: int, groups: int
) -> None:
    check_shared(layer(type_, sizes, pad, groups))


def test_a_border_is_no_copy() -> None:
    """Blocks of lines that divide an image and such that do not, three groups of filters."""
    for sizes, pad, groups in (
        ((4, 16, 24, 40, 30, 3, 3), 1, 1),
        ((3, 8, 16, 11, 21, 3, 3), 2, 3),
        ((8, 8, 16, 17, 22, 5, 3), 1, 1),
    ):
        check_shared(layer("f32", sizes, pad, groups))
        extents = dict(zip("NCKHWRS", sizes, strict=True))
        assert compiled("layer", "f32", pad, groups, **extents).report["scratch_bytes"] == 0


def test_sums_that_are_written_out() -> None:
    x, g = numbers("f32", 2, 16, 14, 17), numbers("f32", 24, 16, 3, 3)
    kernel = compiled("written", "f32", N=2, C=16, K=24, H=14, W=17)
    check(kernel(x, g), reference(x, g), 16 * 9, kernel.report["run"])
    check_shared(kernel.report["run"])
    x, g = numbers("f32", 16, 300), numbers("f32", 24, 16, 5)
    kernel = compiled("lines", "f32", C=16, K=24, W=300)
    wanted = reference(x[None, :, None], g[:, :, None])[0, :, 0]
    check(kernel(x, g), wanted, 16 * 5, kernel.report["run"])
    check_shared(kernel.report["run"])


def test_every_pass_keeps_the_result() -> None:
    sizes = {"N": 2, "C": 9, "K": 5, "H": 6, "W": 9, "R": 3, "S": 3}
    kernel = weft.compile(
        SOURCE.format(t="f64", P=0, G=1), "layer", target=TARGET, verify_each=True, **sizes
    )
    x, g = numbers("f64", 2, 9, 6, 9), numbers("f64", 5, 9, 3, 3)
    check(kernel(x, g), reference(x, g), 81, kernel.report["run"])


def test_the_rate_of_a_layer() -> None:
    """Half of what the products alone would allow; each element comes at most three
    times as often as it must."""
    n, c, k, h, w = 1, 64, 64, 50, 50
    kernel = compiled("written", "f32", N=n, C=c, K=k, H=h, W=w)
    x, g = numbers("f32", n, c, h, w), numbers("f32", k, c, 3, 3)
    check(kernel(x, g), reference(x, g), c * 9, kernel.report["run"])
    run = kernel.report["run"]
    flops = 18 * n * k * c * (h - 2) * (w - 2)
    assert flops / run["kernel_seconds"] > 0.5 * run["machine"]["peak_flops"]
    counters = run["phases_by_function"][0]["counters"]
    assert counters["dma_get_bytes"] <= 3 * (x.nbytes + g.nbytes)


# What moves an image on by less than a channel, or backwards, is no channel and no tap.
APART = """\
kernel one_channel(x: f32[2, 18, 21], g: f32[16, 3, 3]) -> (y: f32[2, 16, 16, 19]):
    y[n, k, i in 0:16, j in 0:19] = sum(g[k, a, b] * x[n, i + a, j + b] for a in 0:3, b in 0:3)

kernel channels_last(x: f32[1, 8, 18, 21], g: f32[16, 3, 3, 8]) -> (y: f32[1, 16, 16, 19]):
    y[n, k, i in 0:16, j in 0:19] = sum(g[k, a, b, c] * x[n, c, i + a, j + b] for a in 0:3,
                                        b in 0:3, c in 0:8)

kernel flipped(x: f32[1, 8, 18, 18], g: f32[32, 8, 3, 3]) -> (y: f32[1, 32, 16, 16]):
    y[n, k, i in 0:16, j in 0:16] = sum(g[k, c, a, b] * x[n, c, i+2-a, j+2-b] for c in 0:8,
                                        a in 0:3, b in 0:3)
"""


@pytest.mark.parametrize("name", ["one_channel", "channels_last", "flipped"])
def test_sums_whose_terms_lie_otherwise(name: str) -> None:
    kernel = weft.compile(APART, name, target=TARGET)
    x, g = (numbers("f32", *shape) for shape in kernel_shapes(name))
    images, filters = (x[:, None], g[:, None]) if name == "one_channel" else (x, g)
    if name == "channels_last":
        filters = g.transpose(0, 3, 1, 2)
    elif name == "flipped":
        filters = g[:, :, ::-1, ::-1]
    check(kernel(x, g), reference(images, filters), filters[0].size, kernel.report["run"])


def kernel_shapes(name: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return {
        "one_channel": ((2, 18, 21), (16, 3, 3)),
        "channels_last": ((1, 8, 18, 21), (16, 3, 3, 8)),
        "flipped": ((1, 8, 18, 18), (32, 8, 3, 3)),
    }[name]


@pytest.mark.parametrize("sizes", [(2, 16, 24, 18, 18), (1, 16, 13, 11, 30), (3, 8, 8, 9, 9)])
@pytest.mark.parametrize("name", ["added", "per_pixel"])
def test_what_is_added_stays(name: str, sizes: tuple[int, ...]) -> None:
    """Blocks that overlap, lines that are left out between: each result is reworked once."""
    n, c, k, h, w = sizes
    kernel = compiled(name, "f32", N=n, C=c, K=k, H=h, W=w)
    x, g = numbers("f32", n, c, h, w), numbers("f32", k, c, 3, 3)
    b = numbers("f32", k) if name == "added" else numbers("f32", h - 2, w - 2)
    sums = reference(x, g)
    wanted = np.maximum(sums + b[:, None, None], 0) if name == "added" else sums * b
    check(kernel(x, g, b), wanted, 9 * c, kernel.report["run"])
    check_shared(kernel.report["run"])
    results = [array for array in kernel.report["arrays"] if array["name"] == "y"]
    assert sum(array["loaded"] for array in results) == 0


STRIDED = [
    ((1, 64, 32, 32), (64, 64, 3, 3), (2, 2), (1, 1), 500_000),
    ((2, 16, 15, 17), (24, 16, 3, 3), (2, 1), (0, 1), 150_000),
    ((1, 3, 32, 32), (16, 3, 7, 7), (2, 2), (3, 3), 250_000),
]


@pytest.mark.parametrize("layout", ["nchw", "nhwc"])
@pytest.mark.parametrize(("image", "filters", "stride", "pad", "cycles"), STRIDED)
def test_strides_take_some_of_all_results(
    layout: str,
    image: tuple[int, ...],
    filters: tuple[int, ...],
    stride: tuple[int, int],
    pad: tuple[int, int],
    cycles: int,
) -> None:
    """Images sorted by remainders lie at no equal distances: most cores waited, for 11.7 million
    cycles of the first of these."""
    x, g = numbers("f32", *image), numbers("f32", *filters)
    whole = np.pad(x, ((0, 0), (0, 0), *((each, each) for each in pad)))
    wanted = reference(whole, g)[:, :, :: stride[0], :: stride[1]]
    order = [0, 2, 3, 1] if layout == "nhwc" else [0, 1, 2, 3]
    given = np.ascontiguousarray(x.transpose(order))
    text = (
        f"kernel k(x: f32{list(given.shape)}, g: f32{list(filters)})"
        f" -> (y: f32{list(wanted.transpose(order).shape)}):\n"
        f"    y = conv(x, g, pad={list(pad)}, stride={list(stride)}, layout={layout})\n"
    )
    kernel = weft.compile(text, target=TARGET)
    found = kernel(given, g)
    np.testing.assert_allclose(found, wanted.transpose(order), rtol=1e-4, atol=1e-4)
    run = kernel.report["run"]
    assert not run["hazards"]
    assert run["cycles"] < cycles * (1.5 if layout == "nhwc" else 1)


LAYOUTS = {
    "nhwc": lambda x: x.transpose(0, 2, 3, 1),
    "nchw16c": lambda x: x.reshape(len(x), -1, 16, *x.shape[2:]).transpose(0, 1, 3, 4, 2),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("algorithm", ["direct", "winograd(4)"])
def test_other_layouts_go_through_planes(layout: str, algorithm: str) -> None:
    """For 4 images of 14 by 14 with 128 channels they took 90 times as long."""
    turn = LAYOUTS[layout]
    for n, c, k, h in ((4, 64, 128, 14), (2, 16, 32, 9)):
        x, g = numbers("f32", n, c, h, h), numbers("f32", k, c, 3, 3)
        found, cycles = {}, {}
        for name, images in (("nchw", x), (layout, np.ascontiguousarray(turn(x)))):
            result = [n, k, h, h]
            shape = list(turn(np.empty(result)).shape) if name == layout else result
            kernel = weft.compile(
                f"kernel f(x: f32{list(images.shape)}, g: f32{list(g.shape)}) -> (y: f32{shape}):\n"
                f"    y = conv(x, g, pad=1, layout={name}, algorithm={algorithm})\n",
                target=TARGET,
            )
            found[name] = kernel(images, g)
            cycles[name] = kernel.report["run"]["cycles"]
        np.testing.assert_array_equal(found[layout], turn(found["nchw"]))
        np.testing.assert_allclose(found["nchw"], reference(x, g, 1), rtol=1e-3, atol=1e-3)
        assert cycles[layout] < 1.6 * cycles["nchw"]


def test_layouts_between_two_layers() -> None:
    """Results of one convolution are the images of the next one, with bias and ReLU between."""
    x, g, h = (
        numbers("f32", 2, 10, 12, 16),
        numbers("f32", 16, 16, 3, 3),
        numbers("f32", 8, 16, 3, 3),
    )
    b = numbers("f32", 16)
    kernel = weft.compile(
        """\
kernel f(x: f32[2, 10, 12, 16], g: f32[16, 16, 3, 3], b: f32[16], h: f32[8, 16, 3, 3]) -> (
        z: f32[2, 10, 12, 8]):
    s = conv(x, g, pad=1, layout=nhwc, algorithm=direct)
    t = max(s + b, 0)
    z = conv(t, h, pad=1, layout=nhwc, algorithm=direct)
""",
        target=TARGET,
    )
    between = np.maximum(reference(x.transpose(0, 3, 1, 2), g, 1) + b[:, None, None], 0)
    wanted = reference(between, h, 1).transpose(0, 2, 3, 1)
    np.testing.assert_allclose(kernel(x, g, b, h), wanted, rtol=1e-3, atol=1e-3)
