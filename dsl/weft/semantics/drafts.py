# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statements in the making.

A tensor assigned by elements gets its type, and its chain of values, only when its last element
is assigned. Until then its maps are drafts; `finish` turns a block of drafts into typed statements.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from weft.diagnostics import Span
from weft.semantics import typed
from weft.semantics.indices import AffineIndex, IndexVariable
from weft.semantics.sizes import Size
from weft.semantics.types import Element


@dataclass(frozen=True)
class Region:
    """The elements that one assignment gives: `indices` for all values of `loops`."""

    indices: tuple[AffineIndex, ...]
    loops: tuple[IndexVariable, ...]
    span: Span


@dataclass(eq=False)
class Pending:
    """A tensor that is being assigned by elements, or an output not assigned yet."""

    name: str
    span: Span
    is_output: bool
    element: Element | None = None
    shape: tuple[Size, ...] | None = None
    regions: list[Region] = field(default_factory=list)
    by_indices: dict[Hashable, Region] = field(default_factory=dict)
    """The first region with such indices and loops."""
    steps: list[MapDraft | ForDraft] = field(default_factory=list)
    """Where its elements are given, in order."""
    in_nest: bool = False
    """The loops that assign it are not over."""
    poisoned: bool = False
    extent_asked: bool = False
    """It has been said that a slice of it needs both ends."""


@dataclass(frozen=True)
class StoreDraft:
    pending: Pending
    indices: tuple[typed.Affine, ...]
    value: typed.Scalar
    span: Span


@dataclass(eq=False)
class MapDraft:
    loops: tuple[IndexVariable, ...]
    locals: tuple[typed.Local, ...]
    stores: list[StoreDraft]
    span: Span
    results: dict[Pending, typed.Result] = field(default_factory=dict)

    def finish(self) -> typed.Map:
        targets = list(dict.fromkeys(s.pending for s in self.stores))
        stores = tuple(
            typed.Store(targets.index(s.pending), s.indices, s.value, s.span) for s in self.stores
        )
        loops = tuple(v.loop() for v in self.loops)
        results = tuple(self.results[p] for p in targets)
        return typed.Map(loops, self.locals, stores, results, self.span)


@dataclass(eq=False)
class InsertDraft:
    pending: Pending
    indices: tuple[typed.Affine | None, ...]
    part: typed.Value
    span: Span
    target: typed.Value | None = None
    into: typed.Value | None = None

    def finish(self) -> typed.Insert:
        assert self.target is not None
        assert self.into is not None
        return typed.Insert(self.target, self.into, self.indices, self.part, self.span)


@dataclass(eq=False)
class ForDraft:
    variable: IndexVariable
    span: Span
    block: Block
    carries: list[typed.Carry] = field(default_factory=list)
    inserts: list[InsertDraft] = field(default_factory=list)

    def finish(self) -> typed.For:
        loop = self.variable.loop()
        return typed.For(loop, tuple(self.carries), finish(self.block), self.span)


Block: TypeAlias = "list[typed.Statement | MapDraft | InsertDraft | ForDraft]"


def finish(
    block: Iterable[typed.Statement | MapDraft | InsertDraft | ForDraft],
) -> tuple[typed.Statement, ...]:
    return tuple(
        s.finish() if isinstance(s, (MapDraft, InsertDraft, ForDraft)) else s for s in block
    )
