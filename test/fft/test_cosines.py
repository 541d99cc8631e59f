# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transforms of cosines and sines against SciPy, their sums, laws, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.fft
from hypothesis import given, settings
from hypothesis import strategies as st

from weft import fft
from weft.diagnostics import RunError

RANDOM = np.random.default_rng(8)
LINES = ("dct", "idct", "dst", "idst")


def check(name: str, x: Any, *arguments: Any, **named: Any) -> None:
    exact = getattr(scipy.fft, name)(x, *arguments, **named)
    if np.iscomplexobj(x):  # of which SciPy 1.17 forgets `orthogonalize`
        own = getattr(scipy.fft, name)
        exact.real = own(x.real, *arguments, **named)
        exact.imag = own(x.imag, *arguments, **named)
    found = getattr(fft, name)(x, *arguments, **named)
    assert (found.dtype, found.shape) == (exact.dtype, exact.shape)
    eps = np.finfo(exact.dtype).eps
    assert np.abs(found - exact).max(initial=0) <= 50 * eps * max(np.abs(exact).max(initial=0), 1)


@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize("kind", [1, 2, 3, 4])
def test_lines(name: str, kind: int) -> None:
    for n in (2, 3, 8, 13, 64, 100, 1000):
        check(name, RANDOM.standard_normal(n), kind)
    x = RANDOM.standard_normal((3, 20, 4))
    for n in (None, 7, 33):
        check(name, x, kind, n, 1, "ortho")
    check(name, x.astype(np.float32), kind, axis=0, norm="forward")
    for orthogonalize in (False, True):
        for norm in ("backward", "ortho"):
            check(name, x, kind, norm=norm, orthogonalize=orthogonalize)


def test_places_are_those_of_scipy() -> None:
    """Its last one says another matrix: lost on the way, other numbers come out."""
    x = RANDOM.standard_normal((4, 10))
    for name in LINES:
        for told in (None, False, True):
            check(name, x, 2, None, -1, None, False, 1, told)
            own = getattr(scipy.fft, name)(x, 2, orthogonalize=told)
            with scipy.fft.set_backend(fft, only=True):
                found = getattr(scipy.fft, name)(x, 2, None, -1, None, False, 1, told)
            np.testing.assert_allclose(found, own, atol=1e-13)
    place = np.empty((4, 10))
    assert fft.dct(x, 2, None, -1, None, place) is place


@pytest.mark.parametrize("n", [1, 2, 5, 6])
@pytest.mark.parametrize("kind", [1, 2, 3, 4])
def test_sums(n: int, kind: int) -> None:
    """As the module's docstring has them."""
    i, k = np.arange(n)[None, :], np.arange(n)[:, None]
    ends = np.ones(n)
    ends[[0, -1]] = 0.5 if kind == 1 else 1
    fourth = (2 * i + 1) * (2 * k + 1) / (4 * n)
    angles = {
        1: (i * k / max(n - 1, 1), (i + 1) * (k + 1) / (n + 1)),
        2: ((2 * i + 1) * k / (2 * n), (2 * i + 1) * (k + 1) / (2 * n)),
        3: (i * (2 * k + 1) / (2 * n), (i + 1) * (2 * k + 1) / (2 * n)),
        4: (fourth, fourth),
    }
    cosine = 2 * np.cos(np.pi * angles[kind][0]) * ends
    sine = 2 * np.sin(np.pi * angles[kind][1])
    if kind == 3:
        cosine[:, 0] /= 2
        sine[:, -1] /= 2
    x = RANDOM.standard_normal(n)
    if kind > 1 or n > 1:
        np.testing.assert_allclose(fft.dct(x, kind), cosine @ x, atol=1e-13)
    np.testing.assert_allclose(fft.dst(x, kind), sine @ x, atol=1e-13)


