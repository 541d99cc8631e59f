# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops over time whose fields stay with the cores of the SW26010, beside the same steps in NumPy.

Rows that cores divide and rows that they do not, borders of all kinds, several fields that take
turns in memory.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weft
from end_to_end.fields import laplace, rolls, run

rng = np.random.default_rng(7)


@pytest.mark.parametrize(
    ("shape", "element"),
    [
        ((64, 64), "f64"),
        ((128, 46), "f64"),
        ((130, 50), "f64"),
        ((60, 37), "f32"),
        ((17, 23), "f64"),
        ((67, 64), "f32"),
        ((200, 16), "f64"),
        ((32, 12, 20), "f64"),
        ((64, 48), "c128"),
        ((40, 24), "c64"),
        ((500,), "f64"),
    ],
)
def test_heat_around(shape: tuple[int, ...], element: str) -> None:
    steps = 7 + shape[0] % 2
    dtype = {"f64": "f8", "f32": "f4", "c128": "c16", "c64": "c8"}[element]
    x = rng.standard_normal(shape)
    if element[0] == "c":
        x = x + 1j * rng.standard_normal(shape)
    x = x.astype(dtype)
    size = ", ".join(map(str, shape))
    got = run(
        f"program heat(x: {element}[{size}]) -> (y: {element}[{size}]):\n"
        "    carry u = x\n"
        f"    for t in 0:{steps}:\n"
        f"        carry u = u + 0.1*{rolls(len(shape))}\n"
        "    y = u\n",
        x,
    )
    u = x.astype("c16" if element[0] == "c" else "f8")
    for _ in range(steps):
        u = u + 0.1 * laplace(u)
    np.testing.assert_allclose(got, u, rtol=0, atol=1e-5 if dtype in ("f4", "c8") else 1e-13)


@pytest.mark.parametrize(("rows", "columns"), [(64, 40), (131, 30), (96, 66), (33, 20)])
def test_fixed_and_mirrored_borders(rows: int, columns: int) -> None:
    x = rng.standard_normal((rows, columns))
    got = run(
        f"program f(x: f64[{rows}, {columns}]) -> (y: f64[{rows}, {columns}]):\n"
        "    carry u = x\n"
        "    for t in 0:9:\n"
        f"        v[i in 1:{rows - 1}, j in 1:{columns - 1}] = u[i, j] + "
        "0.1*(u[i-1, j] + u[i+1, j] + u[i, j-1] + u[i, j+1] - 4.0*u[i, j])\n"
        f"        v[0, j in 1:{columns - 1}] = u[1, j]\n"
        f"        v[{rows - 1}, j in 1:{columns - 1}] = 0.5*u[{rows - 2}, j]\n"
        f"        v[i in 0:{rows}, 0] = u[i, 0]\n"
        f"        v[i in 0:{rows}, {columns - 1}] = u[i, {columns - 2}]\n"
        "        carry u = v\n"
        "    y = u\n",
        x,
    )
    u = x.copy()
    for _ in range(9):
        v = np.empty_like(u)
        inside = u[1:-1, 1:-1]
        around = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]
        v[1:-1, 1:-1] = inside + 0.1 * (around - 4.0 * inside)
        v[0, 1:-1], v[-1, 1:-1] = u[1, 1:-1], 0.5 * u[-2, 1:-1]
        v[:, 0], v[:, -1] = u[:, 0], u[:, -2]
        u = v
    np.testing.assert_allclose(got, u, rtol=0, atol=1e-13)


@pytest.mark.parametrize("steps", [1, 4, 6, 11])
def test_wave_takes_turns_with_three_arrays(steps: int) -> None:
    x = rng.standard_normal((62, 40))
    got = run(
        "program wave(x: f64[62, 40]) -> (y: f64[62, 40], z: f64[62, 40]):\n"
        "    carry u = x\n"
        "    carry before = 0.5*x\n"
        f"    for t in 0:{steps}:\n"
        f"        new = 2.0*u - before + 0.2*{rolls(2)}\n"
        "        carry before = u\n"
        "        carry u = new\n"
        "    y = u\n"
        "    z = before\n",
        x,
        kept=steps > 1,
    )
    u, before = x, 0.5 * x
    for _ in range(steps):
        u, before = 2.0 * u - before + 0.2 * laplace(u), u
    np.testing.assert_allclose(got[0], u, rtol=0, atol=1e-12)
    np.testing.assert_allclose(got[1], before, rtol=0, atol=1e-12)


