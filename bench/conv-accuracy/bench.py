# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Errors of convolutions: Weft by every algorithm, beside each library's with the same tiles.

3x3 filters, without a border, in f32 and f64, against the direct sum in f64 and in extended
precision. Two errors: the largest one over the root mean square of the exact results, and the
relative one in the L2 norm. The data: uniform in -1..1 (`random`), uniform in 0..1, filters too
(`positive`), and images as cameras make them, amplitudes that fall as 1/f above a mean far from 0,
with filters that look for edges (`image`). `ratio` is Weft's error over the least of the
libraries', to be 2 at most; no library has f64.

WEFT_BENCH_TARGET=portable measures that target instead of the machine's best.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from weft import driver, module_files, toolchain

HERE = Path(__file__).resolve().parent
GOAL = 2.0
TILES = (None, 2, 3, 4, 5, 6, 7, 8)
DATA = ("random", "positive", "image")
KINDS = {"f32": np.float32, "f64": np.float64}
EXACT = {"f32": np.float64, "f64": np.longdouble}
ERRORS = ("largest over RMS", "L2")

peers = module_files.load(HERE.parent / "conv" / "peers.py")


class Layer(NamedTuple):
    """Of these oneDNN takes F(2x2) and F(4x4)."""

    images: int
    channels: int
    extent: int
    filters: int


LAYERS = (Layer(1, 64, 50, 32), Layer(1, 256, 50, 256))


def records() -> Iterator[dict[str, Any]]:
    target = os.environ.get("WEFT_BENCH_TARGET") or toolchain.default_target()
    for kind in KINDS:
        for layer in LAYERS:
            for data in DATA:
                yield from case_records(layer, kind, data, target)


def case_records(layer: Layer, kind: str, data: str, target: str) -> Iterator[dict[str, Any]]:
    x, g = problem(layer, data)
    x, g = x.astype(KINDS[kind]), g.astype(KINDS[kind])
    wanted = direct(x.astype(EXACT[kind]), g.astype(EXACT[kind]))
    found: dict[int | None, dict[str, tuple[float, float]]] = {}
    for tile in TILES:
        kernel = driver.compile(text(layer, kind, tile), target=target)
        found[tile] = {"Weft": errors(kernel(x, g), wanted)}
    if kind == "f32":
        y = np.empty(wanted.shape, np.float32)
        for name, tile, result in of_peers(x, g, y):
            found[tile][name] = errors(result, wanted)
    for tile, by_name in found.items():
        ours = by_name.pop("Weft")
        for number, error in enumerate(ERRORS):
            case = f"{kind} {layer.channels} channels, {data}, {algorithm(tile)}"
            yield record(case, f"{target}, {error}", ours[number], by_name, number)


def record(
    case: str, metric: str, ours: float, by_name: dict[str, tuple[float, float]], number: int
) -> dict[str, Any]:
    best = min(by_name, key=lambda name: by_name[name][number], default=None)
    theirs = None if best is None else by_name[best][number]
    ratio = None if theirs is None else ours / theirs if theirs > 0 else float("inf")
    return {
        "suite": "conv-accuracy",
        "case": case,
        "metric": metric,
        "value": ours,
        "unit": "",
        "peer": best,
        "peer_value": theirs,
        "ratio": ratio,
        "goal": None if ratio is None else GOAL,
        "met": None if ratio is None else ratio <= GOAL,
    }


def algorithm(tile: int | None) -> str:
    return "direct" if tile is None else f"F({tile}x{tile})"


def text(layer: Layer, kind: str, tile: int | None) -> str:
    chosen = "direct" if tile is None else f"winograd({tile})"
    n, c, extent, k = layer
    x, y = f"{n}, {c}, {extent}, {extent}", f"{n}, {k}, {extent - 2}, {extent - 2}"
    return (
        f"kernel layer(x: {kind}[{x}], g: {kind}[{k}, {c}, 3, 3]) -> (y: {kind}[{y}]):\n"
        f"    y = conv(x, g, algorithm={chosen})\n"
    )


def problem(layer: Layer, data: str) -> tuple[np.ndarray, np.ndarray]:
    """In f32, so that they are the same numbers in both precisions."""
    random = np.random.default_rng(7)
    n, c, extent, k = layer
    least = 0 if data == "positive" else -1
    g = random.uniform(least, 1, (k, c, 3, 3))
    if data != "image":
        return single(random.uniform(least, 1, (n, c, extent, extent))), single(g)
    phases = np.fft.fft2(random.normal(size=(n, c, extent, extent)))
    frequency = np.hypot(*np.meshgrid(np.fft.fftfreq(extent), np.fft.fftfreq(extent)))
    frequency[0, 0] = np.inf
    waves = np.fft.ifft2(phases / frequency).real
    # Bytes around 128; filters whose sum is nearly nothing.
    waves *= 40 / waves.std()
    g -= 0.95 * g.mean(axis=(2, 3), keepdims=True)
    return single(np.clip(np.round(128 + waves), 0, 255)), single(g)


def single(array: np.ndarray) -> np.ndarray:
    return array.astype(np.float32)


def direct(x: np.ndarray, g: np.ndarray) -> np.ndarray:
    """The convolution by its definition, in the type of its arguments."""
    n, c, h, w = x.shape
    rows, columns = h - 2, w - 2
    result = np.zeros((n, len(g), rows, columns), x.dtype)
    for channel in range(c):
        for r in range(3):
            for s in range(3):
                window = x[:, None, channel, r : r + rows, s : s + columns]
                result += g[None, :, channel, r, s, None, None] * window
    return result


def errors(found: np.ndarray, wanted: np.ndarray) -> tuple[float, float]:
    wrong = (found - wanted).astype(np.longdouble)
    size = np.sqrt(np.mean(np.square(wanted.astype(np.longdouble))))
    return float(np.abs(wrong).max() / size), float(np.sqrt(np.mean(np.square(wrong))) / size)


def of_peers(
    x: np.ndarray, g: np.ndarray, y: np.ndarray
) -> Iterator[tuple[str, int | None, np.ndarray]]:
    """Name, tile and result of everything that is installed."""
    for way in peers.ways((0, 1), x, g, y, 1):
        # How something is called does not change what it computes; ncnn's own choice is unknown.
        if way.mode == peers.OWN:
            tile = next((t for t in TILES if f"F({t}x{t})" in way.name), None)
            way.run()
            way.fetch()
            yield way.name, tile, y.copy()
    with contextlib.suppress(ImportError):
        for tile in peers.ncnn_layer.TILES:
            run, fetch = peers.ncnn_layer.convolution((0, 1), x, g, y, 1, tile)
            run()
            fetch()
            yield peers.ncnn_layer.NAME, tile, y.copy()
