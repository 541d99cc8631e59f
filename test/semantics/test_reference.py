# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The reference evaluation itself: by hand, by definition, and at its edges."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weft.diagnostics import RunError
from weft.semantics import checker, reference
from weft.semantics.reference_dft import LARGEST_MATRIX, dft, roots_of_unity
from weft.syntax.parser import parse

EPS = np.finfo(float).eps
RANDOM = np.random.default_rng(3)


def module(text: str, name: str | None = None, **sizes: int) -> Any:
    checked = checker.check(parse(text, "k.weft"))
    return checker.instantiate(checked, name or list(checked.names())[-1], sizes)


def run(text: str, inputs: dict[str, Any], **sizes: int) -> dict[str, np.ndarray]:
    return reference.evaluate(module(text, **sizes), inputs)


def complexes(*shape: int) -> np.ndarray:
    return RANDOM.normal(size=shape) + 1j * RANDOM.normal(size=shape)


# ------------------------------------------------------------------------------------ transform


def test_roots_on_the_axes_are_exact() -> None:
    assert roots_of_unity(4, +1).tolist() == [1, 1j, -1, -1j]
    assert roots_of_unity(8, -1)[2] == -1j
    assert roots_of_unity(1, -1).tolist() == [1]


@pytest.mark.parametrize("n", [*range(1, 40), 360, 1000, 4096])
@pytest.mark.parametrize("sign", [-1, +1])
def test_roots_are_rounded_once(n: int, sign: int) -> None:
    m = np.arange(n).astype(np.longdouble)
    angle = 8 * np.arctan(np.longdouble(1)) * m / n
    error = np.hypot(
        roots_of_unity(n, sign).real - np.cos(angle),
        roots_of_unity(n, sign).imag - sign * np.sin(angle),
    )
    # Half a unit in the last place of each part, and the longdouble's own error.
    assert error.max() <= 0.75 * EPS


def test_transform_of_four_by_hand() -> None:
    x = np.array([1, 2j, 3, -1])
    assert dft(x, 0, -1).tolist() == [3 + 2j, 0 - 1j, 5 - 2j, -4 + 1j]
    assert dft(x, 0, +1).tolist() == [3 + 2j, -4 + 1j, 5 - 2j, 0 - 1j]


@pytest.mark.parametrize("n", [1, 2, 3, 7, 64, 257, 300, LARGEST_MATRIX, LARGEST_MATRIX + 1, 4096])
def test_transform_against_numpy(n: int) -> None:
    x = complexes(2, n, 3)
    scale = np.sqrt(n) * np.abs(x).max()
    assert np.abs(dft(x, 1, -1) - np.fft.fft(x, axis=1)).max() < 40 * EPS * scale
    inverse = np.fft.ifft(x, axis=1, norm="forward")
    assert np.abs(dft(x, 1, +1) - inverse).max() < 40 * EPS * scale


def test_single_precision_is_rounded_once() -> None:
    x = complexes(50).astype("complex64")
    text = "kernel f(x: c64[50]) -> (y: c64[50]):\n    y = idft(x)\n"
    wide = dft(x, 0, +1) / 50
    assert np.array_equal(run(text, {"x": x})["y"], wide.astype("complex64"))


@given(st.integers(1, 64), st.integers(1, 64), st.sampled_from([-1, 1]))
@settings(max_examples=25, deadline=None)
def test_twiddle_by_definition(rows: int, columns: int, sign: int) -> None:
    text = """
kernel f[r: size, c: size](x: c128[r, c]) -> (y: c128[r, c], z: c128[r, c]):
    y = x * twiddle(r, c)
    z = x * twiddle(r, c, sign=+1)
"""
    found = run(text, {"x": np.ones((rows, columns))}, r=rows, c=columns)
    phase = np.outer(np.arange(rows), np.arange(columns)) / (rows * columns)
    expected = np.exp(sign * 2j * np.pi * phase)
    assert np.abs(found["y" if sign < 0 else "z"] - expected).max() < 8 * EPS


# ----------------------------------------------------------------------------- maps and programs


