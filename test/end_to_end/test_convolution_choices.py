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


def test_a_matrix_times_each_of_many() -> None:
    """A factor that lacks the batch, whose products are done at once with what follows."""
    random = np.random.default_rng(7)
    g = random.uniform(-1, 1, (24, 40)).astype(np.float32)
    x = random.uniform(-1, 1, (5, 40, 96)).astype(np.float32)
    b = random.uniform(-1, 1, (5, 24)).astype(np.float32)
    text = (
        "kernel f(g: f32[24, 40], x: f32[5, 40, 96], b: f32[5, 24]) -> (y: f32[5, 24, 96]):\n"
        "    t[n, k, p] = sum(g[k, c] * x[n, c, p] for c in 0:40)\n"
        "    y[n, k, p] = max(t[n, k, p] + b[n, k], 0)\n"
    )
    wanted = np.maximum(g.astype(float) @ x + b[:, :, None], 0)
    np.testing.assert_allclose(weft.compile(text)(g, x, b), wanted, atol=1e-5)
