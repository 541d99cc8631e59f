# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From bytes to a text that the grammar can be tried on.

What the grammar would report badly is found here, line by line: encoding, control characters,
tabs, indentation, brackets, limits. Every finding is a diagnostic; the text may still be parsed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from weft.diagnostics import Diagnostic, Source, SourceError, Span

MAX_SOURCE_BYTES = 1 << 20
MAX_BRACKETS = 64
MAX_BLOCKS = 16
MAX_ERRORS = 20
MAX_NAME = 200
_LONG_NAME = re.compile(rf"[A-Za-z_]\w{{{MAX_NAME},}}")

_CLOSES = {")": "(", "]": "["}
_CLOSER = {"(": ")", "[": "]"}
# A line that begins with one of these cannot continue an open bracket. One with the indices of a
# sum, `for r in 0:3`, can: unlike a loop it does not end with a colon.
_STARTS_STATEMENT = re.compile(
    r"\s*(?:(?:kernel|program|schedule|const|carry|case)\b|for\b[^#]*:\s*(?:#.*)?$)"
)
_STARTS_DEFINITION = re.compile(r"(kernel|program|schedule)\b")
_INTERESTING = re.compile(r"[()\[\]#\t]|[^\x20-\x7e]")


def decode(data: bytes, path: str) -> str:
    """Text of a source file; W001 where it is not UTF-8, W012 where it is too big."""
    if len(data) > MAX_SOURCE_BYTES:
        raise SourceError([_too_big(Source(path, ""), len(data))])
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8", "replace")
        source = Source(path, before + "�")
        span = Span(source, len(before), len(before) + 1)
        raise SourceError(
            [
                Diagnostic(
                    span,
                    "W001",
                    "this is not UTF-8 text",
                    expected="a text file in UTF-8",
                    found=f"byte 0x{data[error.start]:02x} at offset {error.start}",
                )
            ]
        ) from None


def _too_big(source: Source, size: int) -> Diagnostic:
    return Diagnostic(
        Span(source, 0, 0),
        "W012",
        "the source is too big",
        expected=f"at most {MAX_SOURCE_BYTES} bytes",
        found=f"{size} bytes",
        help="split it into several files",
    )


def load_source(text: str, path: str) -> Source:
    """Normalise line ends, and make sure that the last line has one."""
    if len(text) > MAX_SOURCE_BYTES:
        raise SourceError([_too_big(Source(path, ""), len(text))])
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    return Source(path, text if text.endswith("\n") else text + "\n")


@dataclass
class Scan:
    """What a look at the lines found. `blank` are lines the grammar should not see."""

    source: Source
    errors: list[Diagnostic] = field(default_factory=list)
    blank: set[int] = field(default_factory=set)
    wrong: set[int] = field(default_factory=set)
    """Lines with a character that means nothing: it may have been a bracket."""
    statements: dict[int, tuple[int, int]] = field(default_factory=dict)
    """First and last line of the statements that span several lines, by each of their lines."""

    def report(self, start: int, end: int, rule: str, message: str, **more: str) -> None:
        span = Span(self.source, start, end)
        self.errors.append(Diagnostic(span, rule, message, **more))  # type: ignore[arg-type]


@dataclass
class _Open:
    bracket: str
    offset: int
    line: int


def scan(source: Source) -> Scan:
    """Check characters, indentation and brackets of every line."""
    found = Scan(source)
    open_brackets: list[_Open] = []
    indents = [0]
    offset = 0
    lines = source.text.split("\n")
    for number, line in enumerate(lines, 1):
        if len(found.errors) >= MAX_ERRORS:
            break
        if open_brackets and _STARTS_STATEMENT.match(line):
            _never_closed(found, open_brackets, number)
        content = line.lstrip(" \t")
        if not open_brackets and content and not content.startswith("#"):
            _check_indent(found, indents, line, offset, number)
        first = open_brackets[0].line if open_brackets else number
        _check_characters(found, line, offset, number, open_brackets)
        if first < number and not open_brackets:
            found.statements.update(dict.fromkeys(range(first, number + 1), (first, number)))
        offset += len(line) + 1
    if open_brackets:
        _never_closed(found, open_brackets, len(lines), at_end=True)
    return found


def _never_closed(
    found: Scan, open_brackets: list[_Open], until: int, *, at_end: bool = False
) -> None:
    """W004 at the innermost open bracket; its lines are left out of the parse."""
    last = open_brackets[-1]
    if last.line not in found.wrong:
        found.report(
            last.offset,
            last.offset + 1,
            "W004",
            f"this '{last.bracket}' is never closed",
            expected=f"'{_CLOSER[last.bracket]}' before the next statement",
            found="the end of the file" if at_end else f"line {until} begins a new statement",
        )
    found.blank.update(range(open_brackets[0].line, until))
    open_brackets.clear()


