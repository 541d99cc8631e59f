# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the grammar's error means to a person: where, what was expected, what was found."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from weft.diagnostics import Diagnostic, Source, Span
from weft.syntax import foreign

if TYPE_CHECKING:
    from lark.exceptions import UnexpectedInput

_SHOWN = {
    "LPAR": "'('",
    "RPAR": "')'",
    "LSQB": "'['",
    "RSQB": "']'",
    "COMMA": "','",
    "COLON": "':'",
    "SLICE_COLON": "':'",
    "EQUAL": "'='",
    "DOT": "'.'",
    "__ANON_0": "'->'",
    "OR": "an operator",
    "AND": "an operator",
    "COMPARE": "an operator",
    "SIGN": "an operator",
    "PRODUCT": "an operator",
    "POWER": "an operator",
    "FOR": "'for'",
    "IN": "'in'",
    "SIZE": "'size'",
    "ON": "'on'",
    "KERNEL": "'kernel'",
    "PROGRAM": "'program'",
    "SCHEDULE": "'schedule'",
    "NAME": "a name",
    "_NL": "the end of the line",
    "_INDENT": "an indented block",
    "_DEDENT": "the end of the block",
    "WORD": "a word",
    "INTEGER": "a number",
    "PREPOSITION": "one of by, over, in, into, as, ->",
    "$END": "the end of the file",
}
_BEGINS_OPERAND = {"NAME", "INTEGER", "REAL", "IMAGINARY", "LPAR", "LSQB", "NOT", "SIGN"}
_BEGINS_STATEMENT = {"NAME", "CONST", "CARRY", "CASE", "FOR"}
_BEGUN = {"EQUAL", "COMMA"}  # after the name that begins a statement
_COLONS = {"COLON", "SLICE_COLON"}
_RESERVED = {
    *("kernel", "program", "schedule", "const", "carry", "case", "for", "in", "and", "or", "not"),
}


def explain(error: UnexpectedInput, source: Source) -> Diagnostic:
    """The diagnostic for an error of lark's lexer or parser."""
    token = getattr(error, "token", None)
    if token is None:
        return _unknown_character(error, source)
    expected: set[str] = set(
        getattr(error, "accepts", None) or getattr(error, "expected", ()) or ()
    )
    if expected == {"_INDENT"}:
        before = token.type in ("_NL", "_DEDENT", "$END")
        return _missing_block(token.line if before else token.line - 1, source)
    if token.type == "_INDENT":
        return _stray_indent(token, source)
    span = _span_of(token, source)
    text = str(token)
    if whole := _fraction(token.type, span):
        return whole
    return Diagnostic(
        span,
        "W005",  # a sentence of the grammar
        _message(token.type, text),
        expected=_list_expected(expected),
        found=_found(token.type, text),
        help=_help(token.type, text, expected, source, span),
    )


def _fraction(kind: str, span: Span) -> Diagnostic | None:
    """`unroll 2.5`, of which a directive reads the 2: there are no fractions in schedules."""
    line = span.source.text[: span.start].rpartition("\n")[2]
    before = re.search(r"(?<![\w.])[0-9][0-9_]*$", line)
    if kind != "REAL" or not span.text.startswith(".") or before is None:
        return None
    number = Span(span.source, span.start - len(before[0]), span.end)
    # W005
    return Diagnostic(
        number,
        "W005",
        f"'{number.text}' cannot stand here",
        expected="a whole number",
        found=f"'{number.text}'",
    )


def _message(kind: str, text: str) -> str:
    if kind == "$END":
        return "the file ends too early"
    if kind in ("_NL", "_DEDENT"):
        return "the line ends too early"
    if text in _RESERVED:
        return f"'{text}' is a reserved word and cannot stand here"
    return f"{_found(kind, text)} cannot stand here"


def _found(kind: str, text: str) -> str:
    if kind in ("_NL", "_INDENT", "_DEDENT", "$END"):
        return _SHOWN[kind]
    shown = text if len(text) <= 40 else text[:40] + "…"
    return f"'{shown}'"


