# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of matrices and convolutions on the emulated core group.

Rates are by nominal operations (two a product; of a convolution those of the direct sum, whatever
the algorithm) and by the time of the kernel as the management core sees it, starts of the cores
included. A layer is computed by the direct sum (`direct`), by F(4x4, 3x3), filters transformed in
the call (`conv`) or before it (`fixed`), and by what the compiler chooses (`auto`); `net` has three
such layers in one kernel, each but the last with a bias and ReLU behind. The peer is the
core group's peak: nothing passes it but Winograd's operations, of which a fourth are done. Of a
layer the picture has what main memory allows (`roof`), too: images, filters and results, each moved
once; `intensity` is the operations for a byte of these. A result that is not NumPy's has no rate.
WEFT_BENCH_CASES="f64:512x512x512 direct:64x112x112x64x1" runs only those; products are
TYPE:[BATCHx]ROWSxCOLUMNSxTERMS, layers KIND:CxHxWxKxN, with `+1` behind where images have a border
of one zero (a net's always have, and as many filters as channels). All cases together draw the
roofline in docs/assets.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import weft
from weft import machine, module_files
from weft.diagnostics import RunError

roofline = module_files.load(Path(__file__).with_name("roofline.py"))

ROOT = Path(__file__).resolve().parents[2]
LAYER = """\
kernel layer[N: size, C: size, K: size, H: size, W: size](
    x: f32[N, C, H, W], g: f32[K, C, 3, 3]) -> (y: f32[N, K, H-2+2*{pad}, W-2+2*{pad}]):
    y = conv(x, g, pad={pad}, {how})
"""
NET = """\
kernel net[N: size, C: size, H: size, W: size](
    x: f32[N, C, H, W], f: f32[C, C, 3, 3], g: f32[C, C, 3, 3], h: f32[C, C, 3, 3],
    a: f32[C], b: f32[C]) -> (y: f32[N, C, H, W]):
    s = conv(x, f, pad=1, max_error=1e-4)
    p[n, k, i, j] = max(s[n, k, i, j] + a[k], 0)
    t = conv(p, g, pad=1, max_error=1e-4)
    q[n, k, i, j] = max(t[n, k, i, j] + b[k], 0)
    y = conv(q, h, pad=1, max_error=1e-4)
"""
PRODUCTS = """\
kernel products[s: size, m: size, n: size, k: size](
    a: {t}[s, m, k], b: {t}[s, k, n]) -> (c: {t}[s, m, n]):
    c = a @ b
"""
DTYPES = {"f64": np.dtype(np.float64), "f32": np.dtype(np.float32)}
# How a layer is computed, and whether its filters are fixed.
KERNELS = {
    "direct": ("algorithm=direct", False),
    "conv": ("algorithm=winograd(4)", False),
    "fixed": ("algorithm=winograd(4)", True),
    "auto": ("max_error=1e-4", False),
}
# Of realworld.conf, one image or a few of what has 64 and 128 there.
SHAPES = (
    "3x112x112x64x1",
    "32x112x112x64x1",
    "64x112x112x64x1",
    "128x50x50x256x1",
    "256x50x50x256x1",
    "512x50x50x512x1",
    "512x16x16x2048x4",
    "64x50x50x64x1",
    "64x50x50x64x8",
    "128x20x26x96x8",
    "192x12x12x256x16",
    "256x8x8x512x16",
)
# As networks have them: of VGG and ResNet.
BORDERED = (
    "64x112x112x64x1+1",
    "64x56x56x64x1+1",
    "64x56x56x64x8+1",
    "128x28x28x128x8+1",
    "256x14x14x256x8+1",
)
NETS = ("64x56x56x64x8+1", "128x28x28x128x8+1", "256x14x14x256x8+1")
PICTURE = ROOT / "docs" / "assets" / "core-group-roofline.svg"
CASES = (
    "f64:128x128x128",
    "f64:256x256x256",
    "f64:512x512x512",
    "f64:1024x1024x1024",
    "f64:500x500x500",
    "f64:1000x1000x64",
    "f64:100x100x100",
    "f64:200x200x10",
    "f64:13000x8x8",
    "f64:8x8x13000",
    "f64:1000x100x100",
    "f32:512x512x512",
    "f32:1024x1024x1024",
    "f32:36x784x64x64",
    "f32:36x64x64x64",
    *(f"{kind}:{layer}" for layer in SHAPES + BORDERED for kind in KERNELS),
    *(f"net:{layer}" for layer in NETS),
)


def cases() -> list[str]:
    """Those that are asked for, or all."""
    return os.environ.get("WEFT_BENCH_CASES", "").split() or list(CASES)


def is_net(extents: list[int]) -> bool:
    """Whether one layer's results can be the next one's images."""
    c, _, _, k, _, pad = extents
    return c == k and pad == 1


def parsed(case: str) -> tuple[str, list[int]]:
    """What it is, and its extents: of products always the batch, rows, columns, terms, of layers
    the border behind.
    """
    kind, _, text = case.partition(":")
    known = {**dict.fromkeys(DTYPES, (3, 4)), **dict.fromkeys([*KERNELS, "net"], (6,))}
    text, has_border, border = text.partition("+")
    behind = [border if has_border else "0"] if kind not in DTYPES else []
    words = [*text.split("x"), *behind]
    extents = [int(word) for word in words if word.isdecimal()]
    fits = len(extents) == len(words) and len(extents) in known.get(kind, ())
    if not fits or (has_border and kind in DTYPES) or (kind == "net" and not is_net(extents)):
        raise RunError(
            "there is no such case",
            argument="WEFT_BENCH_CASES",
            expected="f64:512x512x512, f32:36x64x64x64, conv:64x112x112x64x1 or "
            "net:64x56x56x64x8+1, and such",
            found=case,
        )
    return kind, [1, *extents] if len(extents) == 3 else extents


def check(found: np.ndarray, wanted: np.ndarray, bound: float) -> None:
    """RunError where these are not the elements wanted, relative to the largest of them."""
    error = float(np.abs(found - wanted).max() / np.abs(wanted).max())
    if not error <= bound:
        raise RunError(
            "a product is wrong", expected=f"an error below {bound:.1e}", found=f"{error:.1e}"
        )


def product(kind: str, extents: list[int]) -> tuple[float, dict[str, Any]]:
    """Operations of a batch of products, and the report of a right run."""
    s, m, n, k = extents
    kernel = weft.compile(PRODUCTS.format(t=kind), target="sw26010", s=s, m=m, n=n, k=k)
    random = np.random.default_rng(m + n + k)
    a = random.standard_normal((s, m, k)).astype(DTYPES[kind])
    b = random.standard_normal((s, k, n)).astype(DTYPES[kind])
    wanted = a.astype(np.float64) @ b.astype(np.float64)
    check(kernel(a, b), wanted, 8 * float(np.finfo(a.dtype).eps) * k**0.5)
    return 2.0 * s * m * n * k, kernel.report["run"]


def layer(kind: str, extents: list[int]) -> tuple[float, dict[str, Any]]:
    """Operations of the direct sum of a layer, and the report of a right run."""
    c, h, w, k, n, pad = extents
    how, fixed = KERNELS[kind]
    text = LAYER.format(pad=pad, how=how)
    kernel = weft.compile(text, target="sw26010", N=n, C=c, K=k, H=h, W=w)
    random = np.random.default_rng(c + k)
    x = random.uniform(-1, 1, (n, c, h, w)).astype(np.float32)
    g = random.uniform(-1, 1, (k, c, 3, 3)).astype(np.float32)
    wanted = reference(x, g, pad)
    bound = 32 * 2.0**-24 * (3 + c**0.5)
    if fixed:
        prepared = kernel.fix(g=g)
        check(prepared(x), wanted, bound)
        return flops_of(extents), prepared.report["run"]
    check(kernel(x, g), wanted, bound)
    return flops_of(extents), kernel.report["run"]


def net(extents: list[int]) -> tuple[float, dict[str, Any]]:
    """The same of three layers in one kernel."""
    c, h, w, _, n, _ = extents
    kernel = weft.compile(NET, target="sw26010", N=n, C=c, H=h, W=w)
    random = np.random.default_rng(c)
    x = random.uniform(-1, 1, (n, c, h, w)).astype(np.float32)
    # So that results of all layers are as large as images.
    scale = (c**0.5) ** -1
    filters = [random.uniform(-scale, scale, (c, c, 3, 3)).astype(np.float32) for _ in range(3)]
    biases = [random.uniform(-1, 1, c).astype(np.float32) for _ in range(2)]
    wanted = reference(x, filters[0], 1)
    for g, bias in zip(filters[1:], biases, strict=True):
        wanted = reference(np.maximum(wanted + bias[:, None, None], 0), g, 1)
    check(kernel(x, *filters, *biases), wanted, 96 * 2.0**-24 * (3 + c**0.5))
    return 3 * flops_of(extents), kernel.report["run"]


def reference(x: np.ndarray, g: np.ndarray, pad: int) -> np.ndarray:
    """The direct sum in double precision."""
    images = np.pad(x.astype(np.float64), [(0, 0), (0, 0), (pad, pad), (pad, pad)])
    windows = np.lib.stride_tricks.sliding_window_view(images, (3, 3), axis=(2, 3))
    sums: np.ndarray = np.einsum("ncabij,kcij->nkab", windows, g.astype(np.float64), optimize=True)
    return sums


def flops_of(extents: list[int]) -> float:
    c, h, w, k, n, pad = extents
    return 18.0 * n * k * c * (h - 2 + 2 * pad) * (w - 2 + 2 * pad)


def bytes_of(extents: list[int]) -> float:
    """Of images, filters and results of a layer."""
    c, h, w, k, n, pad = extents
    return 4.0 * (n * c * h * w + 9 * k * c + n * k * (h - 2 + 2 * pad) * (w - 2 + 2 * pad))


def records() -> Iterator[dict[str, Any]]:
    memory = float(machine.load("sw26010").values["memory_bytes_per_second"])
    layers = []
    for case in cases():
        kind, extents = parsed(case)
        if kind in KERNELS:
            flops, run = layer(kind, extents)
        else:
            flops, run = net(extents) if kind == "net" else product(kind, extents)
        found = record(case, flops / run["kernel_seconds"], run["machine"]["peak_flops"])
        if kind in KERNELS:
            intensity = flops / bytes_of(extents)
            found |= {"intensity": intensity, "roof": memory * intensity / 1e9}
            layers.append(found)
        yield found
    if not os.environ.get("WEFT_BENCH_CASES"):
        roofline.draw(layers, memory / 1e9, PICTURE)


def record(case: str, rate: float, peak: float) -> dict[str, Any]:
    return {
        "suite": "products",
        "case": case,
        "metric": "rate",
        "value": rate / 1e9,
        "unit": "GFlop/s",
        "peer": "peak of the core group",
        "peer_value": peak / 1e9,
        "ratio": rate / peak,
    }
