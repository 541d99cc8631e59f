# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The model of main memory along axes that nobody has measured, so that its behaviour can be looked
at: it should be smooth, bounded by the pins, and explainable at each step.

    bench/emulator/axes.py   prints the curves
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    from model import CPES, TURN_CYCLES, Driver, build, quantities
else:
    _model = sys.modules["weft_file_emulator_model"]
    CPES, TURN_CYCLES, quantities = _model.CPES, _model.TURN_CYCLES, _model.quantities

LARGE = 24576
Curves = dict[str, list[tuple[int, float]]]


class Axis(NamedTuple):
    title: str
    below: str
    curves: Curves
    logarithmic: bool = True


def rate(driver: Any, gets: int, puts: int, size: int, block: int = 0, gap: int = 0,
         cores: int = CPES) -> float:  # fmt: skip
    """GB/s of useful bytes; a CPE loops over: gets, wait, a short pause, puts, wait."""
    times = 64 if size * (gets + puts) < 8192 else 12
    run = driver.stream(gets, puts, size, block, gap, times=times, cores=cores, compute=TURN_CYCLES)
    return (gets + puts) * size * times * cores * quantities()["clock.hz"] / run["cycles"] / 1e9


def over_cores(driver: Any) -> Axis:
    counts = (1, 2, 4, 8, 16, 32, 64)
    return Axis(
        "Gets of some CPEs only, by bytes of a DMA",
        "CPEs",
        {f"{s} B": [(c, rate(driver, 1, 0, s, cores=c)) for c in counts]
         for s in (64, 512, 4096, LARGE)},
    )  # fmt: skip


def over_directions(driver: Any) -> Axis:
    sizes = [8 << i for i in range(12)] + [LARGE]
    kinds = {"gets": (1, 0), "puts": (0, 1), "one each": (1, 1), "2 gets, 1 put": (2, 1)}
    return Axis(
        "Gets only, puts only, and both",
        "bytes of a DMA",
        {name: [(s, rate(driver, *kind, s)) for s in sizes] for name, kind in kinds.items()},
    )


def over_gaps(driver: Any) -> Axis:
    gaps = [8 << i for i in range(11)]
    return Axis(
        "STREAM Copy, by bytes of a block",
        "bytes of a gap",
        {f"{b} B": [(g, rate(driver, 1, 1, LARGE // b * b, b, g)) for g in gaps]
         for b in (16, 64, 256, 1024)},
    )  # fmt: skip


def over_outstanding(driver: Any) -> Axis:
    counts = (1, 2, 4, 8, 16)
    return Axis(
        "Several gets at once, by bytes and CPEs",
        "gets before a wait",
        {f"{s} B, {c}": [(n, rate(driver, n, 0, s, cores=c)) for n in counts]
         for s, c in ((256, 1), (4096, 1), (256, 64), (4096, 64))},
    )  # fmt: skip


def over_sizes(driver: Any) -> Axis:
    sizes = range(32, 1121, 16)
    return Axis(
        "Sizes that are not whole lines",
        "bytes of a DMA, of a block",
        {
            "contiguous": [(s, rate(driver, 1, 0, s)) for s in sizes],
            "blocks got": [(s, rate(driver, 1, 0, LARGE // s * s, s, s)) for s in sizes],
            "put": [(s, rate(driver, 0, 1, LARGE // s * s, s, s)) for s in sizes],
            "copied": [(s, rate(driver, 1, 1, LARGE // s * s, s, s)) for s in sizes],
        },
        logarithmic=False,
    )


def over_computing(driver: Any) -> Axis:
    """While some CPEs compute, the others keep the memory busy."""
    hertz = quantities()["clock.hz"]
    cycles = [256 << i for i in range(10)]
    curves: Curves = {}
    for cores in (1, 8, 64):
        runs = [driver.stream(1, 1, 4096, times=24, cores=cores, compute=n) for n in cycles]
        curves[f"{cores} CPE{'s' * (cores > 1)}"] = [
            (n, 2 * 4096 * 24 * cores * hertz / run["cycles"] / 1e9)
            for n, run in zip(cycles, runs, strict=True)
        ]
    return Axis("Get 4 KB, compute, put 4 KB", "cycles of computing", curves)


def all_axes(driver: Any) -> list[Axis]:
    kinds = (over_cores, over_directions, over_gaps, over_outstanding, over_sizes, over_computing)
    return [kind(driver) for kind in kinds]


def main() -> int:
    with (
        tempfile.TemporaryDirectory(prefix="weft-axes-") as folder,
        Driver(build(Path(folder))) as driver,
    ):
        for axis in all_axes(driver):
            print(f"{axis.title} ({axis.below})")
            for name, points in axis.curves.items():
                print(f"  {name:16}", " ".join(f"{at}:{gbs:.2f}" for at, gbs in points))
    return 0


if __name__ == "__main__":
    sys.exit(main())