def _help(kind: str, text: str, expected: set[str], source: Source, span: Span) -> str:
    line = source.line_text(span.line)
    at = span.column - 1
    before, rest = line[max(0, at - 200) : at], line[at : at + 8]
    head = line.strip().split(" ")[0].split("(")[0].rstrip(":")
    if head in foreign.STATEMENTS:
        return foreign.STATEMENTS[head]
    if text == "if":
        return "choose values with where(condition, a, b)"
    if before.endswith("lambda "):
        return "functions are no values; write a kernel and call it"
    if text in foreign.SUFFIXES and before[-1:].isalnum() | before.endswith("."):
        return foreign.SUFFIXES[text]
    if expected == {"_NL"} and before.rstrip().endswith(":"):
        return "what belongs to it begins on the next line, further to the right"
    if head == "schedule" and text == "-" and re.search(r"\bon \w+$", before):
        return "the name of a target is one word, as avx512"
    if kind == "NAME" and expected <= {"KERNEL", "PROGRAM", "SCHEDULE", "_NL", "$END"}:
        return "a kernel begins with 'kernel', and its statements are indented"
    if line.lstrip().startswith("/"):
        return "a comment begins with #"
    if "__ANON_0" in expected:
        return "outputs are declared after '->': kernel f(x: f64[8]) -> (y: f64[8]):"
    if before.rstrip().endswith("->"):
        return "outputs stand in brackets: -> (y: f64[8])"
    if "SIZE" in expected or (expected <= _COLONS and re.search(r"\[\w+(, *\w+)*$", before)):
        return "sizes are declared as such: [n: size, m: size]"
    if kind == "LSQB" and before.endswith("]"):
        return "the dimensions stand in one list: f64[n, m]"
    if kind == "LPAR" and "LSQB" in expected and "EQUAL" not in expected:
        return "dimensions stand in square brackets: f64[n]"
    if kind == "LPAR" and "FOR" in expected:
        return "names on the left have no brackets: a, b = f(x)"
    if kind == "COMMA" and expected & {"RPAR"} and "COMMA" not in expected and "(" in before:
        return _pairs_of_pad(line, before) or "a list has square brackets: [0, 1]"
    if text == "." and before.endswith("["):
        return "each dimension is written: x[:, 0]; those not written at the end are whole"
    if expected >= _BEGUN and re.match(r"[-+*/%@]+=", rest):
        return "values do not change: give the new value another name"
    if carried := re.match(r"\s*carry\s+(\w+)\s*$", before):
        name = carried[1]
        if operator := re.match(r"([-+*/%@]+)=", rest):
            return f"the value of the next step: carry {name} = {name} {operator[1]} ..."
        if text == "[":
            return f"whole values are carried: new[i] = ..., and carry {name} = new"
    return _help_of_assignment(kind, text, expected, line)


def _pairs_of_pad(line: str, before: str) -> str:
    """NumPy gives `pad` a pair for each axis; here what comes before all of them is one list.
    Nothing where the argument is anything but pairs of names and numbers, the call's last one."""
    call = re.search(r"\bpad\((\w+), *(?:pad_width *= *)?(?=[(\[] *\([^()]*$)", before)
    if not call:
        return ""
    pair = r"\( *[-\w]+ *, *[-\w]+ *\)"
    pairs = re.match(rf"[(\[] *{pair}(?: *, *{pair})* *,? *[)\]] *\)", line[call.end() :])
    if not pairs:
        return ""
    numbers = re.findall(r"[-\w]+", pairs[0])
    ends = [", ".join(numbers[end::2]) for end in (0, 1)]
    return f"what lies before and behind the axes: pad({call[1]}, [{ends[0]}], [{ends[1]}])"


