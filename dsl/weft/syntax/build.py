# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lark's tree to AST, bottom up and without recursion: one small function for each grammar rule."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from weft.diagnostics import Diagnostic, Source, Span
from weft.syntax import ast, foreign

# Deeper expressions than this are refused: every later stage may then recurse over them.
MAX_DEPTH = 200
MAX_DIGITS = 80
MAX_EXPONENT = 5000


class BuildError(Exception):
    """A rule that the grammar cannot state was broken."""

    def __init__(self, span: Span, rule: str, message: str, **more: str) -> None:
        super().__init__(message)
        self.diagnostic = Diagnostic(span, rule, message, **more)  # type: ignore[arg-type]


@dataclass(frozen=True)
class _Sized:
    """`f[n=4]`, only to be called."""

    base: Any
    sizes: tuple[ast.Keyword, ...]
    span: Span


@dataclass(frozen=True)
class _Flag:
    """A last word of a directive, `double_buffered`."""

    name: ast.Name
    span: Span


@dataclass(frozen=True)
class _Groups:
    """`G: groups` among the sizes of a signature."""

    name: ast.Name


@dataclass(frozen=True)
class _Comprehension:
    value: Any
    ranges: tuple[ast.NamedRange, ...]
    span: Span


def build_file(tree: Any, source: Source) -> ast.File:
    builder = _Builder(source)
    done: dict[int, Any] = {}
    for part in tree.iter_subtrees():
        children = [done[id(c)] if hasattr(c, "data") else c for c in part.children]
        done[id(part)] = builder.node(part, children)
    definitions: tuple[ast.Definition, ...] = done[id(tree)]
    return ast.File(source, definitions)


class _Builder:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.depth: dict[int, int] = {}

    def node(self, part: Any, children: list[Any]) -> Any:
        span = self.span(part.meta)
        built = _RULES[str(part.data)](children, span)
        deepest = max((self.depth.get(id(c), 0) for c in children), default=0)
        self.depth[id(built)] = deepest + 1
        if deepest >= MAX_DEPTH:
            raise BuildError(
                span,
                "W007",
                f"this expression is nested more than {MAX_DEPTH} deep",
                help="give parts of it names",
            )
        return built

    def span(self, meta: Any) -> Span:
        """By line and column: offsets shift when wrong lines were replaced by holes."""
        if meta.empty:
            return Span(self.source, 0, 0)
        starts, size = self.source.line_starts, len(self.source.text)
        start = starts[meta.line - 1] + meta.column - 1
        end = starts[min(meta.end_line, len(starts)) - 1] + meta.end_column - 1
        return Span(self.source, min(start, size), min(max(end, start), size))


def _number(children: list[Any], span: Span) -> ast.Number:
    token = children[0]
    text = str(token).replace("_", "")
    _, _, exponent = text.lower().rstrip("j").partition("e")
    hexadecimal = text[:2].lower() == "0x"
    if len(text) > MAX_DIGITS or (
        not hexadecimal and exponent and abs(int(exponent)) > MAX_EXPONENT
    ):
        raise BuildError(
            span,
            "W008",
            "this number is too long",
            expected=f"at most {MAX_DIGITS} characters and an exponent of at most {MAX_EXPONENT}",
        )
    kind = {"INTEGER": "int", "REAL": "real", "IMAGINARY": "imaginary"}[token.type]
    return ast.Number(text, kind, span)


def _call(children: list[Any], span: Span) -> ast.Call:
    function, arguments = children
    sizes: tuple[ast.Keyword, ...] = ()
    if isinstance(function, _Sized):
        sizes, function = function.sizes, function.base
    if not isinstance(function, ast.Name):
        # W014
        raise BuildError(
            function.span,
            "W014",
            "only a kernel or a built-in can be called",
            expected="a name before '('",
            help=_without_dot(function) if isinstance(function, ast.Attribute) else "",
        )
    if isinstance(arguments, _Comprehension):
        return ast.Call(function, sizes, (arguments.value,), (), arguments.ranges, span)
    positional: list[Any] = []
    keywords: list[ast.Keyword] = []
    for argument in arguments or ():
        if isinstance(argument, ast.Keyword):
            keywords.append(argument)
            continue
        if keywords:
            # W013
            raise BuildError(
                argument.span,
                "W013",
                "an argument without a name follows one with a name",
                help="put it first, or name it too",
            )
        positional.append(argument)
    return ast.Call(function, sizes, tuple(positional), tuple(keywords), (), span)


def _without_dot(function: ast.Attribute) -> str:
    """`np.exp(x)` and `x.sum()`."""
    base = function.base
    name = function.name.name
    while isinstance(base, ast.Attribute):  # np.fft.rfft
        base = base.base
    if isinstance(base, ast.Name) and base.name in foreign.MODULES:
        return foreign.CALLS.get(name, f"functions have no module here: {name}(x)")
    return foreign.CALLS.get(name, f"its argument stands in it: {name}({function.base.span.text})")


def _subscript(children: list[Any], span: Span) -> ast.Subscript:
    return ast.Subscript(_plain(children[0]), children[1], span)


def _plain(expression: Any) -> Any:
    """Sizes in brackets are for calls only."""
    if isinstance(expression, _Sized):
        raise BuildError(
            expression.span,
            "W014",
            "sizes in brackets belong to a call",
            help="call it: f[n=4](x)",
        )
    return expression