def _check_indent(found: Scan, indents: list[int], line: str, offset: int, number: int) -> None:
    line = line.expandtabs(4)
    width = len(line) - len(line.lstrip(" "))
    if _STARTS_DEFINITION.match(line.lstrip(" ")) and width:
        found.report(
            offset,
            offset + width,
            "W003",
            "a definition begins at the left margin",
            expected="no spaces before it",
            found=f"{width} spaces before it",
        )
        found.blank.add(number)
        return
    if width > indents[-1]:
        if len(indents) > MAX_BLOCKS:
            message = f"blocks are nested more than {MAX_BLOCKS} deep"
            found.report(offset, offset + width, "W007", message, help="call kernels instead")
            found.blank.add(number)
            return
        indents.append(width)
        return
    while width < indents[-1]:
        indents.pop()
    if width == indents[-1]:
        return
    found.report(
        offset,
        offset + width,
        "W003",
        "this indentation matches no open block",
        expected=" or ".join(str(n) for n in indents) + " spaces",
        found=f"{width} spaces",
    )
    found.blank.add(number)


def _check_characters(
    found: Scan, line: str, offset: int, number: int, open_brackets: list[_Open]
) -> None:
    for match in _LONG_NAME.finditer(line.split("#")[0]) if len(line) > MAX_NAME else ():
        found.report(
            offset + match.start(),
            offset + match.end(),
            "W015",
            "this name is too long",
            expected=f"at most {MAX_NAME} characters",
            found=f"{match.end() - match.start()} characters",
        )
        found.blank.add(number)
    tabs = False
    for match in _INTERESTING.finditer(line):
        if len(found.errors) >= MAX_ERRORS:
            return
        char, at = match.group(), offset + match.start()
        if char == "#":
            if number not in found.wrong:
                _check_comment(found, line[match.start() :], at, number)
            return
        if char in "([":
            open_brackets.append(_Open(char, at, number))
            if len(open_brackets) == MAX_BRACKETS + 1:
                message = f"brackets are nested more than {MAX_BRACKETS} deep"
                found.report(at, at + 1, "W007", message, help="name parts of the expression")
            if len(open_brackets) > MAX_BRACKETS:
                found.blank.add(number)
        elif char in ")]":
            if number not in found.wrong:
                _close(found, char, at, number, open_brackets)
            elif open_brackets and open_brackets[-1].bracket == _CLOSES[char]:
                open_brackets.pop()
        elif char == "\t":
            if not tabs:
                _bad_character(found, char, at)
            tabs = True
        elif number not in found.wrong:
            # One a line; brackets behind it count, but may be what it was meant to be.
            _bad_character(found, char, at)
            found.blank.add(number)
            found.wrong.add(number)


def _close(found: Scan, char: str, at: int, number: int, open_brackets: list[_Open]) -> None:
    if not open_brackets:
        found.report(at, at + 1, "W004", f"this '{char}' closes nothing", help="remove it")
        found.blank.add(number)
        return
    opened = open_brackets.pop()
    if opened.bracket == _CLOSES[char]:
        return
    line, column = found.source.line_column(opened.offset)
    found.report(
        at,
        at + 1,
        "W004",
        f"this '{char}' does not match the '{opened.bracket}' at line {line}, column {column}",
        expected=f"'{_CLOSER[opened.bracket]}'",
        found=f"'{char}'",
    )
    found.blank.update(range(opened.line, number + 1))


def _check_comment(found: Scan, comment: str, at: int, number: int) -> None:
    """A comment may hold any printable text, and tabs."""
    for position, char in enumerate(comment):
        if char != "\t" and ord(char) < 32:
            _bad_character(found, char, at + position)
            found.blank.add(number)
            return


def _bad_character(found: Scan, char: str, at: int) -> None:
    if char == "\t":
        found.report(
            at, at + 1, "W002", "there is a tab here", expected="spaces", help="use 4 spaces"
        )
    elif not char.isprintable():
        found.report(
            at,
            at + 1,
            "W001",
            "there is a control character here",
            found=f"U+{ord(char):04X}",
            help="remove it",
        )
    else:
        found.report(
            at,
            at + 1,
            "W006",
            f"'{char}' means nothing in Weft",
            found=f"U+{ord(char):04X}",
            help="names are ASCII letters, digits and _; any text may stand in a comment",
        )
