# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sources of unusual shape: deep, long, large or no text at all. Each gets an answer in seconds."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from robustness.limited import compiled

DEEP = 5000
HEAD = "kernel k(x: f64[4]) -> (y: f64[4]):\n"


def body(expression: str) -> str:
    return f"{HEAD}    y = {expression}\n"


def signature(parameters: str, statement: str) -> str:
    return f"kernel k{parameters} -> (y: f64):\n    {statement}\n"


def blocks(depth: int) -> str:
    lines = [f"{'    ' * (n + 1)}for i{n} in 0:2:" for n in range(depth)]
    return "\n".join([HEAD.rstrip(), *lines, "    " * (depth + 1) + "y[i0] = 1", ""])


def chain_of_kernels(count: int) -> str:
    parts = [f"kernel k{n}(x: f64[4]) -> (y: f64[4]):\n    y = k{n + 1}(x)\n" for n in range(count)]
    return "".join([*parts, f"kernel k{count}(x: f64[4]) -> (y: f64[4]):\n    y = x\n"])


def doubling(count: int) -> str:
    """Each kernel calls the one before it twice: 2^count calls once all are inlined."""
    parts = ["kernel k0(x: f64[4]) -> (y: f64[4]):\n    y = x + 1\n"]
    for n in range(1, count + 1):
        parts.append(
            f"kernel k{n}(x: f64[4]) -> (y: f64[4]):\n    y = k{n - 1}(x) * k{n - 1}(x + {n})\n"
        )
    return "".join(parts)


def shared(count: int) -> str:
    """Each local is used twice by the next: a tree of 2^count nodes, a graph of count."""
    lines = ["    for i in 0:4:", "        t0 = x[i]"]
    lines += [f"        t{n} = t{n - 1} * t{n - 1} + 0.5" for n in range(1, count)]
    return HEAD + "\n".join([*lines, f"        y[i] = t{count - 1}", ""])


def tensors(count: int) -> str:
    lines = ["    t0 = x"] + [f"    t{n} = t{n - 1} * t{n - 1}" for n in range(1, count)]
    return HEAD + "\n".join([*lines, f"    y = t{count - 1}", ""])


def elements(count: int) -> str:
    lines = [f"    y[{n}] = x[{n}]\n" for n in range(count)]
    return f"kernel k(x: f64[{count}]) -> (y: f64[{count}]):\n" + "".join(lines)


