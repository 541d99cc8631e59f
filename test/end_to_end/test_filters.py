# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A transform, a product with a filter, and the transform back, whose steps share passes."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weft
from weft import toolchain

SOURCE = """
kernel rows[b: size, n: size](x: T[b, n], h: T[n]) -> (y: T[b, n]):
    y = idft(dft(x, axis=1) * h, axis=1)

kernel primes[b: size, n: size](x: T[b, n]) -> (y: T[b, n]):
    y = dft(x, axis=1)

kernel columns[n: size, b: size](x: T[n, b], h: T[n, b]) -> (y: T[n, b]):
    y = idft(dft(x, axis=0) * h, axis=0)

kernel plane[a: size, b: size](x: T[a, b], h: T[a, b]) -> (y: T[a, b]):
    y = idft(dft(x, axes=[0, 1]) * h, axes=[0, 1])

kernel space[a: size, b: size, c: size](x: T[a, b, c], h: T[a, b, c]) -> (y: T[a, b, c]):
    y = idft(dft(x, axes=[0, 1, 2]) * h, axes=[0, 1, 2])

kernel kept[a: size, b: size](x: T[a, b], h: T[a, b]) -> (f: T[a, b], y: T[a, b]):
    f = dft(x, axes=[0, 1])
    y = idft(f * h, axes=[0, 1])

kernel signals[b: size, n: size](x: R[b, n], h: T[n//2+1]) -> (y: R[b, n]):
    y = irfft(rfft(x, axis=1) * h, n=n, axis=1)

kernel signals_beside[n: size, b: size](x: R[n, b], h: T[n//2+1, b]) -> (y: R[n, b]):
    y = irfft(rfft(x, axis=0) * h, n=n, axis=0)

kernel signals_crossed[b: size, n: size](x: R[b, n], z: R[b, n]) -> (y: R[b, n]):
    y = irfft(rfft(x, axis=1) * conj(rfft(z, axis=1)), n=n, axis=1)

kernel signals_kept[b: size, n: size](
    x: R[b, n], h: T[n//2+1]) -> (f: T[b, n//2+1], y: R[b, n]):
    f = rfft(x, axis=1)
    y = irfft(f * h, n=n, axis=1)

# Every second number of the signal without what is beyond a half of its band.
kernel signals_halved[b: size, n: size](x: R[b, n]) -> (y: R[b, n//2]):
    y = irfft(rfft(x, axis=1), n=n//2, axis=1)

kernel correlated[b: size, n: size](x: T[b, n], h: T[b, n]) -> (y: T[b, n]):
    y = idft(dft(x, axis=1) * conj(dft(h, axis=1)), axis=1)

kernel crossed[n: size, b: size](x: T[n, b], h: T[n, b]) -> (y: T[n, b]):
    y = idft(h, axis=0) * dft(x, axis=0)

program steps[n: size, b: size](x: T[n, b], h: T[n, b]) -> (y: T[n, b]):
    carry v = x
    for t in 0:3:
        carry v = idft(dft(v, axes=[0, 1]) * h, axes=[0, 1])
    y = v

# The sum of products with the taps, by spectra of twice the length: nothing comes around.
kernel taps[b: size, n: size](x: T[b, n], g: T[n]) -> (y: T[b, n]):
    u = dft(pad(x, [0, 0], [0, n]), axis=1)
    v = dft(pad(g, [0], [n]), axis=0)
    w = idft(u * v, axis=1)
    y = w[:, 0:n]
"""
DOUBLE = SOURCE.replace("T[", "c128[").replace("R[", "f64[")
SINGLE = SOURCE.replace("T[", "c64[").replace("R[", "f32[")


def field(*shape: int) -> np.ndarray:
    random = np.random.default_rng(5)
    return random.uniform(-1, 1, (*shape, 2)).view(np.complex128)[..., 0]


def check(
    kernel: str, shape: tuple[int, ...], wanted: np.ndarray, *arguments: np.ndarray, **options: int
) -> None:
    for source, single, bound in ((DOUBLE, False, 1e-14), (SINGLE, True, 2e-6)):
        given = [a.astype(np.complex64 if a.dtype.kind == "c" else np.float32) for a in arguments]
        y = weft.compile(source, kernel=kernel)(*(given if single else arguments), **options)
        error = np.linalg.norm(y - wanted) / np.linalg.norm(wanted)
        assert error <= bound, (kernel, shape, single, error)


# Along lines and packed, short and long, of a prime; fewer lines than lanes.
@pytest.mark.parametrize(
    "shape", [(40, 60), (40, 128), (37, 512), (20, 127), (9, 509), (1, 94), (300, 16)]
)
def test_rows(shape: tuple[int, int]) -> None:
    x, h = field(*shape), field(shape[1])
    check("rows", shape, np.fft.ifft(np.fft.fft(x) * h), x, h)


