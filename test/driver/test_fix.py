# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels with fixed inputs: `Kernel.fix`."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import weft
from weft.diagnostics import RunError

FILTERED = """
kernel filtered[b: size, n: size](x: f64[b, n], h: f64[n]) -> (y: f64[b, n]):
    p = rfft(x, axis=1)
    q = rfft(h, axis=0)
    r[i, j] = p[i, j] * q[j]
    y = irfft(r, n=n, axis=1)
"""
LAYER = """
kernel layer(x: f32[1, 32, 12, 12], w: f32[32, 32, 3, 3], b: f32[32]) -> (y: f32[1, 32, 12, 12]):
    t = conv(x, w, pad=[1, 1], algorithm=winograd(4))
    y[n, k, i, j] = max(t[n, k, i, j] + b[k], 0)
"""
SCALED = "kernel scaled(x: f64[8], s: f64[8]) -> (y: f64[8]):\n    y = x * s\n"


NUMBER = "kernel k(x: f64[2], s: f64) -> (y: f64[2]):\n    y = x * s\n"


def numbers(*shape: int, dtype: str = "f8") -> np.ndarray:
    return np.random.default_rng(len(shape)).standard_normal(shape).astype(dtype)


def names(kernel: weft.Kernel) -> list[str]:
    return [parameter.name for parameter in kernel.inputs]


@pytest.mark.parametrize("fixed", [{"w"}, {"b"}, {"w", "b"}, {"x"}])
def test_results_are_those_of_the_whole(target: str, fixed: set[str]) -> None:
    kernel = weft.compile(LAYER, target=target)
    given = {
        "x": numbers(1, 32, 12, 12, dtype="f4"),
        "w": numbers(32, 32, 3, 3, dtype="f4"),
        "b": numbers(32, dtype="f4"),
    }
    bound = kernel.fix(**{name: given[name] for name in fixed})
    assert names(bound) == [name for name in given if name not in fixed]
    rest = {name: value for name, value in given.items() if name not in fixed}
    np.testing.assert_array_equal(bound(*rest.values()), kernel(**given))
    np.testing.assert_array_equal(bound(**rest, threads=2), kernel(**given))


def test_what_is_computed_of_it_is_computed_once() -> None:
    kernel = weft.compile(LAYER, target="portable")
    bound = kernel.fix(w=numbers(32, 32, 3, 3, dtype="f4"))
    whole, rest = (one.report["operations"]["flops"] for one in (kernel, bound))
    # F(4x4, 3x3): each of 32 * 32 filters takes more than 50 operations.
    assert rest < whole - 50 * 32 * 32
    assert "prepared0" in bound.asm["c"]
    assert "weft.part" in bound.ir["lowered"]


def test_complex_values_between_the_parts(target: str) -> None:
    kernel = weft.compile(FILTERED, target=target, b=3, n=20)
    x, h = numbers(3, 20), numbers(20)
    bound = kernel.fix(h=h)
    expected = np.fft.irfft(np.fft.rfft(x) * np.fft.rfft(h), 20)
    np.testing.assert_allclose(bound(x), expected, atol=1e-12)


def test_on_the_core_group() -> None:
    kernel = weft.compile(FILTERED, target="sw26010", b=4, n=16)
    x, h = numbers(4, 16), numbers(16)
    np.testing.assert_allclose(kernel.fix(h=h)(x), kernel(x, h), atol=1e-12)


def test_an_input_that_is_only_read_is_kept() -> None:
    kernel = weft.compile(SCALED, target="portable")
    s = numbers(8)
    bound = kernel.fix(s=s)
    before = bound(np.ones(8))
    s[:] = 0  # it was copied
    np.testing.assert_array_equal(bound(np.ones(8)), before)


def test_a_number_that_is_prepared() -> None:
    """It came from the part that prepares as a NumPy scalar, which has no memory to read."""
    kernel = weft.compile(
        "kernel f(x: f64[4], w: f64[4]) -> (y: f64[4]):\n    s = sum(w)\n    y = x * s\n"
    )
    x, w = numbers(4), numbers(4, 1).ravel()
    fixed = kernel.fix(w=w)
    for _ in range(2):  # looked at, and quick
        np.testing.assert_array_equal(fixed(x), kernel(x, w))
    assert fixed._quick


