# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Collectives: what they mean, by NumPy on the values of all groups, and laws between them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from semantics.typed_rules import check_module
from weft import driver
from weft.diagnostics import RunError
from weft.semantics import checker, reference
from weft.syntax.parser import parse
from weft.syntax.printer import print_file

RANDOM = np.random.default_rng(11)


def run(text: str, inputs: dict[str, Any], **sizes: int) -> dict[str, np.ndarray]:
    checked = checker.check(parse(text, "k.weft"))
    made = checker.instantiate(checked, list(checked.names())[-1], sizes)
    check_module(made)
    return reference.evaluate(made, inputs)


def numbers(*shape: int) -> np.ndarray:
    return RANDOM.normal(size=shape)


def test_alltoall_by_hand() -> None:
    text = """\
kernel f[G: groups](x: i64[2, 4]) -> (y: i64[4, 2]):
    y = alltoall(x, split=1, concat=0)
"""
    x = np.arange(16).reshape(2, 2, 4)
    y = run(text, {"x": x}, G=2)["y"]
    assert y.tolist() == [
        [[0, 1], [4, 5], [8, 9], [12, 13]],
        [[2, 3], [6, 7], [10, 11], [14, 15]],
    ]


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_alltoall_moves_between_distributions(data: st.DataObject) -> None:
    """What is cut along one axis is cut along another afterwards, and back again."""
    groups = data.draw(st.integers(1, 5))
    rank = data.draw(st.integers(1, 4))
    shape = [data.draw(st.integers(1, 3)) for _ in range(rank)]
    split, concat = (data.draw(st.integers(0, rank - 1)) for _ in range(2))
    shape[split] *= groups
    middle = list(shape)
    middle[split] //= groups
    middle[concat] *= groups
    text = f"""\
kernel f[G: groups](x: f64{shape}) -> (y: f64{middle}, z: f64{shape}):
    y = alltoall(x, split={split}, concat={concat})
    z = alltoall(y, split={concat}, concat={split})
"""
    x = numbers(groups, *shape)
    out = run(text, {"x": x}, G=groups)
    if split != concat:
        whole = np.concatenate(list(x), axis=concat)
        assert np.array_equal(out["y"], np.stack(np.split(whole, groups, axis=split)))
    assert np.array_equal(out["z"], x)


@settings(max_examples=30, deadline=None)
@given(
    groups=st.integers(1, 6),
    n=st.integers(1, 4),
    m=st.integers(1, 4),
    axis=st.sampled_from([0, 1, -1]),
)
def test_own_is_the_inverse_of_allgather(groups: int, n: int, m: int, axis: int) -> None:
    whole = [n, m]
    whole[axis] *= groups
    text = f"""\
kernel f[G: groups](x: f64{[n, m]}) -> (w: f64{whole}, y: f64{[n, m]}):
    w = allgather(x, axis={axis})
    y = own(w, axis={axis})
"""
    x = numbers(groups, n, m)
    out = run(text, {"x": x}, G=groups)
    assert all(np.array_equal(w, np.concatenate(list(x), axis=axis)) for w in out["w"])
    assert np.array_equal(out["y"], x)


@pytest.mark.parametrize(
    ("op", "meaning"), [("add", np.sum), ("mul", np.prod), ("max", np.max), ("min", np.min)]
)
def test_allreduce(op: str, meaning: Any) -> None:
    text = f"""\
kernel f[G: groups, n: size](x: f64[n]) -> (y: f64[n], s: f64):
    y = allreduce(x, op={op})
    s = allreduce(x[0], op={op})
"""
    x = numbers(3, 4)
    out = run(text, {"x": x}, G=3, n=4)
    assert np.allclose(out["y"], np.broadcast_to(meaning(x, axis=0), (3, 4)), rtol=1e-15)
    assert np.allclose(out["s"], meaning(x[:, 0]), rtol=1e-15)


def test_allreduce_in_the_order_of_the_groups() -> None:
    text = "kernel f[G: groups](x: f64) -> (y: f64):\n    y = allreduce(x)\n"
    x = np.array([1e16, 1.0, -1e16, 1.0])
    assert run(text, {"x": x}, G=4)["y"].tolist() == [1.0] * 4
    assert np.isnan(run(text, {"x": np.array([1.0, np.nan])}, G=2)["y"]).all()


def test_called_kernels_and_time_loops_run_over_the_same_groups() -> None:
    text = """\
kernel turned[P: groups, n: size](x: f64[n, n]) -> (y: f64[n//P, n*P]):
    y = alltoall(x, split=0, concat=1)

program p[G: groups, n: size, steps: size](x: f64[n, n]) -> (s: f64[steps], y: f64[n, n]):
    carry v = x
    for t in 0:steps:
        carry v = alltoall(turned(v), split=1, concat=0) * 2
        s[t] = allreduce(sum(v))
    y = v
"""
    x = numbers(2, 4, 4)
    out = run(text, {"x": x}, G=2, n=4, steps=3)
    assert np.array_equal(out["y"], 8 * x)
    assert np.allclose(out["s"], [[2 * x.sum(), 4 * x.sum(), 8 * x.sum()]] * 2)


def test_one_group_has_all() -> None:
    text = """\
kernel f[G: groups](x: f64[4, 6]) -> (y: f64[4, 6]):
    y = own(allgather(allreduce(alltoall(x, split=0, concat=1)), axis=1), axis=0)
"""
    x = numbers(1, 4, 6)
    assert np.array_equal(run(text, {"x": x}, G=1)["y"], x)


def test_named_values_have_the_groups_in_front() -> None:
    kernel = driver.compile(
        "kernel f[G: groups, n: size](x: f64[n]) -> (y: f64[n]):\n    a = 2 * x\n    y = a + 1\n",
        mode="interpret",
    )
    x = numbers(3, 5)
    assert np.array_equal(kernel(x), 2 * x + 1)
    assert kernel.sizes == {"G": 3, "n": 5}
    assert np.array_equal(kernel.values["a"], 2 * x)
    assert kernel.inputs[0].shape == (3, 5)


def test_arguments_have_the_groups_in_front() -> None:
    text = "kernel f[G: groups, n: size](x: f64[n]) -> (y: f64[n]):\n    y = allreduce(x)\n"
    kernel = driver.compile(text, mode="interpret", G=4)
    with pytest.raises(RunError) as caught:
        kernel(numbers(3, 5))
    assert "does not agree" in str(caught.value)
    assert "G = 4" in str(caught.value)
    with pytest.raises(RunError) as caught:
        kernel(numbers(5))
    assert "x: f64[n] for each of G groups" in str(caught.value)


def test_the_kind_of_a_size_is_printed() -> None:
    text = "kernel f[G: groups, n: size](x: f64[n]) -> (y: f64[n]):\n    y = allreduce(x)\n"
    file = parse(text, "k.weft")
    assert print_file(file) == text
    assert parse(print_file(file), "k.weft") == file