@st.composite
def transforms(draw: st.DrawFn) -> tuple[str, np.ndarray, dict[str, Any]]:
    name = draw(st.sampled_from(LINES))
    shape = tuple(draw(st.lists(st.integers(2, 7), min_size=1, max_size=3)))
    dtype = draw(st.sampled_from(["float32", "float64", "int32", "complex64", "complex128"]))
    x = 8 * RANDOM.standard_normal(shape)
    if dtype.startswith("complex"):
        x = x + 1j * RANDOM.standard_normal(shape)
    named: dict[str, Any] = {
        "type": draw(st.integers(1, 4)),
        "norm": draw(st.sampled_from([None, "ortho", "forward"])),
        "orthogonalize": draw(st.sampled_from([None, True, False])),
    }
    if draw(st.booleans()):
        named["axes"] = draw(st.permutations(range(len(shape))))[: draw(st.integers(1, len(shape)))]
        if draw(st.booleans()):
            named["s"] = [draw(st.integers(2, 9)) for _ in named["axes"]]
    return name + "n", x.astype(dtype), named


@given(transforms())
@settings(max_examples=40, deadline=None)
def test_any(transform: tuple[str, np.ndarray, dict[str, Any]]) -> None:
    name, x, named = transform
    check(name, x, **named)


@pytest.mark.parametrize("kind", [1, 2, 3, 4])
def test_there_and_back(kind: int) -> None:
    x = RANDOM.standard_normal((12, 17)).astype(np.float32)
    np.testing.assert_allclose(fft.idctn(fft.dctn(x, kind), kind), x, atol=1e-5)
    np.testing.assert_allclose(fft.idstn(fft.dstn(x, kind), kind), x, atol=1e-5)
    orthogonal = fft.dct(x, kind, norm="ortho")
    np.testing.assert_allclose(np.linalg.norm(orthogonal), np.linalg.norm(x), rtol=1e-5)


@pytest.mark.parametrize("name", ["dct", "idct", "dst"])
@pytest.mark.parametrize("kind", [2, 3, 4])
def test_tables_of_long_lines_are_arguments(name: str, kind: int) -> None:
    check(name, RANDOM.standard_normal(16386), kind, norm="ortho")
    check(name, RANDOM.standard_normal((2, 20000)).astype(np.float32), kind)


def test_a_very_long_line() -> None:
    """More numbers than fit into the text of a kernel."""
    check("dct", RANDOM.standard_normal((1 << 21) + 2))


def test_blocks_of_pictures() -> None:
    check("dctn", RANDOM.standard_normal((5, 8, 8)).astype(np.float32), 2, None, (1, 2), "ortho")
    check("idctn", RANDOM.standard_normal((5, 8, 8)), 2, axes=(1, 2))


def test_in_the_place_of_scipy() -> None:
    x = RANDOM.standard_normal((6, 10))
    names = [*LINES, *(f"{name}n" for name in LINES)]
    exact = {name: getattr(scipy.fft, name)(x, 3) for name in names}
    with scipy.fft.set_backend(fft, only=True):
        for name, wanted in exact.items():
            np.testing.assert_allclose(getattr(scipy.fft, name)(x, 3), wanted, atol=1e-13)
        found = scipy.fft.dct(x, 2, 4, 0, "ortho", False, 1, orthogonalize=False)
    np.testing.assert_allclose(
        found, scipy.fft.dct(x, 2, 4, 0, "ortho", orthogonalize=False), atol=1e-13
    )
    with scipy.fft.set_backend(fft), pytest.raises(ValueError, match="invalid DCT type"):
        scipy.fft.dct(x, 7)


def test_refused() -> None:
    x = RANDOM.standard_normal((4, 5))
    for kind in (0, 5, "2", None, 1.5):
        with pytest.raises(RunError, match="type") as refused:
            fft.dct(x, kind)  # type: ignore[arg-type]
        assert refused.value.argument == "type"
    with pytest.raises(RunError, match="two points"):
        fft.dct(x, 1, 1)
    with pytest.raises(RunError, match="axis"):
        fft.dst(x, axis=2)
    with pytest.raises(RunError, match="behind norm comes overwrite_x"):
        fft.dct(x, 2, None, -1, None, "yes")
    with pytest.raises(TypeError, match=r"dct\(\) has no place for 3"):
        fft.dct(x, 2, None, -1, None, False, 1, True, 3)
    with pytest.raises(TypeError, match=r"dct\(\) has no place for True"):
        fft.dct(x, 2, None, -1, None, False, 1, True, orthogonalize=True)
    with pytest.raises(TypeError, match="dct"):
        fft.dct(x, workrs=1)  # type: ignore[call-arg]
