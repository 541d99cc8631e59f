# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls whose arguments need no second look: which they are, and that they do what the others do.

The kernels are those of test_execution.py, written in C by hand.
"""

from __future__ import annotations

import math
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from driver.test_execution import SEVERAL, SHIFTED, B, X, Y, callee, kernel_of, parameter
from weft import events
from weft.call import Parameter, check_input
from weft.diagnostics import RunError
from weft.execution import REMEMBERED, Kernel

COPIES = """
size_t k_scratch_bytes(void);
size_t k_scratch_bytes(void) { return 0; }
int k(const void *x, void *y, void *scratch);
int k(const void *x, void *y, void *scratch) {
  (void)scratch;
  memcpy(y, x, %d);
  return 0;
}
"""


class Looked(Exception):
    """A call was looked at again."""


def only_quick(monkeypatch: pytest.MonkeyPatch) -> None:
    def looked(*_: object) -> None:
        raise Looked

    monkeypatch.setattr(Kernel, "_checked", looked)


@pytest.fixture
def shifted(tmp_path: Path) -> Kernel:
    """A kernel that has been called, as calls are quick from the second on."""
    kernel = kernel_of(
        callee(
            tmp_path,
            SHIFTED,
            [parameter("x", "float64", 4), parameter("b", "float64", 4)],
            [parameter("y", "float64", 4)],
        )
    )
    np.testing.assert_array_equal(kernel(X, B), Y)
    return kernel


@pytest.fixture
def several(tmp_path: Path) -> Kernel:
    kernel = kernel_of(
        callee(
            tmp_path,
            SEVERAL,
            [parameter("n", "int32"), parameter("z", "complex128")],
            [parameter("s", "float64"), parameter("y", "complex128", 1)],
        )
    )
    kernel(3, 2)
    return kernel


def test_plain_calls_are_quick(shifted: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    only_quick(monkeypatch)
    found = shifted(X, B)
    np.testing.assert_array_equal(found, Y)
    assert type(found) is np.ndarray
    assert found.ctypes.data % 64 == 0, "results begin with a cache line"
    assert found.flags.c_contiguous
    assert found.flags.aligned
    assert found.flags.writeable
    place = np.empty(4)
    assert shifted(X, B, out=place) is place
    assert shifted(X, B, out=(place,)) is place
    np.testing.assert_array_equal(place, Y)
    np.testing.assert_array_equal(shifted(X, b=B, threads=1), Y)
    np.testing.assert_array_equal(shifted(b=B, x=X, threads=2), Y)
    frozen = X.copy()
    frozen.flags.writeable = False
    np.testing.assert_array_equal(shifted(frozen, B), Y)


WIDE = np.zeros(8)
WIDE[::2] = X


@pytest.mark.parametrize(
    "x",
    [
        WIDE[::2],
        X.view(np.recarray),
        X.astype(">f8"),
        X.astype("f4"),
        X[:3],
        X.reshape(2, 2),
        X.reshape(1, 4),
        np.frombuffer(b" " + X.tobytes(), np.uint8)[1:].view("f8"),
        list(X),
        memoryview(X),
        None,
    ],
    ids=[
        "strided",
        "class",
        "endian",
        "type",
        "short",
        "2-D",
        "row",
        "odd",
        "list",
        "view",
        "none",
    ],
)
def test_others_are_looked_at(shifted: Kernel, x: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    only_quick(monkeypatch)
    with pytest.raises(Looked):
        shifted(x, B)


def test_outputs_that_are_not_apart_are_looked_at(
    shifted: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = np.zeros(12)
    x = memory[4:8]
    x[:] = X
    frozen = np.empty(4)
    frozen.flags.writeable = False
    with monkeypatch.context() as patch:
        only_quick(patch)
        for out in (memory[1:5], memory[7:11], frozen, WIDE[::2], np.empty(3), {"z": np.empty(4)}):
            with pytest.raises(Looked):
                shifted(x, B, out=out)
        shifted(x, B, out=memory[:4])
        shifted(x, B, out=memory[8:])
    np.testing.assert_array_equal(memory, [*Y, *X, *Y])


def test_a_place_by_name_is_quick(shifted: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    only_quick(monkeypatch)
    place = np.empty(4)
    assert shifted(X, B, out={"y": place}) is place
    np.testing.assert_array_equal(place, Y)


def test_places_by_name_are_quick(several: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    only_quick(monkeypatch)
    s, y = np.empty(()), np.empty(1, complex)
    found = several(3, 2, out={"y": y, "s": s})
    assert found[0] is s
    assert found[1] is y
    assert (s[()], y[0]) == (6.0, 3)
    for out in ({"y": y}, {"y": y, "s": None}, {"y": y, "t": s}, {"y": y, "s": s, "t": s}, {}):
        with pytest.raises(Looked):
            several(3, 2, out=out)


def test_places_by_other_names_are_refused_by_name(several: Kernel) -> None:
    with pytest.raises(RunError, match="other names than the outputs\n   expected: s, y") as caught:
        several(3, 2, out={"y": np.empty(1, complex), "t": np.empty(())})
    assert caught.value.found == "y, t"


def test_in_place_is_quick_and_right(shifted: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    only_quick(monkeypatch)
    for place in (0, 1):
        arrays = [X.copy(), B.copy()]
        assert shifted(*arrays, out=arrays[place]) is arrays[place]
        np.testing.assert_array_equal(arrays[place], Y)
    both = X.copy()
    np.testing.assert_array_equal(shifted(both, both, out=both), X[::-1] + 2 * X)


def test_several_outputs_in_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They change places: each is written beside its input, and at lines of its own."""
    body = """
size_t k_scratch_bytes(void);
size_t k_scratch_bytes(void) { return 0; }
int k(const double *a, const double *b, double *x, double *y, void *scratch);
int k(const double *a, const double *b, double *x, double *y, void *scratch) {
  (void)scratch;
  for (int i = 0; i < 3; i++) { x[i] = b[i]; y[i] = a[i]; }
  return a[0] < 0;
}
"""
    ab = [parameter("a", "float64", 3), parameter("b", "float64", 3)]
    xy = [parameter("x", "float64", 3), parameter("y", "float64", 3)]
    swap = kernel_of(callee(tmp_path, body, ab, xy))
    swap(np.zeros(3), np.zeros(3))
    only_quick(monkeypatch)
    a, b = np.arange(3.0), np.arange(3.0) + 5
    x, y = swap(a, b, out=(a, b))
    assert x is a
    assert y is b
    np.testing.assert_array_equal(a, [5, 6, 7])
    np.testing.assert_array_equal(b, [0, 1, 2])
    swap(a, b, out=[a, np.empty(3)])
    np.testing.assert_array_equal(a, [0, 1, 2])
    a[0] = -1
    with pytest.raises(RunError, match="status 1"):
        swap(a, b, out=(a, b))
    np.testing.assert_array_equal(a, [-1, 1, 2])
    with pytest.raises(Looked):
        swap(a, b, out=(a, a))


