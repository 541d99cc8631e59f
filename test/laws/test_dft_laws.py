# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What every transform obeys: linearity, impulse, shift, Parseval, the inverse."""

from __future__ import annotations

import functools

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import weft

SOURCE = """
kernel transform[B: size, N: size](x: c128[B, N]) -> (y: c128[B, N]):
    y = dft(x, axis=1)

kernel back[B: size, N: size](y: c128[B, N]) -> (x: c128[B, N]):
    x = idft(y, axis=1)
"""
LENGTHS = (2, 7, 12, 16, 30, 37, 64, 81, 128, 154, 210, 256, 1000)
LINES = 9
EPSILON = np.finfo(np.float64).eps


@functools.cache
def kernels(target: str) -> dict[tuple[str, int], weft.Kernel]:
    requests = [
        (SOURCE, name, {"B": LINES, "N": length})
        for name in ("transform", "back")
        for length in LENGTHS
    ]
    keys = [(str(name), extents["N"]) for _, name, extents in requests]
    return dict(zip(keys, weft.compile_many(requests, target=target), strict=True))


def lines(seed: int, length: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.standard_normal((LINES, length)) + 1j * rng.standard_normal((LINES, length))


def close(found: np.ndarray, expected: np.ndarray, length: int) -> bool:
    bound = 8 * EPSILON * max(np.log2(length), 1) * np.linalg.norm(expected)
    return bool(np.linalg.norm(found - expected) <= bound)


seeds = st.integers(0, 2**32 - 1)
lengths = st.sampled_from(LENGTHS)
law = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@law
@given(seed=seeds, length=lengths, a=st.complex_numbers(max_magnitude=100))
def test_linearity(target: str, seed: int, length: int, a: complex) -> None:
    dft = kernels(target)["transform", length]
    x, y = lines(seed, length), lines(seed + 1, length)
    assert close(dft(a * x + y), a * dft(x) + dft(y), length)


@law
@given(length=lengths, place=st.integers(0, 10**6))
def test_impulse_is_a_wave(target: str, length: int, place: int) -> None:
    at = place % length
    x = np.zeros((LINES, length), dtype=np.complex128)
    x[:, at] = 1.0
    wave = np.exp(-2j * np.pi * ((at * np.arange(length)) % length) / length)
    assert close(kernels(target)["transform", length](x), np.broadcast_to(wave, x.shape), length)


@law
@given(seed=seeds, length=lengths, by=st.integers(0, 10**6))
def test_shift_turns_the_phase(target: str, seed: int, length: int, by: int) -> None:
    dft = kernels(target)["transform", length]
    x = lines(seed, length)
    phase = np.exp(-2j * np.pi * ((by * np.arange(length)) % length) / length)
    assert close(dft(np.ascontiguousarray(np.roll(x, by, axis=1))), dft(x) * phase, length)


@law
@given(seed=seeds, length=lengths)
def test_parseval(target: str, seed: int, length: int) -> None:
    x = lines(seed, length)
    y = kernels(target)["transform", length](x)
    energy = np.sum(np.abs(x) ** 2, axis=1)
    assert np.allclose(np.sum(np.abs(y) ** 2, axis=1) / length, energy, rtol=1e-13)


@law
@given(seed=seeds, length=lengths)
def test_inverse_gives_back(target: str, seed: int, length: int) -> None:
    x = lines(seed, length)
    y = kernels(target)["transform", length](x)
    assert close(kernels(target)["back", length](y), x, length)


def test_not_the_identity(target: str) -> None:
    """The laws above would not notice a transform that leaves everything as it is."""
    x = lines(0, 64)
    assert not close(kernels(target)["transform", 64](x), x, 64)
