# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lines that are one butterfly each, taken in lanes and turned in registers."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from weft import explanation

ROWS = """
kernel rows[b: size, n: size](x: T[b, n]) -> (y: T[b, n]):
    y = dft(x, axis=1)
"""
CUBE = """
kernel cube[p: size, n: size](x: T[p, n, n]) -> (y: T[p, n, n]):
    y = idft(x, axes=[0, 1, 2])
"""
DTYPES = {"c64": (np.complex64, 1e-6), "c128": (np.complex128, 1e-14)}
# Squares of whole vectors and slabs, coprime factors, twiddles of eighths, large primes.
LENGTHS = {
    "c64": (18, 24, 32, 40, 45, 48, 56, 62, 63, 75, 85),
    "c128": (18, 21, 25, 27, 33, 45, 62),
}


def told(source: str, kernel: str, sizes: dict[str, int]) -> list[str]:
    notes = explanation.explain(source, kernel, "avx512", sizes)["notes"]
    passes = ("factor-transform", "vectorize-complex")
    return [note["what"] for note in notes if note["pass"] in passes]


@pytest.mark.parametrize("target", ["avx512"], indirect=True)
@pytest.mark.parametrize("element", ["c64", "c128"])
def test_lines(target: str, element: str) -> None:
    dtype, tolerance = DTYPES[element]
    source = ROWS.replace("T[", f"{element}[")
    lines = (8, 13, 19)
    sizes = [{"b": b, "n": n} for n in LENGTHS[element] for b in lines]
    for kernel in weft.compile_many([(source, "rows", one) for one in sizes], target=target):
        b, n = kernel.sizes["b"], kernel.sizes["n"]
        random = np.random.default_rng(n)
        x = (random.standard_normal((b, n)) + 1j * random.standard_normal((b, n))).astype(dtype)
        wanted = np.fft.fft(x.astype(np.complex128), axis=1)
        found = kernel(x)
        assert np.linalg.norm(found - wanted) <= tolerance * np.linalg.norm(wanted), (b, n)
    for n in LENGTHS[element]:
        said = told(source, "rows", {"b": 19, "n": n})
        assert f"'y': {n} points in stages of radix {n}" in said
        # Where no pairs are found its operations go number by number, at a quarter of the rate.
        lanes = 64 // np.dtype(dtype).itemsize
        assert f"a loop in vectors of {lanes} complex numbers, parts by turns" in said, n


# The last axis is transformed in the place of the result: lines that are left over of a plane are
# left out of the last vector's loads and stores.
@pytest.mark.parametrize("target", ["avx512"], indirect=True)
@pytest.mark.parametrize(("element", "points"), [("c64", 20), ("c64", 24), ("c128", 21)])
def test_in_place_behind_other_axes(target: str, element: str, points: int) -> None:
    dtype, tolerance = DTYPES[element]
    source = CUBE.replace("T[", f"{element}[")
    kernel = weft.compile(source, target=target, p=3, n=points)
    random = np.random.default_rng(5)
    shape = (3, points, points)
    x = (random.standard_normal(shape) + 1j * random.standard_normal(shape)).astype(dtype)
    wanted = np.fft.ifftn(x.astype(np.complex128))
    found = kernel(x)
    assert np.linalg.norm(found - wanted) <= tolerance * np.linalg.norm(wanted)
    assert f"'y': {points} points in stages of radix {points}" in told(
        source, "cube", {"p": 3, "n": points}
    )


# What comes before a transform, number by number, is computed as its points are read.
@pytest.mark.parametrize("target", ["avx512"], indirect=True)
def test_windowed(target: str) -> None:
    source = """
kernel windowed[b: size, n: size](x: c64[b, n], u: c64[b, n], w: f32[n]) -> (y: c64[b, n]):
    z[i, j] = (x[i, j] + u[i, j]) * w[j]
    y = dft(z, axis=1)
"""
    b, n = 19, 20
    random = np.random.default_rng(7)
    x, u = (
        (random.standard_normal((b, n)) + 1j * random.standard_normal((b, n))).astype(np.complex64)
        for _ in range(2)
    )
    w = random.standard_normal(n).astype(np.float32)
    wanted = np.fft.fft((x + u).astype(np.complex128) * w, axis=1)
    found = weft.compile(source, target=target, b=b, n=n)(x, u, w)
    assert np.linalg.norm(found - wanted) <= 1e-6 * np.linalg.norm(wanted)
    assert f"'y': {n} points in stages of radix {n}" in told(source, "windowed", {"b": b, "n": n})


# A schedule may ask for any of them, along any axis.
@pytest.mark.parametrize("axis", [0, 1])
def test_asked_for(target: str, axis: int) -> None:
    text = f"""kernel k(x: c64[32, 32]) -> (y: c64[32, 32]):
    y = dft(x, axis={axis}, radices=[32])
"""
    x = np.random.default_rng(3).standard_normal((32, 32)).astype(np.complex64)
    wanted = np.fft.fft(x.astype(np.complex128), axis=axis)
    found = weft.compile(text, target=target)(x)
    assert np.linalg.norm(found - wanted) <= 1e-6 * np.linalg.norm(wanted)
