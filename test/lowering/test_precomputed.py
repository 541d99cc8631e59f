# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of indices alone become tables; what depends on more stays as it is."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from weft.lowering.precomputed import precomputed
from weft.semantics import checker, reference, typed
from weft.syntax.parser import parse


def kernel_of(text: str, name: str, **sizes: int) -> typed.Kernel:
    checked = checker.check(parse(text, "k.weft"))
    return precomputed(checker.instantiate(checked, name, sizes).entry)


def tables(kernel: typed.Kernel) -> list[tuple[int, ...]]:
    return [s.target.type.shape for s in kernel.body if isinstance(s, typed.Table)]


TURNED = """\
kernel f[b: size, n: size](x: c128[b, n]) -> (y: c128[b, n]):
    y[i, k] = x[i, k] * exp(-0.5j*pi*k/n)
"""


@pytest.mark.parametrize(
    ("b", "n", "expected"),
    [(3, 64, [(64,)]), (1, 4096, [(4096,)]), (1, 4097, []), (4, 16384, [(16384,)]), (4, 16385, [])],
)
def test_small_tables_or_such_as_are_used_again(b: int, n: int, expected: object) -> None:
    assert tables(kernel_of(TURNED, "f", b=b, n=n)) == expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("x[i] * (i * 0.5)", []),  # a product costs less than a load
        ("x[i] * exp(x[i])", []),
        ("exp(2.0) * x[i]", []),  # a constant already
        ("x[i] * where(i < 3, cos(i * 0.5), 1.0)", [(8,)]),
        ("x[i] * 2.0 ** (i * 0.5)", [(8,)]),
        ("sin(i * 0.1) * x[i] + sin(i * 0.1)", [(8,), (8,)]),
        ("sum(x[j] * cos(i * j * 0.1) for j in 1:8)", [(8, 7)]),
        ("sum(x[j] * cos(j * 0.1) for j in 1:8) * x[i]", [(7,)]),
        ("x[i] * exp(w[i])", [(8,)]),
    ],
)
@pytest.mark.parametrize("target", ["portable", "sw26010"])
def test_which_scalars(expression: str, expected: list[tuple[int, ...]], target: str) -> None:
    text = f"""\
kernel f(x: f64[8]) -> (y: f64[8]):
    const w[k in 0:8] = k * 0.25
    y[i in 0:8] = {expression}
"""
    own = [(8,)] if "w[" in expression else []
    assert tables(kernel_of(text, "f")) == own + expected
    x = np.random.default_rng(2).standard_normal(8)
    module = checker.instantiate(checker.check(parse(text, "k.weft")), "f", {})
    wanted = reference.evaluate(module, {"x": x})["y"]
    np.testing.assert_allclose(weft.compile(text, target=target)(x), wanted, atol=1e-14)


def test_names_within_a_nest_and_ranges_that_begin_later() -> None:
    text = """\
kernel f(x: c64[9]) -> (y: c64[9]):
    y[i in 0:2] = x[i]
    for i in 2:9:
        t = c64(exp(1j * i))
        u = t * t
        y[i] = x[i] * u
"""
    assert tables(kernel_of(text, "f")) == [(7,)]
    x = (np.arange(9) + 1j).astype(np.complex64)
    expected = np.where(np.arange(9) < 2, x, x * np.exp(2j * np.arange(9)))
    np.testing.assert_allclose(weft.compile(text, target="portable")(x), expected, rtol=1e-6)


def test_the_step_of_a_loop_over_time_is_no_index_of_a_table() -> None:
    text = """\
program f[n: size](x: f64[8]) -> (y: f64[8]):
    carry u = x
    for t in 0:n:
        carry u = u * cos(t * 0.5)
    y = u
"""
    kernel = kernel_of(text, "f", n=4)
    loop = next(s for s in kernel.body if isinstance(s, typed.For))
    assert not any(isinstance(s, typed.Table) for s in loop.body)
