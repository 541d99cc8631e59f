# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gather and scatter compiled: equal to the reference, and the same fault at the same place."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import weft

ELEMENTS = {
    "f32": np.float32,
    "f64": np.float64,
    "c64": np.complex64,
    "c128": np.complex128,
    "i32": np.int32,
    "i64": np.int64,
    "bool": np.bool_,
}


def random_array(rng: np.random.Generator, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    """Small integers: equal whatever the order, and exact products."""
    return rng.integers(-3, 4, shape).astype(dtype)


def both(target: str, text: str, *arguments: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    found = weft.compile(text, target=target)(*arguments)
    expected = weft.compile(text, mode="interpret")(*arguments)
    if not isinstance(found, tuple):
        found, expected = (found,), (expected,)
    return list(zip(found, expected, strict=True))


@pytest.mark.parametrize("index", ["i32", "i64"])
@pytest.mark.parametrize("element", ELEMENTS)
def test_gather(target: str, element: str, index: str) -> None:
    text = f"""
kernel k(x: {element}[6, 9], i: {index}[3, 5], j: {index}) -> (
        rows: {element}[3, 5, 9], columns: {element}[6, 3, 5], row: {element}[9]):
    rows = gather(x, i)
    columns = gather(x, i, axis=1)
    row = gather(x, j)
"""
    rng = np.random.default_rng(5)
    x = random_array(rng, (6, 9), ELEMENTS[element])
    i = rng.integers(0, 6, (3, 5)).astype(ELEMENTS[index])
    rows, columns, row = weft.compile(text, target=target)(x, i, i[2, 2])
    np.testing.assert_array_equal(rows, x[i])
    np.testing.assert_array_equal(columns, x[:, i])
    np.testing.assert_array_equal(row, x[i[2, 2]])


WITHIN = {
    "elementwise": "y = 2 * gather(x, i) - b",
    "of_an_expression": "y = gather(x * x + 1, (i + 1) % n)",
    "of_a_transform": "y = real(gather(dft(c128(x)), i))",
    "twice": "y = gather(gather(x, p), i)",
    "in_a_sum": "y[l] = sum(gather(x, i)[q] * b[l] for q in 0:m)",
    "of_a_table": "const w[l in 0:n] = sqrt(l)\n    y = gather(w, i) * b",
    "chosen": "y = where(b > 0, gather(x, i), b)",
    "into_a_transform": "y = abs2(dft(c128(gather(x, i))))",
    "scattered_back": "y = gather(scatter(x, i, b), i)",
}


@pytest.mark.parametrize("name", WITHIN)
def test_within_other_work(target: str, name: str) -> None:
    text = (
        "kernel k[n: size, m: size](x: f64[n], i: i64[m], p: i32[n], b: f64[m]) -> (y: f64[m]):\n"
        f"    {WITHIN[name]}\n"
    )
    rng = np.random.default_rng(6)
    x, b = rng.standard_normal(20), rng.standard_normal(37)
    i, p = rng.integers(0, 20, 37), rng.permutation(20).astype(np.int32)
    for found, expected in both(target, text, x, i, p, b):
        np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-12)


SCATTERS = [
    *((element, "set") for element in ELEMENTS),
    *((element, op) for element in ELEMENTS if element != "bool" for op in ("add", "mul")),
    *((element, op) for element in ("f32", "f64", "i32", "i64") for op in ("max", "min")),
]


@pytest.mark.parametrize(("element", "op"), SCATTERS)
def test_scatter(target: str, element: str, op: str) -> None:
    text = f"""
kernel k(base: {element}[7, 4], i: i32[3, 6], v: {element}[3, 6, 4], line: {element}[7]) -> (
        y: {element}[7, 4], z: {element}[7]):
    y = scatter(base, i, v, op={op})
    z = scatter(line, i, v[:, :, 1], op={op})
"""
    rng = np.random.default_rng(7)
    dtype = ELEMENTS[element]
    base, v, line = (random_array(rng, s, dtype) for s in ((7, 4), (3, 6, 4), (7,)))
    i = rng.integers(0, 7, (3, 6)).astype(np.int32)
    for found, expected in both(target, text, base, i, v, line):
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found, expected)


