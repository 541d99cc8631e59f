# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a transform is given wrongly is told by name, and nothing is written then."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import weft
from weft.diagnostics import RunError, SourceError

SOURCE = """
kernel lines[b: size, n: size](x: c128[b, n]) -> (y: c128[b, n]):
    y = dft(x, axis=1)

kernel half[b: size, n: size](x: f64[b, n]) -> (y: c128[b, n//2+1]):
    y = rfft(x, axis=1)

kernel back[b: size, n: size](y: c128[b, n//2+1]) -> (x: f64[b, n]):
    x = irfft(y, n=n, axis=1)
"""
SHAPE = (3, 12)


@pytest.fixture(scope="module")
def lines() -> weft.Kernel:
    return weft.compile(SOURCE, "lines", target="portable", b=3, n=12)


@pytest.fixture(scope="module")
def half() -> weft.Kernel:
    return weft.compile(SOURCE, "half", target="portable", b=3, n=12)


def ones() -> np.ndarray:
    return np.ones(SHAPE, np.complex128)


def read_only() -> np.ndarray:
    array = ones()
    array.flags.writeable = False
    return array


def misaligned() -> np.ndarray:
    return np.ones(16 * 36 + 1, np.uint8)[1:].view(np.complex128).reshape(SHAPE)


@pytest.mark.parametrize("kernel", ["lines", "half", "back"])
@pytest.mark.parametrize("sizes", [{"b": 0, "n": 4}, {"b": 4, "n": 0}, {"b": 4, "n": -1}])
def test_no_length(kernel: str, sizes: dict[str, int]) -> None:
    with pytest.raises(RunError, match="is no extent"):
        weft.compile(SOURCE, kernel, target="portable", **sizes)


def test_empty_arrays() -> None:
    kernel = weft.compile(SOURCE, "lines", target="portable")
    for shape in ((3, 0), (0, 3)):
        with pytest.raises(RunError, match="argument 'x' is empty"):
            kernel(np.ones(shape, np.complex128))


@pytest.mark.parametrize("kernel", ["lines", "half", "back"])
@pytest.mark.parametrize(
    "sizes", [(1 << 31, 1 << 31), (1 << 40, 1 << 40), (1 << 48, 1 << 16), (3, (1 << 48) - 1)]
)
def test_sizes_whose_product_overflows(kernel: str, sizes: tuple[int, int]) -> None:
    with pytest.raises(SourceError, match="too big"):
        weft.compile(SOURCE, kernel, target="portable", b=sizes[0], n=sizes[1])


@pytest.mark.parametrize("kernel", ["lines", "half", "back"])
def test_lengths_whose_tables_are_too_large(kernel: str) -> None:
    """A long prime is refused before its tables are made, and told lengths that are not."""
    with pytest.raises(SourceError, match="needs too large tables") as caught:
        weft.compile(SOURCE, kernel, target="portable", b=1, n=(1 << 31) - 1)
    assert str(1 << 31) in str(caught.value)
    with pytest.raises(SourceError, match="too many numbers in tables"):
        weft.compile(SOURCE, kernel, target="portable", b=1, n=1 << 43)


OUTPUTS: dict[str, tuple[Callable[[], Any], str]] = {
    "read_only": (read_only, "output 'y': read-only array"),
    "misaligned": (misaligned, "output 'y': its elements are not aligned"),
    "columns": (lambda: np.asfortranarray(ones()), "output 'y': not contiguous"),
    "strided": (lambda: np.ones((3, 24), np.complex128)[:, ::2], "output 'y': not contiguous"),
    "single": (lambda: ones().astype(np.complex64), "output 'y': wrong element type"),
    "real": (lambda: np.ones(SHAPE), "output 'y': wrong element type"),
    "swapped": (lambda: ones().astype(">c16"), "output 'y': wrong element type"),
    "short": (lambda: np.ones((3, 11), np.complex128), "output 'y': wrong shape"),
    "list": (lambda: [ones(), ones()], "out= does not match the outputs"),
    "number": (lambda: 1j, "output 'y': not a NumPy array"),
}


@pytest.mark.parametrize("name", OUTPUTS)
def test_outputs_that_cannot_be_written(lines: weft.Kernel, name: str) -> None:
    make, told = OUTPUTS[name]
    out = make()
    with pytest.raises(RunError, match=told):
        lines(ones(), out=out)
    if isinstance(out, np.ndarray):
        assert np.all(out == make())


@pytest.mark.parametrize("ahead", [-20, -1, 1, 35])
def test_output_over_a_part_of_the_input(lines: weft.Kernel, ahead: int) -> None:
    memory = np.arange(110, dtype=np.complex128)
    x = memory[30:66].reshape(SHAPE)
    out = memory[30 + ahead : 66 + ahead].reshape(SHAPE)
    with pytest.raises(RunError, match="output 'y' overlaps a part of the argument 'x'"):
        lines(x, out=out)
    assert np.array_equal(memory, np.arange(110))
    # Side by side, and one and the same, they may be.
    expected = lines(x)
    assert np.array_equal(lines(x, out=memory[66:102].reshape(SHAPE)), expected)
    assert np.array_equal(lines(x, out=x), expected)


def test_spectrum_over_its_own_signal(half: weft.Kernel) -> None:
    """In place as others have it, with two more numbers a line, is not what out= means."""
    memory = np.ones((3, 14))
    with pytest.raises(RunError, match="output 'y' overlaps a part of the argument 'x'"):
        half(memory.reshape(-1)[:36].reshape(SHAPE), out=memory.view(np.complex128))
    assert np.all(memory == 1)
    # A view of lines that are padded is copied; another memory may hold the spectrum.
    assert half(memory[:, :12]).shape == (3, 7)


@pytest.mark.parametrize(
    ("x", "told"),
    [
        (np.ones(SHAPE, np.complex64), "argument 'x': wrong element type"),
        (np.ones(SHAPE), "argument 'x': wrong element type"),
        (np.ones(SHAPE, object), "argument 'x': wrong element type"),
        (np.ones(SHAPE, ">c16"), "argument 'x': wrong element type"),
        (np.ones((3, 13), np.complex128), "argument 'x'"),
        (np.ones((3, 1, 12), np.complex128), "argument 'x'"),
        (np.ones(36, np.complex128), "argument 'x'"),
    ],
)
def test_inputs_that_do_not_fit(lines: weft.Kernel, x: np.ndarray, told: str) -> None:
    with pytest.raises(RunError, match=told):
        lines(x)


@pytest.mark.parametrize(
    "x",
    [misaligned(), np.asfortranarray(ones()), np.ones((3, 24), complex)[:, ::2], read_only()],
    ids=["misaligned", "columns", "strided", "read_only"],
)
def test_inputs_of_any_layout(lines: weft.Kernel, x: np.ndarray) -> None:
    assert np.allclose(lines(x), np.fft.fft(x, axis=1))


@pytest.mark.parametrize("threads", [0, -1, 1025, 1 << 40])
def test_threads_out_of_range(lines: weft.Kernel, threads: int) -> None:
    with pytest.raises(RunError, match="threads: out of range"):
        lines(ones(), threads=threads)


def test_more_threads_than_cores_and_lines() -> None:
    kernel = weft.compile(SOURCE, "lines", b=70, n=60)
    x = np.random.default_rng(0).standard_normal((70, 60, 2)).view(np.complex128)[..., 0]
    one = kernel(x, threads=1)
    for threads in (2, 7, 64):
        assert np.array_equal(kernel(x, threads=threads), one)
