# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Batches of transforms on the emulated core group: 512 lines of 64 to 8192 points.

Rates are by nominal operations, 5 n log2 n a line, and the time of the kernel as the management
core sees it, starts of the cores included. Each length has three records: the rate beside what the
DMA roof allows, its share of the core group's peak, and its share of the DMA roof beside what is
published for transforms on a core group. The roof is the bandwidth of machine.toml
(`memory_bytes_per_second`, DMA STREAM triad) for each byte in and out once; a copy, as many
bytes out as in, reaches 90 % of it in the published measurement that the emulator is fitted to. A
result that is not NumPy's has no rate. WEFT_BENCH_CASES="c128:64 c64:4096" runs only those.

The roofline goes to build/core-group.svg.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import weft
from weft import machine, module_files
from weft.diagnostics import RunError

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SOURCE = (ROOT / "bench" / "fft" / "fft.weft").read_text(encoding="utf-8")
PICTURE = ROOT / "build" / "core-group.svg"
drawing = module_files.load(HERE.parent / "drawing.py")
LINES = 512
LENGTHS = (
    *(64, 128, 256, 512, 1024, 1280, 1440, 1536, 2048, 2187, 2560, 2880, 3000, 4096, 5000, 6000),
    8192,
)
DTYPES = {"c128": np.dtype(np.complex128), "c64": np.dtype(np.complex64)}
# Of the bandwidth, one-dimensional transforms on a core group: Zhao et al. 2020, abstract.
PUBLISHED = 83.0
GOAL = 90.0


@dataclass(frozen=True)
class Batch:
    dtype: str
    n: int

    @property
    def name(self) -> str:
        return f"{self.dtype}:{self.n}"

    @property
    def flops(self) -> float:
        return 5.0 * LINES * self.n * np.log2(self.n)

    @property
    def bytes(self) -> int:
        """Each element in once and out once."""
        return 2 * LINES * self.n * DTYPES[self.dtype].itemsize

    @property
    def flops_per_byte(self) -> float:
        return self.flops / self.bytes


@dataclass(frozen=True)
class Roofs:
    """What a core group can do at most."""

    bytes_per_second: float
    flops_per_second: float

    @classmethod
    def of_the_table(cls, peak: float) -> Roofs:
        table = machine.load("sw26010")
        return cls(table.values["memory_bytes_per_second"], peak)

    def reached(self, batch: Batch) -> float:
        """Operations a second, at most."""
        return min(self.flops_per_second, batch.flops_per_byte * self.bytes_per_second)


def batches() -> list[Batch]:
    every = [Batch(dtype, n) for dtype in DTYPES for n in LENGTHS]
    asked = os.environ.get("WEFT_BENCH_CASES", "").split()
    for name in asked:
        if name not in {batch.name for batch in every}:
            raise RunError(
                "there is no such case",
                argument="WEFT_BENCH_CASES",
                expected=" ".join(batch.name for batch in every),
                found=name,
            )
    return [batch for batch in every if not asked or batch.name in asked]


def seconds(batch: Batch) -> tuple[float, float]:
    """Of a right result, and the core group's peak in operations a second."""
    kernel = weft.compile(SOURCE, f"lines_{batch.dtype}", target="sw26010", b=LINES, n=batch.n)
    dtype = DTYPES[batch.dtype]
    numbers = np.random.default_rng(batch.n).standard_normal((LINES, batch.n, 2))
    x = numbers.view(np.complex128)[..., 0].astype(dtype)
    found = kernel(x)
    check(found, x)
    run = kernel.report["run"]
    return float(run["kernel_seconds"]), float(run["machine"]["peak_flops"])


def check(found: np.ndarray, x: np.ndarray) -> None:
    """RunError where these are not the transforms of the lines of x."""
    wanted = np.fft.fft(x.astype(np.complex128), axis=1)
    error = float(np.abs(found - wanted).max() / np.abs(wanted).max())
    bound = 8 * np.finfo(x.dtype).eps * np.log2(x.shape[1])
    if not error <= bound:
        raise RunError(
            "a transform is wrong", expected=f"an error below {bound:.1e}", found=f"{error:.1e}"
        )


def records() -> Iterator[dict[str, Any]]:
    rates: dict[Batch, float] = {}
    roofs = None
    for batch in batches():
        time, peak = seconds(batch)
        roofs = Roofs.of_the_table(peak)
        rates[batch] = batch.flops / time
        yield from of(batch, rates[batch], roofs)
    if roofs is not None:
        _draw(rates, roofs)


def of(batch: Batch, rate: float, roofs: Roofs) -> Iterator[dict[str, Any]]:
    """The records of a batch that is computed at `rate` operations a second."""
    base = {"suite": "core-group", "case": f"{LINES} lines of {batch.n} {batch.dtype}"}
    roof = roofs.reached(batch)
    yield {
        **base,
        "metric": "rate",
        "value": rate / 1e9,
        "unit": "GFlop/s",
        "peer": f"DMA roof at {roofs.bytes_per_second / 1e9:g} GB/s",
        "peer_value": roof / 1e9,
        "ratio": rate / roof,
    }
    yield {
        **base,
        "metric": "share of peak",
        "value": 100 * rate / roofs.flops_per_second,
        "unit": "%",
    }
    share = 100 * rate / roof
    yield {
        **base,
        "metric": "share of the DMA roof",
        "value": share,
        "unit": "%",
        "peer": "published for transforms",
        "peer_value": PUBLISHED,
        "ratio": share / PUBLISHED,
        "goal": GOAL / PUBLISHED,
        "met": bool(share >= GOAL),
    }


def _draw(rates: dict[Batch, float], roofs: Roofs) -> None:
    figure = drawing.new_figure(8, 5)
    if figure is None:
        return
    axes = figure.subplots()
    ridge = roofs.flops_per_second / roofs.bytes_per_second
    intensity = np.array([0.5, ridge, 64.0])
    bound = np.minimum(intensity * roofs.bytes_per_second, roofs.flops_per_second)
    axes.plot(intensity, bound / 1e9, color="black")
    axes.plot(
        intensity[:2],
        intensity[:2] * roofs.bytes_per_second * PUBLISHED / 1e11,
        color="black",
        linewidth=0.8,
        linestyle="--",
        label=f"{PUBLISHED:g} % of the bandwidth, published",
    )
    named = (
        (f"peak {roofs.flops_per_second / 1e9:g} GFlop/s", ridge, roofs.flops_per_second),
        (f"DMA {roofs.bytes_per_second / 1e9:g} GB/s", 4.0, 4 * roofs.bytes_per_second),
    )
    for name, place, height in named:
        axes.annotate(
            *(name, (place, height / 1e9)),
            xytext=(-8, 2),
            textcoords="offset points",
            ha="right",
        )
    for dtype, marker, side in (("c128", "o", "right"), ("c64", "s", "left")):
        mine = [batch for batch in rates if batch.dtype == dtype]
        if not mine:
            continue
        places = [batch.flops_per_byte for batch in mine]
        axes.plot(places, [rates[batch] / 1e9 for batch in mine], marker, label=f"lines of {dtype}")
        for batch in mine:
            axes.annotate(
                str(batch.n),
                (batch.flops_per_byte, rates[batch] / 1e9),
                xytext=(-5, 3) if side == "right" else (5, -8),
                textcoords="offset points",
                ha=side,
                fontsize=7,
            )
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xlabel("operations a byte of main memory")
    axes.set_ylabel("GFlop/s")
    axes.set_title(f"{LINES} lines of 64 to 8192 points, one core group")
    axes.legend(fontsize=8, loc="lower right")
    drawing.save(figure, PICTURE)
