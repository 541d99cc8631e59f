# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is printed is parsed as the same tree, and no bracket of it is superfluous."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weft.diagnostics import Source, SourceError, Span
from weft.syntax import ast
from weft.syntax.parser import parse
from weft.syntax.printer import print_expression, print_file

ROOT = Path(__file__).parent.parent.parent
HEADER = "kernel f(x: f64[8]) -> (y: f64[8]):\n"
AT = Span(Source("", ""), 0, 0)


def expression(text: str) -> ast.Expression:
    (kernel,) = parse(f"{HEADER}    y = {text}\n", "t.weft").definitions
    assert isinstance(kernel, ast.Kernel)
    (assign,) = kernel.body
    assert isinstance(assign, ast.Assign)
    return assign.value


@pytest.mark.parametrize(
    "text",
    [
        "a + b * c",
        "(a + b) * c",
        "a - (b - c)",
        "a - b - c",
        "-a**b",
        "(-a)**b",
        "a**-b**c",
        "(a**b)**c",
        "-(-a * b)",
        "--a * b",
        "not (a or b) and not c < d",
        "(a < b) == (c < d)",
        "(not a) + b",
        "f(x, axis=0)[0, 2*i+1:n-1:2, ::3].BT",
        "sum(a[i] + 1 for i in 0:n-1, j in 1:m)",
        "f[n=4*k](x, y=[1, 2], z=[])",
        "(2).BT + 2.5j - .5 / 0x1f",
        "[a, b + c][0]",
        "(a + b)[i]",
        "x[a and b, not c, d @ e, f < g]",
        "g()",
    ],
)
def test_printed_as_written(text: str) -> None:
    assert print_expression(expression(text)) == text


def test_whole_file_as_written() -> None:
    text = """\
kernel f[n: size, m: size](x: f64[n, n//2+1], k: i64) -> (y: f64[n], z: c128):
    const w[i in 0:n, j in 1:m] = exp(2j * pi * i / n)
    a, b = g[n=4](x)
    y[i in 1:n-1, :, 2*j, ::2] = x[i-1]
    for i in 0:n, j in 0:m:
        t = 2 * x[i]
        for l in 0:3:
            z[l] = t

program p[n: size]() -> (y: f64[n]):
    case S: n=64
    carry v = 1 / 2
    for t in 0:n:
        carry v = f(v)

schedule f on avx512:
    tile a.axis1 by 8 -> co, ci
    place a, b in ldm double_buffered
    overlap
    unroll 2
    factor y as winograd(4)
"""
    assert print_file(parse(text, "t.weft")) == text


