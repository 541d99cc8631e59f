# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reductions of rows to a number, and functions of many numbers: the cores have all of it. Fewer
rows than cores, and those that no 64 blocks have, were left to the management core; functions went
to few cores, for longer runs in memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import weft

SUMS = """
kernel sums[n: size, m: size](x: f64[n, m]) -> (s: f64, most: f64, q: f64):
    s = sum(x)
    most = max(abs(x))
    q = sum(x[i, j]*x[i, j] for i in 1:n, j in 1:m)

kernel across[n: size, m: size](x: f64[n, m]) -> (s: f64, some: f64):
    s = sum(x[i, j] for j in 0:m, i in 0:n)
    some = sum(x[::2, 1::3])

kernel solid[n: size, m: size](x: c64[3, n, m]) -> (s: c64, least: f32):
    s = sum(x)
    least = min(real(x[a, i, j])*a for a in 0:3, i in 0:n, j in 0:m)

kernel logs[n: size](x: f64[n]) -> (s: f64):
    s = sum(log(x[i]) for i in 0:n)
"""
FUNCTIONS = """
kernel powers[n: size](x: f32[n, 129]) -> (y: f32[n, 129]):
    y = log(x*x + 1)

kernel turned[n: size](x: c128[n], v: f64[n]) -> (y: c128[n]):
    y = x*exp(-0.5j*(v + abs2(x)))

kernel counted[n: size](x: i32[n, 48]) -> (y: i32[n, 48]):
    y = roll(x, 1, axis=0)*x % 1000 + roll(x, -1, axis=0)
"""


def counters(kernel: weft.Kernel) -> dict[str, Any]:
    return dict(kernel.report["run"]["counters"])


@pytest.mark.parametrize(
    ("n", "m"), [(2, 8001), (10, 3001), (33, 400), (60, 1000), (65, 130), (100, 120), (127, 64)]
)
def test_rows_to_a_number(n: int, m: int) -> None:
    x = np.random.default_rng(n).standard_normal((n, m))
    kernel = weft.compile(SUMS, "sums", "sw26010", n=n, m=m)
    s, most, q = kernel(x)
    np.testing.assert_allclose(s, x.sum(), atol=1e-11)
    assert most == np.abs(x).max()
    np.testing.assert_allclose(q, (x[1:, 1:] ** 2).sum(), rtol=1e-12)
    # Of 60 rows of 1000 it did 1.2 million.
    assert counters(kernel)["host_scheduled"] < 40_000


@pytest.mark.parametrize(("n", "m"), [(120, 300), (37, 401)])
def test_what_is_not_contiguous(n: int, m: int) -> None:
    x = np.random.default_rng(n).standard_normal((n, m))
    kernel = weft.compile(SUMS, "across", "sw26010", n=n, m=m)
    s, some = kernel(x)
    np.testing.assert_allclose((s, some), (x.sum(), x[::2, 1::3].sum()), atol=1e-11)
    # Of 120x300 it did 300 thousand.
    assert counters(kernel)["host_scheduled"] < 40_000


@pytest.mark.parametrize(("n", "m"), [(21, 45), (50, 80)])
def test_planes_to_a_number(n: int, m: int) -> None:
    random = np.random.default_rng(m)
    x = (random.standard_normal((3, n, m)) + 1j * random.standard_normal((3, n, m))).astype("c8")
    s, least = weft.compile(SUMS, "solid", "sw26010", n=n, m=m)(x)
    np.testing.assert_allclose(s, x.sum(), atol=1e-3)
    expected = (x.real * np.arange(3, dtype=np.float32)[:, None, None]).min()
    np.testing.assert_allclose(least, expected, rtol=1e-6)


@pytest.mark.parametrize("n", [1000, 2047, 9001])
def test_numbers_to_a_number(n: int) -> None:
    x = np.random.default_rng(n).uniform(0.5, 2, n)
    kernel = weft.compile(SUMS, "logs", "sw26010", n=n)
    np.testing.assert_allclose(kernel(x), np.log(x).sum(), rtol=1e-11, atol=1e-11)
    # Of 2047 it had 511 logarithms: 68 thousand.
    assert counters(kernel)["host_scheduled"] < 30_000


def test_functions_by_all_cores() -> None:
    random = np.random.default_rng(0)
    x = random.standard_normal((59, 129)).astype(np.float32)
    kernel = weft.compile(FUNCTIONS, "powers", "sw26010", n=59)
    np.testing.assert_allclose(kernel(x), np.log(x * x + 1), rtol=1e-5, atol=1e-6)
    # 14 cores had tiles of 4 rows: 116 thousand.
    assert kernel.report["run"]["kernel_seconds"] * 1.45e9 < 70_000
    z = random.standard_normal(512) + 1j * random.standard_normal(512)
    v = random.standard_normal(512)
    kernel = weft.compile(FUNCTIONS, "turned", "sw26010", n=512)
    np.testing.assert_allclose(kernel(z, v), z * np.exp(-0.5j * (v + np.abs(z) ** 2)), atol=1e-13)
    assert kernel.report["run"]["kernel_seconds"] * 1.45e9 < 50_000


@pytest.mark.parametrize("n", [48, 61])
def test_integers_by_all_cores(n: int) -> None:
    x = np.random.default_rng(n).integers(-99, 99, (n, 48)).astype(np.int32)
    kernel = weft.compile(FUNCTIONS, "counted", "sw26010", n=n)
    expected = np.roll(x, 1, 0) * x % 1000 + np.roll(x, -1, 0)
    np.testing.assert_array_equal(kernel(x), expected)