def test_histogram(target: str) -> None:
    text = """
kernel histogram[n: size, m: size](k: i64[n], x: f64[m]) -> (y: i64[m], w: f64[m]):
    zero[i in 0:m] = 0
    y = scatter(zero, k, 1)
    w = scatter(x * 0, k, 0.5)
"""
    k = np.random.default_rng(8).integers(0, 10, 1000)
    y, w = weft.compile(text, target=target)(k, np.ones(10))
    np.testing.assert_array_equal(y, np.bincount(k, minlength=10))
    np.testing.assert_array_equal(w, np.bincount(k, minlength=10) / 2)


FAULTY = """
kernel inner[n: size, m: size](x: f64[n, 4], k: i64[m]) -> (y: f64[m, 4]):
    y = gather(x, k) * 2

program outer[n: size, m: size, t: size](x: f64[n, 4], k: i64[m], b: f64[m], l: i32[t]) -> (
        z: f64[m], s: f64[t]):
    a = inner(x, k)
    carry v = b
    for i in 0:t:
        carry v = scatter(v, k, a[:, 0])
        s[i] = gather(v, l[i])
    z = v
"""
GATHER = "3:9: an index is out of range in gather(x"
SCATTER = "10:19: an index is out of range in scatter(v"
LATER = "11:16: an index is out of range in gather(v"
FAULTS = {
    "none": ([0, 1, 4, 4, 2], [0, 1, 4], "", ""),
    "in_a_called_kernel": ([0, 1, 8, 4, 2], [0, 1, 4], GATHER, "k[2] = 8"),
    "negative": ([0, 1, -1, 4, 2], [0, 1, 4], GATHER, "k[2] = -1"),
    "huge": ([0, 2**40, 0, 4, 2], [0, 1, 4], GATHER, f"k[1] = {2**40}"),
    "in_the_loop": ([0, 1, 4, 4, 7], [0, 1, 4], SCATTER, "k[4] = 7"),
    "in_a_later_step": ([0, 1, 4, 4, 2], [0, 1, 5], LATER, ""),
}


@pytest.mark.parametrize("name", FAULTS)
def test_fault_names_its_place(target: str, name: str) -> None:
    k, steps, told, wrong = FAULTS[name]
    rng = np.random.default_rng(9)
    inputs = [rng.standard_normal((8, 4)), np.array(k), rng.standard_normal(5)]
    inputs.append(np.array(steps, np.int32))
    sizes = {"n": 8, "m": 5, "t": 3}
    compiled = weft.compile(FAULTY, "outer", target, **sizes)
    reference = weft.compile(FAULTY, "outer", mode="interpret", **sizes)
    if not told:
        for found, expected in zip(compiled(*inputs), reference(*inputs), strict=True):
            np.testing.assert_allclose(found, expected, rtol=1e-13)
        return
    # A second call looks at its arguments no more.
    for kernel, found in ((compiled, wrong), (compiled, wrong), (reference, wrong or "5")):
        with pytest.raises(weft.RunError) as caught:
            kernel(*inputs)
        assert caught.value.message.startswith(f"<source>:{told}")
        assert caught.value.expected.startswith("0 to ")
        assert caught.value.found == found


def test_faults_of_several_kernels_of_one_file(target: str) -> None:
    """Codes begin at 1 in each; each kernel knows its own."""
    text = """
kernel one(x: f64[4], k: i64[2]) -> (y: f64[2]):
    y = gather(x, k)

kernel two(x: f64[6], k: i64[2]) -> (y: f64[2]):
    y = gather(x, k) + 1
"""
    one, two = weft.compile_many([(text, "one", {}), (text, "two", {})], target=target)
    with pytest.raises(weft.RunError, match=r":3:9: .*\n.*0 to 3"):
        one(np.zeros(4), np.array([0, 4]))
    with pytest.raises(weft.RunError, match=r":6:9: .*\n.*0 to 5"):
        two(np.zeros(6), np.array([0, 6]))
    np.testing.assert_array_equal(two(np.arange(6.0), np.array([5, 0])), [6, 1])


def test_after_a_fault_the_kernel_still_works(target: str) -> None:
    text = "kernel k(x: f64[4], i: i64[2]) -> (y: f64[2]):\n    y = gather(x, i)\n"
    kernel = weft.compile(text, target=target)
    x, out = np.arange(4.0), np.full(2, 7.0)
    with pytest.raises(weft.RunError):
        kernel(x, np.array([0, 9]), out=out)
    np.testing.assert_array_equal(out, [7, 7])
    np.testing.assert_array_equal(kernel(x, np.array([3, 1]), out=out), [3, 1])
