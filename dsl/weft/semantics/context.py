# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the checker knows while it reads one kernel: diagnostics, names, the code made so far."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn, Protocol, TypeAlias

import numpy as np

from weft.diagnostics import Diagnostic, Span, close_match
from weft.semantics import typed
from weft.semantics.drafts import Block, ForDraft, Pending
from weft.semantics.indices import IndexVariable
from weft.semantics.sizes import Size, SizeOverflow, equal, shape_text
from weft.semantics.types import Element, TensorType
from weft.syntax import foreign

MAX_BYTES = 1 << 48
# As many as any NumPy has.
MAX_RANK = 32
# Nobody reads more, and each costs a search for names like the unknown one.
MAX_REPORTED = 200


class Poisoned(Exception):
    """The statement has been reported; what it defines is poisoned, and its uses are silent."""


class TooManyErrors(Exception):
    """The rest of the source need not be read."""


class Reporter:
    """Collects diagnostics; `note` says for which sizes and calls a kernel is being checked."""

    def __init__(self, note: str = "") -> None:
        self.errors: list[Diagnostic] = []
        self.notes: tuple[str, ...] = (note,) if note else ()

    def report(self, span: Span, rule: str, message: str, **more: str) -> None:
        made = Diagnostic(span, rule, message, notes=self.notes, **more)
        if not any(e.span == made.span and e.rule == rule for e in self.errors):
            self.errors.append(made)
        if len(self.errors) >= MAX_REPORTED:
            raise TooManyErrors

    def fail(self, span: Span, rule: str, message: str, **more: str) -> NoReturn:
        self.report(span, rule, message, **more)
        raise Poisoned


# -------------------------------------------------------------------------------- what names mean


@dataclass(frozen=True)
class SizeName:
    size: Size


@dataclass(frozen=True)
class ScalarConstant:
    """A weak constant: `value` is None where it depends on sizes that are not known."""

    value: Any
    kind: Any


@dataclass(eq=False)
class ConstantTable:
    """A weak tensor; `data` is None where it depends on sizes that are not known."""

    name: str
    shape: tuple[Size, ...]
    kind: Any
    data: np.ndarray | None
    span: Span
    made: dict[Element, typed.Value] = field(default_factory=dict)


@dataclass(frozen=True)
class Tensor:
    value: typed.Value
    shape: tuple[Size, ...]
    carried: bool = False
    is_input: bool = False


@dataclass(frozen=True, eq=False)
class ScalarLocal:
    local: typed.Local
    free: frozenset[Any]


@dataclass(frozen=True, eq=False)
class WeakTensor:
    """A name for a twiddle or another table: an operand that still takes the type it meets."""

    operand: Any


@dataclass(frozen=True, eq=False)
class MatrixFamily:
    """A name for `winograd(...)`. `family` is None where it depends on sizes not known."""

    m: Size
    r: Size
    family: Any


class Poison:
    """A name whose definition was wrong."""


Meaning: TypeAlias = (
    SizeName
    | ScalarConstant
    | ConstantTable
    | Tensor
    | ScalarLocal
    | WeakTensor
    | MatrixFamily
    | IndexVariable
    | Pending
    | Poison
)


class Scope:
    """Names of a block; inner blocks see the outer ones, and no name hides another."""

    def __init__(self, parent: Scope | None = None) -> None:
        self.parent = parent
        self.names: dict[str, Meaning] = {}
        self.spans: dict[str, Span] = {}

    def find(self, name: str) -> Meaning | None:
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.parent
        return None

    def where(self, name: str) -> Span | None:
        scope: Scope | None = self
        while scope is not None:
            if name in scope.spans:
                return scope.spans[name]
            scope = scope.parent
        return None

    def replace(self, name: str, meaning: Meaning) -> None:
        """Give a known name another meaning, in the block that defines it."""
        scope: Scope | None = self
        while scope is not None and name not in scope.names:
            scope = scope.parent
        (scope or self).names[name] = meaning

    def all_names(self) -> set[str]:
        return set(self.names) | (self.parent.all_names() if self.parent else set())


class Callee(Protocol):
    """What an expression needs to know of the file's other kernels."""

    def instance(
        self, name: str, sizes: Mapping[str, Size], span: Span
    ) -> str: ...  # name of the instance

    def fault_code(self) -> int: ...  # of the next thing that may go wrong at run time

    def definition(self, name: str) -> Any: ...  # ast.Kernel or None

    def names(self) -> list[str]: ...


