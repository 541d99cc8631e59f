# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ways out that messages offer for functions of NumPy compute what NumPy's function does."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import weft
from weft.syntax import foreign

X = np.array([3.0, -2.0, 5.5, 1.0, 0.0])
INPUTS = {"isfinite": np.array([1.0, np.inf, -np.inf, np.nan, 0.0])}
SAME: dict[str, tuple[str, str, Callable[[np.ndarray], object]]] = {
    "argmin": ("min(where(x[i] == min(x), i, n) for i in 0:n)", "i64", np.argmin),
    "argmax": ("min(where(x[i] == max(x), i, n) for i in 0:n)", "i64", np.argmax),
    "any": ("sum(where(x > 5, 1, 0)) > 0", "bool", lambda x: np.any(x > 5)),
    "all": ("sum(where(x > -1, 0, 1)) == 0", "bool", lambda x: np.all(x > -1)),
    "count_nonzero": ("sum(where(x != 0, 1, 0))", "i64", np.count_nonzero),
    "std": ("sqrt(sum((x - sum(x) / n)**2) / n)", "f64", np.std),
    "fmod": ("x - 2*f64(i64(x / 2))", "f64[n]", lambda x: np.fmod(x, 2)),
    "exp2": ("2.0 ** x", "f64[n]", np.exp2),
    "hypot": ("sqrt(x*x + (x+1)*(x+1))", "f64[n]", lambda x: np.hypot(x, x + 1)),
    "isfinite": ("x - x == 0", "bool[n]", np.isfinite),
    "cbrt": ("where(x < 0, -1.0, 1.0) * abs(x) ** (1/3)", "f64[n]", np.cbrt),
    "diff": ("x[1:n] - x[0:n-1]", "f64[n-1]", np.diff),
}


@pytest.mark.parametrize("name", SAME)
def test_the_same_as_in_numpy(name: str) -> None:
    expression, kind, expected = SAME[name]
    text = f"kernel f[n: size](x: f64[n]) -> (y: {kind}):\n    y = {expression}\n"
    x = INPUTS.get(name, X)
    kernel = weft.compile(text, mode="interpret", n=len(x))
    np.testing.assert_allclose(kernel(x), expected(x), rtol=1e-14)


@pytest.mark.parametrize("name", ["convolve", "correlate"])
def test_sliding_sums_are_those_of_numpy(name: str) -> None:
    """As the message has it: a convolution reads its filter backwards."""
    statement = foreign.CALLS[name].removeprefix("in index notation: ")
    text = (
        f"kernel f[n: size, m: size](x: f64[n], g: f64[m]) -> (y: f64[n-m+1]):\n    {statement}\n"
    )
    g = np.array([1.0, 2.0, -0.5])
    kernel = weft.compile(text, mode="interpret", n=len(X), m=len(g))
    np.testing.assert_allclose(kernel(X, g), getattr(np, name)(X, g, "valid"), rtol=1e-14)


def test_they_are_what_messages_say() -> None:
    for name in ("argmin", "argmax", "cbrt", "diff"):
        assert SAME[name][0] in foreign.CALLS[name]
    assert foreign.CALLS["all"].endswith("sum(where(condition, 0, 1)) == 0")
    assert foreign.CALLS["std"].startswith("it is sqrt(sum((x - m)**2) / n)")