def _help_of_assignment(kind: str, text: str, expected: set[str], line: str) -> str:
    head = line.strip().split(" ")[0]
    begun = expected >= _BEGUN
    if begun and text == "==":
        return "a value is named by =, and compared by =="
    if kind == "COMPARE":
        return "comparisons do not chain: write a < b and b < c"
    if kind == "EQUAL" and ("COMPARE" in expected or "RPAR" in expected):
        return "equality is written =="
    if begun:
        return "a statement gives a value a name: name = expression"
    if re.match(r"\s*for\b.{0,200}\bin\s+range\(", line):
        return "a range is lower:upper, half-open: for i in 0:n:"
    if kind == "_NL" and _COLONS & expected and head in ("kernel", "program", "for", "schedule"):
        return f"end the '{head}' line with ':'"
    return ""


def _list_expected(expected: set[str]) -> str:
    shown: list[str] = []
    rest = set(expected)
    if rest >= {"NAME", "INTEGER", "LPAR"}:
        shown.append("an expression")
        rest -= _BEGINS_OPERAND
    if rest >= {"CONST", "FOR"}:
        shown.append("a statement")
        rest -= _BEGINS_STATEMENT | {"HOLE"}
    for name in sorted(rest):
        word = _SHOWN.get(name)
        if word and word not in shown:
            shown.append(word)
    return " or ".join(shown) if len(shown) < 3 else ", ".join(shown[:-1]) + " or " + shown[-1]


def _span_of(token: object, source: Source) -> Span:
    """Where a token is. Tokens for line ends and blocks are shown at the end of their line."""
    kind = getattr(token, "type", "")
    line = getattr(token, "line", None)
    column = getattr(token, "column", None)
    if kind == "$END" or line is None or column is None or line < 1:
        return _end_of_line(_last_line(source, len(source.line_starts)), source)
    if kind in ("_NL", "_DEDENT"):
        return _end_of_line(_last_line(source, line), source)
    start = source.line_starts[line - 1] + column - 1
    return Span(source, start, start + max(1, len(str(token))))


def _last_line(source: Source, line: int) -> int:
    """The last line up to this one that says something."""
    while line > 1 and not source.line_text(line).split("#")[0].strip():
        line -= 1
    return line


def _end_of_line(line: int, source: Source) -> Span:
    code = source.line_text(line).split("#")[0].rstrip()
    start = source.line_starts[line - 1] + len(code)
    return Span(source, start, start + 1)


def _missing_block(line: int, source: Source) -> Diagnostic:
    """W009: a header line that nothing follows."""
    header = _last_line(source, line)
    start = source.line_starts[header - 1]
    text = source.line_text(header)
    indent = len(text) - len(text.lstrip(" "))
    return Diagnostic(
        Span(source, start + indent, start + len(text.split("#")[0].rstrip())),
        "W009",
        "this line begins a block, but the block is missing",
        expected="at least one statement, indented deeper, on the next line",
    )


def _stray_indent(token: object, source: Source) -> Diagnostic:
    """W003: deeper than the line before, which begins no block."""
    line = getattr(token, "line", 1) or 1
    while line < len(source.line_starts) and not source.line_text(line).split("#")[0].strip():
        line += 1
    # The token holds the line break too, so that its own line is the one before.
    if not source.line_text(line).startswith(" ") or getattr(token, "column", 1) > 1:
        line += 1
        while line < len(source.line_starts) and not source.line_text(line).split("#")[0].strip():
            line += 1
    start = source.line_starts[line - 1]
    width = len(source.line_text(line)) - len(source.line_text(line).lstrip(" "))
    return Diagnostic(
        Span(source, start, start + max(1, width)),
        "W003",
        "this line is indented deeper than the line before, which begins no block",
        expected="the indentation of the line before",
        found=f"{width} spaces",
    )


def _unknown_character(error: UnexpectedInput, source: Source) -> Diagnostic:
    line = min(max(getattr(error, "line", 1) or 1, 1), len(source.line_starts))
    column = max(getattr(error, "column", 1) or 1, 1)
    start = min(source.line_starts[line - 1] + column - 1, len(source.text))
    char = source.text[start : start + 1]
    return Diagnostic(
        Span(source, start, start + 1),
        "W006",
        f"'{char}' means nothing in Weft" if char.isprintable() else "unknown character",
        expected="" if char in foreign.CHARACTERS else "a character of the grammar",
        help=foreign.CHARACTERS.get(char, ""),
    )