@dataclass
class Context:
    """The state of checking one kernel (generic: parameters have no values)."""

    report: Reporter
    scope: Scope
    block: Block
    prelude: Block
    kernels: Callee
    is_program: bool
    generic: bool
    counter: list[int] = field(default_factory=lambda: [0])
    base: Scope = field(default_factory=Scope)
    """Scope of the kernel's block, or of the program's loop: where values are defined."""
    outputs: dict[str, Element] = field(default_factory=dict)
    time: IndexVariable | None = None
    """Variable of the program's loop around, and the loop."""
    loop: ForDraft | None = None
    advanced: set[str] = field(default_factory=set)
    """Carried values that have their new value in this iteration."""
    in_constant: bool = False
    table_axes: int = 0
    """Axes in use by the index names of the `const` being read."""
    twiddles: dict[Any, typed.Value] = field(default_factory=dict)
    groups: Size | None = None
    """The number of groups, in a kernel over groups."""

    def fresh(self) -> int:
        self.counter[0] += 1
        return self.counter[0]

    def fail(self, span: Span, rule: str, message: str, **more: str) -> NoReturn:
        self.report.fail(span, rule, message, **more)

    def value(
        self, name: str, element: Element, shape: tuple[Size, ...], span: Span
    ) -> typed.Value:
        """A new value of the type; W305, W316 where it is too big."""
        self.check_bytes(element, shape, span)
        if len(shape) > MAX_RANK:
            # W316
            self.fail(
                span,
                "W316",
                "this has too many dimensions",
                expected=f"at most {MAX_RANK}",
                found=str(len(shape)),
            )
        made = TensorType(element, tuple(max(1, s.concrete) for s in shape))
        return typed.Value(self.fresh(), name, made, span)

    def check_bytes(self, element: Element, shape: tuple[Size, ...], span: Span) -> None:
        total = element.bytes
        for extent in shape:
            total *= max(1, extent.concrete)
        if total > MAX_BYTES:
            # W305
            self.fail(
                span,
                "W305",
                "this tensor is too big",
                expected="at most 2^48 bytes",
                found=f"{element}{shape_text(shape)}, {total} bytes",
            )

    def define(self, name: str, span: Span, meaning: Meaning) -> None:
        """W103, W105, W507: a name means one thing."""
        self.check_free(name, span)
        self.scope.names[name] = meaning
        self.scope.spans[name] = span

    def check_free(self, name: str, span: Span) -> None:
        if name in RESERVED_NAMES:
            self.fail(
                span,
                "W105",
                f"'{name}' is a name of the language",
                help="choose another name",
            )
        if self.scope.find(name) is None:
            return
        known = self.scope.find(name)
        if isinstance(known, Poison):
            raise Poisoned
        where = self.scope.where(name)
        place = f" at line {where.line}" if where else ""
        if isinstance(known, (SizeName, IndexVariable)) or (
            isinstance(known, Tensor) and known.is_input
        ):
            kind = (
                "a size"
                if isinstance(known, SizeName)
                else "an index variable"
                if isinstance(known, IndexVariable)
                else "an input"
            )
            self.fail(
                span,
                "W507",
                f"'{name}' is {kind}{place} and cannot be assigned",
                help="choose another name",
            )
        self.fail(
            span,
            "W103",
            f"'{name}' is already defined{place}",
            expected="a new name: values do not change",
            help=self._again(name, known),
        )

    def _again(self, name: str, known: object) -> str:
        """What stands for a second assignment."""
        if isinstance(known, Tensor) and known.carried:
            return f"its value for the next step: carry {name} = ..."
        if self.time is not None and name not in self.base.names:
            return f"from step to step values are carried: carry {name} = ..., before the loop too"
        return "values are named once; choose another name"

    def unknown(self, name: str, span: Span, in_index: bool = False) -> NoReturn:
        """W101: a name near to it, or those that there are; j in an index is no imaginary unit."""
        known = self.scope.all_names()
        is_foreign = name in foreign.NAMES and not (in_index and len(name) == 1)
        near = foreign.NAMES[name] if is_foreign else close_match(name, known)
        some = ", ".join(sorted(known)[:8]) + (", ..." if len(known) > 8 else "")
        self.fail(
            span,
            "W101",
            f"unknown name '{name}'",
            expected="" if near or not known else f"one of {some}",
            help=near or ("" if known else "values are named before they are used: t = ..."),
        )

    def guarded(self, span: Span, compute: Callable[[], Size]) -> Size:
        """Size arithmetic, with W305 where it overflows."""
        try:
            return compute()
        except SizeOverflow:
            self.fail(span, "W305", "this size is too big", expected="at most 2^48")

    def shapes_equal(self, a: tuple[Size, ...], b: tuple[Size, ...]) -> bool:
        """False only where they are known to differ."""
        return len(a) == len(b) and all(equal(x, y) is not False for x, y in zip(a, b, strict=True))


ELEMENTS = {e.value: e for e in Element}
FUNCTIONS = frozenset(
    [
        *("exp", "log", "sin", "cos", "tanh", "sqrt", "where"),
        *("conj", "real", "imag", "abs", "abs2", "angle"),
        *("sum", "prod", "max", "min"),
        *("dft", "idft", "twiddle", "transpose", "reshape"),
        *("roll", "rfft", "irfft"),
        *("gather", "scatter"),
        *("winograd", "pad", "tiles", "untile", "conv"),
        *("alltoall", "allreduce", "allgather", "own"),
    ]
)
RESERVED_NAMES = FUNCTIONS | frozenset(ELEMENTS) | {"pi", "size", "none"}
