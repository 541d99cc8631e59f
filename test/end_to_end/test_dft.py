# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every length 1..64 and lengths of every kind up to 4096, against NumPy, on the CPU targets."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import weft
from end_to_end import transforms

ELEMENTS = ["c64", "c128"]
LAYOUTS = ["single", "rows", "columns"]
SHORT = [range(first, first + 16) for first in range(1, 65, 16)]
# Powers of two, other smooth numbers, squares of primes, primes, and products with large primes.
LONG = [
    [128, 256, 512, 1024, 2048, 4096],
    [81, 96, 100, 120, 125, 243, 343, 360, 480, 625, 1000, 1920],
    [65, 91, 121, 143, 169, 1001, 2197],
    [67, 97, 127, 257, 509, 1021],
    [74, 85, 119, 289, 323, 578, 1022, 4094],
]

# The target with the most code of its own in nearly all its forms; of the others, which share it,
# a few, with every second length, and the rest at night.
DAILY = {
    "avx512": [*itertools.product(ELEMENTS, ["rows", "columns"]), ("c128", "single")],
    "avx2": [("c64", "rows"), ("c128", "columns")],
    "portable": [("c128", "rows")],
}


def forms(elements: list[str], layouts: list[str]) -> list[Any]:
    """Targets, elements and layouts, those that are not daily marked so."""
    found = []
    for target, daily in DAILY.items():
        for form in itertools.product(elements, layouts):
            marks = [] if form in daily else [pytest.mark.nightly]
            found.append(pytest.param(target, *form, marks=marks))
    return found


def daily(lengths: Sequence[int], form: tuple[str, str, str], config: pytest.Config) -> list[int]:
    """Of all lengths those that a form has by day, which begin with the first or the second."""
    if config.getoption("--nightly") or (form[0] == "avx512" and form[2] != "single"):
        return list(lengths)
    return list(lengths)[form[1] == "c64" :: 2]


@pytest.mark.parametrize("lengths", SHORT, ids=lambda lengths: f"{lengths[0]}-{lengths[-1]}")
@pytest.mark.parametrize(
    ("target", "element", "layout"), forms(ELEMENTS, LAYOUTS), indirect=["target"]
)
def test_every_short_length(
    target: str, element: str, layout: str, lengths: range, pytestconfig: pytest.Config
) -> None:
    chosen = daily(lengths, (target, element, layout), pytestconfig)
    assert transforms.failures(target, element, layout, chosen) == []


@pytest.mark.parametrize("lengths", LONG, ids=["powers", "smooth", "odd", "primes", "mixed"])
@pytest.mark.parametrize(
    ("target", "element", "layout"),
    [*forms(["c128"], ["rows"]), *forms(["c64"], ["columns"])],
    indirect=["target"],
)
def test_sampled_long_lengths(
    target: str, element: str, layout: str, lengths: list[int], pytestconfig: pytest.Config
) -> None:
    chosen = daily(lengths, (target, element, layout), pytestconfig)
    assert transforms.failures(target, element, layout, chosen) == []


@pytest.mark.parametrize("element", ELEMENTS)
def test_axis_in_the_middle(target: str, element: str) -> None:
    assert transforms.failures(target, element, "middle", [4, 12, 17, 60, 64]) == []


def test_single_long_lines(target: str) -> None:
    assert transforms.failures(target, "c128", "single", [127, 1000, 4096]) == []


@pytest.mark.nightly
@pytest.mark.parametrize("layout", ["single", "rows", "columns"])
@pytest.mark.parametrize("first", range(65, 1025, 32))
def test_every_length_to_1024(target: str, layout: str, first: int) -> None:
    assert transforms.failures(target, "c128", layout, range(first, first + 32)) == []


def test_three_axes_in_order(target: str) -> None:
    text = """
kernel cube[A: size, B: size, C: size](x: c128[A, B, C]) -> (y: c128[A, B, C]):
    y = dft(x, axes=[2, 1, 0], sign=+1)
"""
    x = transforms.random_input(1, "middle", "c128", 24)[:, :, :4].copy()
    cube = weft.compile(text, target=target, A=3, B=24, C=4)
    expected = np.fft.ifftn(x) * x.size
    assert transforms.relative_error(cube(x), expected) < 1e-15 * 10


@pytest.mark.parametrize("target", ["avx512", "avx2"], indirect=True)
def test_few_columns(target: str) -> None:
    """Fewer than a vector holds: its other lanes are left out, and what lies there stays."""
    random = np.random.default_rng(3)
    for element, dtype in (("c64", np.complex64), ("c128", np.complex128)):
        for columns in range(2, 8):
            text = (
                f"kernel k(x: {element}[24, {columns}]) -> (y: {element}[24, {columns}]):\n"
                "    y = dft(x, axis=0)\n"
            )
            values = random.standard_normal((24, columns, 2)).view(np.complex128)[..., 0]
            # What lies in front of the result and behind it is looked at.
            x = np.ascontiguousarray(values.astype(dtype))
            y = np.full(24 * columns + 16, 7, dtype)
            result = y[8:-8].reshape(24, columns)
            kernel = weft.compile(text, target=target)
            kernel(x, out=result)
            wanted = np.fft.fft(values, axis=0)
            tolerance = 1e-5 if element == "c64" else 1e-13
            assert abs(result - wanted).max() < tolerance * 24
            assert (y[:8] == 7).all()
            assert (y[-8:] == 7).all()
            # Lanes that are left out move nothing.
            passes = {one["name"]: one for one in kernel.report["arrays"]}
            assert passes["x"]["read"] == x.nbytes
            assert passes["y"]["written"] == x.nbytes


def test_given_radices(target: str) -> None:
    text = """
kernel chosen[N: size](x: c128[N, 8]) -> (y: c128[N, 8]):
    y = dft(x, axis=0, radices=[2, 16, 3])
"""
    x = transforms.random_input(2, "columns", "c128", 96)[:, :8].copy()
    found = weft.compile(text, target=target, N=96)(x)
    assert transforms.relative_error(found, np.fft.fft(x, axis=0)) < 1e-15 * 10


def test_four_step_is_a_transform(target: str) -> None:
    text = """
kernel four_step[R: size, C: size](x: c128[R, C]) -> (y: c128[C, R]):
    a = dft(x, axis=0)
    b = a * twiddle(R, C)
    y = transpose(dft(b, axis=1))
"""
    rng = np.random.default_rng(3)
    x = rng.standard_normal((24, 40)) + 1j * rng.standard_normal((24, 40))
    y = weft.compile(text, target=target, R=24, C=40)(x)
    assert transforms.relative_error(y.ravel(), np.fft.fft(x.ravel())) < 1e-15 * 12


@pytest.mark.parametrize("form", ["y = dft(x)", "y = idft(x, norm=ortho)"])
def test_length_with_a_prime_too_large_for_tables(form: str) -> None:
    n = 131101
    source = f"kernel f[n: size](x: c128[n]) -> (y: c128[n]):\n    {form}\n"
    kernel = weft.compile(source, n=n)
    rng = np.random.default_rng(n)
    x = rng.normal(size=n) + 1j * rng.normal(size=n)
    expected = np.fft.fft(x) if form == "y = dft(x)" else np.fft.ifft(x, norm="ortho")
    error = np.linalg.norm(kernel(x) - expected) / np.linalg.norm(expected)
    assert error < 4e-15
    assert len(kernel.asm["c"]) < 8_000_000
