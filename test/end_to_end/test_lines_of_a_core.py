# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lines on the core group whose radices begin even, and lines that a core has no room for beside
their stages: they took several times what their neighbours did. And what makes the lines of
several arrays, for which a core had no room."""

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


MADE = """
kernel windowed[b: size, n: size](x: f64[b, n], g: f64[n]) -> (y: c128[b, n//2+1]):
    y = rfft(x * g, axis=1)

kernel added[b: size, n: size](x: f64[b, n], g: f64[b, n]) -> (y: c128[b, n//2+1]):
    y = rfft(roll(x * exp(g), 3, axis=1) + x, axis=1)

kernel scaled[b: size, n: size](x: c128[b, n], g: f64[n]) -> (y: c128[b, n]):
    y = dft(x * g, axis=1)
"""
MAKERS = {
    "windowed": lambda x, g: np.fft.rfft(x * g),
    "added": lambda x, g: np.fft.rfft(np.roll(x * np.exp(g), 3, axis=1) + x),
    "scaled": lambda x, g: np.fft.fft(x * g),
}


@pytest.mark.parametrize(
    ("name", "n"),
    [("windowed", 1024), ("windowed", 2560), ("added", 2048), ("added", 2560), ("scaled", 1024),
     ("scaled", 1280)],
)  # fmt: skip
def test_lines_made_of_real_numbers(name: str, n: int) -> None:
    random = np.random.default_rng(29)
    kernel = weft.compile(MADE, kernel=name, target="sw26010", b=64, n=n)
    given = [random.standard_normal(one.shape).astype(one.dtype) for one in kernel.inputs]
    given = [one * (1 - 2j) if np.iscomplexobj(one) else one for one in given]
    wanted = MAKERS[name](*given)
    assert np.linalg.norm(kernel(*given) - wanted) <= 1e-14 * np.linalg.norm(wanted)
    assert not kernel.report["run"]["hazards"]