def _binary(children: list[Any], span: Span) -> ast.Binary:
    left, op, right = children
    return ast.Binary(str(op), _plain(left), _plain(right), span)


def _unary(children: list[Any], span: Span) -> ast.Unary:
    return ast.Unary(str(children[0]), _plain(children[1]), span)


def _compare(children: list[Any], span: Span) -> ast.Compare:
    left, op, right = children
    return ast.Compare(str(op), _plain(left), _plain(right), span)


def _slice(children: list[Any], span: Span) -> ast.Slice:
    # Colons are kept in the tree, so that `a:`, `:b` and `::c` stay apart.
    parts: list[Any] = [None]
    for child in children:
        if type(child).__name__ == "Token":
            parts.append(None)
        elif child is not None:
            parts[-1] = _plain(child)
    lower, upper, step = (*parts, None)[:3]
    return ast.Slice(lower, upper, step, span)


def _signature(is_program: bool) -> Callable[[list[Any], Span], ast.Kernel]:
    def build(children: list[Any], span: Span) -> ast.Kernel:
        (name, written, inputs, outputs), body = children
        header = Span(span.source, span.start, outputs[-1].span.end)
        numbers = [size.name for size in written or () if isinstance(size, _Groups)]
        if len(numbers) > 1:
            # W625
            raise BuildError(
                numbers[1].span,
                "W625",
                "a kernel has one number of groups",
                expected=f"one parameter of the kind groups, as '{numbers[0].name}' is",
            )
        sizes = tuple(size.name if isinstance(size, _Groups) else size for size in written or ())
        groups = numbers[0] if numbers else None
        return ast.Kernel(name, is_program, sizes, inputs or (), outputs, body, header, groups)

    return build


def _schedule(children: list[Any], span: Span) -> ast.Schedule:
    directives = tuple(c for c in children[2:] if isinstance(c, ast.Directive))
    header = Span(span.source, span.start, children[1].span.end)
    return ast.Schedule(children[0], children[1], directives, header)


def _directive(children: list[Any], span: Span) -> ast.Directive:
    name, operands, *rest = children
    clauses = tuple(c for c in rest if isinstance(c, ast.Clause))
    flags = tuple(c.name for c in rest if isinstance(c, _Flag))
    return ast.Directive(name, operands or (), clauses, flags, span)


def _statements(children: list[Any], _span: Span) -> tuple[Any, ...]:
    return tuple(c for c in children if c is not None)


def _assign(children: list[Any], span: Span) -> ast.Assign:
    return ast.Assign(tuple(children[:-1]), _plain(children[-1]), span)


def _for(children: list[Any], span: Span) -> ast.For:
    ranges, body = children
    return ast.For(ranges, body, Span(span.source, span.start, ranges[-1].span.end))


def _sequence(children: list[Any], _span: Span) -> tuple[Any, ...]:
    return tuple(_plain(c) for c in children)


_RULES: dict[str, Callable[[list[Any], Span], Any]] = {
    "start": _statements,
    "kernel": _signature(False),
    "program": _signature(True),
    "signature": lambda c, _: tuple(c),
    "size_parameters": _sequence,
    "groups_parameter": lambda c, _: _Groups(c[0]),
    "parameters": _sequence,
    "parameter": lambda c, s: ast.Parameter(c[0], c[1], c[2] or (), s),
    "expressions": _sequence,
    "block": _statements,
    "hole": lambda _c, _s: None,
    "assign": _assign,
    "target": lambda c, s: ast.Target(c[0], c[1], s),
    "const": lambda c, s: ast.Const(c[0], c[1] or (), _plain(c[2]), s),
    "carry": lambda c, s: ast.CarryAssign(c[0], _plain(c[1]), s),
    "case": lambda c, s: ast.Case(c[0], c[1], s),
    "for_loop": _for,
    "named_ranges": _sequence,
    "named_range": lambda c, s: ast.NamedRange(c[0], c[1], s),
    "range": lambda c, s: ast.Range(_plain(c[0]), _plain(c[1]), s),
    "keywords": _sequence,
    "keyword": lambda c, s: ast.Keyword(c[0], _plain(c[1]), s),
    "binary": _binary,
    "unary": _unary,
    "compare": _compare,
    "subscript": _subscript,
    "sized": lambda c, s: _Sized(_plain(c[0]), c[1], s),
    "call": _call,
    "attribute": lambda c, s: ast.Attribute(_plain(c[0]), c[1], s),
    "list": lambda c, s: ast.List(c[0] or (), s),
    "number": _number,
    "name": lambda c, s: ast.Name(str(c[0]), s),
    "items": _sequence,
    "slice": _slice,
    "arguments": _sequence,
    "comprehension": lambda c, s: _Comprehension(_plain(c[0]), c[1], s),
    "schedule": _schedule,
    "directive": _directive,
    "clause": lambda c, s: ast.Clause(str(c[0]), c[1], s),
    "flag": lambda c, s: _Flag(c[0], s),
    "operands": _sequence,
    "place": lambda c, s: ast.Place(c[0], c[1], s),
    "applied": lambda c, s: ast.Applied(c[0], tuple(c[1:]), s),
}