def sources() -> dict[str, str]:
    """Every program in files of the tree, and those in the documents."""
    found: dict[str, str] = {}
    for folder in ("examples", "test", "docs", "bench"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix == ".weft":
                found[str(path.relative_to(ROOT))] = path.read_bytes().decode("utf-8", "replace")
            if path.suffix == ".md":
                blocks = re.findall(r"^```weft\n(.*?)^```", path.read_text("utf-8"), re.M | re.S)
                for number, block in enumerate(blocks):
                    found[f"{path.relative_to(ROOT)}:{number}"] = block
    return found


def test_every_source_of_the_tree() -> None:
    parsed = 0
    for name, text in sources().items():
        try:
            tree = parse(text, name)
        except SourceError:
            continue  # a wrong program
        printed = print_file(tree)
        assert parse(printed, name) == tree, printed
        assert print_file(parse(printed, name)) == printed
        parsed += 1
    assert parsed > 150


# --------------------------------------------------------------------------------- generated trees

names = st.sampled_from(["a", "b", "x", "size", "on", "by", "f64"]).map(lambda n: ast.Name(n, AT))
words = st.sampled_from(["a", "co", "ldm", "axis1"]).map(lambda n: ast.Name(n, AT))
integers = st.integers(0, 99).map(lambda n: ast.Number(str(n), "int", AT))
numbers = st.one_of(
    integers,
    st.sampled_from([("0x1f", "int"), ("1.5e-3", "real"), ("2.", "real"), (".5", "real")]).map(
        lambda n: ast.Number(*n, AT)
    ),
    st.sampled_from(["2j", "1.5e3j"]).map(lambda n: ast.Number(n, "imaginary", AT)),
)
BINARY = ["+", "-", "*", "/", "//", "%", "**", "@", "and", "or"]
COMPARE = ["<", "<=", ">", ">=", "==", "!="]


def tuples(of: Any, least: int = 0, most: int = 2) -> Any:
    return st.lists(of, min_size=least, max_size=most).map(tuple)


def keywords(value: Any, least: int = 0) -> Any:
    return tuples(st.builds(ast.Keyword, names, value, st.just(AT)), least)


def named_ranges(value: Any, least: int = 0) -> Any:
    ends = st.builds(ast.Range, value, value, st.just(AT))
    return tuples(st.builds(ast.NamedRange, names, ends, st.just(AT)), least)


def items(value: Any) -> Any:
    maybe = st.none() | value
    slices = st.builds(ast.Slice, maybe, maybe, maybe, st.just(AT))
    return tuples(st.one_of(value, slices, named_ranges(value, 1).map(lambda r: r[0])), 1, 3)


def larger(value: Any) -> Any:
    at = st.just(AT)
    none = st.just(())
    return st.one_of(
        st.builds(ast.Unary, st.sampled_from(["-", "+", "not"]), value, at),
        st.builds(ast.Binary, st.sampled_from(BINARY), value, value, at),
        st.builds(ast.Compare, st.sampled_from(COMPARE), value, value, at),
        st.builds(ast.Call, names, keywords(value), tuples(value), keywords(value), none, at),
        st.builds(ast.Call, names, none, tuples(value, 1, 1), none, named_ranges(value, 1), at),
        st.builds(ast.Subscript, value, items(value), at),
        st.builds(ast.Attribute, value, names, at),
        st.builds(ast.List, tuples(value), at),
    )


expressions = st.recursive(names | numbers, larger, max_leaves=12)
small = st.recursive(names | integers, larger, max_leaves=3)


def statements() -> Any:
    at = st.just(AT)
    target = st.builds(ast.Target, names, st.none() | items(small), at)
    simple = st.one_of(
        st.builds(ast.Assign, tuples(target, 1), expressions, at),
        st.builds(ast.Const, names, named_ranges(small), expressions, at),
        st.builds(ast.CarryAssign, names, expressions, at),
        st.builds(ast.Case, names, keywords(small, 1), at),
    )
    return st.recursive(
        simple,
        lambda inner: st.builds(ast.For, named_ranges(small, 1), tuples(inner, 1), at),
        max_leaves=4,
    )


def definitions() -> Any:
    at = st.just(AT)
    parameters = st.builds(ast.Parameter, names, names, tuples(small), at)
    kernels = st.builds(
        ast.Kernel,
        names,
        st.booleans(),
        tuples(names),
        tuples(parameters),
        tuples(parameters, 1),
        tuples(statements(), 1, 3),
        at,
    )
    operands = st.one_of(
        st.builds(ast.Place, words, st.none() | words, at),
        st.builds(ast.Applied, words, tuples(integers, 1), at),
        integers,
    )
    word = st.sampled_from(["by", "over", "in", "into", "as", "->"])
    clauses = tuples(st.builds(ast.Clause, word, tuples(operands, 1), at))
    directives = st.one_of(
        st.builds(ast.Directive, words, tuples(operands, 1), clauses, tuples(words), at),
        st.builds(ast.Directive, words, st.just(()), st.just(()), st.just(()), at),
    )
    return kernels | st.builds(ast.Schedule, names, names, tuples(directives, 1), at)


@settings(max_examples=300, deadline=None)
@given(expressions)
def test_any_expression_comes_back(tree: ast.Expression) -> None:
    text = print_expression(tree)
    assert expression(text) == tree, text


@settings(max_examples=150, deadline=None)
@given(tuples(definitions(), 1, 2))
def test_any_file_comes_back(made: tuple[ast.Definition, ...]) -> None:
    text = print_file(ast.File(AT.source, made))
    assert parse(text, "t.weft").definitions == made, text


BRACKETS = re.compile(r"\(([^()]*)\)")


@settings(max_examples=150, deadline=None)
@given(expressions)
def test_no_bracket_is_superfluous(tree: ast.Expression) -> None:
    """Without any innermost pair that is not a call's, the text is another one or none."""
    text = print_expression(tree)
    for pair in BRACKETS.finditer(text):
        before = text[: pair.start()]
        if not pair[1] or re.search(r"[\w\]]$", before):
            continue  # the arguments of a call
        shorter = f"{before}{pair[1]}{text[pair.end() :]}"
        with suppress(SourceError):
            assert expression(shorter) != tree, (text, shorter)