def test_coefficients_of_rows_columns_and_elements() -> None:
    x, k = rng.standard_normal((96, 40)), rng.standard_normal((96, 40))
    a, b, force = rng.standard_normal(96), rng.standard_normal(40), rng.standard_normal(7)
    got = run(
        "program f(x: f64[96, 40], k: f64[96, 40], a: f64[96], b: f64[40], g: f64[7]) -> "
        "(y: f64[96, 40]):\n"
        "    carry u = x\n"
        "    for t in 0:7:\n"
        "        v[i in 0:96, j in 0:40] = u[i, j] + 0.1*a[i]*b[j]*k[(i + 1) % 96, j]*"
        "u[(i + 95) % 96, j] + 0.01*i*j + g[t]\n"
        "        carry u = v\n"
        "    y = u\n",
        x,
        k,
        a,
        b,
        force,
    )
    u = x
    i, j = np.mgrid[:96, :40]
    for t in range(7):
        u = (
            u
            + 0.1 * a[:, None] * b * np.roll(k, -1, 0) * np.roll(u, 1, 0)
            + 0.01 * i * j
            + force[t]
        )
    np.testing.assert_allclose(got, u, rtol=0, atol=1e-10)


def test_rows_are_a_middle_dimension() -> None:
    x = rng.standard_normal((3, 64, 20))
    got = run(
        "program f(x: f64[3, 64, 20]) -> (y: f64[3, 64, 20]):\n"
        "    carry u = x\n"
        "    for t in 0:9:\n"
        "        v[c in 0:3, i in 0:64, j in 0:20] = u[c, (i + 1) % 64, j] + u[(c + 1) % 3, i, j]\n"
        "        carry u = 0.4*v\n"
        "    y = u\n",
        x,
    )
    u = x
    for _ in range(9):
        u = 0.4 * (np.roll(u, -1, 1) + np.roll(u, -1, 0))
    np.testing.assert_allclose(got, u, rtol=0, atol=1e-13)


@pytest.mark.parametrize(("rows", "columns", "row"), [(64, 20, 5), (130, 11, 129), (100, 30, 50)])
@pytest.mark.parametrize("element", ["f64", "f32"])
def test_single_elements(rows: int, columns: int, row: int, element: str) -> None:
    x = rng.standard_normal((rows, columns)).astype("f8" if element == "f64" else "f4")
    y, h, g = run(
        f"program f(x: {element}[{rows}, {columns}]) -> (y: {element}[{rows}, {columns}], "
        f"h: {element}[6], g: {element}[6]):\n"
        "    carry u = x\n"
        "    for t in 0:6:\n"
        f"        v[i in 1:{rows - 1}, j in 0:{columns}] = 0.5*u[i-1, j] + 0.25*u[i+1, j]\n"
        "        v[0, 0] = u[1, 1]\n"
        f"        v[0, j in 1:{columns}] = u[0, j]\n"
        f"        v[{rows - 1}, j in 0:{columns - 1}] = u[{rows - 2}, j]\n"
        f"        v[{rows - 1}, {columns - 1}] = 0.25\n"
        "        carry u = v\n"
        f"        h[t] = u[{row}, 3]\n"
        f"        g[t] = 2.0*u[{rows - 1}, 0] + sum(u[:, 2])\n"
        "    y = u\n",
        x,
    )
    u = x.astype("f8")
    tolerance = 1e-12 if element == "f64" else 1e-5
    for t in range(6):
        v = np.empty_like(u)
        v[1:-1] = 0.5 * u[:-2] + 0.25 * u[2:]
        v[0, 0], v[0, 1:] = u[1, 1], u[0, 1:]
        v[-1, :-1], v[-1, -1] = u[-2, :-1], 0.25
        u = v
        np.testing.assert_allclose(h[t], u[row, 3], rtol=0, atol=tolerance)
        np.testing.assert_allclose(g[t], 2.0 * u[-1, 0] + u[:, 2].sum(), rtol=0, atol=tolerance)
    np.testing.assert_allclose(y, u, rtol=0, atol=tolerance)


