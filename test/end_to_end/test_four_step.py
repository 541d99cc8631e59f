# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Long lines as columns and lines of a matrix: on every target, alone, in batches, with work before
and behind them."""

from __future__ import annotations

import numpy as np
import pytest

import weft

SOURCE = """
kernel line[n: size](x: T[n]) -> (y: T[n]):
    y = dft(x, axis=0)

kernel lines[b: size, n: size](x: T[b, n]) -> (y: T[b, n]):
    y = dft(x, axis=1)

kernel filtered[n: size](x: T[n], h: T[n]) -> (y: T[n]):
    y = idft(dft(2 * x, axis=0) * h, axis=0)

kernel sheet[b: size, n: size](x: T[b, n]) -> (y: T[b, n]):
    y = dft(x, axes=[0, 1])

kernel real_line[n: size](x: f64[n]) -> (y: c128[n // 2 + 1]):
    y = rfft(x, axis=0)
"""
TYPES = {"c64": np.complex64, "c128": np.complex128}


def compiled(name: str, element: str, target: str, **sizes: int) -> weft.Kernel:
    source = SOURCE.replace("T[", f"{element}[")
    kernel = weft.compile(source, name, target, **sizes)
    decided = kernel.ir["after:four-step"]
    assert "weft.transpose" in decided  # else the test would be of stages
    return kernel


def numbers(dtype: type, *shape: int, seed: int = 3) -> np.ndarray:
    parts = np.random.default_rng(seed).standard_normal((*shape, 2))
    return (parts @ [1, 1j]).astype(dtype)


def check(got: np.ndarray, wanted: np.ndarray) -> None:
    bound = 6 * np.finfo(got.dtype).eps * np.linalg.norm(wanted)
    assert np.linalg.norm(got - wanted) <= bound


# A square and others, with factors of 3, 7, 13 and 17; a line of c64 that all targets take so.
@pytest.mark.parametrize(
    ("element", "n"), [("c128", 16384), ("c128", 46592), ("c128", 34816), ("c64", 1179648)]
)
def test_a_line(target: str, element: str, n: int) -> None:
    kernel = compiled("line", element, target, n=n)
    x = numbers(TYPES[element], n)
    wanted = np.fft.fft(x.astype(np.complex128))
    check(kernel(x, threads=1), wanted)
    kernel(x, out=x, threads=2)  # in place
    check(x, wanted)


def test_batches(target: str) -> None:
    x = numbers(np.complex128, 9, 65536)
    check(compiled("lines", "c128", target, b=9, n=65536)(x, threads=2), np.fft.fft(x))


def test_work_before_and_behind(target: str) -> None:
    n = 22528
    x, h = numbers(np.complex128, n), numbers(np.complex128, n, seed=4)
    wanted = np.fft.ifft(np.fft.fft(2 * x) * h)
    check(compiled("filtered", "c128", target, n=n)(x, h), wanted)


def test_the_long_one_of_two_axes(target: str) -> None:
    x = numbers(np.complex128, 6, 16384)
    check(compiled("sheet", "c128", target, b=6, n=16384)(x), np.fft.fft2(x))


def test_real_lines(target: str) -> None:
    x = np.random.default_rng(5).standard_normal(65536)
    check(compiled("real_line", "c128", target, n=65536)(x), np.fft.rfft(x))


def test_radices_that_are_given_are_kept(target: str) -> None:
    source = SOURCE.replace("T[", "c128[").replace("axis=0)", "axis=0, radices=[16, 16, 8, 8])", 1)
    kernel = weft.compile(source, "line", target, n=16384)
    assert "weft.transpose" not in kernel.ir["after:four-step"]
    x = numbers(np.complex128, 16384)
    check(kernel(x), np.fft.fft(x))
