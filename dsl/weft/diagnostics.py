# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Places in a source text, and the three kinds of failure that Weft keeps apart.

* `SourceError`: the user's program is wrong. It carries every diagnostic of the run.
* `RunError`: a correct program was called wrongly, or something failed while it ran.
* `CompilerBug`: Weft itself is wrong. It says so, and names a reproducer.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

# A line this long is shown only around the caret.
LINE_SHOWN = 160
# Names compared with an unknown one: of like length, and not all of a generated source.
MATCHED = 8
MATCHED_MOST = 200


@dataclass(frozen=True)
class Source:
    """A named text. The place of every diagnostic is an offset into one of these."""

    path: str
    text: str

    @cached_property
    def _joined(self) -> tuple[int, Source] | None:
        """Where a line `#line 1 "path"` says that the rest is another file's, and that file."""
        mark = re.search(r'^#line 1 "(.*)"\n', self.text, re.MULTILINE)
        return (mark.end(), Source(mark[1], self.text[mark.end() :])) if mark else None

    def origin(self, offset: int) -> tuple[Source, int]:
        """The file that an offset lies in, and where: this one, or one joined to it."""
        if self._joined is None or offset < self._joined[0]:
            return self, offset
        start, other = self._joined
        return other, offset - start

    @cached_property
    def line_starts(self) -> list[int]:
        return [0] + [i + 1 for i, c in enumerate(self.text) if c == "\n"]

    def line_column(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both counted from 1."""
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def line_text(self, line: int) -> str:
        start = self.line_starts[line - 1]
        end = self.text.find("\n", start)
        return self.text[start : end if end >= 0 else len(self.text)].rstrip("\r")


@dataclass(frozen=True)
class Span:
    """The characters `start` up to but not including `end` of a source."""

    source: Source
    start: int
    end: int

    @property
    def line(self) -> int:
        return self.source.line_column(self.start)[0]

    @property
    def column(self) -> int:
        return self.source.line_column(self.start)[1]

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    def to(self, other: Span) -> Span:
        """From the start of this span to the end of another."""
        return Span(self.source, self.start, max(self.end, other.end))

    @property
    def shown(self) -> Span:
        """As users see it: within the file that they wrote."""
        source, start = self.source.origin(self.start)
        return Span(source, start, start + self.end - self.start)

    def excerpt(self) -> list[str]:
        """The line that it begins in, with carets under it."""
        span = self.shown
        line, column = span.source.line_column(span.start)
        text = span.source.line_text(line)
        width = max(1, min(self.end - self.start, len(text) - column + 1))
        shown, offset = _window(text, column - 1)
        carets = "^" * max(1, min(width, len(shown) - offset))
        gutter = " " * len(str(line))
        return [f" {line} | {shown}", f" {gutter} | {' ' * offset}{carets}"]

    def __str__(self) -> str:
        span = self.shown
        line, column = span.source.line_column(span.start)
        return f"{span.source.path}:{line}:{column}"

    def __repr__(self) -> str:
        return f"<{self}>"


@dataclass(frozen=True)
class Diagnostic:
    """One thing that is wrong: the place, what was expected, what was found, the way out."""

    span: Span
    rule: str
    """Number of the rule that was broken, such as `W204`; see `weft.rules`."""
    message: str
    expected: str = ""
    found: str = ""
    help: str = ""
    notes: tuple[str, ...] = field(default=())
    severity: str = "error"

    @property
    def code(self) -> str:
        return self.rule

    @property
    def path(self) -> str:
        return self.span.shown.source.path

    @property
    def line(self) -> int:
        return self.span.shown.line

    @property
    def column(self) -> int:
        return self.span.shown.column

    def render(self) -> str:
        out = [
            f"{self.span}: {self.severity}[{self.rule}]: {self.message}",
            *self.span.excerpt(),
        ]
        for label, value in (
            ("expected", self.expected),
            ("found", self.found),
            ("help", self.help),
        ):
            if value:
                out.append(f"   {label}: {value}")
        out.extend(f"   note: {note}" for note in self.notes)
        return "\n".join(out)


def _window(text: str, column: int) -> tuple[str, int]:
    """The part of a line that is shown, printable, and where the column is in it."""
    printable = "".join(c if c.isprintable() else ("�" if c != "\t" else " ") for c in text)
    if len(printable) <= LINE_SHOWN:
        return printable, column
    start = max(0, min(column - LINE_SHOWN // 2, len(printable) - LINE_SHOWN))
    return printable[start : start + LINE_SHOWN], column - start


class WeftError(Exception):
    """Base of everything that Weft raises on purpose; `str(error)` is what the terminal shows.

    The fields say the same piece by piece; those that an error has nothing for are empty, 0 for
    `line` and `column`. All of it survives pickling.
    """

    message: str = ""
    """What is wrong, in one line."""
    code: str = ""
    """Number of the rule that was broken, such as `W204`; only source errors have one."""
    path: str = ""
    """The source's file, or `<source>` for a text."""
    line: int = 0
    """Counted from 1."""
    column: int = 0
    """Counted from 1."""
    expected: str = ""
    """What would be right."""
    found: str = ""
    """What is there instead."""
    help: str = ""
    """A way out."""
    notes: tuple[str, ...] = ()
    """What else helps to understand it, such as the sizes that are at fault."""
    errors: Sequence[Diagnostic] = ()
    """Everything that is wrong with a source."""

    def render(self) -> str:
        return str(self)

    @property
    def rule(self) -> str:
        return self.code

    def __reduce__(self) -> tuple[object, ...]:
        # By its parts: the constructors of the three kinds take no rendered text.
        return _restored, (type(self), self.args), self.__dict__

    def _repr_html_(self) -> str:
        from weft import html

        return html.error(self.render())

    def _render_traceback_(self) -> list[str]:
        """What a notebook shows instead of a traceback through Weft."""
        return self.render().splitlines()


def _restored(kind: type[WeftError], arguments: tuple[object, ...]) -> WeftError:
    return kind.__new__(kind, *arguments)


class SourceError(WeftError):
    """The program breaks a rule of the language.

    `errors` has every mistake found; the fields of the exception are those of the first.
    """

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        self.diagnostics = sorted(diagnostics, key=lambda d: d.span.start)
        self.errors = self.diagnostics
        if self.diagnostics:
            first = self.diagnostics[0]
            self.message, self.code, self.path = first.message, first.rule, first.path
            self.line, self.column = first.line, first.column
            self.expected, self.found = first.expected, first.found
            self.help, self.notes = first.help, first.notes
        super().__init__(self.render())

    def render(self) -> str:
        parts = [d.render() for d in self.diagnostics]
        if len(parts) > 1:
            parts.append(f"{len(parts)} errors")
        return "\n\n".join(parts)


class RunError(WeftError):
    """A program was called with something it cannot take, or could not be run.

    `argument` names the argument at fault, where it is one. `span` is what of the source is at
    fault: `path`, `line` and `column` say where that is.
    """

    span: Span | None = None

    def __init__(
        self,
        message: str,
        *,
        argument: str = "",
        expected: str = "",
        found: str = "",
        help: str = "",  # noqa: A002
        span: Span | None = None,
    ) -> None:
        if span is not None:
            shown = span.shown
            self.path, self.line, self.column = shown.source.path, shown.line, shown.column
        self.span = span
        self.message = message
        self.argument = argument
        self.expected = expected
        self.found = found
        self.help = help
        super().__init__(self.render())

    def render(self) -> str:
        out = [f"error: {self.message}"]
        if self.span is not None:
            out = [f"{self.span}: {out[0]}", *self.span.excerpt()]
        for label, value in (
            ("expected", self.expected),
            ("found", self.found),
            ("help", self.help),
        ):
            if value:
                out.append(f"   {label}: {value}")
        return "\n".join(out)


class DirectiveError(RunError):
    """A directive of a schedule that the kernel does not allow on this target."""


class CompilerBug(WeftError):
    """Weft itself failed: a program that is right was not compiled, or not as it should be.

    `stage` is where, `reproducer` the folder that shows it, `replay` the command.
    """

    def __init__(
        self, message: str, *, stage: str = "", reproducer: str = "", replay: str = ""
    ) -> None:
        self.message = message
        self.stage = stage
        self.reproducer = reproducer
        self.replay = replay
        super().__init__(self.render())

    def render(self) -> str:
        where = f" in {self.stage}" if self.stage else ""
        out = [f"internal error{where}: {self.message}"]
        out.append("   This is a fault of Weft, not of your program. Please report it.")
        if self.reproducer:
            out.append(f"   reproducer: {self.reproducer}")
        if self.replay:
            out.append(f"   replay: {self.replay}")
        return "\n".join(out)


def close_match(name: str, choices: Iterable[str]) -> str:
    """`did you mean 'x'?`, or nothing when no known name is near."""
    from difflib import get_close_matches  # only failures need it

    known = sorted(choice for choice in set(choices) if abs(len(choice) - len(name)) <= MATCHED)
    if len(known) > MATCHED_MOST:
        known = [choice for choice in known if choice[:1] == name[:1]][:MATCHED_MOST]
    same = [k for k in known if k.lower() == name.lower() and k != name]
    near = same or get_close_matches(name, known, n=1, cutoff=0.6)
    return f"did you mean '{near[0]}'?" if near else ""
