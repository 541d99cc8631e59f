# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What people write who come from NumPy, C or Fortran: each is refused with what it is here."""

from __future__ import annotations

import pytest

from weft.diagnostics import Diagnostic, SourceError
from weft.semantics import checker
from weft.syntax import foreign
from weft.syntax.parser import parse

HEAD = "kernel f[n: size, m: size](x: f64[n, m], v: f64[m], z: c128[n]) -> (y: f64[n, m]):\n"
# The body of a kernel: where, which rule, and a part of the way out.
BODIES = [
    ("y = transpose(x.T)", "2:21 W805", "transpose(x)"),
    ("y = x * x.shape[0]", "2:15 W805", "x: f64[n] gives n"),
    ("y = np.exp(x)", "2:9 W014", "exp(x)"),
    ("for i in range(n):", "2:23 W005", "for i in 0:n:"),
    ("y += 1", "2:7 W005", "give the new value another name"),
    ("y[0, 0] *= 2", "2:13 W005", "give the new value another name"),
    ("y[i] = v[i]", "2:5 W401", "y[i, :]"),
    ("y = v", "2:9 W302", "y[:, :] = ... repeats it"),
    ("x = x * 2", "2:5 W507", "another name"),
    ("a = x\n    a = a * 2", "3:5 W103", "choose another name"),
    ("for i in 0:n:\n        s = s + v[i]", "3:13 W101", "s = sum(... for i in 0:n)"),
    (
        "a = sum(v)\n    for i in 0:n:\n        a = a + v[0]",
        "4:9 W103",
        "a = sum(... for i in 0:n)",
    ),
    ("for i in 0:n:\n        for j in 0:i:\n            y[i, j] = 0", "3:20 W303", "where(j < i"),
    ("y = x * v[-1]", "2:15 W402", "write n-1"),
    ("y = x * sum(v[:-1])", "2:19 W405", "write n-1"),
    ("y = x[::-1]", "2:13 W408", "x[n-1-i]"),
    ("y = x * v[None, :]", "2:13 W401", "reshape(x, [1, n])"),
    ("y = x[:, np.newaxis]", "2:14 W403", "reshape(x, [1, n])"),
    ("y = x[..., 0]", "2:11 W005", "x[:, 0]"),
    ("y = x[[0, 1]]", "2:11 W403", "gather(x, idx)"),
    ("y = x[x > 0]", "2:11 W403", "where(condition, x, 0)"),
    ("y = x * v[n/2]", "2:15 W303", "//"),
    ("y = x * 1.0f", "2:16 W005", "no suffix"),
    ("y = real(x * 1i)", "2:19 W005", "2j"),
    ("y = x ^ 2", "2:11 W006", "**"),
    ("y = where(x > 0 && x < 1, x, 0)", "2:21 W006", "'and'"),
    ("y = where((x > 0) | (x < 1), x, 0)", "2:23 W006", "'or'"),
    ("y = where(!(x > 0), x, 0)", "2:15 W006", "'not'"),
    ("y = x > 0 ? x : 0", "2:15 W006", "where(condition, a, b)"),
    ("y = x if x > 0 else 0", "2:11 W005", "where(condition, a, b)"),
    ("if n > 2:", "2:8 W005", "where(condition, a, b)"),
    ("while n > 2:", "2:11 W005", "'for' loops"),
    ("return x", "2:12 W005", "outputs are named in the signature"),
    ("y = x;", "2:10 W006", "ends with its line"),
    ("y = dft(z, norm='ortho')", "2:21 W006", "norm=ortho"),
    ("y = g(lambda a: a, x)", "2:18 W005", "write a kernel"),
    ("y = max(x, 0, 1)", "2:9 W601", "max(a, max(b, c))"),
    ("y = transpose(x, 1, 0)", "2:9 W601", "transpose(x, [1, 0])"),
    ("y = sum(x, 0)", "2:9 W601", "sum(x, axis=0)"),
    ("y = x * sum(x, axis=(0, 1))", "2:27 W005", "[0, 1]"),
    ("y = reshape(x, [-1])", "2:21 W304", "not inferred"),
    ("y[i, k] = x[i, j] * x[k, j]", "2:20 W101", "sum over it, sum(... for j in 0:m)"),
    ("s[i] = sum(x[i, j])", "2:21 W101", "sum(... for j in 0:m)"),
    ("s = sum(x[i, 2*e] for i in 0:n)", "2:20 W101", "sum(... for e in 0:n)"),
    ("y = x * v[j]", "2:15 W101", "y[j] = ..."),
    ("y = x * sum(x, axis=[0, 1])", "2:25 W613", "axes=[0, 1]"),
    ("y = roll(x, [1, 1], axis=[0, 1])", "2:30 W613", "axes=[0, 1]"),
    ("y = real(rfft(x, axis=[0, 1]))", "2:27 W613", "dft(x, axis=) along the others"),
    ("y[i, j] = x[i, j] - x[i, min(j+1, m-1)]", "2:30 W403", "borders are parts of their own"),
    ("y[i, j] = x[i, j] - x[min(n, m, 3), j]", "2:27 W403", "min(n, m)"),
    ("for i in 0:n, j in 0:i:\n        y[i, j] = 0", "2:26 W303", "where(j < i"),
    ("y = x * sum(v[j] for j in 0:m, k in 0:j)", "2:43 W303", "where(j < i"),
    ("const w[j in 0:m, k in 0:j] = k", "2:30 W303", "where(j < i"),
    ("y[i, j] = x[i, j] * z[i].re", "2:30 W805", "it is real(z[i])"),
    ("y = x * z.imag[0]", "2:15 W805", "it is imag(z)"),
    ("y == x", "2:7 W005", "named by ="),
    ("/* note */", "2:5 W005", "begins with #"),
    ("(y, a) = x", "2:5 W005", "a, b = f(x)"),
    ("print(x)", "2:10 W005", "host program"),
    ("const w = [1, 2, 1]", "2:15 W311", "lists are arguments"),
    (
        "const w = [1, 2, 3]",
        "2:15 W311",
        "const w[k in 0:3] = where(k == 0, 1, where(k == 1, 2, 3))",
    ),
    ("const w = [4/9, -1, 0, 0, 1]", "2:15 W311", "const w[k in 0:5] = where(k == 0, 4/9, where("),
    ("y = x * (x > 0)", "2:9 W203", "where(condition, 1, 0)"),
    ("y = sum(x > 0)", "2:9 W203", "where(condition, 1, 0)"),
    ("y = where(x, x, 0)", "2:15 W204", "x > 0"),
    ("y = where(0 < x < 1, x, 0)", "2:21 W005", "a < b and b < c"),
]
FILES = [
    ("def f(x: f64[4]) -> (y: f64[4]):\n    y = x\n", "1:1 W005", "'kernel'"),
    ("f(x: f64[4]) -> (y: f64[4]):\n    y = x\n", "1:1 W005", "'kernel'"),
    ("import numpy\n", "1:1 W005", "no imports"),
    ("kernel f(x: float64[4]) -> (y: f64[4]):\n    y = x\n", "1:13 W107", "it is f64"),
    ("kernel f(x: double[4]) -> (y: f64[4]):\n    y = x\n", "1:13 W107", "it is f64"),
    ("kernel f(x: complex[4]) -> (y: f64[4]):\n    y = x\n", "1:13 W107", "it is c128"),
    ("kernel f(x: f46[4]) -> (y: f64[4]):\n    y = x\n", "1:13 W107", "'f64'"),
    (
        "kernel f(x: f64[4, 5]) -> (y: f64[4, 5]):\n    y = x / sum(x, axis=1)\n",
        "2:9 W301",
        "reshape(sum(x, axis=1), [4, 1])",
    ),
    (
        (
            "kernel f(x: f32[1, 8, 6, 6], g: f32[8, 8, 3, 3]) -> (y: f32[1, 8, 4, 4]):\n"
            "    y = conv(x, g, algorithm=winogard(4))\n"
        ),
        "2:30 W613",
        "did you mean 'winograd'?",
    ),
    (
        (
            "kernel f(x: f64[4]) -> (y: f64[4]):\n    y = x * 2\n"
            "schedule f on sw26010:\n    place y in ldm double_bufered\n"
        ),
        "4:20 W619",
        "did you mean 'double_buffered'?",
    ),
    (
        "kernel f[n: size](u: f64[n+2]) -> (y: f64[n]):\n    y[i] = u[i] + u[i+2]\n",
        "2:7 W407",
        "i in 0:n",
    ),
    (
        "kernel f[n: size](u: f64[n], g: f64[2]) -> (y: f64[2*n]):\n    y[2*i+j] = u[i] * g[j]\n",
        "2:9 W101",
        "for i in 0:n, j in 0:2:",
    ),
    (
        "kernel f[n: size](u: f64[n], b: f64[n]) -> (y: f64[n]):\n    y[b] = u[b]\n",
        "2:7 W103",
        "another name for the index",
    ),
    (
        "kernel f[n: size](u: f64[n], b: i32[n]) -> (y: f64[n]):\n    y[b] = u[b]\n",
        "2:7 W404",
        "scatter(base, idx, v)",
    ),
    ("schedule f on avx512:\n    unroll 2\n", "1:10 W615", "--schedule FILE"),
    ("kernel f(x: f64[4]):\n    y = x\n", "1:20 W005", "after '->'"),
    ("kernel f(x: f64[4]) -> y: f64[4]:\n    y = x\n", "1:24 W005", "in brackets"),
    ("kernel f(x: f64[4]) -> (y: f64[4])\n    y = x\n", "1:35 W005", "with ':'"),
    ("kernel f(x: f64[4]) -> (y: f64[4]) {\n", "1:36 W006", "indentation"),
    ("kernel f[n](x: f64[n]) -> (y: f64[n]):\n    y = x\n", "1:11 W005", "[n: size, m: size]"),
    ("kernel f[n: int](x: f64[n]) -> (y: f64[n]):\n    y = x\n", "1:13 W005", "[n: size, m: size]"),
    ("kernel f(x: f64[n]) -> (y: f64[4]):\n    y = x\n", "1:17 W101", "[n: size]"),
    ("kernel f[n: size](x: f64[n][n]) -> (y: f64[n]):\n    y = x\n", "1:28 W005", "f64[n, m]"),
    ("kernel f[n: size](x: f64(n)) -> (y: f64[n]):\n    y = x\n", "1:25 W005", "f64[n]"),
    (
        "program p(x: f64[4]) -> (y: f64[4]):\n    carry v = x\n    for t in 0:3:\n        v = v\n",
        "4:9 W103",
        "carry v = ...",
    ),
    (
        "program p(x: f64[4]) -> (y: f64[4]):\n    v = x\n    for t in 0:3:\n        v = v\n",
        "4:9 W103",
        "carry v = ..., before the loop too",
    ),
    (
        "kernel f(x: f64[4]) -> (y: f64[4]):\n    for t in 0:3:\n        carry v = x\n    y = x\n",
        "3:9 W508",
        "belong in a program",
    ),
    (
        "kernel f(x: f64[4]) -> (y: f64[7]):\n    y = pad(x, [[1, 2]])\n",
        "2:17 W313",
        "pad(x, [1, 1], [2, 2])",
    ),
    *(
        (
            (
                "kernel f(x: f32[1, 8, 6, 6], g: f32[8, 8, 3, 3]) -> (y: f32[1, 8, 6, 6]):\n"
                f"    y = conv(x, g, pad={word})\n"
            ),
            "2:24 W807",
            way_out,
        )
        for word, way_out in (("same", "pad=1"), ("full", "pad=2"), ("valid", "left away"))
    ),
]


