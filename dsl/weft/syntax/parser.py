# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Source text to AST, with every syntax error of the text in one go.

After an error the line is replaced by a hole and the text is parsed again, so that one mistake
hides no other. lark is imported on the first parse only: importing this module is cheap.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from weft.diagnostics import Diagnostic, Source, SourceError, Span
from weft.syntax import ast
from weft.syntax.build import BuildError, build_file
from weft.syntax.explain import explain
from weft.syntax.source import MAX_ERRORS, Scan, load_source, scan

if TYPE_CHECKING:
    import lark

HOLE = "\ue000"


def parse(text: str, path: str) -> ast.File:
    """The AST of a text; `SourceError` with all syntax errors where it has any."""
    source = load_source(text, path)
    found = scan(source)
    errors = found.errors
    lines = _Lines(found)
    misplaced = {error.span.line for error in errors if error.rule == "W003"}
    for error in errors:
        if error.rule == "W002":
            lines.expand(error.span.line)
    for number in sorted(found.blank):
        lines.dig(number, keep=number not in misplaced)
    while len(errors) < MAX_ERRORS:
        outcome = _attempt(lines.text(), source, errors)
        if not isinstance(outcome, Diagnostic):
            break
        line = outcome.span.line
        already = any(error.span.line == line for error in errors)
        if not already:
            errors.append(outcome)
        keep = outcome.rule != "W003"
        if not lines.dig(line, keep) and not lines.dig_definition(line):
            break
    if errors:
        raise SourceError(errors)
    assert isinstance(outcome, ast.File)
    if not outcome.definitions:
        raise SourceError([_empty(source)])
    return outcome


def _empty(source: Source) -> Diagnostic:
    # W010
    return Diagnostic(
        Span(source, 0, 0),
        "W010",
        "there is nothing to compile here",
        expected="at least one kernel or program",
        found="no definition",
    )


def _attempt(text: str, source: Source, errors: list[Diagnostic]) -> ast.File | Diagnostic:
    """One parse of the text: the AST or the first error.

    `errors` are those known so far: where holes made the text impossible to go on with, they are
    all there is to say.
    """
    from lark.exceptions import UnexpectedInput
    from lark.indenter import DedentError

    try:
        tree = _grammar().parse(text)
        return build_file(tree, source)
    except UnexpectedInput as error:
        return explain(error, source)
    except BuildError as error:
        return error.diagnostic
    except DedentError:
        if not errors:
            raise
        raise SourceError(errors) from None


@lru_cache(maxsize=1)
def _grammar() -> lark.Lark:
    from lark import Lark
    from lark.indenter import Indenter

    class Blocks(Indenter):
        NL_type = "_NL"
        OPEN_PAREN_types = ["LPAR", "LSQB"]  # noqa: RUF012
        CLOSE_PAREN_types = ["RPAR", "RSQB"]  # noqa: RUF012
        INDENT_type = "_INDENT"
        DEDENT_type = "_DEDENT"
        tab_len = 8

    options: dict[str, Any] = {
        "parser": "lalr",
        "lexer": "contextual",
        "propagate_positions": True,
        "maybe_placeholders": True,
        "postlex": Blocks(),
    }
    text = (files("weft.syntax") / "grammar.lark").read_text(encoding="utf-8")
    return Lark(text, **options)


class _Lines:
    """The lines of a source, in which wrong ones become holes of the same indentation."""

    def __init__(self, found: Scan) -> None:
        self.lines = found.source.text.split("\n")
        self.statements = found.statements

    def text(self) -> str:
        return "\n".join(self.lines)

    def expand(self, number: int) -> None:
        """Go on as if tabs were spaces."""
        self.lines[number - 1] = self.lines[number - 1].expandtabs(4)

    def dig(self, number: int, keep: bool) -> bool:
        """Make a hole of the statement at a line; false where there is none or it is a definition.

        A hole stays the header of a block when a deeper line follows it. A misplaced line leaves
        nothing (`keep` is false), for its hole would be misplaced as well.
        """
        first, last = self.statements.get(number, (number, number))
        line = self.lines[first - 1]
        if not line.startswith(" ") or not line.strip() or HOLE in line:
            return False
        if not keep:
            self.lines[first - 1 : last] = [""] * (last - first + 1)
            return True
        indent = _indent(line)
        follower = next((s for s in self.lines[last:] if s.strip(" ")), "")
        opens = _indent(follower) > indent and not follower.lstrip().startswith("#")
        self.lines[first - 1] = indent + HOLE + (":" if opens else "")
        self.lines[first:last] = [""] * (last - first)
        return True

    def dig_definition(self, number: int) -> bool:
        """Empty the definition that holds the line; false where nothing is left to empty."""
        first = number - 1
        while first > 0 and (not self.lines[first] or self.lines[first].startswith(" ")):
            first -= 1
        last = max(number, first + 1)
        while last < len(self.lines) and (
            not self.lines[last] or self.lines[last].startswith((" ", "#", ")"))
        ):
            last += 1
        if not any(self.lines[first:last]):
            return False
        self.lines[first:last] = [""] * (last - first)
        return True


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" "))]