@pytest.mark.parametrize("shape", [(64, 40), (128, 19), (60, 5), (250, 700)])
def test_columns(shape: tuple[int, int]) -> None:
    x, h = field(*shape), field(*shape)
    check("columns", shape, np.fft.ifft(np.fft.fft(x, axis=0) * h, axis=0), x, h)


# The first is in a cache, the others are not.
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("shape", [(64, 48), (512, 300), (301, 1024)])
def test_planes(shape: tuple[int, int], threads: int) -> None:
    x, h = field(*shape), field(*shape)
    check("plane", shape, np.fft.ifft2(np.fft.fft2(x) * h), x, h, threads=threads)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("shape", [(16, 12, 20), (64, 50, 64), (5, 127, 300)])
def test_space(shape: tuple[int, int, int], threads: int) -> None:
    x, h = field(*shape), field(*shape)
    check("space", shape, np.fft.ifftn(np.fft.fftn(x) * h), x, h, threads=threads)


def test_the_spectrum_is_a_result_too() -> None:
    x, h = field(512, 300), field(512, 300)
    f, y = weft.compile(DOUBLE, kernel="kept")(x, h)
    spectrum = np.fft.fft2(x)
    assert np.linalg.norm(f - spectrum) <= 1e-14 * np.linalg.norm(spectrum)
    wanted = np.fft.ifft2(spectrum * h)
    assert np.linalg.norm(y - wanted) <= 1e-14 * np.linalg.norm(wanted)


# Of 2 and 4 numbers, where pairs and ends of the spectrum are few; halves that are odd; an odd
# length; few lines and many.
REAL_LINES = [(12, 64), (30, 512), (3, 1018), (5, 2), (7, 4), (9, 6), (4, 45), (40, 90), (1, 4096)]