def first_of(text: str) -> Diagnostic:
    with pytest.raises(SourceError) as caught:
        checker.check(parse(text, "f.weft"))
    # That an output is missing too is no surprise.
    return next(d for d in caught.value.diagnostics if d.rule != "W501")


@pytest.mark.parametrize(
    ("text", "where", "way_out"),
    [(f"{HEAD}    {body}\n", where, way_out) for body, where, way_out in BODIES] + FILES,
    ids=[body for body, *_ in BODIES] + [text.split("\n")[0] for text, *_ in FILES],
)
def test_a_habit(text: str, where: str, way_out: str) -> None:
    found = first_of(text)
    assert f"{found.span.line}:{found.span.column} {found.rule}" == where
    assert way_out in found.help


@pytest.mark.parametrize("name", foreign.CALLS)
def test_a_function_of_elsewhere(name: str) -> None:
    found = first_of(f"{HEAD}    y = {name}(x)\n")
    assert (found.rule, found.help) == ("W104", foreign.CALLS[name])


@pytest.mark.parametrize(
    ("call", "word"),
    [(call, word) for call in foreign.ARGUMENTS for word in foreign.ARGUMENTS[call]],
)
def test_an_argument_of_elsewhere(call: str, word: str) -> None:
    operands = "x, y" if call == "conv" else "x"
    found = first_of(f"{HEAD}    y = {call}({operands}, {word}=1)\n")
    assert (found.rule, found.help) == ("W613", foreign.ARGUMENTS[call][word])


