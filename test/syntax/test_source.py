# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Texts that are no programs at all: an error in little time, and never a traceback."""

from __future__ import annotations

import random
import time

import pytest

from weft.diagnostics import Diagnostic, SourceError
from weft.semantics import checker
from weft.syntax.parser import parse
from weft.syntax.source import MAX_ERRORS, decode

HEADER = "kernel f[n: size](x: f64[n]) -> (y: f64[n]):\n"


def first(text: str) -> Diagnostic:
    with pytest.raises(SourceError) as caught:
        checker.check(parse(text, "t.weft"))
    return caught.value.diagnostics[0]


def test_not_utf8() -> None:
    """W001"""
    with pytest.raises(SourceError) as caught:
        decode(b"# caf\xe9\nkernel", "t.weft")
    (diagnostic,) = caught.value.diagnostics
    assert (diagnostic.rule, diagnostic.span.line, diagnostic.span.column) == ("W001", 1, 6)
    assert "0xe9" in diagnostic.found


@pytest.mark.parametrize("size", [(1 << 20) + 1, 10_000_000])
def test_too_big(size: int) -> None:
    """W012"""
    with pytest.raises(SourceError) as caught:
        decode(b"x" * size, "t.weft")
    assert caught.value.diagnostics[0].rule == "W012"
    assert first("x" * size).rule == "W012"


@pytest.mark.parametrize(
    "text",
    [
        HEADER + "    y = " + "(" * 5000 + "x" + ")" * 5000 + "\n",
        HEADER + "    y = " + "-" * 5000 + "x\n",
        HEADER + "    y = x" + "[0]" * 5000 + "\n",
        HEADER + "    y = " + "x ** " * 5000 + "x\n",
        HEADER + "    y = " + "not " * 5000 + "x\n",
        HEADER + "    y = " + "exp(" * 5000 + "x\n",
        "".join("    " * d + "for i in 0:1:\n" for d in range(2000)),
        HEADER + "".join("    " * (d + 1) + f"for i{d} in 0:1:\n" for d in range(500)),
        HEADER + "    y = x +\n" * 5000,
        "(" * 100_000,
        "\n" * 200_000,
        "kernel " * 50_000,
        HEADER * 3000,
        "\x00" * 1000,
        "#" * 100_000,
    ],
    ids=range(15),
)
def test_hostile_texts_end_soon(text: str) -> None:
    started = time.perf_counter()
    with pytest.raises(SourceError) as caught:
        checker.check(parse(text, "t.weft"))
    assert time.perf_counter() - started < 10
    assert 1 <= len(caught.value.diagnostics) <= max(50, MAX_ERRORS)
    assert len(caught.value.render()) < 100_000


@pytest.mark.parametrize("seed", range(20))
def test_junk(seed: int) -> None:
    data = random.Random(seed).randbytes(5000)
    with pytest.raises(SourceError):
        parse(decode(data, "t.weft"), "t.weft")
    text = data.decode("latin-1")
    with pytest.raises(SourceError):
        parse(text, "t.weft")


def test_indices_of_a_sum_may_begin_a_line() -> None:
    text = "kernel f(x: f64[4, 6]) -> (y: f64[4]):\n    y[i] = sum(x[i, j]\n        for j in 0:6)\n"
    checker.check(parse(text, "t.weft"))


def test_a_loop_ends_what_was_not_closed() -> None:
    """W004"""
    diagnostic = first(HEADER + "    y = (x\n    for i in 0:n:  # where\n        y[i] = x[i]\n")
    assert (diagnostic.rule, diagnostic.span.line) == ("W004", 2)
    assert diagnostic.found == "line 3 begins a new statement"