@pytest.mark.parametrize(("rows", "columns"), [(64, 20), (130, 11)])
@pytest.mark.parametrize("element", ["c128", "c64"])
def test_complex_numbers_are_copied_and_read_out(rows: int, columns: int, element: str) -> None:
    """What a step reads out behind its last copy keeps that a copy."""
    x = rng.standard_normal((rows, columns)) + 1j * rng.standard_normal((rows, columns))
    y, h = run(
        f"program f(x: {element}[{rows}, {columns}]) -> (y: {element}[{rows}, {columns}], "
        f"h: {element}[6]):\n"
        "    carry u = x\n"
        "    carry before = x\n"
        "    for t in 0:6:\n"
        "        n = 0.7*u - 0.5j*before + 0.1*roll(u, 1, axis=0)\n"
        "        carry before = u\n"
        "        carry u = n\n"
        f"        h[t] = u[{rows - 1}, 3] + before[1, 2]\n"
        "    y = u\n",
        x.astype("c16" if element == "c128" else "c8"),
    )
    tolerance = 1e-13 if element == "c128" else 1e-5
    u = before = x
    for t in range(6):
        u, before = 0.7 * u - 0.5j * before + 0.1 * np.roll(u, 1, 0), u
        np.testing.assert_allclose(h[t], u[-1, 3] + before[1, 2], rtol=0, atol=tolerance)
    np.testing.assert_allclose(y, u, rtol=0, atol=tolerance)


def test_copies_where_halos_of_all_have_no_room() -> None:
    x = rng.standard_normal((48, 48, 48)).astype("f4")
    got = run(
        "program wave(x: f32[48, 48, 48]) -> (y: f32[48, 48, 48]):\n"
        "    carry u = x\n"
        "    carry before = x\n"
        "    for t in 0:3:\n"
        f"        new = 2.0*u - before + 0.1*{rolls(3)}\n"
        "        carry before = u\n"
        "        carry u = new\n"
        "    y = u\n",
        x,
    )
    u = before = x
    for _ in range(3):
        u, before = 2.0 * u - before + 0.1 * laplace(u), u
    np.testing.assert_allclose(got, u, rtol=0, atol=1e-4)


def test_coefficients_that_the_compiler_knows() -> None:
    x = rng.standard_normal((64, 40))
    got = run(
        "program f(x: f64[64, 40]) -> (y: f64[64, 40]):\n"
        "    const a[i in 0:64] = sin(i)\n"
        "    const k[i in 0:64, j in 0:40] = cos(i*j)\n"
        "    carry u = x\n"
        "    for t in 0:7:\n"
        "        v[i in 0:64, j in 0:40] = 0.5*a[i]*u[i, j] + 0.5*k[i, j]*u[(i + 1) % 64, j]\n"
        "        carry u = v\n"
        "    y = u\n",
        x,
    )
    u = x
    i, j = np.mgrid[:64, :40]
    for _ in range(7):
        u = 0.5 * np.sin(i) * u + 0.5 * np.cos(i * j) * np.roll(u, -1, 0)
    np.testing.assert_allclose(got, u, rtol=0, atol=1e-13)


@pytest.mark.parametrize("columns", [64, 12, 13])
def test_conditions(columns: int) -> None:
    """Rows of them that are no whole words of a transfer stay in main memory."""
    x = rng.random((67, columns)) < 0.7
    got = run(
        f"program f(x: bool[67, {columns}]) -> (y: bool[67, {columns}]):\n"
        "    carry u = x\n"
        "    for t in 0:9:\n"
        "        v = roll(u, 1, axis=0) and not roll(u, 1, axis=1)\n"
        "        carry u = v or roll(v, -1, axis=0)\n"
        "    y = u\n",
        x,
        kept=columns % 4 == 0,
    )
    u = x
    for _ in range(9):
        v = np.roll(u, 1, 0) & ~np.roll(u, 1, 1)
        u = v | np.roll(v, -1, 0)
    np.testing.assert_array_equal(got, u)


SCHEDULED = (
    "program f(x: f64[64, 64]) -> (y: f64[64, 64]):\n"
    "    carry u = x\n"
    "    for t in 0:7:\n"
    "        v = 0.5*u + 0.3*roll(u, 1, axis=0)\n"
    "        carry u = v - 0.1*roll(v, -2, axis=0)\n"
    "    y = u\n"
    "schedule f on sw26010:\n"
)