@pytest.mark.parametrize(
    ("called", "way_out"),
    [
        ("np.exp(x)", "functions have no module here: exp(x)"),
        ("np.fft.rfft(x)", "functions have no module here: rfft(x)"),
        ("np.cumsum(x)", foreign.CALLS["cumsum"]),
        ("x.sum()", "its argument stands in it: sum(x)"),
        ("x.mean()", foreign.CALLS["mean"]),
    ],
)
def test_functions_behind_a_dot(called: str, way_out: str) -> None:
    found = first_of(f"kernel f(x: f64[4]) -> (y: f64[4]):\n    y = {called}\n")
    assert (found.rule, found.help) == ("W014", way_out)


@pytest.mark.parametrize("name", foreign.TYPES)
def test_a_type_of_elsewhere(name: str) -> None:
    found = first_of(f"kernel f(x: {name}[4]) -> (y: f64[4]):\n    y = x * 2\n")
    assert (found.rule, found.help) == ("W107", foreign.TYPES[name])


def test_what_nothing_repeats_is_not_told_to_be_repeated() -> None:
    found = first_of(f"{HEAD}    y = reshape(x, [n*m])\n")
    assert (found.rule, found.help) == ("W302", "")


ROWS = """program p[n: size, steps: size](x: f64[n], z: f64[steps, n]) -> (y: f64[steps, n]):
    carry v = x
    for t in 0:steps:
        carry v = v * 0.5
        {}
"""


