# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What transforms of real tensors obey: the half of the whole, shifts, energy, the inverse."""

from __future__ import annotations

import functools

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import weft

SOURCE = """
kernel half[b: size, n: size](x: f64[b, n]) -> (y: c128[b, n//2+1]):
    y = rfft(x, axis=1)

kernel whole[b: size, n: size](x: f64[b, n]) -> (y: c128[b, n]):
    y = dft(c128(x), axis=1)

kernel back[b: size, n: size](y: c128[b, n//2+1]) -> (x: f64[b, n]):
    x = irfft(y, n=n, axis=1)

kernel rolled[b: size, n: size](x: f64[b, n]) -> (y: c128[b, n//2+1]):
    y = rfft(roll(x, n//3, axis=1), axis=1)
"""
LENGTHS = (1, 2, 7, 12, 30, 64, 81, 254)
LINES = 5
EPSILON = np.finfo(np.float64).eps


@functools.cache
def kernels(target: str) -> dict[tuple[str, int], weft.Kernel]:
    requests = [
        (SOURCE, name, {"b": LINES, "n": length})
        for name in ("half", "whole", "back", "rolled")
        for length in LENGTHS
    ]
    keys = [(str(name), extents["n"]) for _, name, extents in requests]
    return dict(zip(keys, weft.compile_many(requests, target=target), strict=True))


def lines(seed: int, length: int) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((LINES, length))


def close(found: np.ndarray, expected: np.ndarray, length: int) -> bool:
    bound = 8 * EPSILON * max(np.log2(length), 1) * np.linalg.norm(expected)
    return bool(np.linalg.norm(found - expected) <= bound)


seeds = st.integers(0, 2**32 - 1)
lengths = st.sampled_from(LENGTHS)
law = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@law
@given(seed=seeds, length=lengths)
def test_half_of_the_whole(target: str, seed: int, length: int) -> None:
    x = lines(seed, length)
    whole = kernels(target)["whole", length](x)
    assert close(kernels(target)["half", length](x), whole[:, : length // 2 + 1], length)


@law
@given(seed=seeds, length=lengths, a=st.floats(-100, 100))
def test_linearity(target: str, seed: int, length: int, a: float) -> None:
    half = kernels(target)["half", length]
    x, y = lines(seed, length), lines(seed + 1, length)
    assert close(half(a * x + y), a * half(x) + half(y), length)


@law
@given(seed=seeds, length=lengths)
def test_shift_turns_the_phase(target: str, seed: int, length: int) -> None:
    x = lines(seed, length)
    k = np.arange(length // 2 + 1)
    phase = np.exp(-2j * np.pi * (length // 3 * k % length) / length)
    shifted = kernels(target)["rolled", length](x)
    assert close(shifted, kernels(target)["half", length](x) * phase, length)


@law
@given(seed=seeds, length=lengths)
def test_energy(target: str, seed: int, length: int) -> None:
    x = lines(seed, length)
    power = np.abs(kernels(target)["half", length](x)) ** 2
    # Every element but the first and, of an even length, the last stands for its conjugate too.
    power[:, 1 : (length + 1) // 2] *= 2
    assert np.allclose(power.sum(axis=1) / length, (x**2).sum(axis=1), rtol=1e-13)


@law
@given(seed=seeds, length=lengths)
def test_inverse_gives_back(target: str, seed: int, length: int) -> None:
    x = lines(seed, length)
    y = kernels(target)["half", length](x)
    assert close(kernels(target)["back", length](y), x, length)


@law
@given(seed=seeds, length=lengths)
def test_ends_are_real(target: str, seed: int, length: int) -> None:
    y = kernels(target)["half", length](lines(seed, length))
    assert np.all(y[:, 0].imag == 0) or length % 2
    if length % 2 == 0:
        assert np.all(y[:, -1].imag == 0)
