# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Results on the core group that lie in the memory of what they are made of, or may not."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import weft
from weft import explanation

TARGET = "sw26010"
SOURCE = """\
kernel lines[b: size, n: size](x: T[b, n]) -> (y: T[b, n]):
    y = dft(x, axis=1)

kernel both[b: size, n: size](x: T[b, n]) -> (y: T[b, n], z: T[b, n]):
    y = dft(x, axis=1)
    z = dft(2 * x, axis=1, sign=+1)

kernel scaled[n: size](x: f64[n], a: f64) -> (y: f64[n]):
    y = a * x

kernel turned[b: size, n: size](x: f64[b, n]) -> (y: f64[b, n]):
    for i in 0:b, j in 0:n:
        y[i, j] = x[i, n - 1 - j] + x[i, j]

kernel beside[b: size, n: size](x: c128[b+1, n]) -> (y: c128[b, n]):
    y = dft(x[0:b] + x[1:b+1], axis=1)

kernel upside[b: size, n: size](x: c128[b, n]) -> (y: c128[b, n]):
    t = dft(x, axis=1)
    for i in 0:b, j in 0:n:
        y[i, j] = t[b - 1 - i, j]

kernel less_mean[b: size, n: size](x: f64[b, n]) -> (y: f64[b, n]):
    s[i] = sum(x[i, j] for j in 0:n)
    y[i, j] = x[i, j] - s[i] / n
"""
DTYPES = {"c128": np.complex128, "c64": np.complex64}
ERRORS = {"c128": 1e-14, "c64": 2e-6}


def compiled(kernel: str, element: str = "c128", **sizes: int) -> Any:
    return weft.compile(SOURCE.replace("T[", f"{element}["), kernel, TARGET, **sizes)


def noise(element: str, *shape: int) -> np.ndarray:
    random = np.random.default_rng(17)
    x = random.standard_normal(shape) + 1j * random.standard_normal(shape)
    return x.astype(DTYPES[element])


def in_place(kernel: Any) -> bool:
    """Whether an array of a core is got and put."""
    text = kernel.ir["after:insert-transfers"]
    got = set(re.findall(r"cpe\.dma_get \S+\[[^]]*\], (%\w+)", text))
    return bool(got & set(re.findall(r"cpe\.dma_put (%\w+)", text)))


def check(kernel: Any, found: np.ndarray, wanted: np.ndarray, error: float) -> None:
    assert np.linalg.norm(found - wanted) <= error * np.linalg.norm(wanted)
    assert kernel.report["run"]["hazards"] == []


# One piece a core, which comes at once; several, in parts; of three stages; with lines and cores
# left over; with lines of an odd number of elements.
@pytest.mark.parametrize(
    ("element", "lines", "n"),
    [
        ("c128", 512, 256),
        ("c128", 300, 512),
        ("c128", 1000, 320),
        ("c64", 512, 512),
        ("c64", 515, 1024),
        ("c64", 200, 1536),
        ("c64", 700, 675),
    ],
)
def test_lines(element: str, lines: int, n: int) -> None:
    x = noise(element, lines, n)
    kernel = compiled("lines", element, b=lines, n=n)
    check(kernel, kernel(x), np.fft.fft(x.astype(np.complex128), axis=1), ERRORS[element])
    assert in_place(kernel)
    # Again into what is the input for NumPy: this goes through an array of its own.
    wanted = np.fft.fft(x.astype(np.complex128), axis=1)
    kernel(x, out=x)
    check(kernel, x, wanted, ERRORS[element])


def test_lines_make_one_piece_a_core() -> None:
    kernel = compiled("lines", b=512, n=256)
    kernel(noise("c128", 512, 256))
    assert kernel.report["run"]["counters"]["dma_puts"] == 64


def test_an_input_of_two_transforms_lends_its_memory_once() -> None:
    x = noise("c128", 512, 256)
    kernel = compiled("both", b=512, n=256)
    forward, back = kernel(x)
    check(kernel, forward, np.fft.fft(x, axis=1), 1e-14)
    check(kernel, back, 512 * np.fft.ifft(x, axis=1), 1e-14)


def test_element_by_element() -> None:
    x = np.random.default_rng(3).standard_normal(1 << 18)
    kernel = compiled("scaled", n=1 << 18)
    check(kernel, kernel(x, np.float64(3)), 3 * x, 1e-15)
    assert in_place(kernel)


def test_lines_read_backwards_keep_their_memory() -> None:
    x = np.random.default_rng(4).standard_normal((512, 512))
    kernel = compiled("turned", b=512, n=512)
    check(kernel, kernel(x), x[:, ::-1] + x, 1e-15)
    assert not in_place(kernel)


def test_lines_that_read_the_next_line_keep_their_memory() -> None:
    x = noise("c128", 513, 256)
    kernel = compiled("beside", b=512, n=256)
    check(kernel, kernel(x), np.fft.fft(x[:-1] + x[1:], axis=1), 1e-14)
    assert not in_place(kernel)


def test_lines_in_another_order() -> None:
    x = noise("c128", 512, 256)
    kernel = compiled("upside", b=512, n=256)
    check(kernel, kernel(x), np.fft.fft(x, axis=1)[::-1], 1e-14)


def test_lines_that_are_read_twice() -> None:
    x = np.random.default_rng(5).standard_normal((512, 512))
    kernel = compiled("less_mean", b=512, n=512)
    check(kernel, kernel(x), x - x.mean(axis=1, keepdims=True), 1e-14)


def test_it_is_told() -> None:
    text = SOURCE.replace("T[", "c128[")
    notes = explanation.explain(text, "lines", TARGET, {"b": 512, "n": 256})["notes"]
    assert any("'y' lies where 'x' lies" in str(note) for note in notes)
