# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the cost model chooses for convolutions, and what becomes of direct sums: regressions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import weft
from semantics.test_convolution import direct
from weft import explanation

LAYER = """\
kernel layer[N: size, B: size, L: size, H: size, W: size](
    x: f32[N, B, H, W, 16], g: f32[16*L, 16*B, 3, 3]) -> (y: f32[N, L, H-2, W-2, 16]):
    y = conv(x, g, max_error=1e-4, layout=nchw16c)
"""


@pytest.fixture(params=["AuthenticAMD-25-17", "GenuineIntel-6-207", "Another-1-2"])
def cpu(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """By the numbers that come with Weft for this CPU."""
    monkeypatch.setattr("weft.cpu.model", lambda: request.param)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("WEFT_NO_OVERLAY", raising=False)
    return str(request.param)


def decided(text: str, kernel: str, **sizes: int) -> list[str]:
    found = explanation.explain(text, kernel, "avx512", sizes)
    return [note["what"] for note in found["notes"] if note["outcome"] == "decided"]


def test_filters_transforms_that_no_panel_holds_are_dear(cpu: str) -> None:
    """512x16x16x2048, all in the call: tiles of 5 ran at 48 GFlop/s, of 2 and 3 at 186 and 164."""
    del cpu
    (how,) = (s for s in decided(LAYER, "layer", N=1, B=32, L=128, H=16, W=16) if "Winograd" in s)
    assert "tiles of 2 by 2" in how or "tiles of 3 by 3" in how


FIRST_LAYERS = [(1, 64, 224), (16, 64, 224), (128, 32, 98)]


@pytest.mark.parametrize(("images", "filters", "size"), FIRST_LAYERS)
def test_few_channels_have_too_few_terms_for_panels(
    cpu: str, images: int, filters: int, size: int
) -> None:
    """3 channels: on AMD's family 25 tiles of 6 were taken, at 0.75 to 0.9 of the direct sum."""
    del cpu
    text = (
        f"kernel f(x: f32[{images}, 3, {size + 2}, {size + 2}], g: f32[{filters}, 3, 3, 3]) -> ("
        f"y: f32[{images}, {filters}, {size}, {size}]):\n    y = conv(x, g, max_error=1e-4)\n"
    )
    assert not any("Winograd" in one for one in decided(text, "f"))


@pytest.mark.parametrize(("images", "filters", "size"), FIRST_LAYERS)
def test_few_channels_have_their_sums_in_tiles(
    cpu: str, images: int, filters: int, size: int
) -> None:
    """Where results have filters side by side: 1.5 to 1.9 times the direct sum on a Zen 4; never
    by panels, whatever the CPU."""
    text = (
        f"kernel f(x: f32[{images}, 3, {size + 2}, {size + 2}], g: f32[{filters}, 3, 3, 3]) -> ("
        f"y: f32[{images}, {filters // 16}, {size}, {size}, 16]):\n"
        "    y = conv(x, g, max_error=1e-4, out_layout=nchw16c)\n"
    )
    how = decided(text, "f")
    has_tiles = any("Winograd" in one for one in how)
    assert has_tiles == any("sums of 3 terms where results are transformed" in one for one in how)
    if cpu.startswith("AuthenticAMD"):
        assert any("tiles of 4 by 4" in one for one in how)


def test_filters_are_put_in_order_in_each_call(cpu: str) -> None:
    """256x8x8x512, all in the call: the sum along filters ran at 15 GFlop/s, others at 110."""
    del cpu
    how = decided(LAYER, "layer", N=1, B=16, L=32, H=8, W=8)
    assert not any("along filters" in one for one in how)


def test_sorted_pixels_are_vectors() -> None:
    """Three channels in planes with a stride: the copy was read through, at 4 GFlop/s."""
    text = (
        "kernel f[C: size, H: size](x: f32[1, C, 2*H, 2*H], g: f32[64, C, 7, 7])"
        " -> (y: f32[1, 64, H, H]):\n    y = conv(x, g, pad=3, stride=2)\n"
    )
    assert any("windows of 147 terms" in one for one in decided(text, "f", C=3, H=112))


PLANES = """\
kernel f[N: size, C: size, K: size, H: size](
    x: f32[N, C, H+2, H+2], g: f32[K, C, 3, 3]) -> (y: f32[N, K, H, H]):
    y = conv(x, g, algorithm=winograd(4))
"""


@pytest.mark.parametrize(("filters", "size"), [(12, 12), (20, 100), (8, 64), (16, 128)])
def test_lanes_lie_along_few_filters(filters: int, size: int) -> None:
    """Along tiles 20 filters of 64x100x100 ran at 31 GFlop/s, the direct sum at 135."""
    tiles = (size // 4) ** 2
    how = decided(PLANES, "f", N=1, C=64, K=filters, H=size)
    assert any(f"{tiles} rows by {filters} columns" in one for one in how)


def layer(x: str, u: str, y: str) -> str:
    return f"kernel f(x: f32[{x}], u: f32[{u}]) -> (y: f32[{y}]):\n    y = conv(x, u)\n"


@pytest.mark.parametrize(
    "shapes",
    [
        # Vectors of 8 lanes: 48 GFlop/s, directly 104.
        ("4, 8, 70, 71", "8, 8, 7, 7", "4, 8, 64, 65"),
        # No vectors: neither filters nor rows of tiles fill one.
        ("8, 256, 24, 24", "5, 256, 5, 5", "8, 5, 20, 20"),
    ],
)
def test_lanes_that_are_not_there_are_counted(shapes: tuple[str, str, str]) -> None:
    assert any("the direct sum" in one for one in decided(layer(*shapes), "f"))


@pytest.mark.parametrize(
    ("shapes", "options", "chosen"),
    [
        # The strips of few channels and many filters stay in the second cache.
        (("1, 56, 56, 8", "128, 8, 3, 3", "1, 56, 56, 128"), "pad=1, layout=nhwc", "4 by 4"),
        # Short rows of planes are turned one number by one.
        (("1, 64, 10, 10, 11", "16, 64, 3, 3, 3", "1, 16, 8, 8, 9"), "pad=0", "the direct sum"),
        # Planes are copied to lanes along channels and back.
        (("4, 24, 34, 34", "20, 24, 3, 3", "4, 20, 32, 32"), "pad=0", "the direct sum"),
        # Filters that leave the second cache are read twice, which sixteen images share.
        (("1, 7, 7, 512", "512, 512, 3, 3", "1, 7, 7, 512"), "pad=1, layout=nhwc", "direct sum"),
        (("16, 7, 7, 512", "512, 512, 3, 3", "16, 7, 7, 512"), "pad=1, layout=nhwc", "2 by 2"),
        # Groups of few channels: along rows of planes, whatever the layout.
        (
            ("4, 56, 56, 16", "16, 2, 1, 1", "4, 56, 56, 16"),
            "groups=8, layout=nhwc",
            "over all rows as one",
        ),
        (
            ("4, 56, 56, 16", "16, 2, 1, 3", "4, 56, 56, 16"),
            "pad=[0, 1], groups=8, layout=nhwc",
            "over all rows as one",
        ),
        # Groups that have a part of a block of channels.
        (
            ("1, 16, 28, 28, 16", "256, 8, 3, 3", "1, 16, 28, 28, 16"),
            "pad=1, groups=32, layout=nchw16c",
            "direct sum",
        ),
        # Tiles for filters of 7x7 take more than what is counted.
        (("16, 128, 12, 13", "16, 128, 7, 7", "16, 16, 6, 7"), "pad=0", "the direct sum"),
    ],
)
def test_what_lies_beside_products_is_counted(
    shapes: tuple[str, str, str], options: str, chosen: str
) -> None:
    """Measured layers near the line between the algorithms, each for a reason (decision 62)."""
    text = layer(*shapes).replace("conv(x, u)", f"conv(x, u, {options})")
    assert any(" by " in one and chosen in one for one in decided(text, "f"))


def test_volumes_of_64_elements_a_tile_stay_in_registers() -> None:
    """Tiles of 3 for filters of 2 are as large as those of 2 for filters of 3; those of 4 not."""
    text = layer("1, 64, 19, 19, 19", "64, 64, 2, 2, 2", "1, 64, 18, 18, 18")
    assert any("tiles of 3 by 3 by 3" in one for one in decided(text, "f"))


ALONG_ROWS = """\
kernel f[K: size, H: size](x: f32[1, 64, H+2, H], g: f32[K, 64, 3, 1]) -> (y: f32[1, K, H, H]):
    y = conv(x, g, algorithm=winograd(4))
"""


def test_rows_that_no_tile_cuts_are_vectors() -> None:
    """Filters of 3x1: pixels of a row follow one another in image, tiles and results."""
    how = decided(ALONG_ROWS, "f", K=20, H=100)
    assert any("20 rows by 2500 columns" in one for one in how)


def test_tiles_written_out_stay_in_their_order() -> None:
    """Their sums are the result: turned they would go there from an array of their own."""
    text = """\
kernel f(x: f32[514, 514], w: f32[16, 6, 6]) -> (y: f32[16, 128, 128]):
    t = winograd(m=4, r=3)
    v = t.BT @ tiles(x, size=[6, 6], step=[4, 4]) @ t.B
    y[k, a, b] = sum(w[k, i, j] * v[a, b, i, j] for i in 0:6, j in 0:6)
"""
    assert any("16 rows by 16384 columns" in one for one in decided(text, "f"))


def test_one_filter_has_more_than_one_chain_of_sums() -> None:
    """32 channels, one filter, rows of 29: one vector's sums at a time, 28 GFlop/s, now 67."""
    text = layer("16, 32, 30, 31", "1, 32, 3, 3", "16, 1, 28, 29")
    assert any("panels of 1 rows by" in one for one in decided(text, "f"))


def test_volumes_get_no_tiles_of_more_code_than_compilers_take() -> None:
    """512 elements a tile: 20 seconds, and 31 GFlop/s where the direct sum has 111."""
    text = layer("1, 8, 20, 20, 20", "8, 8, 5, 5, 5", "1, 8, 16, 16, 16")
    notes = explanation.explain(text, "f", "avx512", {})["notes"]
    (left_out,) = (note for note in notes if "tiles of 4 by 4 by 4" in note["what"])
    assert left_out["outcome"] == "rejected"
    assert "more than 256 elements" in left_out["why"]


BIAS = {
    "nchw": "y[n, k, h, w] = max(t[n, k, h, w] + b[k], 0)",
    "nhwc": "y[n, h, w, k] = max(t[n, h, w, k] + b[k], 0)",
    "nchw16c": "y[n, l, h, w, k] = max(t[n, l, h, w, k] + b[16*l + k], 0)",
}


def laid(planes: np.ndarray, layout: str) -> np.ndarray:
    n, channels, h, w = planes.shape
    if layout == "nhwc":
        planes = planes.transpose(0, 2, 3, 1)
    if layout == "nchw16c":
        planes = planes.reshape(n, channels // 16, 16, h, w).transpose(0, 1, 3, 4, 2)
    return np.ascontiguousarray(planes)


@pytest.mark.parametrize("layout", BIAS)
@pytest.mark.parametrize(
    ("images", "extents"), [(1, (7, 7)), (3, (6, 8)), (1, (14, 20)), (2, (2, 40))]
)
@pytest.mark.parametrize("groups", [1, 2])
@pytest.mark.parametrize("stride", [1, 2])
def test_single_pixels(
    layout: str, images: int, extents: tuple[int, int], groups: int, stride: int
) -> None:
    """Short rows are joined, pixels in planes are products, with strides of those that are read
    alone; with what follows, in each layout."""
    random = np.random.default_rng(5)
    image = [stride * extent - (stride - 1) for extent in extents]
    x = random.uniform(-1, 1, (images, groups * 32, *image)).astype(np.float32)
    g = random.uniform(-1, 1, (groups * 48, 32, 1, 1)).astype(np.float32)
    b = random.uniform(-1, 1, groups * 48).astype(np.float32)
    read = x[:, :, ::stride, ::stride].astype(float)
    exact = direct(read, g.astype(float), groups=groups) + b[:, None, None]
    wanted = laid(np.maximum(exact, 0), layout)
    given = laid(x, layout)
    text = (
        f"kernel f(x: f32{list(given.shape)}, g: f32{list(g.shape)}, b: f32[{len(b)}])"
        f" -> (y: f32{list(wanted.shape)}):\n"
        f"    t = conv(x, g, algorithm=direct, layout={layout}, groups={groups}, stride={stride})\n"
        f"    {BIAS[layout]}\n"
    )
    np.testing.assert_allclose(weft.compile(text)(given, g, b), wanted, atol=1e-5)


def test_bias_goes_into_the_sums_of_joined_rows() -> None:
    """Behind 1x1 of 7 by 7 pixels, bias and ReLU were a pass of their own."""
    text = (
        "kernel f(x: f32[1, 4, 7, 7, 16], g: f32[64, 64, 1, 1], b: f32[64], r: f32[1, 4, 7, 7, 16])"
        " -> (y: f32[1, 4, 7, 7, 16]):\n"
        "    t = conv(x, g, algorithm=direct, layout=nchw16c)\n"
        "    y[n, l, h, w, k] = max(t[n, l, h, w, k] + b[16*l + k] + r[n, l, h, w, k], 0)\n"
    )
    assert "'y' goes into the stores of 't'" in decided(text, "f")


PRODUCTS = {
    "one factor lacks the batch": ("kp,npq->nkq", "n"),
    "both lack a part of it": ("nik,mjk->nmij", "n m"),
    "what both have comes first": ("hkc,hncp->hnkp", "h n"),
    "what both have comes last": ("hkc,nhcp->nhkp", "n h"),
}


@pytest.mark.parametrize("target", ["avx512", "portable"])
@pytest.mark.parametrize("which", PRODUCTS)
def test_products_of_a_batch(which: str, target: str) -> None:
    """With what follows: a sum of both sides' indices read the wrong matrices."""
    indices, batch = PRODUCTS[which]
    first, second, result = indices.replace("->", ",").split(",")
    extents = dict.fromkeys(batch.split(), 3) | {"h": 2, "m": 2}
    random = np.random.default_rng(7)

    def made(of: str) -> np.ndarray:
        shape = [extents.get(index, 40) for index in of]
        return random.uniform(-1, 1, shape).astype(np.float32)

    a, b, r = made(first), made(second), made(result)
    (over,) = (index for index in first if index not in result)
    text = (
        f"kernel f(a: f32{list(a.shape)}, b: f32{list(b.shape)}, r: f32{list(r.shape)})"
        f" -> (y: f32{list(r.shape)}):\n"
        f"    t[{', '.join(result)}] = sum(a[{', '.join(first)}] * b[{', '.join(second)}]"
        f" for {over} in 0:40)\n"
        f"    y[{', '.join(result)}] = max(t[{', '.join(result)}] + r[{', '.join(result)}], 0)\n"
    )
    wanted = np.maximum(np.einsum(indices, a.astype(float), b) + r, 0)
    kernel = weft.compile(text, target=target)
    np.testing.assert_allclose(kernel(a, b, r), wanted, atol=1e-4)


def test_a_matrix_times_each_of_many_is_a_batch() -> None:
    text = (
        "kernel f(g: f32[24, 40], x: f32[5, 40, 96], b: f32[5, 24]) -> (y: f32[5, 24, 96]):\n"
        "    t[n, k, p] = sum(g[k, c] * x[n, c, p] for c in 0:40)\n"
        "    y[n, k, p] = max(t[n, k, p] + b[n, k], 0)\n"
    )
    assert any("'y': 24 rows by 96 columns" in one for one in decided(text, "f"))


@pytest.mark.parametrize("target", ["avx512", "portable"])
def test_sums_that_are_compared(target: str) -> None:
    """Results that are true or false, behind a product and behind windows: an internal error."""
    text = (
        "kernel f(a: f32[64, 40], x: f32[40, 48]) -> (y: bool[64, 48]):\n"
        "    t[i, p] = sum(a[i, k] * x[k, p] for k in 0:40)\n"
        "    y[i, p] = t[i, p] > 0.1\n"
        "kernel h(x: f32[1, 9, 9, 32], g: f32[32, 32, 3, 3]) -> (y: bool[1, 7, 7, 32]):\n"
        "    t = conv(x, g, algorithm=direct, layout=nhwc)\n"
        "    y[n, i, j, k] = t[n, i, j, k] > 0.1\n"
    )
    random = np.random.default_rng(3)
    a, x = random.integers(-4, 5, (64, 40)), random.integers(-4, 5, (40, 48))
    made = weft.compile(text, "f", target=target)(a.astype(np.float32), x.astype(np.float32))
    np.testing.assert_array_equal(made, a @ x > 0.1)
    image, g = random.integers(-4, 5, (1, 9, 9, 32)), random.integers(-4, 5, (32, 32, 3, 3))
    made = weft.compile(text, "h", target=target)(image.astype(np.float32), g.astype(np.float32))
    wanted = direct(image.transpose(0, 3, 1, 2).astype(float), g.astype(float)) > 0.1
    np.testing.assert_array_equal(made, wanted.transpose(0, 2, 3, 1))


def test_a_scalar_sum_that_is_reshaped() -> None:
    """The compiler crashed."""
    text = (
        "kernel f(x: f32[8], w: f32[1, 1]) -> (y: f32[1, 1]):\n"
        "    s = sum(x[i] for i in 0:8)\n"
        "    u = reshape(s, [1, 1])\n"
        "    y[i, j] = u[i, j] + w[i, j]\n"
    )
    assert weft.compile(text)(np.ones(8, np.float32), np.ones((1, 1), np.float32)) == 9


def test_work_on_sums_of_tiles() -> None:
    """Behind products whose columns a transform makes a panel at a time, filters of 10 MB."""
    text = (
        "kernel f(x: f32[1, 256, 10, 10], g: f32[256, 256, 3, 3]) -> (y: f32[1, 256, 8, 8]):\n"
        "    t = winograd(m=4, r=3)\n"
        "    v = t.BT @ tiles(x, size=[6, 6], step=[4, 4], cover=[8, 8]) @ t.B\n"
        "    u = t.G @ g @ t.GT\n"
        "    p[n, k, a, b, i, j] ="
        " 2 * sum(u[k, c, i, j] * v[n, c, a, b, i, j] for c in 0:256)\n"
        "    y = untile(t.AT @ p @ t.A, step=[4, 4], crop=[8, 8])\n"
    )
    how = decided(text, "f")
    assert any("its columns are made a panel at a time" in one for one in how)
    random = np.random.default_rng(9)
    x = random.uniform(-1, 1, (1, 256, 10, 10)).astype(np.float32)
    g = random.uniform(-1, 1, (256, 256, 3, 3)).astype(np.float32)
    wanted = 2 * direct(x.astype(float), g.astype(float))
    np.testing.assert_allclose(weft.compile(text)(x, g), wanted, atol=2e-2)


@pytest.mark.parametrize("dims", [1, 2, 3])
@pytest.mark.parametrize("images", [3, 8])
def test_planes_through_blocks(dims: int, images: int) -> None:
    """With strides, filters fixed; images of as many dimensions as pixels have."""
    random = np.random.default_rng(4)
    extents = {1: [27], 2: [27, 27], 3: [5, 7, 27]}[dims]
    x = random.uniform(-1, 1, (images, 32, *extents)).astype(np.float32)
    g = random.uniform(-1, 1, (64, 32, *[3] * dims)).astype(np.float32)
    results = [(extent + 1) // 2 for extent in extents]
    text = (
        f"kernel f(x: f32{list(x.shape)}, g: f32{list(g.shape)})"
        f" -> (y: f32[{images}, 64, {', '.join(map(str, results))}]):\n"
        "    y = conv(x, g, pad=1, stride=2, algorithm=direct)\n"
    )
    assert any("through blocks" in one for one in decided(text, "f"))
    padded = np.pad(x.astype(float), [(0, 0), (0, 0), *[(1, 1)] * dims])
    windows = np.lib.stride_tricks.sliding_window_view(padded, [3] * dims, range(2, 2 + dims))
    windows = windows[(slice(None), slice(None), *[slice(None, None, 2)] * dims)]
    letters = "abc"[:dims] + "ijk"[:dims]
    wanted = np.einsum(
        f"nz{letters},fz{letters[dims:]}->nf{letters[:dims]}", windows, g.astype(float)
    )
    kernel = weft.compile(text)
    np.testing.assert_allclose(kernel(x, g), wanted, atol=1e-3)
    np.testing.assert_allclose(kernel.fix(g=g)(x), wanted, atol=1e-3)
