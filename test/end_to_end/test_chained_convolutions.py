# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolutions one behind the other in one kernel of the core group: each as if it were alone."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from end_to_end.test_shared_tiles import check, numbers, reference, tiles_stay

HEADER = """\
kernel net[N: size, C: size, H: size](
    x: f32[N, C, H, H], f: f32[C, C, 3, 3], g: f32[C, C, 3, 3], h: f32[C, C, 3, 3],
    a: f32[C], b: f32[C]) -> (y: f32[N, C, H, H]):
"""
BODIES = {
    "plain": """\
    s = conv(x, f, pad=1, algorithm={one})
    t = conv(s, g, pad=1, algorithm={two})
    y = conv(t, h, pad=1, algorithm={one})
""",
    "with_biases": """\
    s = conv(x, f, pad=1, algorithm={one})
    p[n, k, i, j] = max(s[n, k, i, j] + a[k], 0)
    t = conv(p, g, pad=1, algorithm={two})
    q[n, k, i, j] = max(t[n, k, i, j] + b[k], 0)
    y = conv(q, h, pad=1, algorithm={one})
""",
    # What comes before the bias is wanted once more: it stays as it is in memory.
    "with_a_shortcut": """\
    s = conv(x, f, pad=1, algorithm={one})
    p[n, k, i, j] = max(s[n, k, i, j] + a[k], 0)
    t = conv(p, g, pad=1, algorithm={two})
    q[n, k, i, j] = max(t[n, k, i, j] + s[n, k, i, j] + b[k], 0)
    y = conv(q, h, pad=1, algorithm={one})
""",
}
CHANNELS, EXTENT = 16, 24


def compiled(body: str, one: str, two: str, images: int = 8) -> weft.driver.Compiled:
    text = HEADER + BODIES[body].format(one=one, two=two)
    return weft.compile(text, target="sw26010", N=images, C=CHANNELS, H=EXTENT)


def inputs(images: int = 8) -> list[np.ndarray]:
    n, c, h = images, CHANNELS, EXTENT
    filters = [numbers("f32", c, c, 3, 3)[:, ::step] / 12 for step in (1, -1)]
    filters.append(np.ascontiguousarray(filters[0][::-1]))
    return [
        numbers("f32", n, c, h, h),
        *(np.ascontiguousarray(one) for one in filters),
        numbers("f32", c),
        numbers("f32", c)[::-1].copy(),
    ]


def expected(body: str, images: int = 8) -> np.ndarray:
    x, f, g, h, a, b = inputs(images)
    first, second = (one[:, None, None] for one in (a, b))
    s = reference(x, f, 1)
    p = s if body == "plain" else np.maximum(s + first, 0)
    t = reference(p, g, 1)
    if body == "with_a_shortcut":
        t = t + s
    return reference(t if body == "plain" else np.maximum(t + second, 0), h, 1)


@pytest.mark.parametrize(
    ("body", "one", "two"),
    [
        ("plain", "winograd(2)", "direct"),
        ("with_biases", "direct", "direct"),
        ("with_a_shortcut", "winograd(4)", "winograd(2)"),
        pytest.param("plain", "winograd(4)", "winograd(4)", marks=pytest.mark.nightly),
        pytest.param("with_biases", "winograd(2)", "direct", marks=pytest.mark.nightly),
        pytest.param("with_a_shortcut", "direct", "direct", marks=pytest.mark.nightly),
    ],
)
def test_nets(body: str, one: str, two: str) -> None:
    kernel = compiled(body, one, two)
    check(kernel, kernel(*inputs()), expected(body), 6)


@pytest.mark.parametrize(("algorithm", "images"), [("winograd(4)", 8), ("direct", 1)])
def test_each_layer_moves_what_it_moves_alone(algorithm: str, images: int) -> None:
    """Transformed filters and results go to memory: no tiles, no copies with a border."""
    kernel = compiled("with_biases", algorithm, algorithm, images)
    inputs_ = inputs(images)
    check(kernel, kernel(*inputs_), expected("with_biases", images), 6)
    assert tiles_stay(kernel) == (algorithm != "direct")
    filters = 36 * CHANNELS**2 * 4 if algorithm != "direct" else 0
    assert kernel.report["run"]["counters"]["dma_put_bytes"] == 3 * (filters + inputs_[0].nbytes)


@pytest.mark.parametrize("algorithm", ["winograd(4)", "direct"])
def test_layers_of_other_sizes(algorithm: str) -> None:
    """Arrays of the first layer are taken by the third."""
    text = f"""
kernel net(x: f32[8, 16, 20, 20], f: f32[32, 16, 3, 3], g: f32[16, 32, 3, 3],
           h: f32[32, 16, 3, 3]) -> (y: f32[8, 32, 18, 18]):
    s = conv(x, f, pad=1, algorithm={algorithm})
    t = conv(s, g, pad=1, algorithm={algorithm})
    y = conv(t, h, algorithm={algorithm})
"""
    kernel = weft.compile(text, target="sw26010")
    x, f = numbers("f32", 8, 16, 20, 20), numbers("f32", 32, 16, 3, 3) / 12
    g = numbers("f32", 16, 32, 3, 3) / 17
    wanted = reference(reference(reference(x, f, 1), g, 1), f)
    check(kernel, kernel(x, f, g, f), wanted, 6)


@pytest.mark.parametrize("target", ["sw26010", "portable"])
def test_the_same_border_around_two_images(target: str) -> None:
    """Zeros are made for each of them: none are copied with all between them."""
    text = """
kernel pads(x: f32[8, 16, 24, 24]) -> (y: f32[8, 16, 26, 26], z: f32[8, 16, 26, 26]):
    y = pad(x, [1, 1])
    s[n, c, i, j] = x[n, c, i, j] * 2
    z = pad(s, [1, 1])
"""
    kernel = weft.compile(text, target=target)
    x = numbers("f32", 8, 16, 24, 24)
    y, z = kernel(x)
    wanted = np.pad(x, [(0, 0), (0, 0), (1, 1), (1, 1)])
    np.testing.assert_array_equal(y, wanted)
    np.testing.assert_array_equal(z, 2 * wanted)
    arrays = kernel.report["arrays"]
    written = {one["name"]: one["written"] for one in arrays}
    assert written["y"] == written["z"] == wanted.nbytes
    if target == "portable":
        # No array of zeros beside these.
        assert sorted(one["name"] for one in arrays) == ["x", "y", "z"]


def test_what_stays_leaves_room_for_the_panels_of_others() -> None:
    """Results of one layer stayed with the cores while panels of the next had their memory."""
    text = HEADER + BODIES["with_biases"].format(one="winograd(2)", two="winograd(2)")
    weft.compile(text, target="sw26010", N=8, C=256, H=14)
