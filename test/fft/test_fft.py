# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""weft.fft against SciPy, in SciPy's place, and what it refuses, by the argument's name."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
import scipy.fft
from hypothesis import given, settings
from hypothesis import strategies as st

import weft
from weft import fft
from weft.diagnostics import RunError
from weft.fft import calls

RANDOM = np.random.default_rng(5)
LINES = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
PLANES = (
    *("fftn", "ifftn", "rfftn", "irfftn", "hfftn", "ihfftn"),
    *("fft2", "ifft2", "rfft2", "irfft2", "hfft2", "ihfft2"),
)
OF_REALS = ("rfft", "ihfft", "rfftn", "rfft2", "ihfftn", "ihfft2")


def numbers(shape: tuple[int, ...], dtype: str) -> np.ndarray:
    x = RANDOM.standard_normal(shape) + 1j * RANDOM.standard_normal(shape)
    return (x if np.dtype(dtype).kind == "c" else 8 * x.real).astype(dtype)


def check(name: str, x: Any, *arguments: Any, **named: Any) -> None:
    """As SciPy has it: type, shape and values."""
    exact = getattr(scipy.fft, name)(x, *arguments, **named)
    found = getattr(fft, name)(x, *arguments, **named)
    assert (found.dtype, found.shape) == (exact.dtype, exact.shape)
    eps = np.finfo(exact.dtype).eps
    assert np.abs(found - exact).max(initial=0) <= 50 * eps * max(np.abs(exact).max(initial=0), 1)


@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize("norm", [None, "backward", "ortho", "forward"])
def test_lines(name: str, norm: str | None) -> None:
    x = numbers((3, 20, 4), "float64" if name in OF_REALS else "complex128")
    for n in (None, 1, 13, 33):
        check(name, x, n, 1, norm)
    check(name, x, norm=norm)
    check(name, x[:, 2], axis=0, norm=norm)


@pytest.mark.parametrize("name", PLANES)
@pytest.mark.parametrize("norm", [None, "ortho", "forward"])
def test_planes(name: str, norm: str | None) -> None:
    x = numbers((4, 6, 5), "float32" if name in OF_REALS else "complex64")
    check(name, x, norm=norm)
    check(name, x, (3, 8), (0, 2), norm)
    check(name, x, s=(7, 4), axes=(2, 0), norm=norm)
    if not name.endswith("2"):
        check(name, x, s=(5, 7), norm=norm)
        check(name, x, axes=(1,), norm=norm)


@st.composite
def transforms(draw: st.DrawFn) -> tuple[str, np.ndarray, dict[str, Any]]:
    name = draw(st.sampled_from(LINES + PLANES[:4]))
    shape = tuple(draw(st.lists(st.integers(1, 7), min_size=1, max_size=4)))
    dtype = draw(st.sampled_from(["float32", "float64", "int32", "complex64", "complex128"]))
    if name in OF_REALS and dtype.startswith("complex"):
        dtype = "float64"
    named: dict[str, Any] = {"norm": draw(st.sampled_from([None, "ortho", "forward"]))}
    length = st.one_of(st.none(), st.integers(1, 9))
    if name in LINES:
        named["axis"] = draw(st.integers(-len(shape), len(shape) - 1))
        named["n"] = draw(length)
        last = named["axis"]
    else:
        axes = draw(st.permutations(range(len(shape))))[: draw(st.integers(1, len(shape)))]
        named["axes"] = axes
        last = axes[-1]
        if draw(st.booleans()):
            named["s"] = [draw(st.integers(1, 9)) for _ in axes]
    if name in ("irfft", "irfftn", "hfft") and shape[last] == 1 and not named.get("n"):
        named["s" if name == "irfftn" else "n"] = [4] * len(named.get("axes", [])) or 4
    return name, numbers(shape, dtype), named


@given(transforms())
@settings(max_examples=60, deadline=None)
def test_any(transform: tuple[str, np.ndarray, dict[str, Any]]) -> None:
    name, x, named = transform
    check(name, x, **named)


