# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sums and extremes of fields that stay with the cores, and numbers that a loop carries."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from end_to_end.fields import laplace, rolls, run

rng = np.random.default_rng(7)


def test_conjugate_gradients_carry_numbers() -> None:
    b = rng.standard_normal((64, 64))
    x, rest = run(
        "program cg(b: f64[64, 64]) -> (y: f64[64, 64], rest: f64):\n"
        "    carry x = 0.0*b\n"
        "    carry r = b\n"
        "    carry p = b\n"
        "    carry rr = sum(b*b)\n"
        "    for t in 0:45:\n"
        f"        ap = 0.5*p - {rolls(2, 'p')}\n"
        "        alpha = rr/sum(p*ap)\n"
        "        carry x = x + alpha*p\n"
        "        rn = r - alpha*ap\n"
        "        new = sum(rn*rn)\n"
        "        carry p = rn + (new/rr)*p\n"
        "        carry r = rn\n"
        "        carry rr = new\n"
        "    y = x\n"
        "    rest = rr\n",
        b,
    )
    np.testing.assert_allclose(0.5 * x - laplace(x), b, rtol=0, atol=1e-6)
    assert 0 <= rest < 1e-10


@pytest.mark.parametrize("element", ["f64", "f32"])
@pytest.mark.parametrize(("word", "numpy"), [("sum", np.sum), ("max", np.max), ("min", np.min)])
def test_over_all_rows(
    word: str, numpy: Callable[[np.ndarray[Any, Any]], float], element: str
) -> None:
    x = rng.standard_normal((60, 20)).astype("f8" if element == "f64" else "f4")
    y, s = run(
        f"program f(x: {element}[60, 20]) -> (y: {element}[60, 20], s: {element}[8]):\n"
        "    carry u = x\n"
        "    for t in 0:8:\n"
        "        carry u = 0.5*(u - roll(u, 1, axis=0))\n"
        f"        s[t] = {word}(u)\n"
        "    y = u\n",
        x,
    )
    u = x.astype("f8")
    for t in range(8):
        u = 0.5 * (u - np.roll(u, 1, 0))
        np.testing.assert_allclose(s[t], numpy(u), rtol=0, atol=1e-12 if element == "f64" else 1e-4)
    np.testing.assert_allclose(y, u, rtol=0, atol=1e-12 if element == "f64" else 1e-6)


@pytest.mark.parametrize("rows", [101, 64, 75])
@pytest.mark.parametrize(("word", "numpy"), [("sum", np.sum), ("max", np.max), ("min", np.min)])
def test_over_some_rows_and_over_rows_of_two_cores(
    rows: int, word: str, numpy: Callable[..., Any]
) -> None:
    u = rng.standard_normal((rows, 21))
    got = run(
        f"program f(x: f64[{rows}, 21]) -> (s: f64[6], r: f64[6], y: f64[{rows}, 21]):\n"
        "    carry u = x\n"
        "    for t in 0:6:\n"
        "        p = pad(u, 1)\n"
        f"        v[i in 0:{rows}, j in 0:21] = "
        "u[i, j] + 0.2*(p[i, j+1] + p[i+2, j+1] - 2.0*u[i, j])\n"
        f"        s[t] = {word}((v[i, j] - u[i, j])**2 for i in 3:{rows - 5}, j in 0:21)\n"
        f"        r[t] = {word}(v)\n"
        "        carry u = v\n"
        "    y = u\n",
        u,
    )
    some, all_of_them = [], []
    for _ in range(6):
        p = np.pad(u, 1)
        v = u + 0.2 * (p[:-2, 1:-1] + p[2:, 1:-1] - 2 * u)
        some.append(numpy((v - u)[3 : rows - 5] ** 2))
        all_of_them.append(numpy(v))
        u = v
    for result, expected in zip(got, (some, all_of_them, u), strict=True):
        np.testing.assert_allclose(result, expected, rtol=1e-12, atol=1e-12)


def test_an_extreme_scales_the_next_step() -> None:
    x = rng.standard_normal((64, 32))
    got = run(
        "program f(x: f64[64, 32]) -> (y: f64[64, 32]):\n"
        "    carry u = x\n"
        "    for t in 0:6:\n"
        "        w = u + roll(u, -1, axis=0)\n"
        "        carry u = w/max(abs(w))\n"
        "    y = u\n",
        x,
    )
    u = x
    for _ in range(6):
        u = u + np.roll(u, -1, 0)
        u = u / np.abs(u).max()
    np.testing.assert_allclose(got, u, rtol=0, atol=1e-13)