@pytest.mark.parametrize("threads", [0, -1, 2000, 2**70, True, 1.0, "1"])
def test_threads_in_doubt_are_refused_as_before(shifted: Kernel, threads: Any) -> None:
    with pytest.raises(RunError, match="threads"):
        shifted(X, B, threads=threads)


def test_scalars_are_numbers(several: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    only_quick(monkeypatch)
    s, y = several(3, 2 + 1j)
    assert (s, type(s)) == (6.0, np.float64)
    np.testing.assert_array_equal(y, [3 + 1j])
    assert several(4, 2.5)[0] == 10.0
    assert several(np.array(3, "i4"), 2)[0] == 6.0
    place = np.empty(())
    found, _ = several(4, 2, out=(place, np.empty(1, complex)))
    assert found is place
    assert place == 8.0


def test_a_status_is_told_and_nothing_is_done_twice(
    several: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    only_quick(monkeypatch)
    with pytest.raises(RunError, match="status 5"):
        several(-1, 1)


NUMBERS = st.one_of(
    st.integers(-(2**65), 2**65),
    st.floats(),
    st.floats(width=32),
    st.complex_numbers(),
    st.booleans(),
    st.sampled_from([2**24 + 1, 2**53 + 1, 2**31, 2**31 - 1, -(2**31), 3.4028235677973366e38]),
)


@pytest.fixture(scope="module")
def copies(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Kernel]:
    kernels = {}
    for dtype in ("int32", "int64", "float32", "float64", "complex64", "complex128"):
        kernels[dtype] = kernel_of(
            callee(
                tmp_path_factory.mktemp(dtype),
                COPIES % np.dtype(dtype).itemsize,
                [parameter("x", dtype)],
                [parameter("y", dtype)],
            )
        )
        kernels[dtype](1)
    return kernels


@given(
    number=NUMBERS,
    dtype=st.sampled_from(["int32", "int64", "float32", "float64", "complex64", "complex128"]),
)
@settings(max_examples=400, deadline=None)
def test_numbers_are_what_a_second_look_makes_of_them(
    copies: dict[str, Kernel], number: Any, dtype: str
) -> None:
    ((quick, _),) = copies[dtype]._quick
    found = quick((number,), None, None)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            wanted = check_input(Parameter("x", np.dtype(dtype), ()), number)[()]
        except (RunError, RuntimeWarning):
            assert found is None
            return
    if found is None:
        assert isinstance(number, bool) or abs(number) > 2**24 or not math.isfinite(abs(number))
        return
    assert found.dtype == wanted.dtype
    assert found.tobytes() == wanted.tobytes() or found != found


def test_several_shapes_are_quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    made = {}
    for n in range(1, REMEMBERED + 3):
        (tmp_path / str(n)).mkdir()
        made[n] = callee(
            tmp_path / str(n),
            COPIES % (8 * n),
            [parameter("x", "float64", n)],
            [parameter("y", "float64", n)],
            target="portable",
        )
    lazy = Kernel("k", "portable", ["x"], specialise=lambda shapes: made[shapes[0][0]])
    for n in made:
        lazy(np.ones(n))
    assert len(lazy._quick) == REMEMBERED
    with monkeypatch.context() as patch:
        only_quick(patch)
        for n in list(made)[-REMEMBERED:]:
            np.testing.assert_array_equal(lazy(np.full(n, 2.0)), np.full(n, 2.0))
            assert lazy.outputs[0].shape == (n,), "what was called last"
        with pytest.raises(Looked):
            lazy(np.ones(1))
    np.testing.assert_array_equal(lazy(np.ones(1)), [1.0])


def test_calls_that_are_logged_are_looked_at(
    shifted: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "LEVEL", 2)
    only_quick(monkeypatch)
    with pytest.raises(Looked):
        shifted(X, B)


def test_results_outlive_the_kernel(tmp_path: Path) -> None:
    kernel = kernel_of(
        callee(
            tmp_path, COPIES % 32, [parameter("x", "float64", 4)], [parameter("y", "float64", 4)]
        )
    )
    kept = [kernel(X) for _ in range(3)]
    del kernel
    for found in kept:
        np.testing.assert_array_equal(found, X)
    assert len({found.ctypes.data for found in kept}) == 3


def test_kernels_of_many_arrays_are_called_all_the_same(tmp_path: Path) -> None:
    count = 40
    names = [f"x{i}" for i in range(count)]
    body = f"""
size_t k_scratch_bytes(void);
size_t k_scratch_bytes(void) {{ return 0; }}
int k({", ".join(f"const double *{name}" for name in names)}, double *y, void *scratch);
int k({", ".join(f"const double *{name}" for name in names)}, double *y, void *scratch) {{
  (void)scratch;
  *y = {" + ".join(f"{i} * *{name}" for i, name in enumerate(names))};
  return 0;
}}
"""
    inputs = [parameter(name, "float64") for name in names]
    kernel = kernel_of(callee(tmp_path, body, inputs, [parameter("y", "float64")]))
    for _ in range(2):
        assert kernel(*range(count)) == sum(i * i for i in range(count))
    assert not kernel._quick
