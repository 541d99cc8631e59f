# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The laws of transforms in both precisions, along rows and columns, of views and in place."""

from __future__ import annotations

import functools

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import weft

SOURCE = """
kernel rows[b: size, n: size](x: T[b, n]) -> (y: T[b, n]):
    y = dft(x, axis=1)

kernel columns[b: size, n: size](x: T[n, b]) -> (y: T[n, b]):
    y = dft(x, axis=0)

kernel rows_back[b: size, n: size](x: T[b, n]) -> (y: T[b, n]):
    y = idft(x, axis=1)

kernel columns_back[b: size, n: size](x: T[n, b]) -> (y: T[n, b]):
    y = idft(x, axis=0)
"""
DTYPES = {"c64": np.complex64, "c128": np.complex128}
# A power of two, other codelets, and a convolution in a product.
LENGTHS = (1, 32, 45, 74)
LINES = 19  # whole vectors and a rest

Kernels = dict[tuple[str, str, int], weft.Kernel]


@functools.cache
def kernels(target: str) -> Kernels:
    found: Kernels = {}
    for element in DTYPES:
        text = SOURCE.replace("T[", f"{element}[")
        keys = [
            (name, element, n)
            for name in ("rows", "columns", "rows_back", "columns_back")
            for n in LENGTHS
        ]
        requests = [(text, name, {"b": LINES, "n": n}) for name, _, n in keys]
        found |= dict(zip(keys, weft.compile_many(requests, target=target), strict=True))
    return found


def values(seed: int, shape: tuple[int, ...], element: str) -> np.ndarray:
    random = np.random.default_rng(seed)
    numbers = random.standard_normal(shape) + 1j * random.standard_normal(shape)
    return numbers.astype(DTYPES[element])


def shape_of(layout: str, n: int) -> tuple[int, int]:
    return (LINES, n) if layout == "rows" else (n, LINES)


def close(found: np.ndarray, expected: np.ndarray, element: str, n: int) -> bool:
    bound = 12 * np.finfo(DTYPES[element]).eps * max(np.log2(n), 1)
    return bool(np.linalg.norm(found - expected) <= bound * np.linalg.norm(expected))


seeds = st.integers(0, 2**32 - 1)
lengths = st.sampled_from(LENGTHS)
layouts = st.sampled_from(["rows", "columns"])
elements = st.sampled_from(sorted(DTYPES))
law = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@law
@given(seed=seeds, n=lengths, layout=layouts, element=elements)
def test_views_and_arrays_in_place_give_the_same(
    target: str, seed: int, n: int, layout: str, element: str
) -> None:
    dft = kernels(target)[layout, element, n]
    shape = shape_of(layout, n)
    wide = values(seed, (2 * shape[0], 3 * shape[1]), element)
    view = wide[::2, 1::3]
    x = np.ascontiguousarray(view)
    expected = dft(x)
    before = wide.copy()
    assert np.array_equal(dft(view), expected)
    assert np.array_equal(wide, before)
    assert np.array_equal(dft(np.asfortranarray(x)), expected)
    assert np.array_equal(dft(np.ascontiguousarray(x[::-1])[::-1]), expected)
    into = np.full(shape, np.nan, x.dtype)
    assert dft(x, out=into) is into
    assert np.array_equal(into, expected)
    assert dft(x, out=x) is x
    assert np.array_equal(x, expected)


@law
@given(seed=seeds, n=lengths, layout=layouts, element=elements)
def test_there_and_back(target: str, seed: int, n: int, layout: str, element: str) -> None:
    x = values(seed, shape_of(layout, n), element)
    y = kernels(target)[layout, element, n](x)
    assert close(kernels(target)[layout + "_back", element, n](y), x, element, n)
    energy = [float(np.sum(np.abs(a.astype(np.complex128)) ** 2)) for a in (x, y)]
    assert np.isclose(energy[1] / n, energy[0], rtol=1e-5 if element == "c64" else 1e-13)


@law
@given(seed=seeds, n=lengths, element=elements, a=st.complex_numbers(max_magnitude=10))
def test_columns_are_rows_and_linear(
    target: str, seed: int, n: int, element: str, a: complex
) -> None:
    rows, columns = (kernels(target)[layout, element, n] for layout in ("rows", "columns"))
    x, y = values(seed, (LINES, n), element), values(seed + 1, (LINES, n), element)
    both = (DTYPES[element](a) * x + y).astype(x.dtype)
    expected = DTYPES[element](a) * rows(x) + rows(y)
    assert close(columns(np.ascontiguousarray(both.T)).T, expected, element, n)


@law
@given(seed=seeds, n=lengths, layout=layouts, element=elements)
def test_conjugates_are_mirrored(target: str, seed: int, n: int, layout: str, element: str) -> None:
    dft = kernels(target)[layout, element, n]
    axis = 1 if layout == "rows" else 0
    x = values(seed, shape_of(layout, n), element)
    mirrored = np.roll(np.flip(np.conj(dft(x)), axis), 1, axis)
    assert close(dft(np.conj(x)), mirrored, element, n)
    # Real input: the spectrum is its own mirror image.
    real = dft(x.real.astype(x.dtype))
    assert close(np.roll(np.flip(np.conj(real), axis), 1, axis), real, element, n)


@law
@given(n=lengths, layout=layouts, element=elements, line=st.integers(0, LINES - 1))
def test_what_is_no_number_stays_in_its_line(
    target: str, n: int, layout: str, element: str, line: int
) -> None:
    x = values(n, shape_of(layout, n), element)
    clean = kernels(target)[layout, element, n](x)
    one = (line, n // 2) if layout == "rows" else (n // 2, line)
    x[one] = np.nan
    found = kernels(target)[layout, element, n](x)
    axis = 1 if layout == "rows" else 0
    assert np.all(np.isnan(np.take(found, line, 1 - axis)))
    others = [i for i in range(LINES) if i != line]
    assert np.array_equal(np.take(found, others, 1 - axis), np.take(clean, others, 1 - axis))