@pytest.mark.parametrize("n", [511, 512, 1000])
def test_real_lines_are_transformed_as_such(n: int) -> None:
    check("fft", numbers((n,), "float64"))
    check("fft", numbers((2, 3, n), "float32"))
    check("fft", numbers((2, n - 5), "float64"), n)


def test_what_is_no_array_of_these_types() -> None:
    x = [3, 1, 4, 1, 5, 9]
    for given_ in (x, tuple(x), np.array(x, np.int8), np.array(x, ">f8"), np.array(x, bool)):
        check("fft", given_)
    check("rfft", np.array(x, np.float16))
    check("fft", memoryview(np.array(x, float)))
    check("fft2", np.asfortranarray(numbers((6, 8), "complex128")))
    check("fft", numbers((6, 16), "complex128")[::2, ::-2])


def test_lengths_of_minus_one_are_the_arrays() -> None:
    """Of the axis that is halved as well."""
    x = numbers((4, 8), "complex128")
    check("irfftn", x, s=(6, -1))
    check("irfft2", x, s=(-1, -1))
    check("fftn", x, s=(-1, 5))


@pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"])
def test_lines_of_nothing_go_on_with_zeros(name: str) -> None:
    x = np.empty((2, 0), "float64" if name in OF_REALS else "complex64")
    found = getattr(fft, name)(x, 4)
    exact = getattr(np.fft, name)(np.zeros((2, 1), x.dtype), 4)
    assert (found.dtype, found.shape) == (exact.dtype, exact.shape)
    assert not found.any()
    out = np.ones_like(found)
    assert getattr(fft, name)(x, 4, out=out) is out
    assert not out.any()


def test_no_lines() -> None:
    found = fft.rfft(np.empty((0, 8), np.float32))
    assert (found.shape, found.dtype) == ((0, 5), np.complex64)
    out = np.empty((0, 5), np.complex64)
    assert fft.rfft(np.empty((0, 8), np.float32), out=out) is out


def test_result_in_the_callers_array() -> None:
    x = numbers((2, 3, 8), "complex128")
    exact = np.fft.fft(x, axis=1)
    out = np.empty_like(x)
    assert fft.fft(x, axis=1, out=out) is out
    np.testing.assert_allclose(out, exact)
    assert fft.fft(x, axis=1, out=x, overwrite_x=True) is x
    np.testing.assert_allclose(x, exact)


def test_dimensions_side_by_side_have_one_kernel() -> None:
    x = numbers((4, 6, 30), "complex64")
    fft.fft(x)
    fft.fft(x.reshape(24, 30))
    three, two = (
        plan
        for key, plan in calls._plans._made.items()
        if isinstance(key, tuple) and key[1:] in (((4, 6, 30), x.dtype), ((24, 30), x.dtype))
    )
    assert str(three._kernel) == str(two._kernel)


@pytest.mark.parametrize("workers", [None, 1, 2, -1])
def test_workers(workers: int | None) -> None:
    check("fft", numbers((64, 64), "complex128"), workers=workers)


def test_in_the_place_of_scipy() -> None:
    x = numbers((6, 10), "float64")
    exact = {name: getattr(scipy.fft, name)(x) for name in (*LINES, *PLANES)}
    before = len(list(calls._plans))
    with scipy.fft.set_backend(fft, only=True):
        for name, wanted in exact.items():
            np.testing.assert_allclose(getattr(scipy.fft, name)(x), wanted, atol=1e-13)
        found = scipy.fft.fft(x, 4, 0, "ortho", False, 1)
    assert len(list(calls._plans)) > before
    np.testing.assert_allclose(found, scipy.fft.fft(x, 4, 0, "ortho"), atol=1e-13)


