# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""AST to source text: the same tree when it is parsed again, with no superfluous bracket.

Spaces stand around operators, but not within indices, ranges and sizes: `2 * x[2*i+1]`. Comments
and the user's layout are not in the tree, and so not in the text.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from weft.syntax import ast

INDENT = "    "

# How strongly the grammar's rules bind; what stands weaker than its place needs brackets.
_DISJUNCTION, _CONJUNCTION, _NEGATION, _COMPARISON, _SUM, _PRODUCT, _SIGNED, _POWER, _POSTFIX = (
    range(9)
)
_ATOM = _POSTFIX + 1

# Operator: its own strength, and the least that its left and its right side have.
_BINARY = {
    "or": (_DISJUNCTION, _DISJUNCTION, _CONJUNCTION),
    "and": (_CONJUNCTION, _CONJUNCTION, _NEGATION),
    **dict.fromkeys(("+", "-"), (_SUM, _SUM, _PRODUCT)),
    **dict.fromkeys(("*", "/", "//", "%", "@"), (_PRODUCT, _PRODUCT, _SIGNED)),
    "**": (_POWER, _POSTFIX, _SIGNED),
}


def print_file(file: ast.File) -> str:
    """The text of a file, definitions one empty line apart."""
    return "\n".join(print_definition(d) for d in file.definitions)


def print_definition(definition: ast.Definition) -> str:
    """A kernel, a program or a schedule, with a line break at its end."""
    if isinstance(definition, ast.Schedule):
        head = f"schedule {definition.kernel.name} on {definition.target.name}:"
        lines = [INDENT + print_directive(d) for d in definition.directives]
    else:
        head = _header(definition)
        lines = [line for s in definition.body for line in _statement(s, INDENT)]
    return "\n".join([head, *lines]) + "\n"


def print_expression(expression: ast.Expression) -> str:
    return _Words(tight=False).expression(expression)


def print_directive(directive: ast.Directive) -> str:
    words = [directive.name.name]
    if directive.operands:
        words.append(_operands(directive.operands))
    for clause in directive.clauses:
        words += [clause.word, _operands(clause.operands)]
    return " ".join([*words, *(flag.name for flag in directive.flags)])


def _operands(operands: tuple[ast.Operand, ...]) -> str:
    return ", ".join(map(_operand, operands))


def _operand(operand: ast.Operand) -> str:
    if isinstance(operand, ast.Number):
        return operand.text
    if isinstance(operand, ast.Applied):
        return f"{operand.name.name}({', '.join(n.text for n in operand.arguments)})"
    return operand.name.name + (f".{operand.axis.name}" if operand.axis else "")


def _header(kernel: ast.Kernel) -> str:
    kinds = {kernel.groups.name: "groups"} if kernel.groups else {}
    sizes = ", ".join(f"{n.name}: {kinds.get(n.name, 'size')}" for n in kernel.sizes)
    inputs, outputs = (", ".join(map(_parameter, p)) for p in (kernel.inputs, kernel.outputs))
    word = "program" if kernel.is_program else "kernel"
    return f"{word} {kernel.name.name}{f'[{sizes}]' if sizes else ''}({inputs}) -> ({outputs}):"


def _parameter(parameter: ast.Parameter) -> str:
    dims = ", ".join(map(_TIGHT.expression, parameter.dims))
    return f"{parameter.name.name}: {parameter.element.name}{f'[{dims}]' if dims else ''}"


def _statement(statement: ast.Statement, indent: str) -> list[str]:
    if isinstance(statement, ast.For):
        inner = [line for s in statement.body for line in _statement(s, indent + INDENT)]
        return [f"{indent}for {_ranges(statement.ranges)}:", *inner]
    return [indent + _line(statement)]


