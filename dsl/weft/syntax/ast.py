# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The untyped AST: what was written, with the place of every part.

    file       = definition*
    definition = kernel | program | schedule
    statement  = assign | const | carry | for | case
    expression = number | name | unary | binary | compare | call | subscript | attribute | list
    item       = expression | slice | named range          inside the brackets of a subscript
    directive  = name, operand*, clause*, flag*            one line of a schedule
    operand    = place | applied | number

`span` never takes part in equality, so that two trees are equal when they say the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from weft.diagnostics import Source, Span

# ----------------------------------------------------------------------------------- expressions


@dataclass(frozen=True)
class Number:
    """A literal as written: `12`, `0x1f`, `1.5e-3`, `2j`. `kind` is int, real or imaginary."""

    text: str
    kind: str
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Name:
    name: str
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Unary:
    """`-x`, `+x`, `not x`."""

    op: str
    operand: Expression
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Binary:
    """`+ - * / // % ** @ and or`; `op` is the sign as written."""

    op: str
    left: Expression
    right: Expression
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Compare:
    """`< <= > >= == !=`, never chained."""

    op: str
    left: Expression
    right: Expression
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Range:
    """`lower:upper`, half-open, of a loop or a named range; both ends are written."""

    lower: Expression
    upper: Expression
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class NamedRange:
    """`i in lower:upper`."""

    name: Name
    range: Range
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Keyword:
    """`name=value` among arguments or sizes."""

    name: Name
    value: Expression
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Call:
    """`f(x, axis=0)`, `f[n=4](x)`, `sum(e for i in 0:n, j in 0:m)`."""

    function: Name
    sizes: tuple[Keyword, ...]
    arguments: tuple[Expression, ...]
    keywords: tuple[Keyword, ...]
    ranges: tuple[NamedRange, ...]
    """Not empty: a comprehension, with exactly one argument."""
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Slice:
    """`lower:upper:step`, each part optional."""

    lower: Expression | None
    upper: Expression | None
    step: Expression | None
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Subscript:
    base: Expression
    items: tuple[Item, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Attribute:
    """`t.BT`."""

    base: Expression
    name: Name
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class List:
    """`[6, 6]`."""

    elements: tuple[Expression, ...]
    span: Span = field(compare=False, repr=False)


Expression: TypeAlias = (
    Number | Name | Unary | Binary | Compare | Call | Subscript | Attribute | List
)
Item: TypeAlias = Expression | Slice | NamedRange


# ------------------------------------------------------------------------------------ statements


@dataclass(frozen=True)
class Target:
    """Left side of an assignment: a name, or elements or a part of one."""

    name: Name
    items: tuple[Item, ...] | None
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Assign:
    """`a = e`, `a, b = f(x)`, `y[i, j] = e`."""

    targets: tuple[Target, ...]
    value: Expression
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Const:
    """`const pi2 = e`, `const w[k in 0:n] = e`."""

    name: Name
    ranges: tuple[NamedRange, ...]
    value: Expression
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class CarryAssign:
    """`carry v = e`."""

    name: Name
    value: Expression
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class For:
    """`for i in 0:n, j in 0:m:` and its block."""

    ranges: tuple[NamedRange, ...]
    body: tuple[Statement, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Case:
    """`case S: nx=64, ny=64`."""

    name: Name
    sizes: tuple[Keyword, ...]
    span: Span = field(compare=False, repr=False)


Statement: TypeAlias = Assign | Const | CarryAssign | For | Case


# ----------------------------------------------------------------------------------- definitions


@dataclass(frozen=True)
class Parameter:
    """`x: c128[R, C]`; a scalar has no dimensions."""

    name: Name
    element: Name
    dims: tuple[Expression, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Kernel:
    """A kernel, or a program when `is_program`. `span` is its header line."""

    name: Name
    is_program: bool
    sizes: tuple[Name, ...]
    inputs: tuple[Parameter, ...]
    outputs: tuple[Parameter, ...]
    body: tuple[Statement, ...]
    span: Span = field(compare=False, repr=False)
    groups: Name | None = None
    """The size that is the number of core groups, of a kernel over groups: one of `sizes`."""


@dataclass(frozen=True)
class Place:
    """What a directive is about: a value, one of its axes `a.axis1`, a loop, or a word."""

    name: Name
    axis: Name | None
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Applied:
    """`winograd(4)`: a word with numbers, in a directive."""

    name: Name
    arguments: tuple[Number, ...]
    span: Span = field(compare=False, repr=False)


Operand: TypeAlias = Place | Applied | Number


@dataclass(frozen=True)
class Clause:
    """`by 8`, `over cpes`, `in ldm`, `into dma`, `as direct`, `-> co, ci`."""

    word: str
    operands: tuple[Operand, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Directive:
    """One line of a schedule: `place a, b in ldm double_buffered`."""

    name: Name
    operands: tuple[Operand, ...]
    clauses: tuple[Clause, ...]
    flags: tuple[Name, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Schedule:
    """`schedule K on T:` and its directives."""

    kernel: Name
    target: Name
    directives: tuple[Directive, ...]
    span: Span = field(compare=False, repr=False)


Definition: TypeAlias = Kernel | Schedule


@dataclass(frozen=True)
class File:
    source: Source = field(compare=False, repr=False)
    definitions: tuple[Definition, ...] = ()


def walk(node: Any) -> Iterator[Any]:
    """The node and everything below it."""
    yield node
    for value in vars(node).values() if hasattr(node, "__dataclass_fields__") else ():
        for part in value if isinstance(value, tuple) else (value,):
            if hasattr(part, "__dataclass_fields__") and not isinstance(part, Span):
                yield from walk(part)