def test_what_does_not_fit_is_left_to_scipy() -> None:
    """It does what is no transform here, and refuses in its own words."""
    x = numbers((4, 6), "float64")
    calls: list[Any] = [
        lambda: scipy.fft.fftn(x, axes=()),
        lambda: scipy.fft.fftn(x, s=5, axes=1),
        lambda: scipy.fft.fft(np.empty((2, 0)), 4),
        lambda: scipy.fft.fft(list(x[0].astype(np.longdouble))),
    ]
    exact = [call() for call in calls]
    with scipy.fft.set_backend(fft):
        for call, wanted in zip(calls, exact, strict=True):
            np.testing.assert_allclose(call(), wanted, atol=1e-13)
        with pytest.raises(IndexError):
            scipy.fft.fft(x, axis=7)
        with pytest.raises(ValueError, match="invalid number of data points"):
            scipy.fft.fft(x, -1)


def test_a_backend_has_as_many_workers_as_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(calls, "threads_of", lambda workers: asked.append(workers) or 1)
    x = numbers((4, 6), "float64")
    with scipy.fft.set_backend(fft):
        scipy.fft.fft(x)
        with scipy.fft.set_workers(2):
            scipy.fft.fft(x)
        scipy.fft.fft(x, workers=3)
    assert asked == [1, 2, 3]


@pytest.mark.parametrize("name", LINES)
def test_places_are_those_of_scipy_and_numpy(name: str) -> None:
    x = numbers((4, 10), "float64")
    check(name, x, 8, 0, "ortho", True)
    check(name, x, 8, 0, "ortho", False, 2)
    check(name, x, 8, 0, "ortho", None, None)
    wanted = getattr(np.fft, name)(x, 8, 0, "ortho")
    place = np.empty_like(wanted)
    assert getattr(fft, name)(x, 8, 0, "ortho", place) is place
    np.testing.assert_allclose(place, wanted, atol=1e-14)
    many = f"{name}n" if hasattr(np.fft, f"{name}n") else "fftn"
    np.testing.assert_allclose(
        getattr(fft, many)(x, None, None, None, None),
        getattr(np.fft, many)(x, None, None, None, None),
        atol=1e-13,
    )


def test_workers_within_a_context(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int | None] = []
    monkeypatch.setattr(calls, "threads_of", lambda workers: asked.append(workers) or 1)
    fft.fft(X)
    with fft.set_workers(3):
        fft.fft(X)
        fft.fft(X, workers=2)
        with fft.set_workers(1), scipy.fft.set_backend(fft), scipy.fft.set_workers(4):
            fft.fft(X)
            scipy.fft.fft(X)
        with pytest.raises(KeyError), fft.set_workers(5):
            raise KeyError
        assert fft.get_workers() == 3
        with ThreadPoolExecutor(1) as pool:
            pool.submit(fft.fft, X).result()
    fft.fft(X)
    assert asked == [None, 3, 2, 1, 1, None, None]


def test_workers_are_those_of_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    all_of_them = len(os.sched_getaffinity(0))
    for said, wanted in (("3", 3), ("2,4", 2), ("", all_of_them), ("many", all_of_them)):
        monkeypatch.setenv("OMP_NUM_THREADS", said)
        assert fft.get_workers() == wanted
        with fft.set_workers(-1):
            assert fft.get_workers() == os.cpu_count()
    for no_number, says in (
        (0, "no such number"),
        ("2", "a whole number"),
        (1.0, "a whole"),
        (None, "a whole"),
    ):
        with pytest.raises(RunError, match=says), fft.set_workers(no_number):  # type: ignore[arg-type]
            pass


@pytest.mark.parametrize("name", ["fht", "set_backend"])
def test_what_only_scipy_has_is_named(name: str) -> None:
    with pytest.raises(AttributeError, match=f"no attribute '{name}': scipy.fft has it"):
        getattr(fft, name)
    with pytest.raises(AttributeError, match=r"no attribute 'dftt'$"):
        getattr(fft, "dft" + "t")
    assert {*scipy.fft.__all__} - {*fft.__all__} == {
        *("fht", "ifht", "fhtoffset", "set_backend", "skip_backend"),
        *("set_global_backend", "register_backend"),
    }


