# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels travel as their source, errors with all their fields."""

from __future__ import annotations

import copy
import multiprocessing
import pickle

import numpy as np
import pytest

import weft
from weft.diagnostics import CompilerBug, RunError, SourceError, WeftError

SOURCE = """
kernel scaled[n: size](x: f64[n], by: f64) -> (y: f64[n]):
    y = x * by
kernel other(x: f64[2]) -> (y: f64[2]):
    y = x
"""
X = np.arange(5.0)


@pytest.mark.parametrize("sizes", [{}, {"n": 5}])
@pytest.mark.parametrize("mode", ["compiled", "interpret"])
def test_kernel_comes_back(mode: str, sizes: dict[str, int]) -> None:
    kernel = weft.compile(SOURCE, "scaled", "portable", mode=mode, on_value=None, **sizes)
    for twin in (pickle.loads(pickle.dumps(kernel)), copy.copy(kernel), copy.deepcopy(kernel)):
        assert twin is not kernel
        assert (twin.name, twin.target, twin.source) == ("scaled", kernel.target, SOURCE)
        np.testing.assert_array_equal(twin(X, 3.0), X * 3)
        assert repr(twin) == f"<weft kernel scaled[n=5] for {kernel.target}>"


def test_kernel_of_many_comes_back() -> None:
    kernels = weft.compile_many(
        [(SOURCE, "scaled", {"n": 5}), (SOURCE, "other", {})], target="portable"
    )
    scaled, other = pickle.loads(pickle.dumps(kernels))
    np.testing.assert_array_equal(scaled(X, 2.0), X * 2)
    assert other(X[:2]).tolist() == [0, 1]


def test_kernel_of_a_file_needs_no_file(tmp_path: object) -> None:
    path = tmp_path / "own.weft"  # type: ignore[operator]
    path.write_text(SOURCE, encoding="utf-8")
    data = pickle.dumps(weft.compile(path, "scaled", mode="interpret"))
    path.unlink()
    np.testing.assert_array_equal(pickle.loads(data)(X, 2.0), X * 2)


def test_kernel_in_spawned_processes() -> None:
    kernel = weft.compile(SOURCE, "scaled", "portable")
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        results = pool.starmap(kernel, [(X, 2.0), (X, 3.0)])
    np.testing.assert_array_equal(results, [X * 2, X * 3])


def caught(source: str) -> WeftError:
    with pytest.raises(WeftError) as info:
        weft.compile(source, mode="interpret")
    return info.value


def test_source_error_has_fields() -> None:
    text = "kernel k(x: f64[3]) -> (y: f64[3]):\n    y = x + zz\n    z = x[5]\n"
    error = caught(text)
    assert isinstance(error, SourceError)
    assert (error.code, error.rule, error.path) == ("W101", "W101", "<source>")
    assert (error.line, error.column, error.message) == (2, 13, "unknown name 'zz'")
    assert [(e.code, e.line, e.column) for e in error.errors] == [("W101", 2, 13), ("W402", 3, 11)]
    second = error.errors[1]
    assert (second.expected, second.found) == ("0 to 2", "it reaches 5")


ERRORS: list[WeftError] = [
    caught("kernel k(x: f64[3]) -> (y: f64[3]):\n    y = x + zz\n    z = x[5]\n"),
    RunError("not so", argument="x", expected="this", found="that", help="do this"),
    CompilerBug("broken", stage="passes", reproducer="/there"),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_error_comes_back(error: WeftError) -> None:
    twin = pickle.loads(pickle.dumps(error))
    assert type(twin) is type(error)
    assert str(twin) == twin.render() == str(error)
    for name in ("code", "path", "line", "column", "expected", "found", "help", "notes", "message"):
        assert getattr(twin, name) == getattr(error, name)
    assert [e.render() for e in twin.errors] == [e.render() for e in error.errors]
    assert copy.copy(error).render() == error.render()
    if isinstance(error, RunError):
        assert twin.argument == "x"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("/tmp", "a folder"),
        ("/no/such/file.py", "a name that does not end in .weft"),
        ("kernel.py", "a name that does not end in .weft"),
        ("~/kernels", "a name that does not end in .weft"),
        ("..", "a folder"),
    ],
)
def test_path_is_no_program(text: str, found: str) -> None:
    error = caught(text)
    assert isinstance(error, RunError)
    assert error.message == f"{text!r} is a path, not a program"
    assert error.found == found


@pytest.mark.parametrize("text", ["", " ", "kernel", "x" * 5000, "a\0b", "y = 3"])
def test_what_is_no_path_is_parsed(text: str) -> None:
    assert isinstance(caught(text), SourceError)
