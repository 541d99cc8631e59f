# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""rfft, irfft and roll against NumPy, every length 1..64 and longer ones, on both targets."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

import weft
from end_to_end.transforms import DTYPE, relative_error, tolerance

REAL = {"c64": ("f32", np.float32), "c128": ("f64", np.float64)}
SOURCE = """
kernel forward[b: size, n: size](x: R[b, n]) -> (y: C[b, n//2+1]):
    y = rfft(x, axis=1)

kernel backward[b: size, n: size](y: C[b, n//2+1]) -> (x: R[b, n]):
    x = irfft(y, n=n, axis=1)
"""
LINES = 9
SHORT = [range(first, first + 16) for first in range(1, 65, 16)]
LONG = [100, 127, 243, 254, 1000, 1024]


def random_input(n: int, shape: tuple[int, ...], dtype: type) -> np.ndarray:
    rng = np.random.default_rng(n)
    values = rng.standard_normal(shape) + 1j * rng.standard_normal(shape)
    return (values if np.issubdtype(dtype, np.complexfloating) else values.real).astype(dtype)


def failures(target: str, element: str, lengths: Iterable[int]) -> list[tuple[int, str, float]]:
    real, dtype = REAL[element]
    text = SOURCE.replace("R[", f"{real}[").replace("C[", f"{element}[")
    requests = [(text, k, {"b": LINES, "n": n}) for n in lengths for k in ("forward", "backward")]
    wrong: list[tuple[int, str, float]] = []
    for kernel in weft.compile_many(requests, target=target):
        n = kernel.sizes["n"]
        if kernel.name == "forward":
            x = random_input(n, (LINES, n), dtype)
            expected = np.fft.rfft(x.astype(np.float64), axis=1)
        else:
            x = random_input(n, (LINES, n // 2 + 1), DTYPE[element])
            expected = np.fft.irfft(x.astype(np.complex128), n, axis=1)
        found = kernel(x)
        assert found.dtype == (DTYPE[element] if kernel.name == "forward" else dtype)
        error = relative_error(found, expected)
        # The split step rounds about as often as one more stage.
        if not error <= 2 * tolerance(element, max(n, 2)):
            wrong.append((n, kernel.name, error))
    return wrong


@pytest.mark.parametrize("lengths", SHORT, ids=lambda lengths: f"{lengths[0]}-{lengths[-1]}")
@pytest.mark.parametrize(
    ("target", "element"),
    [
        ("avx512", "c64"),
        ("avx512", "c128"),
        ("avx2", "c64"),
        ("portable", "c128"),
        # What they share with the others, at night.
        pytest.param("avx2", "c128", marks=pytest.mark.nightly),
        pytest.param("portable", "c64", marks=pytest.mark.nightly),
    ],
    indirect=["target"],
)
def test_every_short_length(target: str, element: str, lengths: range) -> None:
    assert failures(target, element, lengths) == []


@pytest.mark.parametrize("element", ["c64", "c128"])
def test_longer_lengths(target: str, element: str) -> None:
    assert failures(target, element, LONG) == []


@pytest.mark.parametrize("n", [1 << 18, 3 << 17])
def test_tables_of_long_lines_are_short(target: str, n: int) -> None:
    text = (
        f"kernel k(x: f64[{n}]) -> (y: c128[{n // 2 + 1}], z: f64[{n}]):\n"
        f"    y = rfft(x)\n    z = irfft(y, n={n})\n"
    )
    kernel = weft.compile(text, target=target)
    assert len(kernel.asm["c"]) < 2_500_000  # a number for each point would be 8 MB
    x = random_input(n, (n,), np.float64)
    y, z = kernel(x)
    assert relative_error(y, np.fft.rfft(x)) < 1e-15
    assert relative_error(z, x) < 1e-15


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("n", [6, 7])
def test_any_axis_there_and_back(target: str, axis: int, n: int) -> None:
    shape = [4, 5, 3]
    shape[axis] = n
    half = list(shape)
    half[axis] = n // 2 + 1
    text = (
        f"kernel k(x: f64{shape}) -> (y: c128{half}, z: f64{shape}):\n"
        f"    y = rfft(x * 2, axis={axis})\n    z = irfft(y / 2, n={n}, axis={axis})\n"
    )
    x = np.random.default_rng(axis).standard_normal(shape)
    y, z = weft.compile(text, target=target)(x)
    assert relative_error(y, np.fft.rfft(2 * x, axis=axis)) < 1e-15
    assert relative_error(z, x) < 1e-15


@pytest.mark.parametrize("n", [1, 8, 9])
def test_longer_and_shorter_spectra(target: str, n: int) -> None:
    for m in (n // 2 + 3, max(1, n // 2)):
        text = f"kernel k(y: c128[{m}]) -> (x: f64[{n}]):\n    x = irfft(y, n={n})\n"
        y = random_input(n, (m,), np.complex128)
        assert relative_error(weft.compile(text, target=target)(y), np.fft.irfft(y, n)) < 1e-15


@pytest.mark.parametrize("n", [8, 9])
@pytest.mark.parametrize(("norm", "numpy"), [("ortho", "ortho"), ("inverse", "forward")])
def test_norms(target: str, n: int, norm: str, numpy: str) -> None:
    text = (
        f"kernel k(x: f64[{n}]) -> (y: c128[{n // 2 + 1}], z: f64[{n}]):\n"
        f"    y = rfft(x, norm={norm})\n"
        f"    z = irfft(y, n={n}, norm={'ortho' if norm == 'ortho' else 'none'})\n"
    )
    x = random_input(n, (n,), np.float64)
    y, z = weft.compile(text, target=target)(x)
    assert relative_error(y, np.fft.rfft(x, norm=numpy)) < 1e-15
    assert relative_error(z, x) < 1e-15


def test_length_not_given_is_even(target: str) -> None:
    text = "kernel k(y: c128[5]) -> (x: f64[8]):\n    x = irfft(y)\n"
    y = np.array([1 + 9j, 2 - 1j, 3j, -1, 4 + 7j])
    # The imaginary parts at both ends are ignored.
    assert relative_error(weft.compile(text, target=target)(y), np.fft.irfft(y)) < 1e-15


ROLLS = {
    "line": ("f64[7]", "roll(x, 3)", lambda x: np.roll(x, 3)),
    "back": ("f64[7]", "roll(x, -2)", lambda x: np.roll(x, -2)),
    "all_round": ("f64[7]", "roll(x, 7)", lambda x: x),
    "far": ("i64[7]", "roll(x, 100)", lambda x: np.roll(x, 100)),
    "axis": ("c64[4, 6]", "roll(x, 1, axis=0)", lambda x: np.roll(x, 1, axis=0)),
    "last": ("f32[4, 6]", "roll(x, 2, axis=-1)", lambda x: np.roll(x, 2, axis=-1)),
    "axes": (
        "f64[4, 6, 3]",
        "roll(x, [1, -2], axes=[2, 0])",
        lambda x: np.roll(x, (1, -2), axis=(2, 0)),
    ),
    "one_shift": ("f64[4, 6]", "roll(x, 1, axes=[0, 1])", lambda x: np.roll(x, 1, axis=(0, 1))),
    "flat": ("f64[4, 6]", "roll(x, 5)", lambda x: np.roll(x, 5)),
    "twice": ("f64[7]", "roll(roll(x, 3), 2)", lambda x: np.roll(x, 5)),
    "in_work": ("f64[7]", "2*x - roll(x, 1) - roll(x, -1)", None),
    "of_a_part": ("f64[7]", "roll(x[1:7], 2)[1:4]", lambda x: np.roll(x[1:7], 2)[1:4]),
    "reversed_index": (
        "f64[7]",
        "roll(roll(x, 2)[0:5], 1)",
        lambda x: np.roll(np.roll(x, 2)[:5], 1),
    ),
}


@pytest.mark.parametrize("name", ROLLS)
def test_roll(target: str, name: str) -> None:
    kind, expression, numpy = ROLLS[name]
    if numpy is None:
        numpy = lambda x: 2 * x - np.roll(x, 1) - np.roll(x, -1)  # noqa: E731
    element, _, dims = kind.partition("[")
    shape = tuple(map(int, dims.rstrip("]").split(",")))
    dtype = {"f64": "f8", "f32": "f4", "c64": "c8", "i64": "i8"}[element]
    x = (np.random.default_rng(1).standard_normal(shape) * 50).astype(dtype)
    expected = numpy(x)
    result = f"{element}{list(expected.shape)}"
    text = f"kernel k(x: {kind}) -> (y: {result}):\n    y = {expression}\n"
    found = weft.compile(text, target=target)(x)
    assert np.allclose(found, expected, rtol=1e-14, atol=1e-13)
