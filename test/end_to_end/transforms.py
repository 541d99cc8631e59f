# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of transforms share: sources, many kernels a compilation, the bound on errors."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable

import numpy as np

import weft

# The relative error of a transform in the L2 norm grows with the number of stages, each of
# which rounds a few times: |error| / |y| <= BOUND * eps * log2(n).
# Convolutions of primes do two transforms more, Bluestein's of twice to four times the length.
BOUND = 1.0
SLOWLY = 4.0  # the bound's factor for lengths with a prime beyond 13
EPSILON = {"c64": np.finfo(np.float32).eps, "c128": np.finfo(np.float64).eps}
DTYPE = {"c64": np.complex64, "c128": np.complex128}
# Lines in a batch: whole vectors and a remainder, of 2 to 16 lanes.
LINES = 19

SOURCE = """
kernel rows[B: size, N: size](x: T[B, N]) -> (f: T[B, N], b: T[B, N]):
    f = dft(x, axis=1)
    b = idft(x, axis=1)

kernel columns[N: size, B: size](x: T[N, B]) -> (f: T[N, B], b: T[N, B]):
    f = dft(x, axis=0)
    b = idft(x, axis=0)

kernel single[N: size](x: T[N]) -> (f: T[N], b: T[N]):
    f = dft(x, axis=0)
    b = idft(x, axis=0)

kernel middle[A: size, N: size, B: size](x: T[A, N, B]) -> (f: T[A, N, B], b: T[A, N, B]):
    f = dft(x, axis=1)
    b = idft(x, axis=1)
"""


def source(element: str) -> str:
    return SOURCE.replace("T[", f"{element}[")


def sizes(layout: str, length: int) -> dict[str, int]:
    extents = {
        "single": {"N": length},
        "rows": {"B": LINES, "N": length},
        "columns": {"N": length, "B": LINES},
        "middle": {"A": 3, "N": length, "B": 5},
    }
    return extents[layout]


def axis(layout: str) -> int:
    return {"single": 0, "rows": 1, "columns": 0, "middle": 1}[layout]


@functools.cache
def compiled(
    target: str, element: str, layout: str, lengths: tuple[int, ...]
) -> dict[int, weft.Kernel]:
    """Kernels for all `lengths`, from one C file."""
    text = source(element)
    requests = [(text, layout, sizes(layout, length)) for length in lengths]
    return dict(zip(lengths, weft.compile_many(requests, target=target), strict=True))


def random_input(seed: int, layout: str, element: str, length: int) -> np.ndarray:
    shape = tuple(sizes(layout, length).values())
    rng = np.random.default_rng(seed)
    values = rng.standard_normal(shape) + 1j * rng.standard_normal(shape)
    return values.astype(DTYPE[element])


def largest_prime(n: int) -> int:
    prime, largest = 2, 1
    while n > 1:
        while n % prime == 0:
            largest, n = prime, n // prime
        prime += 1
    return largest


def tolerance(element: str, length: int) -> float:
    factor = SLOWLY if largest_prime(length) > 13 else BOUND
    return factor * float(EPSILON[element]) * max(math.log2(length), 1.0)


def relative_error(found: np.ndarray, expected: np.ndarray) -> float:
    return float(np.linalg.norm(found - expected) / np.linalg.norm(expected))


def failures(
    target: str, element: str, layout: str, lengths: Iterable[int]
) -> list[tuple[int, str, float, float]]:
    """(length, direction, error, bound) of every transform beyond its bound."""
    wrong = []
    kernels = compiled(target, element, layout, tuple(lengths))
    for length, kernel in kernels.items():
        x = random_input(length, layout, element, length)
        forward, inverse = kernel(x)
        exact = x.astype(np.complex128)
        for direction, found, expected in (
            ("forward", forward, np.fft.fft(exact, axis=axis(layout))),
            ("inverse", inverse, np.fft.ifft(exact, axis=axis(layout))),
        ):
            error, bound = relative_error(found, expected), tolerance(element, length)
            if not error <= bound:
                wrong.append((length, direction, error, bound))
    return wrong
