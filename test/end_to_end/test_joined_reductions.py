# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Several reductions of one array, and long ones in blocks, beside NumPy; threads change no bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import weft

TEXT = """
kernel totals[n: size](x: f64[n]) -> (s: f64, q: f64, m: f64, p: f64):
    s = sum(x)
    q = sum(x*x)
    m = max(x)
    p = sum(x[i]*x[n-1-i] for i in 0:n)

kernel rows[n: size, m: size](x: f64[n, m]) -> (s: f64[n], q: f64[n], t: f64[n], v: f64[n]):
    s = sum(x, axis=1)
    q[i] = sum(x[i, j]*x[i, j] for j in 0:m)
    t = max(x, axis=1)
    v[i] = sum((x[i, j] - s[i])**2 for j in 0:m)

kernel columns[n: size, m: size](x: f64[n, m]) -> (s: f64[m], t: f64[m], a: f64, r: f64[n]):
    s = sum(x, axis=0)
    t = min(x, axis=0)
    a = sum(x)
    r = sum(x, axis=1)

program steps[n: size, k: size](x: f64[n]) -> (s: f64[k], t: f64[k], last: f64[n]):
    carry v = x
    for i in 0:k:
        s[i] = sum(v)
        t[i] = max(v*v)
        w[j in 0:n] = 0.5*(v[j] + v[n-1-j]*v[j])
        carry v = w
    last = v
"""


def both(kernel: weft.Kernel, x: np.ndarray) -> Any:
    one, two = kernel(x, threads=1), kernel(x, threads=2)
    for first, second in zip(one, two, strict=True):
        np.testing.assert_array_equal(first, second)
    return one


def close(found: Any, *wanted: Any) -> None:
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-9)


@pytest.mark.parametrize("n", [1, 7, 1000, 131072, 524288 + 77])
def test_totals(target: str, n: int) -> None:
    x = np.random.default_rng(n).standard_normal(n)
    found = both(weft.compile(TEXT, "totals", target, n=n), x)
    close(found, x.sum(), (x * x).sum(), x.max(), (x * x[::-1]).sum())


@pytest.mark.parametrize(("n", "m"), [(1, 1), (5, 7), (40, 1000), (1031, 1021), (3000, 13)])
def test_rows_and_columns(target: str, n: int, m: int) -> None:
    x = np.random.default_rng(n).standard_normal((n, m))
    found = both(weft.compile(TEXT, "rows", target, n=n, m=m), x)
    s = x.sum(1)
    close(found, s, (x * x).sum(1), x.max(1), ((x - s[:, None]) ** 2).sum(1))
    found = both(weft.compile(TEXT, "columns", target, n=n, m=m), x)
    close(found, x.sum(0), x.min(0), x.sum(), x.sum(1))


@pytest.mark.parametrize("n", [50, 300000])
def test_in_steps(target: str, n: int) -> None:
    x = np.random.default_rng(n).uniform(-1, 1, n)
    s, t, last = both(weft.compile(TEXT, "steps", target, n=n, k=4), x)
    for i in range(4):
        close((s[i], t[i]), x.sum(), (x * x).max())
        x = 0.5 * (x + x[::-1] * x)
    close((last,), x)


def test_special_numbers(target: str) -> None:
    """Blocks begin with what changes nothing, of negative numbers as well."""
    x = np.full(1 << 19, -3.0)
    kernel = weft.compile("kernel k(x: f64[524288]) -> (m: f64):\n    m = max(x)\n", target=target)
    assert kernel(x) == -3
    x[400000] = np.nan
    assert np.isnan(kernel(x))
    x[400000] = -np.inf
    assert kernel(x) == -3


