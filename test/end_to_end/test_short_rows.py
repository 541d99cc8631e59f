# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows that are shorter than vectors or no whole ones of them: windows, and terms in rows."""

from __future__ import annotations

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import weft

KINDS = {"f32": np.float32, "f64": np.float64, "i32": np.int32, "c64": np.complex64}


# What is combined, and how: complex numbers have no order.
COMBINED = st.sampled_from(
    [(element, kind) for element in ("f32", "f64", "i32") for kind in ("max", "min", "sum")]
    + [("c64", "sum")]
)


def _numbers(shape: tuple[int, ...], element: str) -> np.ndarray:
    random = np.random.default_rng(11)
    values = random.integers(-50, 50, shape) if element == "i32" else random.uniform(-2, 2, shape)
    if element == "c64":
        return (values + 1j * random.uniform(-2, 2, shape)).astype(np.complex64)
    return values.astype(KINDS[element])


def _agrees(text: str, target: str, *arrays: np.ndarray) -> None:
    expected = weft.compile(text, mode="interpret")(*arrays)
    found = weft.compile(text, target=target)(*arrays)
    if found.dtype.kind == "i":
        np.testing.assert_array_equal(found, expected)
        return
    unit = float(np.finfo(found.dtype).eps)
    scale = float(np.abs(expected).max())
    np.testing.assert_allclose(found, expected, rtol=0, atol=64 * unit * scale)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_windows_of_short_rows(target: str, data: st.DataObject) -> None:
    element, kind = data.draw(COMBINED)
    size, step = data.draw(st.integers(1, 3)), data.draw(st.integers(1, 4))
    rows, columns = data.draw(st.integers(1, 5)), data.draw(st.integers(1, 40))
    h, w = step * (rows - 1) + size, step * (columns - 1) + size
    place = "w*{s}+j" if data.draw(st.booleans()) else f"{w - 1}-w*{{s}}-j"
    text = f"""\
kernel k(x: {element}[3, {h}, {w}]) -> (y: {element}[3, {rows}, {columns}]):
    y[c, h in 0:{rows}, w in 0:{columns}] = {kind}(
        x[c, h*{step}+i, {place.format(s=step)}] for i in 0:{size}, j in 0:{size})
"""
    _agrees(text, target, _numbers((3, h, w), element))


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_terms_in_rows(target: str, data: st.DataObject) -> None:
    element, kind = data.draw(COMBINED)
    h, w = data.draw(st.integers(1, 9)), data.draw(st.integers(1, 60))
    less = data.draw(st.integers(0, min(2, w - 1)))
    term = data.draw(st.sampled_from(["x[c, i, j]", "x[c, i, j]*v[i, j]", "x[c, i, j] - v[i, j]"]))
    text = f"""\
kernel k(x: {element}[3, {h}, {w}], v: {element}[{h}, {w}]) -> (y: {element}[3]):
    y[c] = {kind}({term} for i in 0:{h}, j in 0:{w - less})
"""
    _agrees(text, target, _numbers((3, h, w), element), _numbers((h, w), element))