@pytest.mark.parametrize(
    ("asked", "kept"),
    [
        ("distribute v.axis0 over cpes", True),
        ("place v in ldm", True),
        ("tile v.axis0 by 8 -> outer, inner\n    distribute outer over cpes", False),
    ],
)
def test_a_schedule_says_what_cores_do(asked: str, kept: bool) -> None:
    x = rng.standard_normal((64, 64))
    got = run(
        SCHEDULED + f"    {asked}\n",
        x,
        kept=kept,
    )
    u = x
    for _ in range(7):
        v = 0.5 * u + 0.3 * np.roll(u, 1, 0)
        u = v - 0.1 * np.roll(v, -2, 0)
    np.testing.assert_allclose(got, u, rtol=0, atol=1e-13)


def test_parts_that_a_schedule_asks_for_are_refused_as_ever() -> None:
    with pytest.raises(weft.WeftError, match="cannot be kept"):
        weft.compile(
            SCHEDULED + "    place v in ldm double_buffered\n",
            target="sw26010",
        )


def test_a_field_begins_as_a_copy_of_one_that_is_a_copy() -> None:
    x = rng.standard_normal((64, 20))
    got = run(
        "program f(x: f64[64, 20]) -> (y: f64[64, 20]):\n"
        "    carry u = x\n"
        "    carry before = u\n"
        "    for t in 0:7:\n"
        "        n = 0.5*roll(u, 1, axis=0) + 0.25*before\n"
        "        carry before = u\n"
        "        carry u = n\n"
        "    y = u + before\n",
        x,
    )
    u = before = x
    for _ in range(7):
        u, before = 0.5 * np.roll(u, 1, 0) + 0.25 * before, u
    np.testing.assert_allclose(got, u + before, rtol=0, atol=1e-13)


def test_fields_beyond_all_memories_pass_through_main_memory() -> None:
    x = rng.standard_normal((1024, 600)).astype("f4")
    got = run(
        "program f(x: f32[1024, 600]) -> (y: f32[1024, 600]):\n"
        "    carry u = x\n"
        "    for t in 0:2:\n"
        "        carry u = u + 0.25*roll(u, 1, axis=0)\n"
        "    y = u\n",
        x,
        kept=False,
    )
    u = x
    for _ in range(2):
        u = u + np.float32(0.25) * np.roll(u, 1, 0)
    np.testing.assert_allclose(got, u, rtol=0, atol=1e-5)


@settings(max_examples=12, deadline=None)
@given(
    rows=st.integers(20, 140),
    columns=st.integers(3, 40),
    before=st.integers(0, 3),
    after=st.integers(0, 3),
    wraps=st.booleans(),
    steps=st.integers(5, 9),
)
def test_any_reach(
    rows: int, columns: int, before: int, after: int, wraps: bool, steps: int
) -> None:
    x = np.random.default_rng(rows * columns).standard_normal((rows, columns))
    if wraps:
        body = (
            f"        carry u = 0.5*u + 0.3*roll(u, {before}, axis=0)"
            f" + 0.2*roll(u, {-after}, axis=0)\n"
        )
    else:
        inside = f"i in {before}:{rows - after}, j in 0:{columns}"
        body = (
            f"        v[{inside}] = 0.5*u[i, j] + 0.3*u[i - {before}, j] + 0.2*u[i + {after}, j]\n"
        )
        if before:
            body += f"        v[i in 0:{before}, j in 0:{columns}] = u[i, j]\n"
        if after:
            body += f"        v[i in {rows - after}:{rows}, j in 0:{columns}] = 2.0*u[i, j]\n"
        body += "        carry u = v\n"
    kernel = weft.compile(
        f"program f(x: f64[{rows}, {columns}]) -> (y: f64[{rows}, {columns}]):\n"
        f"    carry u = x\n    for t in 0:{steps}:\n{body}    y = u\n",
        target="sw26010",
    )
    got = kernel(x)
    assert kernel.report["run"]["hazards"] == []
    u = x
    for _ in range(steps):
        if wraps:
            u = 0.5 * u + 0.3 * np.roll(u, before, 0) + 0.2 * np.roll(u, -after, 0)
            continue
        v = u.copy()
        v[before : rows - after] = (
            0.5 * u[before : rows - after]
            + 0.3 * u[: rows - after - before]
            + 0.2 * u[before + after :]
        )
        v[rows - after :] *= 2.0
        u = v
    np.testing.assert_allclose(got, u, rtol=0, atol=1e-12 * 2.0**steps)