@pytest.mark.parametrize("element", ["f32", "f64", "c128"])
@pytest.mark.parametrize("shape", [(5000,), (65536,), (130, 200), (64, 8, 96)])
def test_totals_on_cores(element: str, shape: tuple[int, ...]) -> None:
    kinds = {"f32": np.float32, "f64": np.float64, "c128": np.complex128}
    x = np.random.default_rng(1).standard_normal(shape).astype(kinds[element])
    extents = ", ".join(map(str, shape))
    kernel = weft.compile(
        f"kernel k(x: {element}[{extents}]) -> (s: {element}):\n    s = sum(x)\n", target="sw26010"
    )
    tolerance = 1e-3 if element == "f32" else 1e-10
    np.testing.assert_allclose(kernel(x), x.sum(), rtol=tolerance, atol=tolerance)
    run = kernel.report["run"]
    assert not run["hazards"]
    # The management core alone takes about 15 cycles an element.
    assert run["cycles"] < 50000 + 3 * x.size


def test_largest_integers_on_cores() -> None:
    """A minimum begins with the largest integer, which weft-swcc had no room for in its table."""
    x = np.random.default_rng(2).integers(-1000, 1000, 4096)
    text = "kernel k(x: i64[4096]) -> (y: i64, z: i64):\n    y = min(x)\n    z = max(x)\n"
    assert weft.compile(text, target="sw26010")(x) == (x.min(), x.max())


NESTED = {
    "sum(x, axis=0)": ((13000, 8), lambda x: x.sum(0)),
    "max(x, axis=0)": ((2049, 33), lambda x: x.max(0)),
    "sum(x, axis=1)": ((3, 9000), lambda x: x.sum(1)),
    "sqrt(sum(x*x, axis=0))": ((700, 5, 6), lambda x: np.sqrt((x * x).sum(0))),
    "sum(x, axes=[0, 2])": ((90, 7, 60), lambda x: x.sum((0, 2))),
    "sum(x*conj(x), axis=0)": ((900, 40), lambda x: (x * x.conj()).sum(0)),
}


@pytest.mark.parametrize("element", ["f64", "c128"])
@pytest.mark.parametrize("text", NESTED)
def test_columns_on_cores(text: str, element: str) -> None:
    """The sums of 8 columns of 13000 numbers took 1.7 million cycles: 8 cores, a number a line."""
    shape, wanted = NESTED[text]
    random = np.random.default_rng(3)
    x = random.standard_normal(shape)
    if element == "c128":
        if "max" in text or "sqrt" in text:
            pytest.skip("of real numbers")
        x = x + 1j * random.standard_normal(shape)
    result = wanted(x)
    kernel = weft.compile(
        f"kernel k(x: {element}{list(shape)}) -> (s: {element}{list(result.shape)}):\n"
        f"    s = {text}\n",
        target="sw26010",
    )
    np.testing.assert_allclose(kernel(x), result, rtol=1e-10, atol=1e-9)
    run = kernel.report["run"]
    assert not run["hazards"]
    assert run["cycles"] < 60000 + 2 * x.nbytes / 8


def test_what_columns_become_on_cores() -> None:
    """Two sums of the same columns are one nest; what is computed of them is so once."""
    x = np.random.default_rng(4).standard_normal((3000, 12))
    kernel = weft.compile(
        "kernel k(x: f64[3000, 12]) -> (m: f64[12], v: f64[12]):\n"
        "    m = sum(x, axis=0)/3000\n"
        "    v = sum(x*x, axis=0)/3000 - m*m\n",
        target="sw26010",
    )
    close(kernel(x), x.mean(0), x.var(0))
    assert not kernel.report["run"]["hazards"]


@pytest.mark.parametrize("axis", [0, 1])
def test_rolled_rows_on_cores(axis: int) -> None:
    """Rows that wrap around kept all others apart: 13000 of 8 numbers took 1.4 million cycles."""
    x = np.random.default_rng(5).standard_normal((13000, 8))
    kernel = weft.compile(
        f"kernel k(x: f64[13000, 8]) -> (y: f64[13000, 8]):\n    y = roll(x, 3, axis={axis})\n",
        target="sw26010",
    )
    np.testing.assert_array_equal(kernel(x), np.roll(x, 3, axis))
    run = kernel.report["run"]
    assert not run["hazards"]
    assert run["cycles"] < 250000