def _line(statement: ast.Assign | ast.Const | ast.CarryAssign | ast.Case) -> str:
    if isinstance(statement, ast.Case):
        return f"case {statement.name.name}: {_TIGHT.keywords(statement.sizes)}"
    value = print_expression(statement.value)
    if isinstance(statement, ast.CarryAssign):
        return f"carry {statement.name.name} = {value}"
    if isinstance(statement, ast.Const):
        ranges = f"[{_ranges(statement.ranges)}]" if statement.ranges else ""
        return f"const {statement.name.name}{ranges} = {value}"
    return f"{', '.join(map(_target, statement.targets))} = {value}"


def _target(target: ast.Target) -> str:
    return target.name.name + ("" if target.items is None else f"[{_items(target.items)}]")


def _items(items: tuple[ast.Item, ...]) -> str:
    return ", ".join(map(_item, items))


def _item(item: ast.Item) -> str:
    if isinstance(item, ast.NamedRange):
        return _ranges((item,))
    if not isinstance(item, ast.Slice):
        return _TIGHT.expression(item)
    parts = [item.lower, item.upper, *([item.step] if item.step is not None else [])]
    return ":".join("" if part is None else _TIGHT.expression(part) for part in parts)


def _ranges(ranges: Iterable[ast.NamedRange]) -> str:
    return ", ".join(
        f"{r.name.name} in {_TIGHT.expression(r.range.lower)}:{_TIGHT.expression(r.range.upper)}"
        for r in ranges
    )


@dataclass(frozen=True)
class _Words:
    """Expressions; `tight` ones have no spaces around arithmetic."""

    tight: bool

    def expression(self, node: ast.Expression, least: int = _DISJUNCTION) -> str:
        """The text, in brackets where it binds weaker than `least`."""
        strength, text = self._bare(node)
        return text if strength >= least else f"({text})"

    def keywords(self, keywords: tuple[ast.Keyword, ...]) -> str:
        return ", ".join(f"{k.name.name}={self.expression(k.value)}" for k in keywords)

    def _bare(self, node: ast.Expression) -> tuple[int, str]:
        if isinstance(node, ast.Number):
            return _ATOM, node.text
        if isinstance(node, ast.Name):
            return _ATOM, node.name
        if isinstance(node, ast.List):
            return _ATOM, f"[{', '.join(map(self.expression, node.elements))}]"
        if isinstance(node, ast.Unary):
            return self._unary(node)
        if isinstance(node, ast.Binary):
            return self._binary(node)
        if isinstance(node, ast.Compare):
            sides = (self.expression(side, _SUM) for side in (node.left, node.right))
            return _COMPARISON, f" {node.op} ".join(sides)
        if isinstance(node, ast.Subscript):
            return _POSTFIX, f"{self.expression(node.base, _POSTFIX)}[{_items(node.items)}]"
        if isinstance(node, ast.Attribute):
            # 2.T would be the number 2. and a name.
            digits = isinstance(node.base, ast.Number) and node.base.text.isdigit()
            least = _ATOM + 1 if digits else _POSTFIX
            return _POSTFIX, f"{self.expression(node.base, least)}.{node.name.name}"
        return _POSTFIX, self._call(node)

    def _unary(self, node: ast.Unary) -> tuple[int, str]:
        if node.op == "not":
            return _NEGATION, f"not {self.expression(node.operand, _NEGATION)}"
        return _SIGNED, node.op + self.expression(node.operand, _SIGNED)

    def _binary(self, node: ast.Binary) -> tuple[int, str]:
        own, least_left, least_right = _BINARY[node.op]
        left, right = (
            self.expression(node.left, least_left),
            self.expression(node.right, least_right),
        )
        close = node.op == "**" or (self.tight and node.op not in ("and", "or", "@"))
        return own, left + (node.op if close else f" {node.op} ") + right

    def _call(self, node: ast.Call) -> str:
        sizes = f"[{_TIGHT.keywords(node.sizes)}]" if node.sizes else ""
        if node.ranges:
            inside = f"{print_expression(node.arguments[0])} for {_ranges(node.ranges)}"
        else:
            named = self.keywords(node.keywords)
            given = [*map(self.expression, node.arguments), *([named] if named else [])]
            inside = ", ".join(given)
        return f"{node.function.name}{sizes}({inside})"


_TIGHT = _Words(tight=True)
