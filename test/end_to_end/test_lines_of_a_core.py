# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lines on the core group whose radices begin even, and lines that a core has no room for beside
their stages: they took several times what their neighbours did."""

from __future__ import annotations

import numpy as np
import pytest

import weft

SOURCE = """
kernel lines[b: size, n: size](x: T[b, n]) -> (y: T[b, n]):
    y = dft(x, axis=1)
"""
TYPES = {"c64": (np.complex64, 2e-6), "c128": (np.complex128, 1e-14)}


def cycles(element: str, n: int) -> float:
    """Of 64 lines, which are right."""
    dtype, bound = TYPES[element]
    random = np.random.default_rng(23)
    x = random.standard_normal((64, n, 2)).view(np.complex128)[..., 0].astype(dtype)
    kernel = weft.compile(SOURCE.replace("T[", f"{element}["), target="sw26010", b=64, n=n)
    wanted = np.fft.fft(x.astype(np.complex128), axis=1)
    assert np.linalg.norm(kernel(x) - wanted) <= bound * np.linalg.norm(wanted)
    run = kernel.report["run"]
    assert not run["hazards"]
    return float(run["kernel_seconds"]) / n


@pytest.mark.parametrize(
    ("element", "n", "neighbour", "most"),
    [
        ("c128", 900, 1000, 1.4),
        ("c128", 540, 576, 1.12),
        ("c64", 1080, 1024, 1.3),
        ("c128", 1280, 1152, 1.8),
    ],
)
def test_no_slower_than_a_neighbour(element: str, n: int, neighbour: int, most: float) -> None:
    assert cycles(element, n) <= most * cycles(element, neighbour)
