# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The layers of a network around the kernels: shapes, data, the direct sum in f64 as the judge.

A case is a file NAME.conf: the number of layers, then a layer a line as `C H W K N`; what follows
is not read.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np

from weft.diagnostics import RunError
from weft.hosting import Case, Verdict

HERE = Path(__file__).parent
EXPECTED: dict[str, Any] = json.loads((HERE / "expected.json").read_text(encoding="utf-8"))
KERNELS: dict[str, dict[str, Any]] = EXPECTED["kernels"]
CASES = tuple(sorted(path.stem for path in HERE.glob("*.conf")))


def layers(name: str) -> list[dict[str, int]]:
    """The sizes of each layer of a case."""
    lines = (HERE / f"{name}.conf").read_text(encoding="utf-8").splitlines()
    count = int(lines[0])
    if len(lines) <= count:
        raise RunError(f"{name}.conf: {count} layers are announced", found=f"{len(lines) - 1}")
    return [
        dict(zip(("C", "H", "W", "K", "N"), map(int, line.split()), strict=True))
        for line in lines[1 : count + 1]
    ]


def runs(name: str, kernel: str | None) -> list[Case]:
    """A kernel on all layers of a case; without a name the one that is written out for F(4x4)."""
    kernel = kernel or next(iter(KERNELS))
    if kernel not in KERNELS:
        raise RunError(f"no algorithm {kernel!r}", argument="kernel", expected=", ".join(KERNELS))
    return [Case(name, sizes, kernel) for sizes in layers(name)]


def inputs(case: Case) -> dict[str, np.ndarray]:
    x, g = _data(*_shape(case))
    return {"x": x, "g": g}


def check(case: Case, outputs: dict[str, np.ndarray]) -> Verdict:
    """The largest error, relative to the largest result of the direct sum in f64."""
    exact = _exact(*_shape(case))
    error = relative_error(outputs["y"], exact)
    allowed = bound(case.kernel, case.sizes["C"])
    holds = error <= allowed  # a NaN does not hold
    return Verdict(bool(holds), [f"error {error:.2e} (allowed {allowed:.2e})"])


def report(case: Case, outputs: dict[str, np.ndarray], seconds: float) -> list[str]:
    """The rate by the operations of the direct sum, whatever the algorithm."""
    del outputs
    algorithm = KERNELS[case.kernel]["algorithm"]
    return [algorithm, f"{flops(case.sizes) / seconds * 1e-9:.1f} GFlop/s"]


def summary(done: Sequence[Case], seconds: Sequence[float]) -> list[str]:
    total, time = sum(flops(case.sizes) for case in done), sum(seconds)
    return [f"total {total * 1e-9:.4g} GFlop in {time:.4g} s: {total / time * 1e-9:.1f} GFlop/s"]


def flops(sizes: dict[str, int]) -> int:
    """Additions and multiplications of the direct sum."""
    n, c, k, h, w = (sizes[name] for name in "NCKHW")
    return 2 * n * k * c * 9 * (h - 2) * (w - 2)


def bound(kernel: str, channels: int) -> float:
    """Rounding in f32, amplified by the matrices; of a sum it grows with the root of its length.

    For data of both signs without structure. The amplification of F(m x m, 3x3) is the square of
    max over i of sqrt(sum over j of AT[i, j]^2 |BT[j]|^2 |G[j]|^2 / 3).
    """
    amplification: float = KERNELS[kernel]["amplification"]
    return 2.0**-24 * amplification * (3 + sqrt(channels))


def relative_error(found: np.ndarray, exact: np.ndarray) -> float:
    return float(np.abs(found - exact).max() / np.abs(exact).max())


def direct(x: np.ndarray, g: np.ndarray, stride: int = 1) -> np.ndarray:
    """The convolution by its definition in f64, on all cores: a thread an image and block of
    filters, the places of the filter one after the other."""
    n, _, h, w = x.shape
    k, _, height, width = g.shape
    rows, columns = (h - height) // stride + 1, (w - width) // stride + 1
    result = np.zeros((n, k, rows, columns))
    image, filters = x.astype(np.float64), g.astype(np.float64)
    block = max(1, -(-k * n // (4 * (os.cpu_count() or 1))))

    def one(job: tuple[int, int]) -> None:
        number, first = job
        taken = filters[first : first + block]
        into = result[number, first : first + block]
        for r in range(height):
            for s in range(width):
                window = image[number, :, r::stride, s::stride][:, :rows, :columns]
                into += np.tensordot(taken[:, :, r, s], window, axes=1)

    jobs = [(number, first) for number in range(n) for first in range(0, k, min(block, k))]
    with ThreadPoolExecutor() as pool:
        list(pool.map(one, jobs))
    return result


def _shape(case: Case) -> tuple[int, ...]:
    return tuple(case.sizes[name] for name in "NCKHW")


# One layer at a time is in use.
@lru_cache(maxsize=1)
def _data(n: int, c: int, k: int, h: int, w: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng([n, c, k, h, w])
    x = random.uniform(-1, 1, (n, c, h, w)).astype(np.float32)
    g = random.uniform(-1, 1, (k, c, 3, 3)).astype(np.float32)
    return x, g


@lru_cache(maxsize=1)
def _exact(n: int, c: int, k: int, h: int, w: int) -> np.ndarray:
    return direct(*_data(n, c, k, h, w))
