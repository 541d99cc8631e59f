# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays in and out: in place where contiguous, else one copy, or refused."""

from __future__ import annotations

import array
import tracemalloc
from typing import Any

import numpy as np
import pytest

import weft
from weft.call import Parameter, as_array, check_input
from weft.diagnostics import RunError

SOURCE = """
kernel twice[n: size, m: size](x: f64[n, m]) -> (y: f64[n, m]):
    y = x * 2
"""
X = np.random.default_rng(1).normal(size=(6, 8))


@pytest.fixture(scope="module")
def kernel() -> weft.Kernel:
    return weft.compile(SOURCE, target="portable")


def address(value: np.ndarray) -> int:
    return int(value.__array_interface__["data"][0])


PARAMETER = Parameter("x", np.dtype("float64"), (6, 8))


def test_contiguous_input_is_read_in_place() -> None:
    read_only = X.copy()
    read_only.flags.writeable = False
    for value in (X, read_only, np.vstack([X, X])[6:], X.copy().view(np.ndarray)):
        found = check_input(PARAMETER, as_array("x", value))
        assert address(found) == address(value)


def test_strided_input_is_copied_once(kernel: weft.Kernel) -> None:
    strided = np.repeat(np.repeat(X, 2, 0), 3, 1)[::2, ::3]
    for value in (np.asfortranarray(X), X.T.copy().T, X[::-1][::-1].copy("F"), strided, X[::-1]):
        found = check_input(PARAMETER, as_array("x", value))
        assert found.flags.c_contiguous
        assert not np.shares_memory(found, value)
        np.testing.assert_array_equal(kernel(value), value * 2)


def test_unaligned_input_is_copied(kernel: weft.Kernel) -> None:
    raw = np.zeros(X.nbytes + 1, np.uint8)
    value = raw[1:].view("float64").reshape(X.shape)
    value[...] = X
    assert not value.flags.aligned
    np.testing.assert_array_equal(kernel(value), X * 2)


def test_no_memory_is_taken_beyond_the_output() -> None:
    n = 1 << 10
    large = weft.compile(SOURCE, target="portable", n=n, m=n)
    x, out = np.ones((n, n)), np.empty((n, n))
    large(x, out=out)  # loaded
    for options, most in (({"out": out}, 0.1), ({}, 1.1)):
        tracemalloc.start()
        large(x, **options)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < most * x.nbytes


def test_output_is_written_in_place(kernel: weft.Kernel) -> None:
    out = np.empty_like(X)
    assert kernel(X, out=out) is out
    np.testing.assert_array_equal(out, X * 2)
    own = X.copy()
    assert kernel(own, out=own) is own
    np.testing.assert_array_equal(own, X * 2)
    with pytest.raises(RunError, match="not contiguous in row-major order"):
        kernel(X, out=np.empty((12, 8))[::2])
    double = np.zeros((7, 8))
    with pytest.raises(RunError, match="overlaps a part"):
        kernel(double[:6], out=double[1:])


class Tensor:
    """Another library's tensor."""

    def __init__(self, held: np.ndarray) -> None:
        self.held = held

    def __dlpack__(self, **options: Any) -> Any:
        return self.held.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.held.__dlpack_device__()


class OnDevice(Tensor):
    def __dlpack__(self, **options: Any) -> Any:
        raise BufferError("this tensor is on device 3")


def test_dlpack_is_read_in_place(kernel: weft.Kernel) -> None:
    held = X.copy()
    found = check_input(PARAMETER, as_array("x", Tensor(held)))
    assert address(found) == address(held)
    np.testing.assert_array_equal(kernel(Tensor(held)), held * 2)
    np.testing.assert_array_equal(kernel(Tensor(np.asfortranarray(held))), held * 2)
    with pytest.raises(RunError, match=r"read through DLPack: this tensor is on device 3"):
        kernel(OnDevice(held))


def test_torch_is_read_in_place(kernel: weft.Kernel) -> None:
    torch = pytest.importorskip("torch")
    held = torch.tensor(X)
    assert address(check_input(PARAMETER, as_array("x", held))) == held.data_ptr()
    np.testing.assert_array_equal(kernel(held), X * 2)


def test_buffers_are_read_and_written_in_place(kernel: weft.Kernel) -> None:
    data = array.array("d", X.reshape(-1).tolist())
    view = memoryview(data).cast("B").cast("d", X.shape)
    assert address(check_input(PARAMETER, as_array("x", view))) == data.buffer_info()[0]
    np.testing.assert_array_equal(kernel(view), X * 2)
    kernel(X * 5, out=view)
    np.testing.assert_allclose(data, (X * 10).reshape(-1))
    flat = weft.compile("kernel f[n: size](x: f64[n]) -> (y: f64[n]):\n    y = x + 1\n")
    assert flat(array.array("d", [1, 2])).tolist() == [2, 3]


@pytest.mark.parametrize("mask", [False, [[False] * 8] * 5 + [[True] * 8]])
def test_masked_arrays_are_refused(kernel: weft.Kernel, mask: Any) -> None:
    masked = np.ma.MaskedArray(X, mask=mask)
    with pytest.raises(RunError, match="kernels know no masks") as caught:
        kernel(masked)
    assert caught.value.help == "x.filled(0) gives the masked elements a value"
    with pytest.raises(RunError, match="kernels know no masks"):
        kernel(X, out=masked)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (X.tolist(), "not a NumPy array"),
        ("text", "not a NumPy array"),
        (None, "not a NumPy array"),
        (b"bytes", "wrong element type"),
        (X.astype(">f8"), "wrong element type"),
        (X.astype(object), "wrong element type"),
    ],
)
def test_refused_by_name(value: Any, told: str) -> None:
    fixed = weft.compile(SOURCE, mode="interpret", n=6, m=8)
    with pytest.raises(RunError, match=told) as caught:
        fixed(value)
    assert caught.value.argument == "x"


@pytest.mark.parametrize("threads", [np.int64(2), np.uint8(1), 2])
def test_threads_of_numpy(kernel: weft.Kernel, threads: Any) -> None:
    np.testing.assert_array_equal(kernel(X, threads=threads), X * 2)


@pytest.mark.parametrize("threads", [True, 2.0, "2", np.float64(2)])
def test_threads_that_are_none(kernel: weft.Kernel, threads: Any) -> None:
    with pytest.raises(RunError, match="threads: not an integer"):
        kernel(X, threads=threads)