def test_plans_are_let_go_by_their_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls._plans, "heaviest", 3 * 16 * 1000)
    monkeypatch.setattr(calls._plans, "_made", {})
    monkeypatch.setattr(calls._plans, "_weight", 0)
    for n in (1000, 1001, 1002, 1003, 1000):
        check("fft", numbers((n,), "complex128"))
    kept = [key[1] for key in calls._plans if isinstance(key, tuple)]
    assert 1 <= len(kept) < 4
    assert kept[-1] == (1000,)


def test_what_is_not_here_is_left_to_scipy() -> None:
    x = numbers((10,), "float64")
    exact = scipy.fft.fht(x, 0.1, 0)
    with scipy.fft.set_backend(fft):
        np.testing.assert_allclose(scipy.fft.fht(x, 0.1, 0), exact)
        wide = scipy.fft.fft(x.astype(np.longdouble))
    assert wide.dtype == np.clongdouble
    assert fft.__ua_function__(scipy.fft.fht, (x, 0.1, 0), {}) is NotImplemented


X = np.ones((4, 8))


@pytest.mark.parametrize("name", ["fftn", "ifftn", "fft2", "ifft2", "dctn", "idstn"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_along_no_axis_numbers_stay_as_they_are(name: str, dtype: str) -> None:
    x = numbers((4, 6), dtype)
    own, wanted = getattr(fft, name)(x, axes=()), getattr(scipy.fft, name)(x, axes=())
    assert own.dtype == wanted.dtype
    np.testing.assert_array_equal(own, wanted)
    assert not np.shares_memory(own, x)
    out = np.empty_like(wanted)
    assert getattr(fft, name)(x, axes=[], out=out) is out
    np.testing.assert_array_equal(out, wanted)


@pytest.mark.parametrize(
    ("argument", "says", "call"),
    [
        ("axis", "there is no axis 2", lambda: fft.fft(X, axis=2)),
        ("axes", "there is no axis -3", lambda: fft.fft2(X, axes=(-3, 1))),
        ("axes", "transformed once", lambda: fft.fftn(X, axes=(1, -1))),
        ("axes", "no axis is", lambda: fft.rfftn(X, axes=())),
        ("axis", "a number has no axes", lambda: fft.fft(np.float64(3))),
        ("axis", "axis is a whole number", lambda: fft.fft(X, axis=1.0)),  # type: ignore[arg-type]
        ("axes", "a list of whole", lambda: fft.fftn(X, axes=True)),
        ("axes", "whole numbers", lambda: fft.fftn(X, axes=(0, "1"))),  # type: ignore[arg-type]
        ("n", "a line of 0 points", lambda: fft.fft(X, n=0)),
        ("n", "a line of 0 points", lambda: fft.irfft(X[:, :1])),
        ("n", "a line of -1 points", lambda: fft.fft(X, -1)),
        ("n", "a whole number\n   found: True", lambda: fft.fft(X, n=True)),
        ("s", "whole numbers", lambda: fft.fftn(X, s=(3, None))),  # type: ignore[arg-type]
        ("n", "fft: ", lambda: fft.fft(X, n=1 << 70)),
        ("n", "fft: ", lambda: fft.fft(X, n=134217757)),
        ("norm", "no such norm", lambda: fft.fft(X, norm=["ortho"])),  # type: ignore[arg-type]
        ("n", "a whole number\n   found: 2.5", lambda: fft.fft(X, n=2.5)),  # type: ignore[arg-type]
        ("s", "more lengths than dim", lambda: fft.fftn(X, s=(2, 2, 2))),
        ("s", "-1 is all of an axis", lambda: fft.fftn(X, s=(None, 2))),  # type: ignore[arg-type]
        ("axis", r"fftn\(x, axes=\(0, 1\)\)", lambda: fft.fft(X, axis=(0, 1))),  # type: ignore[arg-type]
        ("s", "as many lengths", lambda: fft.fftn(X, s=(2,), axes=(0, 1))),
        ("s", "a list of whole", lambda: fft.fftn(X, s=2.0)),  # type: ignore[arg-type]
        ("x", "x is no array", lambda: fft.fft([[1, 2], [3]])),
        ("workers", "a whole number", lambda: fft.fft(X, workers=True)),
        ("s", "of -2 points", lambda: fft.fftn(X, s=(-2, 4))),
        ("norm", "'ortho'", lambda: fft.fft(X, norm="orto")),
        ("x", "of real numbers", lambda: fft.rfft(X + 1j)),
        ("x", "more digits", lambda: fft.fft(X.astype(np.longdouble))),
        ("x", "not transformed", lambda: fft.fft(["a", "b"])),
        ("x", "a masked array", lambda: fft.fft(np.ma.array(X, mask=X > 0))),
        ("plan", "no meaning", lambda: fft.fft(X, plan=4)),  # type: ignore[arg-type]
        ("workers", "no such number", lambda: fft.fft(X, workers=0)),
        ("workers", "no such number", lambda: fft.fft(X, workers=-1000)),
        ("out", "contiguous in row-major", lambda: fft.fft(X, out=np.empty((8, 4), complex).T)),
        ("out", "complex128 of shape", lambda: fft.fft(X, out=np.empty((4, 8), "c8"))),
        ("out", "complex128 of shape", lambda: fft.rfft(X, out=np.empty((4, 8), complex))),
        ("out", "found: list", lambda: fft.fft(X, out=[])),  # type: ignore[arg-type]
    ],
)
def test_what_does_not_fit_is_named(argument: str, says: str, call: Any) -> None:
    with pytest.raises(RunError, match=says) as caught:
        call()
    assert caught.value.argument == argument


def test_primes_that_are_too_large_have_neighbours() -> None:
    with pytest.raises(RunError, match="134217728 or 134369280, as n= where zeros may follow"):
        fft.fft(X, n=134217757)


def test_primes_that_no_table_holds_are_transformed() -> None:
    x = np.random.default_rng(3).normal(size=131101)
    np.testing.assert_allclose(fft.fft(x), np.fft.fft(x), atol=1e-9)


def test_one_number_is_a_list_of_it() -> None:
    np.testing.assert_allclose(fft.fftn(X, axes=1), np.fft.fft(X, axis=1))
    np.testing.assert_allclose(fft.fftn(X, s=5), np.fft.fftn(X, s=(5,), axes=(-1,)))


def test_unknown_arguments_are_a_type_error() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'axes': did you mean 'axis'"):
        fft.fft(X, axes=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="unexpected keyword argument 'N': did you mean 'n'"):
        fft.fft(X, N=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"unexpected keyword argument 'sign'$"):
        fft.fft(X, sign=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="no place for 2: behind norm come overwrite_x and workers"):
        fft.fft(X, None, -1, None, False, 1, 2)
    with pytest.raises(TypeError, match="no place for 1: behind norm come"):
        fft.fft(X, None, -1, None, np.empty((4, 8), complex), 1)
    with pytest.raises(TypeError, match="multiple values for argument 'workers'"):
        fft.fft(X, None, -1, None, False, 1, workers=2)
    with pytest.raises(RunError, match="behind norm comes overwrite_x") as caught:
        fft.fft(X, None, -1, None, [])
    assert caught.value.argument == "overwrite_x"


@pytest.mark.parametrize("real", [False, True])
def test_lengths_that_are_quick_are_those_of_scipy(real: bool) -> None:
    for target in (*range(1, 200), 4097, 10007):
        assert fft.next_fast_len(target, real) == scipy.fft.next_fast_len(target, real)
        assert fft.prev_fast_len(target, real) == scipy.fft.prev_fast_len(target, real)
    with pytest.raises(RunError, match="target is a whole number"):
        fft.next_fast_len(0)


def test_helpers_are_those_of_numpy() -> None:
    assert weft.fft.fftfreq is np.fft.fftfreq
    assert weft.fft.fftshift is np.fft.fftshift
