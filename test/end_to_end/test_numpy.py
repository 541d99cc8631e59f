# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every construct of the language, compiled on both targets and interpreted, equals NumPy."""

from __future__ import annotations

import zlib
from functools import cache

import numpy as np
import pytest

import weft
from end_to_end.cases import Case, element_cases, tensor_cases
from end_to_end.notation import convolution_cases, notation_cases, text_cases

CASES = element_cases() | tensor_cases() | notation_cases() | convolution_cases() | text_cases()


@cache
def compiled(target: str) -> dict[str, weft.Kernel]:
    """All of them in one C file: one run of the C compiler."""
    requests = [(case.source, "k", case.sizes) for case in CASES.values()]
    return dict(zip(CASES, weft.compile_many(requests, target), strict=True))


def some(rng: np.random.Generator, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    if dtype.kind == "b":
        return rng.random(shape) < 0.5
    if dtype.kind == "i":  # no zeros: some are divisors
        return (rng.integers(1, 10, shape) * rng.choice([-1, 1], shape)).astype(dtype)
    values = rng.standard_normal(shape)
    if dtype.kind == "c":
        values = values + 1j * rng.standard_normal(shape)
    return np.asarray(values).astype(dtype)


def check(kernel: weft.Kernel, case: Case, name: str) -> None:
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    inputs = [some(rng, p.shape, np.dtype(p.dtype)) for p in kernel.inputs]
    results = kernel(*inputs)
    results = results if isinstance(results, tuple) else (results,)
    with np.errstate(all="ignore"):
        wanted = case.numpy(*[a if a.shape else a[()] for a in inputs])
    wanted = wanted if isinstance(wanted, tuple) else (wanted,)
    for parameter, result, other in zip(kernel.outputs, results, wanted, strict=True):
        found, expected = np.asarray(result), np.asarray(other)
        assert (found.dtype, found.shape) == (np.dtype(parameter.dtype), expected.shape)
        if found.dtype.kind in "bi":
            np.testing.assert_array_equal(found, expected)
        else:
            near = 100 * np.finfo(found.dtype).eps * max(1.0, np.abs(expected).max())
            np.testing.assert_allclose(found, expected, rtol=0, atol=near)


@pytest.mark.parametrize("name", CASES)
def test_compiled(target: str, name: str) -> None:
    check(compiled(target)[name], CASES[name], name)


@pytest.mark.parametrize("name", CASES)
def test_interpreted(name: str) -> None:
    case = CASES[name]
    check(weft.compile(case.source, "k", mode="interpret", **case.sizes), case, name)
