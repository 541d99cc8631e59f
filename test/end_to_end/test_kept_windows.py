# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Windows and borders of fields that stay with the cores: around edges, padded, between rows."""

import numpy as np
import pytest

from end_to_end.fields import run

rng = np.random.default_rng(7)


def test_life_is_of_integers() -> None:
    x = (rng.random((64, 64)) < 0.4).astype("i4")
    got = run(
        "program life(x: i32[64, 64]) -> (y: i32[64, 64]):\n"
        "    carry u = x\n"
        "    for t in 0:9:\n"
        "        r = roll(u, 1, axis=0) + roll(u, -1, axis=0) + u\n"
        "        n = roll(r, 1, axis=1) + roll(r, -1, axis=1) + r - u\n"
        "        carry u = where(n == 3, 1, where(n == 2, u, 0))\n"
        "    y = u\n",
        x,
    )
    u = x
    for _ in range(9):
        three = u + np.roll(u, 1, 0) + np.roll(u, -1, 0)
        n = three + np.roll(three, 1, 1) + np.roll(three, -1, 1) - u
        u = np.where(n == 3, 1, np.where(n == 2, u, 0))
    np.testing.assert_array_equal(got, u)


@pytest.mark.parametrize(("rows", "columns", "size"), [(64, 20, 3), (100, 37, 3), (128, 33, 5)])
def test_windows_that_wrap_around(rows: int, columns: int, size: int) -> None:
    half = size // 2
    u, w = rng.standard_normal((rows, columns)), rng.standard_normal((size, size)) / size
    got = run(
        f"program f(x: f64[{rows}, {columns}], w: f64[{size}, {size}]) -> "
        f"(y: f64[{rows}, {columns}]):\n"
        "    carry u = x\n"
        "    for t in 0:5:\n"
        f"        v[i in 0:{rows}, j in 0:{columns}] = sum(w[a, b]*u[(i+a+{rows - half})%{rows}, "
        f"(j+b+{columns - half})%{columns}] for a in 0:{size}, b in 0:{size})\n"
        "        carry u = v\n"
        "    y = u\n",
        u,
        w,
    )
    for _ in range(5):
        u = sum(
            w[a, b] * np.roll(u, (half - a, half - b), (0, 1))
            for a in range(size)
            for b in range(size)
        )
    np.testing.assert_allclose(got, u, rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("rows", "columns", "before", "after"),
    [(62, 20, 1, 1), (100, 37, 1, 1), (71, 16, 2, 1), (150, 12, 2, 2), (63, 9, 0, 1)],
)
def test_a_border_around_what_is_carried(rows: int, columns: int, before: int, after: int) -> None:
    reach = before + after
    u = rng.standard_normal((rows, columns))
    terms = " + ".join(f"p[i+{a}, j+{reach - a}]" for a in range(reach + 1))
    got = run(
        f"program f(x: f64[{rows}, {columns}]) -> (y: f64[{rows}, {columns}]):\n"
        "    carry u = x\n"
        "    for t in 0:5:\n"
        f"        p = pad(u, {before}, after={after}, value=0.5)\n"
        f"        v[i in 0:{rows}, j in 0:{columns}] = 0.5*u[i, j] + 0.2*({terms})\n"
        "        carry u = v\n"
        "    y = u\n",
        u,
    )
    for _ in range(5):
        p = np.pad(u, (before, after), constant_values=0.5)
        u = 0.5 * u + 0.2 * sum(
            p[a : a + rows, reach - a : reach - a + columns] for a in range(reach + 1)
        )
    np.testing.assert_allclose(got, u, rtol=0, atol=1e-13)


@pytest.mark.parametrize("rows", [65, 101, 64])
def test_fields_between_the_rows_of_another(rows: int) -> None:
    e, h = rng.standard_normal((rows, 30)), rng.standard_normal((rows - 1, 30))
    got = run(
        f"program f(a: f64[{rows}, 30], b: f64[{rows - 1}, 30]) -> "
        f"(y: f64[{rows}, 30], z: f64[{rows - 1}, 30]):\n"
        "    carry e = a\n"
        "    carry h = b\n"
        "    for t in 0:7:\n"
        f"        hn[i in 0:{rows - 1}, j in 0:30] = h[i, j] + 0.5*(e[i+1, j] - e[i, j])\n"
        f"        en[i in 1:{rows - 1}, j in 0:30] = e[i, j] + 0.5*(hn[i, j] - hn[i-1, j])\n"
        "        en[0, 0:30] = e[0]\n"
        f"        en[{rows - 1}, 0:30] = e[{rows - 1}]\n"
        "        carry h = hn\n"
        "        carry e = en\n"
        "    y = e\n"
        "    z = h\n",
        e,
        h,
    )
    for _ in range(7):
        h = h + 0.5 * (e[1:] - e[:-1])
        e = e.copy()
        e[1:-1] += 0.5 * (h[1:] - h[:-1])
    np.testing.assert_allclose(got[0], e, rtol=0, atol=1e-13)
    np.testing.assert_allclose(got[1], h, rtol=0, atol=1e-13)
