# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lines that a core has room for only with some of their twiddles computed: moved once, and as
exact as with whole tables."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import weft

SOURCE = """
kernel lines[b: size, n: size](x: T[b, n]) -> (y: T[b, n]):
    y = dft(x, axis=1)

kernel back[b: size, n: size](x: T[b, n]) -> (y: T[b, n]):
    y = 2.5 * idft(x, axis=1)

kernel cubed[b: size, n: size](x: T[b, n]) -> (y: T[b, n]):
    a = dft(x, axis=1)
    y = idft(abs2(a) * a, axis=1)

kernel both[b: size, n: size](x: T[b, n], z: T[b, n]) -> (y: T[b, n]):
    y = dft(x, axis=1) + idft(z, axis=1)

kernel product[b: size, n: size](x: T[b, n], z: T[b, n]) -> (y: T[b, n]):
    y = dft(x * z, axis=1)
"""
DTYPES = {"c64": np.complex64, "c128": np.complex128}


def compiled(name: str, element: str, **more: Any) -> weft.Kernel:
    return weft.compile(SOURCE.replace("T[", f"{element}["), name, "sw26010", **more)


def is_recomputed(kernel: weft.Kernel) -> bool:
    return bool(kernel.ir["after:recompute-twiddles"] != kernel.ir["after:split-fixed"])


def noise(element: str, *shape: int) -> np.ndarray:
    parts = np.random.default_rng(5).standard_normal((*shape, 2))
    return (parts @ [1, 1j]).astype(DTYPES[element])


def error_of(found: np.ndarray, wanted: np.ndarray) -> float:
    """In units of the last place."""
    distance = np.linalg.norm(found - wanted) / np.linalg.norm(wanted)
    return float(distance / np.finfo(found.dtype).eps)


# First radices of 10, 12, 14 and 16; tables of 5 to 11 of their powers, and of the powers of two.
@pytest.mark.parametrize(
    ("element", "n"),
    [("c128", 1200), ("c128", 1280), ("c128", 1440), ("c64", 2688), ("c64", 3072)],
)
def test_lines_move_once(element: str, n: int) -> None:
    kernel = compiled("lines", element, b=10, n=n)
    assert is_recomputed(kernel)
    x = noise(element, 10, n)
    found = kernel(x)
    run = kernel.report["run"]
    tables = 10 * n * x.itemsize  # of ten cores, at the most
    assert run["counters"]["dma_put_bytes"] == x.nbytes
    assert x.nbytes < run["counters"]["dma_get_bytes"] < x.nbytes + tables
    assert "row_sent" not in run["counters"]
    assert run["hazards"] == []
    # As with whole tables: 0.8 to 1.2, and NumPy's own error where both are c128.
    assert error_of(found, np.fft.fft(x.astype(np.complex128))) < 2


@pytest.mark.parametrize("element", DTYPES)
def test_the_scale_comes_once(element: str) -> None:
    n = 1440 if element == "c128" else 2880
    kernel = compiled("back", element, b=5, n=n)
    assert is_recomputed(kernel)
    x = noise(element, 5, n)
    assert error_of(kernel(x), 2.5 * np.fft.ifft(x.astype(np.complex128))) < 3


@pytest.mark.parametrize("n", [1344])
def test_two_transforms(n: int) -> None:
    x, z = noise("c128", 10, n), noise("c128", 10, n)
    there = np.fft.fft(x)
    cubed = compiled("cubed", "c128", b=10, n=n)
    assert is_recomputed(cubed)
    assert error_of(cubed(x), np.fft.ifft(np.abs(there) ** 2 * there)) < 4
    both = compiled("both", "c128", b=10, n=n)
    assert error_of(both(x, z), there + np.fft.ifft(z)) < 4


def test_other_lines_are_as_before() -> None:
    """Too short, too long, of two arrays, or shared because the schedule says so."""
    assert not is_recomputed(compiled("lines", "c128", b=64, n=1024))
    assert not is_recomputed(compiled("lines", "c128", b=64, n=2048))
    assert not is_recomputed(compiled("product", "c128", b=64, n=1280))
    asked = compiled(
        "lines", "c128", b=16, n=1280, schedule="schedule lines on sw26010:\n    split 4\n"
    )
    assert not is_recomputed(asked)
    x = noise("c128", 16, 1280)
    assert error_of(asked(x), np.fft.fft(x)) < 3