@pytest.mark.parametrize("shape", REAL_LINES)
def test_real_lines(shape: tuple[int, int]) -> None:
    n = shape[1]
    x, h = field(*shape).real.copy(), field(n // 2 + 1)
    spectrum = np.fft.rfft(x)
    check("signals", shape, np.fft.irfft(spectrum * h, n=n), x, h)
    z = field(*shape).imag.copy()
    wanted = np.fft.irfft(spectrum * np.fft.rfft(z).conj(), n=n)
    check("signals_crossed", shape, wanted, x, z)
    f, y = weft.compile(DOUBLE, kernel="signals_kept")(x, h)
    assert np.linalg.norm(f - spectrum) <= 1e-14 * np.linalg.norm(spectrum)
    assert np.array_equal(y, weft.compile(DOUBLE, kernel="signals_kept")(x, h)[1])
    wanted = np.fft.irfft(spectrum * h, n=n)
    assert np.linalg.norm(y - wanted) <= 1e-14 * np.linalg.norm(wanted)


@pytest.mark.parametrize("shape", [(64, 12), (45, 9), (90, 40), (512, 5)])
def test_real_columns(shape: tuple[int, int]) -> None:
    n = shape[0]
    x, h = field(*shape).real.copy(), field(n // 2 + 1, shape[1])
    wanted = np.fft.irfft(np.fft.rfft(x, axis=0) * h, n=n, axis=0)
    check("signals_beside", shape, wanted, x, h)


@pytest.mark.parametrize("shape", [(12, 64), (3, 1020)])
def test_fewer_numbers_back(shape: tuple[int, int]) -> None:
    n = shape[1]
    x = field(*shape).real.copy()
    check("signals_halved", (shape[0], n), np.fft.irfft(np.fft.rfft(x), n=n // 2), x)


@pytest.mark.parametrize("shape", [(24, 30), (24, 256), (2, 509)])
def test_taps(shape: tuple[int, int]) -> None:
    x, g = field(*shape), field(shape[1])
    wanted = np.stack([np.convolve(row, g)[: shape[1]] for row in x])
    check("taps", shape, wanted, x, g)


@pytest.mark.parametrize("shape", [(12, 256), (21, 509)])
def test_two_spectra(shape: tuple[int, int]) -> None:
    x, h = field(*shape), field(*shape)[::-1].copy()
    wanted = np.fft.ifft(np.fft.fft(x) * np.fft.fft(h).conj())
    check("correlated", shape, wanted, x, h)
    x, h = x.T.copy(), h.T.copy()
    check("crossed", x.shape, np.fft.ifft(h, axis=0) * np.fft.fft(x, axis=0), x, h)


@pytest.mark.parametrize("shape", [(40, 256), (9, 509), (512, 300)])
@pytest.mark.parametrize("kernel", ["columns", "plane", "correlated"])
def test_in_place(kernel: str, shape: tuple[int, int]) -> None:
    compiled = weft.compile(DOUBLE, kernel=kernel)
    wanted = compiled(field(*shape), field(*shape)[::-1].copy())
    for onto in (0, 1):
        arrays = [field(*shape), field(*shape)[::-1].copy()]
        compiled(*arrays, out=arrays[onto])
        assert np.array_equal(arrays[onto], wanted), onto


def test_steps() -> None:
    x, h = field(300, 512), field(300, 512)
    wanted = x
    for _ in range(3):
        wanted = np.fft.ifft2(np.fft.fft2(wanted) * h)
    check("steps", x.shape, wanted, x, h)


@pytest.mark.skipif(toolchain.default_target() != "avx512", reason="a schedule of avx512")
@pytest.mark.parametrize("directive", ["distribute y.axis0 over threads", "vectorize y.axis0 by 8"])
@pytest.mark.parametrize("kernel", ["rows", "primes"])
def test_loops_that_a_schedule_asks_for(kernel: str, directive: str) -> None:
    schedule = f"schedule {kernel} on avx512:\n    {directive}\n"
    compiled = weft.compile(DOUBLE + schedule, kernel=kernel)
    x, h = field(40, 509), field(509)
    y, spectrum = compiled(x, *([h] if kernel == "rows" else [])), np.fft.fft(x)
    wanted = np.fft.ifft(spectrum * h) if kernel == "rows" else spectrum
    assert np.linalg.norm(y - wanted) <= 1e-14 * np.linalg.norm(wanted)


@pytest.mark.skipif(toolchain.default_target() != "avx512", reason="a schedule of avx512")
def test_halves_of_a_convolution_stay_together() -> None:
    """Whoever shares the lines: a block has their spectrum, not memory of all lines."""
    schedule = "schedule primes on avx512:\n    distribute y.axis0 over threads\n"
    kernel = weft.compile(DOUBLE + schedule, kernel="primes", b=4000, n=509)
    assert "scratch: 0 bytes\n" in kernel.asm["c"]


def test_many_maps_between() -> None:
    """Each is asked once where it comes from, though every second one is read twice."""
    steps = 40
    lines = [
        "kernel many(x: c128[8, 8]) -> (y: c128[8, 8]):",
        "    u0 = dft(x, axes=[0, 1])",
        "    v0 = 0.5*u0",
    ]
    for i in range(steps):
        lines += [f"    u{i + 1} = 0.5*u{i} + v{i}", f"    v{i + 1} = u{i} - 0.25*v{i}"]
    lines.append(f"    y = idft(u{steps} + v{steps}, axes=[0, 1])")
    x = field(8, 8)
    f, g = x, 0.5 * x
    for _ in range(steps):
        f, g = 0.5 * f + g, f - 0.25 * g
    y = weft.compile("\n".join(lines) + "\n")(x)
    assert np.linalg.norm(y - (f + g)) <= 1e-13 * np.linalg.norm(f + g)


@pytest.mark.parametrize("target", ["portable", "avx2"])
def test_other_targets(target: str) -> None:
    if target == "avx2" and toolchain.default_target() == "portable":
        pytest.skip("this CPU has no AVX2")
    x, h = field(20, 240), field(20, 240)
    for kernel, wanted in (
        ("columns", np.fft.ifft(np.fft.fft(x, axis=0) * h, axis=0)),
        ("plane", np.fft.ifft2(np.fft.fft2(x) * h)),
    ):
        y = weft.compile(DOUBLE, kernel=kernel, target=target)(x, h)
        assert np.linalg.norm(y - wanted) <= 1e-14 * np.linalg.norm(wanted)


@pytest.mark.parametrize("length", [1024, 2048, 2400])
def test_real_columns_on_a_core_group(length: int) -> None:
    """A core has no room for the lines of both factors beside those of the transform."""
    x, h = field(length, 16).real.copy(), field(length // 2 + 1, 16)
    y = weft.compile(DOUBLE, kernel="signals_beside", target="sw26010")(x, h)
    wanted = np.fft.irfft(np.fft.rfft(x, axis=0) * h, n=length, axis=0)
    assert np.linalg.norm(y - wanted) <= 1e-14 * np.linalg.norm(wanted)


def test_a_long_chain_of_halves() -> None:
    """Copies of two stores each, one read by the next, are as many as there are steps."""
    steps = 12
    lines = ["kernel chain(x: f64[16]) -> (y: f64[16]):"]
    names = ["x", *(f"t{step}" for step in range(steps - 1)), "y"]
    for of, to in pairwise(names):
        lines += [
            "    for i in 0:8:",
            f"        {to}[i] = {of}[i]",
            f"        {to}[15-i] = {of}[8+i]",
        ]
    kernel = weft.compile("\n".join(lines) + "\n")
    x = np.arange(16.0)
    wanted = x
    for _ in range(steps):
        wanted = np.concatenate([wanted[:8], wanted[:7:-1]])
    assert np.array_equal(kernel(x), wanted)
    # Each step doubled it where all that a loop makes was evaluated for each read of it.
    assert kernel.ir["after:fuse"].count("tensor.extract") <= 16 * steps


@settings(max_examples=4, deadline=None)
@given(st.integers(1, 20), st.integers(2, 300))
def test_any_lines(count: int, length: int) -> None:
    x, h = field(count, length), field(length)
    check("rows", (count, length), np.fft.ifft(np.fft.fft(x) * h), x, h)