# What is written, and what is said of it; "" where any answer will do.
TEXTS: dict[str, tuple[Callable[[], str], str]] = {
    "brackets": (lambda: body("(" * DEEP + "x" + ")" * DEEP), "W007"),
    "brackets_open": (lambda: body("(" * DEEP + "x"), "W0"),
    "brackets_closed": (lambda: body("x" + ")" * DEEP), "W004"),
    "signs": (lambda: body("-" * DEEP + "x"), "W007"),
    "plus_signs": (lambda: body("+" * DEEP + "x"), "W0"),
    "nots": (lambda: body("not " * DEEP + "x"), "W007"),
    "sums": (lambda: body(" + ".join(["x"] * DEEP)), "W007"),
    "products": (lambda: body(" * ".join(["x"] * DEEP)), "W007"),
    "powers": (lambda: body(" ** ".join(["2"] * DEEP)), "W007"),
    "matrix_products": (lambda: body(" @ ".join(["x"] * DEEP)), "W007"),
    "conditions": (lambda: body(" and ".join(["x"] * DEEP)), "W007"),
    "comparisons": (lambda: body(" < ".join(["x"] * DEEP)), "W005"),
    "calls": (lambda: body("sin(" * DEEP + "x" + ")" * DEEP), "W007"),
    "calls_of_calls": (lambda: body("sin" + "(x)" * DEEP), "W0"),
    "subscripts": (lambda: body("x" + "[0]" * DEEP), "W"),
    "subscripts_within": (lambda: body("x[" * DEEP + "0" + "]" * DEEP), "W007"),
    "attributes": (lambda: body("x" + ".a" * DEEP), "W"),
    "lists": (lambda: body("[" * DEEP + "x" + "]" * DEEP), "W007"),
    "list_of_many": (lambda: body("[" + ", ".join(["1"] * DEEP) + "]"), "W"),
    "arguments": (lambda: body("sum(" + ", ".join(["x"] * DEEP) + ")"), "W"),
    "ranges": (
        lambda: body("sum(x[0] for " + ", ".join(f"i{n} in 0:2" for n in range(500)) + ")"),
        "",
    ),
    "indices": (lambda: body("x[" + ", ".join(["0"] * DEEP) + "]"), "W401"),
    "blocks": (lambda: blocks(300), "W007"),
    "blocks_deep": (lambda: blocks(2000), "W0"),
    "calls_of_kernels": (lambda: chain_of_kernels(1000), "W616"),
    "calls_that_double": (lambda: doubling(9), "compiled"),
    "calls_that_double_often": (lambda: doubling(4000), "W622"),
    "calls_beyond_counting": (lambda: doubling(60), "W622"),
    "locals_shared": (lambda: shared(60), ""),
    "tensors_shared": (lambda: tensors(1500), ""),
    "statements_that_are_all_used": (lambda: tensors(2047), "compiled"),
    "elements_that_are_allowed": (lambda: elements(2048), "compiled"),
    "statements_by_the_thousand": (lambda: tensors(20000), "W623"),
    "elements_one_by_one": (lambda: elements(5000), "W623"),
    "sizes": (
        lambda: signature(
            f"[{', '.join(f'n{i}: size' for i in range(3000))}](x: f64[n0])", "y = sum(x)"
        ),
        "",
    ),
    "dimensions": (
        lambda: signature(f"(x: f64[{', '.join(['1'] * 3000)}])", "y = 1"),
        "W",
    ),
    "parameters": (
        lambda: signature(f"({', '.join(f'x{i}: f64[2]' for i in range(2000))})", "y = sum(x0)"),
        "",
    ),
    "kernels": (
        lambda: "".join(HEAD.replace("k(", f"k{i}(") + "    y = x\n" for i in range(4000)),
        "",
    ),
    "statements": (
        lambda: HEAD + "".join(f"    t{i} = x + {i}\n" for i in range(4000)) + "    y = x\n",
        "W623",
    ),
    "name": (lambda: body("n" * 900_000), "W015"),
    "name_of_kernel": (
        lambda: f"kernel {'k' * 900_000}(x: f64[4]) -> (y: f64[4]):\n    y = x\n",
        "W",
    ),
    "number": (lambda: body("9" * 900_000), "W008"),
    "exponent": (lambda: body("x * 1e999999999"), "W008"),
    "power_of_power": (lambda: body("x * 9 ** 9 ** 9 ** 9"), "W702"),
    "power_of_value": (lambda: body("x ** 1000000000"), "W206"),
    "shift": (lambda: body("x * 2 ** 4000 ** 2"), "W702"),
    "one_line": (lambda: "kernel " * 1_500_000, "W012"),
    "many_lines": (lambda: body("x") + "    z = x\n" * 1_000_000, "W012"),
    "long_comment": (lambda: "#" * 10_000_000, "W012"),
    "below_the_limit": (lambda: body("x") + "#" * 1_000_000, "compiled"),
    "newlines": (lambda: "\n" * 1_000_000, "W010"),
    "blanks": (lambda: " " * 1_000_000, "W010"),
    "tabs": (lambda: HEAD + "\t" * 500_000 + "y = x\n", "W002"),
    "wrong_lines": (lambda: HEAD + "    y = = x\n" * 30_000, "W005"),
    "wrong_names": (lambda: HEAD + "".join(f"    t{i} = q{i}\n" for i in range(2000)), "W101"),
    "errors_of_one_line": (lambda: body(" + ".join(f"q{i}" for i in range(150))), "W101"),
    "empty": (lambda: "", "W010"),
}


@pytest.mark.parametrize("name", TEXTS)
def test_text(name: str, tmp_path: Path) -> None:
    make, rule = TEXTS[name]
    source = tmp_path / "t.weft"
    source.write_text(make(), encoding="utf-8")
    outcome = compiled(source, kernel="k9" if name == "calls_that_double" else "")
    assert outcome.seconds < 60
    if rule == "compiled":
        assert outcome.verdict == "compiled"
    elif rule:
        assert f"SourceError {rule}" in outcome.verdict
        # Nobody reads more, whatever was written.
        assert outcome.characters < 60_000


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    source = tmp_path / "t.weft"
    pick = random.Random(5)
    heads = [
        b"\x7fELF",
        b"PK\x03\x04",
        b"\x1f\x8b",
        b"\xef\xbb\xbf",
        b"\xff\xfe",
        b"",
        HEAD.encode(),
    ]
    for head in heads:
        source.write_bytes(head + pick.randbytes(20_000))
        assert compiled(source).verdict.startswith("SourceError W001")
    source.write_bytes(b"\0" * 1_000_000)
    assert compiled(source).verdict.startswith("SourceError W001")
