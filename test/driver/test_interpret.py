# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""mode="interpret": every named value can be seen, at its line, while the kernel runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import weft
from weft.diagnostics import RunError

SOURCE = """
kernel step[n: size](x: f64[n]) -> (y: f64[n]):
    u = x * 2
    for i in 0:n:
        half = u[i] / 2
        y[i] = half + 1

program walk[n: size, steps: size](x: f64[n]) -> (sums: f64[steps], last: f64[n]):
    carry v = x
    for t in 0:steps:
        carry v = step(v)
        sums[t] = sum(v)
    last = v
"""
PARTS = """
kernel parts[n: size](x: f64[n]) -> (y: f64[n]):
    y[0] = 7
    y[i in 1:n] = x[i]
"""
X = np.arange(4.0)


def test_values_of_the_last_call() -> None:
    kernel = weft.compile(SOURCE, "step", mode="interpret")
    np.testing.assert_array_equal(kernel(X), X + 1)
    values = kernel.values
    assert list(values) == ["x", "u", "half", "y"]
    np.testing.assert_array_equal(values["u"], X * 2)
    np.testing.assert_array_equal(values["half"], X)
    kernel(X[:2])
    assert kernel.values["u"].shape == (2,)
    with pytest.raises(ValueError, match="read-only"):
        kernel.values["u"][0] = 1


def test_callback_sees_each_value_at_its_line() -> None:
    seen: list[tuple[str, Any, int]] = []
    kernel = weft.compile(
        SOURCE,
        "walk",
        mode="interpret",
        on_value=lambda name, array, line: seen.append((name, array.copy(), line)),
        steps=2,
    )
    kernel(X)
    once = [("step.u", 3), ("step.half", 5), ("step.y", 6), ("v", 11), ("sums", 12)]
    assert [(name, line) for name, _, line in seen] == [*once, *once, ("last", 11)]
    np.testing.assert_array_equal(seen[4][1], [10, 0])  # sums after the first step
    np.testing.assert_array_equal(kernel.values["v"], X + 2)
    np.testing.assert_array_equal(kernel.values["sums"], [10, 14])


def test_a_value_given_by_parts_is_told_when_it_is_whole() -> None:
    seen = []
    kernel = weft.compile(
        PARTS, mode="interpret", on_value=lambda name, array, line: seen.append((name, line))
    )
    assert kernel(X).tolist() == [7, 1, 2, 3]
    assert seen == [("y", 4)]


def test_what_the_callback_raises_is_the_users() -> None:
    def stop(name: str, array: np.ndarray, line: int) -> None:
        if name == "half":
            raise KeyError(line)

    kernel = weft.compile(SOURCE, "step", mode="interpret", on_value=stop)
    with pytest.raises(KeyError, match="5"):
        kernel(X)
    assert list(kernel.values) == ["x", "u", "half"]  # how far it came


def test_fault_at_the_source_line() -> None:
    source = "kernel g(x: f64[4], k: i64[2]) -> (y: f64[2]):\n    z = x + 1\n    y = gather(z, k)\n"
    kernel = weft.compile(source, mode="interpret")
    with pytest.raises(RunError, match=r"<source>:3:9: an index is out of range"):
        kernel(X, np.array([0, 4]))
    assert list(kernel.values) == ["x", "k", "z"]


@pytest.mark.parametrize(("value", "target"), [("1", "interpret"), ("0", "portable")])
def test_environment(monkeypatch: pytest.MonkeyPatch, value: str, target: str) -> None:
    monkeypatch.setenv("WEFT_INTERPRET", value)
    assert weft.compile(SOURCE, "step", "portable", n=4).target == target
    assert weft.compile_many([(SOURCE, "step", {"n": 4})], "portable")[0].target == target
    given = weft.compile(SOURCE, "step", "portable", mode="compiled", n=4)
    assert given.target == "portable"


def test_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(RunError, match="no mode 'interpreted'") as caught:
        weft.compile(SOURCE, "step", mode="interpreted")
    assert caught.value.help == "did you mean 'interpret'?"
    with pytest.raises(RunError, match="on_value needs mode='interpret'"):
        weft.compile(SOURCE, "step", on_value=print)
    with pytest.raises(RunError, match="on_value is no function"):
        weft.compile(SOURCE, "step", mode="interpret", on_value="print")  # type: ignore[arg-type]
    with pytest.raises(RunError, match="keeps only its outputs"):
        _ = weft.compile(SOURCE, "step", "portable", n=4).values
    with pytest.raises(RunError, match="no IR, C, assembly"):
        _ = weft.compile(SOURCE, "step", mode="interpret", n=4).asm
    with pytest.raises(RunError, match="has no IR"):
        _ = weft.compile(SOURCE, "step", mode="interpret", n=4).ir
    monkeypatch.setenv("WEFT_INTERPRET", "yes")
    with pytest.raises(RunError, match="WEFT_INTERPRET is not understood"):
        weft.compile(SOURCE, "step")


def test_dump_has_the_stages_that_ran(tmp_path: Any) -> None:
    weft.compile(SOURCE, "step", mode="interpret", dump_dir=tmp_path, n=3)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["00-source.weft", "01-ast.txt", "02-typed.txt"]
