# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the leaves of random expressions come from: whole tensors, or elements at indices."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from fuzz.terms import COMPLEX, EPSILON, EXACT_BELOW, Expressions, Retry, Term


@dataclass(frozen=True)
class Extent:
    """As written, and its value. Only an extent written as 1 stretches."""

    text: str
    value: int


Shape = tuple[Extent, ...]


@dataclass(frozen=True)
class Value:
    """A tensor with a name."""

    name: str
    kind: str
    shape: Shape
    bound: float
    error: float
    whole: bool

    def at(self, text: str, kind: str | None = None) -> Term:
        return Term(text, kind or self.kind, self.bound, self.error, self.whole)

    @property
    def count(self) -> int:
        return math.prod(e.value for e in self.shape)


class Known(Protocol):
    """A kernel in the making: what it has named so far."""

    pick: random.Random
    values: list[Value]


class Whole:
    """Leaves of expressions on whole tensors of one shape."""

    def __init__(self, maker: Known, shape: Shape) -> None:
        self.maker = maker
        self.shape = shape

    def leaf(self, kind: str, full: bool) -> Term:
        maker, pick = self.maker, self.maker.pick
        fitting = [v for v in maker.values if v.kind == kind]
        pick.shuffle(fitting)
        for value in fitting:
            if value.shape == self.shape or (not full and _stretches(value.shape, self.shape)):
                return value.at(value.name)
            sliced = self._sliced(value)
            if sliced is not None:
                return value.at(sliced)
        raise Retry

    def _sliced(self, value: Value) -> str | None:
        """A part of a larger tensor, of just this shape."""
        drop = len(value.shape) - len(self.shape)
        if drop < 0 or not value.shape:
            return None
        items = []
        for number, extent in enumerate(value.shape):
            if number < drop:
                items.append(str(self.maker.pick.randrange(extent.value)))
                continue
            wanted = self.shape[number - drop].value
            if wanted > extent.value:
                return None
            one = self.shape[number - drop].text == "1"  # must be written as such to stretch
            items.append(self._range(extent, wanted, written=one))
        return f"{value.name}[{', '.join(items)}]"

    def _range(self, extent: Extent, wanted: int, written: bool) -> str:
        pick = self.maker.pick
        if wanted == extent.value and not written and pick.random() < 0.7:
            return ":"
        step = pick.randrange(1, max(1, (extent.value - 1) // max(wanted - 1, 1)) + 1)
        span = (wanted - 1) * step + 1
        low = pick.randrange(extent.value - span + 1)
        high = pick.randrange(low + span, min(low + span + step - 1, extent.value) + 1)
        return f"{low}:{high}" + (f":{step}" if step > 1 else "")

    def special(self, kind: str, depth: int) -> Term:
        """Reductions along an axis and matrix products whose result has the shape."""
        maker, pick = self.maker, self.maker.pick
        if pick.random() < 0.5:
            return self._product(kind)
        fitting = [
            (v, axis)
            for v in maker.values
            for axis in range(len(v.shape))
            if v.kind == kind and v.shape[:axis] + v.shape[axis + 1 :] == self.shape
        ]
        if not fitting or kind == "bool":
            raise Retry
        value, axis = pick.choice(fitting)
        return reduced(
            pick,
            value.at(value.name),
            value.shape[axis].value,
            lambda name: (
                f"{name}({value.name}, axis={pick.choice([axis, axis - len(value.shape)])})"
            ),
        )

    def _product(self, kind: str) -> Term:
        maker, pick = self.maker, self.maker.pick
        if len(self.shape) != 2 or kind == "bool":
            raise Retry
        rows, columns = self.shape
        lefts = [v for v in maker.values if v.kind == kind and v.shape[:1] == (rows,)]
        pairs = [
            (a, b)
            for a in lefts
            for b in maker.values
            if len(a.shape) == 2 and b.kind == kind and b.shape == (a.shape[1], columns)
        ]
        if not pairs:
            raise Retry
        a, b = pick.choice(pairs)
        inner = a.shape[1].value
        error = inner * (a.error * (b.bound + b.error) + b.error * a.bound)
        bound = inner * a.bound * b.bound
        whole = a.whole and b.whole
        if whole and kind in EPSILON and error == 0 and bound < EXACT_BELOW[kind]:
            return Term(f"({a.name} @ {b.name})", kind, bound, 0.0, True).judged()
        extra = 2 * inner * EPSILON.get(kind, 0.0) * bound
        return Term(f"({a.name} @ {b.name})", kind, bound, error + extra, whole).judged()


class Points:
    """Leaves of expressions at a point: elements read at indices."""

    def __init__(self, maker: Known, ranges: dict[str, tuple[int, int]]) -> None:
        self.maker = maker
        self.ranges = ranges
        self.locals: list[Term] = []

    def leaf(self, kind: str, full: bool) -> Term:
        maker, pick = self.maker, self.maker.pick
        if kind == "i64" and self.ranges and pick.random() < 0.1:
            name = pick.choice(list(self.ranges))
            return Term(f"i64({name})", kind, max(map(abs, self.ranges[name])), 0.0, True)
        named = [t for t in self.locals if t.kind == kind]
        if named and pick.random() < 0.5:
            return pick.choice(named)
        fitting = [v for v in maker.values if v.kind == kind]
        if not fitting:
            raise Retry
        value = pick.choice(fitting)
        if not value.shape:
            return value.at(value.name)
        items = ", ".join(self._index(extent) for extent in value.shape)
        return value.at(f"{value.name}[{items}]")

    def _index(self, extent: Extent) -> str:
        """An index that is proven to lie within the extent."""
        pick, n = self.maker.pick, extent.value
        ways = [str(pick.randrange(n))]
        for name, (low, high) in self.ranges.items():
            if low >= 0 and high <= n:
                ways += [name] * 4
                if low == 0:
                    ways.append(f"{n - 1} - {name}")
            if low >= 0 and high < n:
                ways += [f"{name} + {pick.randrange(1, n - high + 1)}"] * 2
            if low > 0:
                ways += [f"{name} - {low}"] if high - low <= n else []
            if 2 * (high - 1) < n and low >= 0:
                ways.append(f"2*{name}" + ("+1" if 2 * (high - 1) + 1 < n else ""))
            modulus = pick.choice([n, n, pick.randrange(1, n + 1)])
            ways.append(
                f"({pick.choice([1, 2, 3, 5, -1])}*{name} + {pick.randrange(9)}) % {modulus}"
            )
        if len(self.ranges) > 1:
            a, b = pick.sample(sorted(self.ranges), 2)
            if self.ranges[a][0] >= 0 and self.ranges[b][0] >= 0:
                if self.ranges[a][1] + self.ranges[b][1] - 2 < n:
                    ways += [f"{a} + {b}"] * 3
            ways.append(f"({a} + 3*{b}) % {n}")
        return pick.choice(ways)

    def special(self, kind: str, depth: int) -> Term:
        """A reduction over ranges of its own."""
        maker, pick = self.maker, self.maker.pick
        if kind == "bool" or len(self.ranges) > 4:
            raise Retry
        inner = Points(maker, dict(self.ranges))
        inner.locals = self.locals
        clauses, count = [], 1
        for _ in range(pick.choice([1, 1, 2])):
            name = f"q{len(inner.ranges)}"
            low = pick.choice([0, 0, 0, 1, 2])
            high = low + pick.randrange(1, 7)
            known = [e for v in maker.values for e in v.shape if e.value < 20]
            text = f"{low}:{high}"
            if known and pick.random() < 0.6:
                extent = pick.choice(known)
                low, high, text = 0, extent.value, f"0:{extent.text}"
            inner.ranges[name] = (low, high)
            clauses.append(f"{name} in {text}")
            count *= high - low
        body = Expressions(pick, inner).term(kind, depth)
        return reduced(pick, body, count, lambda op: f"{op}({body.text} for {', '.join(clauses)})")


def reduced(pick: random.Random, body: Term, count: int, text: Callable[[str], str]) -> Term:
    kind = body.kind
    names = ["sum", "sum", "sum", "prod"] + ([] if kind in COMPLEX else ["max", "min"])
    name = pick.choice(names)
    if name in ("max", "min"):
        return Term(text(name), kind, body.bound, body.error, body.whole)
    if name == "prod":
        if count > 4:
            raise Retry
        bound = max(body.bound, 1.0) ** count
        error = count * max(body.bound + body.error, 1.0) ** (count - 1) * body.error
    else:
        bound, error = body.bound * count, body.error * count
    if kind not in EPSILON:
        return Term(text(name), kind, bound, 0.0, True).judged()
    if body.whole and body.error == 0 and bound < EXACT_BELOW[kind]:
        return Term(text(name), kind, bound, 0.0, True).judged()
    return Term(text(name), kind, bound, error + 2 * count * EPSILON[kind] * bound).judged()


def _stretches(small: Shape, shape: Shape) -> bool:
    if len(small) > len(shape):
        return False
    tail = shape[len(shape) - len(small) :]
    return all(a == b or a.text == "1" for a, b in zip(small, tail, strict=True))
