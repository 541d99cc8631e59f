# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transforms of lengths with primes that are too large for tables, as convolutions in a kernel."""

from __future__ import annotations

import numpy as np
import pytest

from weft.semantics import checker, long_primes, reference, typed
from weft.semantics.tables import MAX_NUMBERS
from weft.syntax.parser import parse

RANDOM = np.random.default_rng(7)


def module(body: str, shape: tuple[int, ...], element: str = "c128") -> typed.Module:
    sizes = {f"n{axis}": extent for axis, extent in enumerate(shape)}
    text = (
        f"kernel f[{', '.join(f'{name}: size' for name in sizes)}]"
        f"(x: {element}[{', '.join(sizes)}]) -> (y: {element}[{', '.join(sizes)}]):\n    {body}\n"
    )
    return checker.instantiate(checker.check(parse(text, "k.weft")), "f", sizes)


def evaluated(body: str, x: np.ndarray) -> np.ndarray:
    return reference.evaluate(module(body, x.shape), {"x": x})["y"]


def complexes(*shape: int) -> np.ndarray:
    return RANDOM.normal(size=shape) + 1j * RANDOM.normal(size=shape)


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """All lengths of three digits, which begin at 16, go as those with large primes."""
    monkeypatch.setattr(long_primes, "_is_convolution", lambda length: length >= 16)


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("n", [*range(15, 40), 63, 64, 65, 127, 343, 512, 521])
def test_each_length(n: int) -> None:
    x = complexes(n)
    np.testing.assert_allclose(evaluated("y = dft(x)", x), np.fft.fft(x), atol=1e-12)


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_each_axis(axis: int) -> None:
    x = complexes(17, 19, 23)
    y = evaluated(f"y = idft(x, axis={axis}, norm=ortho)", x)
    np.testing.assert_allclose(y, np.fft.ifft(x, axis=axis, norm="ortho"), atol=1e-12)


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("shape", [(17, 4), (4, 17), (17, 18)])
def test_axes_of_both_kinds(shape: tuple[int, int]) -> None:
    x = complexes(*shape)
    np.testing.assert_allclose(
        evaluated("y = idft(x, axes=[0, 1])", x), np.fft.ifft2(x), atol=1e-12
    )


@pytest.mark.usefixtures("short")
def test_radices_that_are_given_stay() -> None:
    kernel = module("y = dft(x, radices=[17])", (17,)).kernels[-1]
    assert [node.radices for node in kernel.body if isinstance(node, typed.Dft)] == [(17,)]


@pytest.mark.parametrize("n", [131101, 2 * 131101, 999983, 2**27 - 39])
def test_tables_stay_small(n: int) -> None:
    kernel = module("y = dft(x)", (n,)).kernels[-1]
    tables = [node.data.size for node in kernel.body if isinstance(node, typed.Table)]
    assert len(tables) == long_primes.TABLES
    assert 2 * sum(tables) <= MAX_NUMBERS
    lengths = [node.source.type.shape[0] for node in kernel.body if isinstance(node, typed.Dft)]
    assert lengths == 3 * [long_primes.convolution_length(n)]


@pytest.mark.parametrize("n", [65537, 131071, 2**17, 3 * 2**17])
def test_other_lengths_are_one_transform(n: int) -> None:
    kernel = module("y = dft(x)", (n,)).kernels[-1]
    assert [type(node) for node in kernel.body] == [typed.Dft]


@pytest.mark.parametrize("n", [131101, 600014, 999983, 2**27 - 39])
def test_lengths_of_convolutions(n: int) -> None:
    length = long_primes.convolution_length(n)
    assert 2 * n - 1 <= length <= 2.2 * n
    assert length % 64 == 0
    for prime in (2, 3, 5):
        while length % prime == 0:
            length //= prime
    assert length == 1
