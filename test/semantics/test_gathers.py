# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gather and scatter: what they mean, and what a bad index is told."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from semantics.typed_rules import check_module
from weft.diagnostics import RunError
from weft.semantics import checker, faults, reference
from weft.syntax.parser import parse

RANDOM = np.random.default_rng(11)


def module(text: str, **sizes: int) -> Any:
    checked = checker.check(parse(text, "folder/k.weft"))
    made = checker.instantiate(checked, list(checked.names())[-1], sizes)
    check_module(made)
    return made


def run(text: str, inputs: dict[str, Any], **sizes: int) -> dict[str, np.ndarray]:
    return reference.evaluate(module(text, **sizes), inputs)


@pytest.mark.parametrize("index", ["i32", "i64"])
@pytest.mark.parametrize("axis", [0, 1, 2, -1])
def test_gather_is_take(index: str, axis: int) -> None:
    x = RANDOM.normal(size=(5, 6, 7))
    k = RANDOM.integers(0, x.shape[axis], (2, 3)).astype("int32" if index == "i32" else "int64")
    expected = np.take(x, k, axis=axis)
    shape = ", ".join(map(str, expected.shape))
    text = (
        f"kernel f(x: f64[5, 6, 7], k: {index}[2, 3]) -> (y: f64[{shape}]):\n"
        f"    y = gather(x, k, axis={axis})\n"
    )
    assert np.array_equal(run(text, {"x": x, "k": k})["y"], expected)


def test_gather_in_expressions() -> None:
    text = """
kernel f[n: size, m: size](x: c128[n], k: i64[m]) -> (y: c128[m], s: c128, w: f64[m], e: c128):
    const table[i in 0:n] = i * i / 8
    y = 2 * gather(x, k) + gather(x, k)[0]
    s = sum(gather(x * 2, k)[j] for j in 0:m)
    w = gather(table, k)
    e = gather(x, k[1])
"""
    x = RANDOM.normal(size=6) + 1j * RANDOM.normal(size=6)
    k = np.array([5, 0, 3, 3])
    found = run(text, {"x": x, "k": k}, n=6, m=4)
    assert np.allclose(found["y"], 2 * x[k] + x[5])
    assert np.allclose(found["s"], 2 * x[k].sum())
    assert np.array_equal(found["w"], k * k / 8)
    assert found["e"] == x[0]


def scattered(base: np.ndarray, k: np.ndarray, v: np.ndarray, op: str) -> np.ndarray:
    y = base.copy()
    for j in np.ndindex(k.shape):
        before = y[k[j]]
        y[k[j]] = {
            "add": lambda a, b: a + b,
            "mul": lambda a, b: a * b,
            "max": np.maximum,
            "min": np.minimum,
            "set": lambda _, b: b,
        }[op](before, v[j])
    return y


@pytest.mark.parametrize("op", ["add", "mul", "max", "min", "set"])
@pytest.mark.parametrize("shape", [(7,), (2, 3)])
def test_scatter_accumulates_in_order(op: str, shape: tuple[int, ...]) -> None:
    base = RANDOM.normal(size=(4, 3)).astype(np.float32)
    k = RANDOM.integers(0, 4, shape).astype(np.int32)
    v = RANDOM.normal(size=(*shape, 3)).astype(np.float32)
    dims = ", ".join(map(str, shape))
    text = (
        f"kernel f(b: f32[4, 3], k: i32[{dims}], v: f32[{dims}, 3]) -> (y: f32[4, 3]):\n"
        f"    y = scatter(b, k, v, op={op})\n"
    )
    found = run(text, {"b": base, "k": k, "v": v})["y"]
    assert np.array_equal(found, scattered(base, k, v, op))


def test_histogram_with_a_scalar() -> None:
    text = """
kernel histogram[n: size, m: size](zero: i64[m], k: i64[n]) -> (y: i64[m]):
    y = scatter(zero, k, 1)
"""
    k = RANDOM.integers(0, 5, 100)
    found = run(text, {"zero": np.zeros(5, np.int64), "k": k}, n=100, m=5)["y"]
    assert np.array_equal(found, np.bincount(k, minlength=5))


def test_bool_is_set() -> None:
    text = """
kernel f(b: bool[4], k: i64[2], v: bool[2]) -> (y: bool[4]):
    y = scatter(b, k, v, op=set)
"""
    found = run(text, {"b": np.zeros(4, bool), "k": np.array([2, 0]), "v": np.array([True, True])})
    assert found["y"].tolist() == [True, False, True, False]


FAULTY = """
kernel inner[n: size, m: size](x: f64[n], k: i64[m]) -> (y: f64[m]):
    y = gather(x, k)

program outer[n: size, m: size, t: size](x: f64[n], k: i64[m], b: f64[m]) -> (z: f64[m], s: f64[t]):
    a = inner(x, k)
    carry v = b
    for i in 0:t:
        carry v = scatter(v, k, a * 2)
        s[i] = gather(v, k[0])
    z = v
"""


def test_codes_are_numbered_over_all_kernels() -> None:
    listed = faults.listed(module(FAULTY, n=8, m=4, t=2))
    places = ["k.weft:3:9", "k.weft:9:19", "k.weft:10:16"]
    whats = ["gather(x, k)", "scatter(v, k, a * 2)", "gather(v, k[0])"]
    assert [f.code for f in listed] == [1, 2, 3]
    assert [f.expected for f in listed] == ["0 to 7", "0 to 3", "0 to 3"]
    for fault, place, what in zip(listed, places, whats, strict=True):
        assert fault.message == f"{place}: an index is out of range in {what}"


@pytest.mark.parametrize(
    ("k", "place"),
    [([0, 1, 8, 0], "k.weft:3:9"), ([0, -1, 0, 0], "k.weft:3:9"), ([0, 5, 1, 2], "k.weft:9:19")],
)
def test_bad_index_is_a_run_error(k: list[int], place: str) -> None:
    inputs = {"x": np.zeros(8), "k": np.array(k), "b": np.zeros(4)}
    with pytest.raises(RunError) as error:
        run(FAULTY, inputs, n=8, m=4, t=2)
    assert str(error.value).startswith(f"error: {place}: an index is out of range in ")
    assert "expected: 0 to " in str(error.value)


def test_good_indices_are_no_error() -> None:
    inputs = {"x": np.arange(8.0), "k": np.array([0, 3, 1, 0]), "b": np.zeros(4)}
    found = run(FAULTY, inputs, n=8, m=4, t=2)
    # Each step adds 2 * x[k] at k = 0, 3, 1, 0.
    assert found["z"].tolist() == [0.0, 4.0, 0.0, 12.0]
    assert found["s"].tolist() == [0.0, 0.0]
