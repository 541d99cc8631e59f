# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays of truth values, which vectors load and store as bytes, beside NumPy."""

from __future__ import annotations

import numpy as np
import pytest

import weft

TEXT = """
kernel k[n: size, m: size](x: f64[n, m], z: f32[n, m], i: i64[n, m], b: bool[n, m]) -> (
        above: bool[n, m], both: bool[n, m], back: bool[n, m], kept: f64[n, m],
        some: bool[n, m], count: i64[n]):
    above = x > 0.25
    both[r, c] = z[r, c] < 0.5 and not b[r, c] or i[r, c] == 3
    back[r in 0:n, c in 0:m] = b[r, m-1-c] and x[r, m-1-c] <= 0.5
    kept = where(b, x, -1.0)
    some[r, c] = f64(z[r, c]) > x[r, c]
    count[r] = sum(i64(b[r, c]) for c in 0:m)

kernel alone[n: size, m: size](a: bool[n, m], b: bool[n, m]) -> (
        y: bool[n, m], z: bool[n, m], w: bool[n, m]):
    y = a and not b
    z[r in 0:n, c in 0:m] = a[r, c] and b[r, (c + 1) % m] or not a[(r + 1) % n, c]
    w[r in 0:n, c in 0:m] = a[r, m-1-c] == b[r, c]
"""


@pytest.mark.parametrize("m", [*range(1, 20), 24, 31, 32, 33, 48, 63, 64, 65, 100, 127, 129, 1000])
def test_beside_numpy(target: str, m: int) -> None:
    random = np.random.default_rng(m)
    x, z = random.random((3, m)), random.random((3, m), np.float32)
    i, b = random.integers(0, 5, (3, m)), random.random((3, m)) < 0.5
    kernel = weft.compile(TEXT, "k", target, n=3, m=m)
    wide = [np.zeros((5, m), kernel_dtype) for kernel_dtype in ("?", "?", "?", "f8", "?", "i8")]
    out = [array[1:4] for array in wide[:-1]] + [np.zeros(3, np.int64)]
    kernel(x, z, i, b, out=out)
    wanted = [
        x > 0.25,
        (z < np.float32(0.5)) & ~b | (i == 3),
        (b & (x <= 0.5))[:, ::-1],
        np.where(b, x, -1.0),
        z.astype(float) > x,
        b.sum(1),
    ]
    for found, right in zip(out, wanted, strict=True):
        np.testing.assert_array_equal(found, right)
    for array in wide:  # nothing is stored beyond a result's rows
        assert not array[[0, -1]].any()


@pytest.mark.parametrize("m", [1, 7, 8, 13, 16, 31, 64, 65, 1000])
def test_of_truth_values_alone(target: str, m: int) -> None:
    random = np.random.default_rng(m)
    a, b = random.random((3, m)) < 0.5, random.random((3, m)) < 0.5
    found = weft.compile(TEXT, "alone", target, n=3, m=m)(a, b)
    wanted = a & ~b, a & np.roll(b, -1, 1) | ~np.roll(a, -1, 0), a[:, ::-1] == b
    for one, right in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(one, right)


WIDTHS = """
kernel widths[n: size, m: size](x: f32[n, m], z: f64[n, m], i: i32[n, m], b: f64[m]) -> (
        both: bool[n, m], either: bool[n, m], kept: f64[n, m], sums: f64[n, m], wide: i64[n, m],
        narrow: f32[n, m]):
    both = x > 0.5 and z < 0.5
    either = i == 3 or z > 0.75
    kept = where(i > 2, z, 0.0)
    sums[r, c] = f64(x[r, c]) + b[c]
    wide = i64(i) * 3
    narrow = where(z > 0.25, x * 2, x)
"""


@pytest.mark.parametrize("m", [1, 7, 8, 13, 16, 31, 64, 65, 1000])
def test_of_numbers_of_two_widths(target: str, m: int) -> None:
    random = np.random.default_rng(m)
    x, z = random.random((5, m), np.float32), random.random((5, m))
    i, b = random.integers(0, 5, (5, m), np.int32), random.random(m)
    found = weft.compile(WIDTHS, "widths", target, n=5, m=m)(x, z, i, b)
    wanted = (
        (x > np.float32(0.5)) & (z < 0.5),
        (i == 3) | (z > 0.75),
        np.where(i > 2, z, 0.0),
        x + b,
        i.astype(np.int64) * 3,
        np.where(z > 0.25, x * 2, x),
    )
    for one, right in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(one, right)


ROWS = """
kernel rows[n: size, m: size](x: f32[n, m], z: f64[n, m], b: bool[n, m], r: f32[m], q: f64[m]) -> (
        above: bool[n, m], below: bool[n, m], kept: f32[n, m], more: bool[n, m]):
    above = x > r
    below = z <= q
    kept = where(b, x, r)
    more[i in 0:n, j in 0:m] = x[i, m-1-j] > r[j] or b[i, j]
"""


@pytest.mark.parametrize("m", [*range(1, 20), 31, 33, 40, 62, 63])
def test_beside_one_row(target: str, m: int) -> None:
    random = np.random.default_rng(m)
    x, z = random.random((5, m), np.float32), random.random((5, m))
    b, r, q = random.random((5, m)) < 0.5, random.random(m, np.float32), random.random(m)
    wide = [np.zeros((7, m), kind) for kind in ("?", "?", "f4", "?")]
    out = [array[1:-1] for array in wide]
    weft.compile(ROWS, "rows", target, n=5, m=m)(x, z, b, r, q, out=out)
    wanted = [x > r, z <= q, np.where(b, x, r), (x[:, ::-1] > r) | b]
    for found, right in zip(out, wanted, strict=True):
        np.testing.assert_array_equal(found, right)
    for array in wide:
        assert not array[[0, -1]].any()


@pytest.mark.parametrize("shape", [(12, 101), (9, 104), (1003,)])
def test_cores_move_truth_values_in_whole_words(shape: tuple[int, ...]) -> None:
    """Transfers of 101 bytes are hazards: nobody knows what the machine makes of them."""
    names = ["n", "m"][: len(shape)]
    dims = ", ".join(names)
    sizes = ", ".join(f"{name}: size" for name in names)
    text = f"kernel f[{sizes}](x: bool[{dims}], y: f32[{dims}]) -> (z: bool[{dims}]):\n"
    kernel = weft.compile(f"{text}    z = x and y > 0.5\n", target="sw26010")
    random = np.random.default_rng(1)
    x, y = random.random(shape) < 0.5, random.random(shape).astype(np.float32)
    np.testing.assert_array_equal(kernel(x, y), x & (y > 0.5))
    assert kernel.report["run"]["hazards"] == []


@pytest.mark.parametrize("m", [13, 130, 16])
def test_cores_keep_small_arrays_of_whole_words(m: int) -> None:
    """Small inputs stay with each core, got by one transfer: not where they are no whole words."""
    text = f"kernel f(b: bool[{m}], x: f32[200, {m}]) -> (y: f32[200, {m}]):\n"
    kernel = weft.compile(f"{text}    y[i, j] = where(b[j], x[i, j], 0)\n", target="sw26010")
    random = np.random.default_rng(1)
    b, x = random.random(m) < 0.5, random.random((200, m)).astype(np.float32)
    np.testing.assert_array_equal(kernel(b, x), np.where(b, x, 0))
    assert kernel.report["run"]["hazards"] == []