def test_sizes_of_the_last_call() -> None:
    kernel = weft.compile(FILTERED, target="portable")
    with pytest.raises(RunError, match="no sizes yet"):
        kernel.fix(h=numbers(12))
    x, h = numbers(2, 12), numbers(12)
    expected = kernel(x, h)
    np.testing.assert_allclose(kernel.fix(h=h)(x), expected, atol=1e-13)


def test_what_is_fixed_is_shown() -> None:
    kernel = weft.compile(LAYER, target="portable")
    given: dict[str, Any] = {"w": numbers(32, 32, 3, 3, dtype="f4"), "b": numbers(32, dtype="f4")}
    x = numbers(1, 32, 12, 12, dtype="f4")
    kernel(x, **given)
    assert kernel.fixed == []
    assert "fixed" not in repr(kernel)
    bound = kernel.fix(w=given["w"])
    shown = "; fixed w: float32[32, 32, 3, 3]; takes x: float32[1, 32, 12, 12], b: float32[32]>"
    for one in (bound, pickle.loads(pickle.dumps(bound))):
        assert repr(one) == repr(kernel).replace(">", shown)
        assert repr(one).strip("<>") in one._repr_html_()
    both = bound.fix(b=given["b"])
    assert [p.name for p in both.fixed] == ["w", "b"]
    assert "fixed w: float32[32, 32, 3, 3], b: float32[32]; takes x" in repr(both)
    plain = weft.compile(NUMBER, mode="interpret").fix(s=2.0)
    assert repr(plain).endswith("for interpret; fixed s: float64; takes x: float64[2]>")


def test_what_is_fixed_is_not_given_again() -> None:
    bound = weft.compile(SCALED, mode="interpret").fix(s=np.ones(8))
    for call in (
        lambda: bound(np.ones(8), np.ones(8)),
        lambda: bound(np.ones(8), s=np.ones(8)),
        lambda: bound.fix(s=np.ones(8)),
    ):
        with pytest.raises(RunError) as caught:
            call()
        assert caught.value.help == "fixed before: s"


def test_fixed_again_pickled_and_interpreted() -> None:
    kernel = weft.compile(LAYER, target="portable")
    given: dict[str, Any] = {
        "x": numbers(1, 32, 12, 12, dtype="f4"),
        "w": numbers(32, 32, 3, 3, dtype="f4"),
        "b": numbers(32, dtype="f4"),
    }
    expected = kernel(**given)
    bound = kernel.fix(w=given["w"])
    np.testing.assert_array_equal(bound.fix(b=given["b"])(given["x"]), expected)
    again = pickle.loads(pickle.dumps(bound))
    np.testing.assert_array_equal(again(given["x"], given["b"]), expected)
    at_call = weft.compile("kernel f[n: size](x: f64[n], s: f64) -> (y: f64[n]):\n    y = x*s\n")
    at_call(np.ones(3), 1.0)  # its sizes come from here, also for whoever loads what follows
    again = pickle.loads(pickle.dumps(at_call.fix(s=2.0)))
    np.testing.assert_array_equal(again(np.ones(3)), np.full(3, 2.0))
    plain = weft.compile(SCALED, mode="interpret").fix(s=np.full(8, 2.0))
    np.testing.assert_array_equal(plain(np.ones(8)), np.full(8, 2.0))


@pytest.mark.parametrize(
    ("says", "given"),
    [
        ("no argument 't'", {"t": np.ones(8)}),
        ("fix needs an input", {}),
        ("all inputs would be fixed", {"x": np.ones(8), "s": np.ones(8)}),
        ("'s'", {"s": np.ones(7)}),
        ("'s'", {"s": np.ones(8, "f4")}),
    ],
)
def test_refused(says: str, given: dict[str, Any]) -> None:
    kernel = weft.compile(SCALED, target="portable")
    with pytest.raises(RunError, match=says):
        kernel.fix(**given)
    bound = kernel.fix(s=np.ones(8))
    with pytest.raises(RunError, match="too many arguments"):
        bound(np.ones(8), np.ones(8))


def test_over_groups_is_refused() -> None:
    text = "program p[n: size, P: groups](x: f64[n], s: f64[n]) -> (y: f64[n]):\n    y = x * s\n"
    kernel = weft.compile(text, target="portable", n=8, P=2)
    with pytest.raises(RunError, match="over groups"):
        kernel.fix(s=np.ones((2, 8)))