def test_large_maps_are_computed_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    text = """
kernel f(a: f64[6, 7], b: f64[7, 5]) -> (y: f64[6, 5]):
    y[i, j] = sum(a[i, k] * b[k, j] for k in 0:7)
"""
    a, b = RANDOM.normal(size=(6, 7)), RANDOM.normal(size=(7, 5))
    whole = run(text, {"a": a, "b": b})["y"]
    monkeypatch.setattr(reference, "POINTS_AT_ONCE", 16)
    assert np.array_equal(run(text, {"a": a, "b": b})["y"], whole)
    np.testing.assert_allclose(whole, a @ b, rtol=1e-14)


def test_reduction_inside_a_reduction_and_a_local() -> None:
    text = """
kernel f(x: f64[3, 4]) -> (y: f64[3]):
    for i in 0:3:
        t = x[i, 0] + i
        y[i] = sum(t * max(x[j, k] + i * k for k in 0:4) for j in 0:3)
"""
    x = RANDOM.normal(size=(3, 4))
    expected = [
        sum((x[i, 0] + i) * max(x[j, k] + i * k for k in range(4)) for j in range(3))
        for i in range(3)
    ]
    np.testing.assert_allclose(run(text, {"x": x})["y"], expected, rtol=1e-14)


def test_sums_of_singles_are_rounded_once() -> None:
    x = np.full(100_001, 0.1, dtype="float32")
    found = run("kernel f(x: f32[100001]) -> (s: f32):\n    s = sum(x)\n", {"x": x})["s"]
    assert found == np.float32(x.astype("float64").sum())


def test_complex_by_real_makes_no_nan_of_infinity() -> None:
    text = "kernel f(z: c128[2], x: f64[2]) -> (y: c128[2]):\n    y = z * x\n"
    found = run(text, {"z": np.array([1 + 0j, 2 - 1j]), "x": np.array([np.inf, 2.0])})["y"]
    assert found[0].real == np.inf
    assert found[1] == 4 - 2j


def test_carried_values_change_all_at_once() -> None:
    text = """
program p[n: size](a: f64, b: f64) -> (history: f64[n], x: f64, y: f64):
    carry x = a
    carry y = b
    for t in 0:n:
        history[t] = x
        carry x = y
        carry y = x + log_(y)
kernel log_(y: f64) -> (z: f64):
    z = 0 * y + 1
"""
    found = reference.evaluate(module(text, "p", n=4), {"a": 1.0, "b": 10.0})
    # After `carry x = y`, x is the new value: the language reads what was assigned last.
    x, y, history = 1.0, 10.0, []
    for _ in range(4):
        history.append(x)
        x = y
        y = x + 1
    assert found["history"].tolist() == history
    assert (found["x"], found["y"]) == (x, y)


def test_elements_of_a_program_by_time() -> None:
    text = """
program p[n: size](x: f64[4]) -> (y: f64[2, n]):
    for t in 0:n:
        y[0, t] = sum(x) + t
        y[1, n - 1 - t] = x[0] * t
"""
    found = run(text, {"x": np.arange(4.0) + 1}, n=3)["y"]
    assert found.tolist() == [[10, 11, 12], [2, 1, 0]]


def test_outputs_are_not_the_inputs() -> None:
    x = np.zeros(3)
    found = run("kernel f(x: f64[3]) -> (y: f64[3]):\n    y = x\n", {"x": x})["y"]
    found[0] = 1
    assert x[0] == 0


@pytest.mark.parametrize(
    ("inputs", "told"),
    [
        ({}, "'x' is missing"),
        ({"x": np.zeros(3)}, "'x' does not fit"),
        ({"x": np.zeros(4, complex)}, "'x' does not fit"),
        ({"x": np.zeros(4), "z": 1.0}, "no input 'z'"),
    ],
)
def test_inputs_that_do_not_fit(inputs: dict[str, Any], told: str) -> None:
    with pytest.raises(RunError, match=told):
        run("kernel f(x: f64[4]) -> (y: f64[4]):\n    y = x\n", inputs)