@pytest.mark.parametrize("written", ["y[t, 1:n] = v", "y[t, i in 0:n-1] = v[i]"])
def test_parts_of_rows_of_a_loop_over_time_are_put_together_first(written: str) -> None:
    with pytest.raises(SourceError) as caught:
        checker.check(parse(ROWS.format(written), "p.weft"))
    (found,) = caught.value.diagnostics
    assert (found.rule, found.span.line, found.span.column) == ("W614", 5, 14)
    assert "row[" in found.help
    assert found.help.endswith("then y[t] = row")
    text = ROWS.format("row[0] = v[0]\n        row[1:n] = v[1:n]\n        y[t] = row")
    checker.check(parse(text, "p.weft"))


def test_an_index_that_is_misspelt_in_a_loop_over_time_is_unknown() -> None:
    with pytest.raises(SourceError) as caught:
        checker.check(parse(ROWS.format("y[tt, 0] = v[0]"), "p.weft"))
    assert [d.rule for d in caught.value.diagnostics] == ["W101"]


def test_a_whole_output_in_a_loop_is_told_what_an_iteration_may_give() -> None:
    expected = {}
    for output in ("f64[steps]", "f64[steps, n]", "f64"):
        text = ROWS.replace("(y: f64[steps, n])", f"(y: {output})").format("y = v")
        with pytest.raises(SourceError) as caught:
            checker.check(parse(text, "p.weft"))
        expected[output] = caught.value.diagnostics[0].expected
    one = "one assignment after the loop"
    element = f"an element an iteration, y[t] = ..., or {one}"
    row = f"a row an iteration, y[t] = ..., or {one}"
    assert expected == {"f64[steps]": element, "f64[steps, n]": row, "f64": one}


@pytest.mark.parametrize(
    ("written", "place", "way_out"),
    [
        ("y[:, :] = z", "W614", "carry it: carry all = ... in the loop, y = all after it"),
        ("y[t, i] = v", "W101", "all of them at once: y[t, :] = v"),
        ("y[t, 0] = y[t, 1] + 1", "W110", "carry last = ..., y[t] = last"),
        ("carry v += 1", "W005", "the value of the next step: carry v = v + ..."),
        ("carry v[0] = 1", "W005", "new[i] = ..., and carry v = new"),
        ("w[t] = v[0]\n    y = z", "W614", "what stays from one to the next is carried"),
        ("for s in 0:3:\n            carry v = v", "W903", "w[i] = 2*v[i] makes a new tensor"),
    ],
)
def test_loops_over_time(written: str, place: str, way_out: str) -> None:
    with pytest.raises(SourceError) as caught:
        checker.check(parse(ROWS.replace("carry v = v * 0.5", "u = v").format(written), "p.weft"))
    assert (place, True) in [(d.rule, way_out in d.help) for d in caught.value.diagnostics]


def test_j_in_an_index_is_no_imaginary_unit() -> None:
    with pytest.raises(SourceError) as caught:
        checker.check(parse(HEAD + "    y[i, :] = v[i, j] * v\n", "k.weft"))
    (error,) = caught.value.diagnostics
    assert (error.code, error.help) == ("W401", "")
