# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Text to AST: what the grammar says, places, and speed. Wrong texts are in test/errors."""

from __future__ import annotations

import subprocess
import sys

import pytest

from weft.diagnostics import SourceError
from weft.syntax import ast
from weft.syntax.parser import parse

HEADER = "kernel f[n: size](x: f64[n]) -> (y: f64[n]):\n"


def statement(text: str) -> ast.Statement:
    kernel = parse(f"{HEADER}    {text}\n", "t.weft").definitions[0]
    assert isinstance(kernel, ast.Kernel)
    return kernel.body[0]


def expression(text: str) -> ast.Expression:
    made = statement(f"y = {text}")
    assert isinstance(made, ast.Assign)
    return made.value


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("a + b * c", "a + (b * c)"),
        ("a - b - c", "(a - b) - c"),
        ("-a ** b", "-(a ** b)"),
        ("a ** -b ** c", "a ** (-(b ** c))"),
        ("a * -b", "a * (-b)"),
        ("a // b % c / d @ e", "(((a // b) % c) / d) @ e"),
        ("a + 1 < b * 2", "(a + 1) < (b * 2)"),
        ("not a < b and c or d", "((not (a < b)) and c) or d"),
        ("(a)", "a"),
        ("f(x)[0][1].T", "((f(x)[0])[1]).T"),
        ("a[1:, ::2]", "a[ 1 : , : : 2 ]"),
        ("x[\n        0,\n   1]", "x[0, 1]"),
        ("sum(a for i in 0:n, j in 1:m)", "sum((a) for i in (0):(n), j in 1:m)"),
    ],
)
def test_precedence_and_layout(text: str, same: str) -> None:
    assert expression(text) == expression(same)


@pytest.mark.parametrize(
    ("text", "value", "kind"),
    [
        ("12", "12", "int"),
        ("1_000", "1000", "int"),
        ("0x1F", "0x1F", "int"),
        ("1.5e-3", "1.5e-3", "real"),
        (".5", ".5", "real"),
        ("2.", "2.", "real"),
        ("1e3", "1e3", "real"),
        ("2j", "2j", "imaginary"),
        ("2.5e1j", "2.5e1j", "imaginary"),
    ],
)
def test_numbers(text: str, value: str, kind: str) -> None:
    number = expression(text)
    assert isinstance(number, ast.Number)
    assert (number.text, number.kind) == (value, kind)


def test_places() -> None:
    text = f"# comment\n\n{HEADER}\n    # another\n    y = x + foo(x,\n        axis=0)  # end\n"
    (kernel,) = parse(text, "dir/t.weft").definitions
    assert isinstance(kernel, ast.Kernel)
    (assign,) = kernel.body
    assert isinstance(assign, ast.Assign)
    call = assign.value.right  # type: ignore[union-attr]
    assert str(kernel.name.span) == "dir/t.weft:3:8"
    assert str(call.span) == "dir/t.weft:6:13"
    assert call.span.text == "foo(x,\n        axis=0)"
    assert str(call.keywords[0].span) == "dir/t.weft:7:9"


def test_statements() -> None:
    assert isinstance(statement("const w[k in 0:n] = 1"), ast.Const)
    assert isinstance(statement("carry v = 1"), ast.CarryAssign)
    assert isinstance(statement("case S: n=4, m=5"), ast.Case)
    several = statement("a, b = f[n=4](x)")
    assert isinstance(several, ast.Assign)
    assert [t.name.name for t in several.targets] == ["a", "b"]
    part = statement("y[i in 1:n-1, 0, j, 1:] = 0")
    assert isinstance(part, ast.Assign)
    kinds = [type(item) for item in part.targets[0].items or ()]
    assert kinds == [ast.NamedRange, ast.Number, ast.Name, ast.Slice]


def test_directives() -> None:
    text = (
        "    y = x\nschedule f on avx512:\n    tile a.axis1 by 8 -> co, ci\n"
        "    place a, b in ldm double_buffered\n    factor y as winograd(4)\n"
    )
    schedule = parse(HEADER + text, "t.weft").definitions[1]
    assert isinstance(schedule, ast.Schedule)
    tile, place, factor = schedule.directives
    assert tile.name.name == "tile"
    (a,) = tile.operands
    assert isinstance(a, ast.Place)
    assert a.axis is not None
    assert (a.name.name, a.axis.name) == ("a", "axis1")
    assert [c.word for c in tile.clauses] == ["by", "->"]
    assert [len(c.operands) for c in tile.clauses] == [1, 2]
    assert [f.name for f in place.flags] == ["double_buffered"]
    (applied,) = factor.clauses[0].operands
    assert isinstance(applied, ast.Applied)
    assert [n.text for n in applied.arguments] == ["4"]
    assert str(applied.span) == "t.weft:6:17"


def test_windows_line_ends_and_byte_order_mark() -> None:
    text = HEADER + "    y = x\n"
    assert parse("\ufeff" + text.replace("\n", "\r\n"), "t.weft") == parse(text, "t.weft")


def test_words_of_other_places_are_names() -> None:
    assert expression("size + on") == expression("(size) + (on)")


def test_importing_the_parser_imports_no_lark() -> None:
    code = "import sys, weft.syntax.parser; sys.exit('lark' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_work_grows_as_the_text_does() -> None:
    """Counted in calls and returns, which no busy machine changes: about 9000 a statement."""

    def calls(statements: int) -> int:
        text = HEADER + "    a = x[0] * 2 + sum(x[i] for i in 0:n)\n" * statements + "    y = x\n"
        count = 0

        def counted(*_: object) -> None:
            nonlocal count
            count += 1

        sys.setprofile(counted)
        try:
            parse(text, "t.weft")
        finally:
            sys.setprofile(None)
        return count

    parse(f"{HEADER}    y = x\n", "t.weft")  # what is made once
    few, many = calls(50), calls(200)
    assert many < 4.1 * few
    assert many < 200 * 12_000


def test_a_comma_may_end_a_list() -> None:
    spread = """\
kernel f[
    n: size,  # the length
](
    x: f64[n,],
    y: f64[n],
) -> (
    z: f64[n],
):
    z = max(
        x,

        reshape(y, [n,]),
    )
"""
    plain = "kernel f[n: size](x: f64[n], y: f64[n]) -> (z: f64[n]):\n"
    plain += "    z = max(x, reshape(y, [n]))\n"
    assert parse(spread, "a.weft") == parse(plain, "a.weft")


@pytest.mark.parametrize("text", ["f(,)", "[,]", "f(x,,)", "x[i,]"])
def test_a_comma_stands_after_something(text: str) -> None:
    with pytest.raises(SourceError):
        parse(f"kernel f(x: f64[8]) -> (y: f64[8]):\n    y = {text}\n", "a.weft")
