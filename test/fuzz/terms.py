# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random well-typed expressions whose results can be judged.

A term carries a bound of its magnitude, and of how far two right implementations may be apart. What
jumps (comparisons, `//`, `%`, conversions to integers) is applied to terms without rounding only,
and divisors, exponents and arguments are kept where functions are smooth. So the tolerance of a
result follows from its source, and a result beyond it is wrong.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

INTEGERS = ("i32", "i64")
REALS = ("f32", "f64")
COMPLEX = ("c64", "c128")
TYPES = (*REALS, *COMPLEX, *INTEGERS, "bool")
EPSILON = {"f32": 2.0**-23, "c64": 2.0**-23, "f64": 2.0**-52, "c128": 2.0**-52}
EXACT_BELOW = {"f32": 2.0**24, "c64": 2.0**24, "f64": 2.0**53, "c128": 2.0**53}
LARGEST = {"f32": 1e5, "c64": 1e5, "f64": 1e9, "c128": 1e9, "i32": 2.0**31 - 1, "i64": 2.0**62}
REAL_OF = {"c64": "f32", "c128": "f64"}
COMPLEX_OF = {"f32": "c64", "f64": "c128"}


class Retry(Exception):
    """No such expression here; the caller tries something else."""


@dataclass(frozen=True)
class Term:
    text: str
    kind: str
    bound: float = 1.0
    error: float = 0.0
    whole: bool = False
    """Integers by value, exact in every order of operations."""

    def judged(self) -> Term:
        """The same, unless it has grown beyond what can be judged."""
        if self.kind != "bool" and self.bound > LARGEST[self.kind]:
            raise Retry
        if self.kind in EPSILON and self.error > 1e-2 * max(self.bound, 1.0):
            raise Retry
        return self


class Scope(Protocol):
    """Where leaves come from."""

    def leaf(self, kind: str, full: bool) -> Term:
        """A value of the element type; `full`: of the whole shape. Retry where there is none."""

    def special(self, kind: str, depth: int) -> Term:
        """What only this place has: reductions over ranges, products of matrices."""


def _rounded(kind: str, text: str, bound: float, error: float, whole: bool = False) -> Term:
    """The result of an operation: rounded once, unless it is exact."""
    if kind not in EPSILON:
        return Term(text, kind, bound, 0.0, True).judged()
    if whole and error == 0 and bound < EXACT_BELOW[kind]:
        return Term(text, kind, bound, 0.0, True).judged()
    # Complex products are two roundings, or one where they are contracted.
    return Term(text, kind, bound, error + 2 * EPSILON[kind] * bound).judged()


class Expressions:
    """Draws expressions from a random source; the same choices give the same text."""

    def __init__(self, pick: random.Random, scope: Scope) -> None:
        self.pick = pick
        self.scope = scope

    def term(self, kind: str, depth: int, full: bool = True) -> Term:
        for _ in range(4):
            try:
                return self._once(kind, depth, full)
            except Retry:
                continue
        return self._leaf(kind, full)

    def exact(self, kind: str, depth: int, full: bool = True) -> Term:
        """A term that rounding does not touch."""
        for _ in range(6):
            try:
                found = self.term(kind, depth, full)
            except Retry:
                continue
            if found.error == 0:
                return found
        raise Retry

    def _once(self, kind: str, depth: int, full: bool) -> Term:
        if depth <= 0 or self.pick.random() < 0.1:
            return self._leaf(kind, full)
        if self.pick.random() < 0.15:
            return self.scope.special(kind, depth - 1)
        rows = _WAYS["c" if kind in COMPLEX else "r" if kind in REALS else kind[0]]
        way = self.pick.choice(rows)
        return way(self, kind, depth - 1, full)

    def _leaf(self, kind: str, full: bool) -> Term:
        if not full and self.pick.random() < 0.4:
            return self.literal(kind)
        try:
            return self.scope.leaf(kind, full)
        except Retry:
            return self._converted(kind, 0, full)

    def literal(self, kind: str) -> Term:
        if kind == "bool":
            raise Retry
        value = self.pick.choice([1, 2, 3, 5, 7])
        if kind in INTEGERS or self.pick.random() < 0.3:
            return Term(str(value), kind, value, 0.0, True)
        text = self.pick.choice(["0.5", "1.25", "pi", "0.1", "3e-1", "2.75"])
        if kind in COMPLEX:
            text = self.pick.choice(["2j", "(1 - 0.5j)", "1j", text])
        return Term(text, kind, 4.0, 0.0)

    def _sides(self, kind: str, depth: int, full: bool) -> tuple[Term, Term]:
        """Two operands, one of them of the whole shape where that is asked for."""
        one, other = self.term(kind, depth, full), self.term(kind, depth, False)
        return (one, other) if self.pick.random() < 0.6 else (other, one)

    def tamed(self, term: Term, most: float) -> Term:
        """Scaled by a power of two so that it stays below."""
        scale = 1.0
        while term.bound * scale > most:
            scale /= 2
        if scale == 1.0:
            return term
        text = f"({term.text} * {scale!r})"
        return replace(
            term, text=text, bound=term.bound * scale, error=term.error * scale, whole=False
        )

    # ---------------------------------------------------------------------------- arithmetic

    def _sum(self, kind: str, depth: int, full: bool) -> Term:
        a, b = self._sides(kind, depth, full)
        sign = self.pick.choice("+-")
        text = f"({a.text} {sign} {b.text})"
        return _rounded(kind, text, a.bound + b.bound, a.error + b.error, a.whole and b.whole)

    def _product(self, kind: str, depth: int, full: bool) -> Term:
        a, b = self._sides(kind, depth, full)
        if kind in COMPLEX and self.pick.random() < 0.3:
            b = self.term(REAL_OF[kind], depth, False)
            if a.text == b.text:
                raise Retry
            a = self.term(kind, depth, full)
        error = a.error * (b.bound + b.error) + b.error * a.bound
        whole = a.whole and b.whole
        return _rounded(kind, f"({a.text} * {b.text})", a.bound * b.bound, error, whole)

    def _quotient(self, kind: str, depth: int, full: bool) -> Term:
        a, b = self.term(kind, depth, full), self._divisor(kind, depth)
        error = a.error / 0.5 + a.bound * b.error / 0.25
        bound = a.bound / 0.5
        return _rounded(kind, f"({a.text} / {b.text})", bound, error + 4 * EPSILON[kind] * bound)

    def _divisor(self, kind: str, depth: int) -> Term:
        """Of magnitude 0.5 at least."""
        literal = self.literal(kind)
        if "0.1" not in literal.text and "3e-1" not in literal.text and self.pick.random() < 0.4:
            return literal
        if kind in COMPLEX:
            part = self.term(REAL_OF[kind], depth, False)
            return _rounded(kind, f"(2 + 1j * {part.text})", part.bound + 2, part.error)
        part = self.term(kind, depth, False)
        text = self.pick.choice([f"(abs({part.text}) + 0.75)", f"(1.5 + abs({part.text}))"])
        return _rounded(kind, text, part.bound + 1.5, part.error)

    def _negated(self, kind: str, depth: int, full: bool) -> Term:
        a = self.term(kind, depth, full)
        return replace(a, text=f"(-{a.text})")

    def _power(self, kind: str, depth: int, full: bool) -> Term:
        exponent = self.pick.choice([2, 2, 3, 4, 5])
        a = self.term(kind, depth, full)
        if kind in EPSILON and a.bound > 16:
            a = self.tamed(a, 4.0)
        bound = a.bound**exponent
        error = exponent * (a.bound + a.error) ** (exponent - 1) * a.error
        extra = 0.0 if a.whole else 4 * EPSILON.get(kind, 0.0) * bound
        return _rounded(kind, f"({a.text} ** {exponent})", bound, error + extra, a.whole)

    def _reciprocal(self, kind: str, depth: int, full: bool) -> Term:
        a = self.term(kind, depth, full)
        if kind in COMPLEX:
            raise Retry
        text = f"((abs({a.text}) + 1.5) ** -{self.pick.choice([1, 2, 3])})"
        return _rounded(kind, text, 1.0, 3 * a.error + 16 * EPSILON[kind])

    def _real_power(self, kind: str, depth: int, full: bool) -> Term:
        a = self.tamed(self.term(kind, depth, full), 8.0)
        b = self.tamed(self.term(kind, depth, False), 2.0)
        text = f"((abs({a.text}) + 0.5) ** {b.text})"
        bound = (a.bound + 1) ** 2 + 4
        error = 5 * bound * (a.error + b.error) + 32 * EPSILON[kind] * bound
        return _rounded(kind, text, bound, error)

    def _floor(self, kind: str, depth: int, full: bool) -> Term:
        """`//` and `%`: they jump."""
        a = self.exact(kind, depth, full)
        sign = self.pick.choice(["//", "%"])
        if self.pick.random() < 0.6:
            words = ["2", "3", "7", "(-3)"] + (["0.5", "2.5"] if kind in REALS else [])
            by = self.pick.choice(words)
            least, most = 0.5, 7.0
        else:
            b = self.exact(kind, depth, False)
            if kind in REALS and not b.whole:
                raise Retry
            by, least, most = f"(abs({b.text}) + 1)", 1.0, b.bound + 1
        bound = a.bound / least + 1 if sign == "//" else most
        text = f"({a.text} {sign} {by})"
        if kind in INTEGERS:
            return Term(text, kind, bound, 0.0, True).judged()
        if sign == "//":
            # floor is exact, but may see a quotient that was rounded up to an integer
            return Term(text, kind, bound, 0.0 if a.whole else 1.0, a.whole).judged()
        error = 0.0 if a.whole and by != "2.5" else 4 * EPSILON[kind] * max(bound, a.bound)
        return Term(text, kind, bound, error, a.whole and error == 0).judged()

    # ----------------------------------------------------------------------------- functions

    def _smooth(self, kind: str, depth: int, full: bool) -> Term:
        name = self.pick.choice(["exp", "log", "sin", "cos", "tanh", "sqrt"])
        if kind in COMPLEX and name != "exp":
            raise Retry
        most = 3.0 if name == "exp" else 40.0
        a = self.tamed(self.term(kind, depth, full), most)
        if name in ("sqrt", "log"):  # of 1 and more both are smaller, and smoother, than that
            text = f"{name}(abs({a.text}) + 1)"
            return _rounded(kind, text, a.bound + 1, a.error + 8 * EPSILON[kind] * (a.bound + 1))
        bound = 21.0 if name == "exp" else 1.0
        error = bound * a.error + EPSILON[kind] * (8 * bound + 2 * a.bound)
        return _rounded(kind, f"{name}({a.text})", bound, error)

    def _absolute(self, kind: str, depth: int, full: bool) -> Term:
        name = self.pick.choice(["abs", "abs2", "real"])
        a = self.term(kind, depth, full)
        if name == "abs2":
            error = 2 * a.error * (a.bound + a.error)
            return _rounded(kind, f"abs2({a.text})", a.bound**2, error, a.whole)
        return replace(a, text=f"{name}({a.text})")

    def _extreme(self, kind: str, depth: int, full: bool) -> Term:
        a, b = self._sides(kind, depth, full)
        text = f"{self.pick.choice(['max', 'min'])}({a.text}, {b.text})"
        bound, error = max(a.bound, b.bound), max(a.error, b.error)
        return Term(text, kind, bound, error, a.whole and b.whole)

    def _chosen(self, kind: str, depth: int, full: bool) -> Term:
        condition = self.term("bool", min(depth, 2), False)
        a, b = self._sides(kind, depth, full)
        text = f"where({condition.text}, {a.text}, {b.text})"
        bound, error = max(a.bound, b.bound), max(a.error, b.error)
        return Term(text, kind, bound, error, a.whole and b.whole)

    def _conjugate(self, kind: str, depth: int, full: bool) -> Term:
        a = self.term(kind, depth, full)
        return replace(a, text=f"conj({a.text})")

    def _part(self, kind: str, depth: int, full: bool) -> Term:
        """A real of a complex number."""
        a = self.term(COMPLEX_OF[kind], depth, full)
        name = self.pick.choice(["real", "imag", "abs2", "abs"])
        if name in ("real", "imag"):
            return replace(a, text=f"{name}({a.text})", kind=kind)
        if name == "abs2":
            error = 2 * a.error * (a.bound + a.error)
            return _rounded(kind, f"abs2({a.text})", a.bound**2, error, a.whole)
        return _rounded(kind, f"abs({a.text})", a.bound, a.error + 8 * EPSILON[kind] * a.bound)

    def _converted(self, kind: str, depth: int, full: bool) -> Term:
        """From another element type."""
        if kind == "bool":
            return self._compared(kind, depth, full)
        sources = [other for other in TYPES if other != kind]
        self.pick.shuffle(sources)
        for other in sources:
            try:
                found = (
                    self.scope.leaf(other, full) if depth <= 0 else self.term(other, depth, full)
                )
            except Retry:
                continue
            if other in COMPLEX and kind not in COMPLEX:
                found = replace(found, text=f"real({found.text})", kind=REAL_OF[other])
            if kind in INTEGERS and (found.error > 0 or found.bound > LARGEST["i32"]):
                continue
            bound = max(found.bound, 1.0)
            if found.kind == kind:
                return found
            return _rounded(kind, f"{kind}({found.text})", bound, found.error, found.whole)
        raise Retry

    # --------------------------------------------------------------------------------- truth

    def _compared(self, _kind: str, depth: int, full: bool) -> Term:
        kinds = [kind for kind in TYPES if kind != "bool"]
        self.pick.shuffle(kinds)
        for kind in kinds[:4]:
            try:
                a, b = self.exact(kind, depth, full), self.exact(kind, min(depth, 1), False)
            except Retry:
                continue
            signs = ["==", "!="] + ([] if kind in COMPLEX else ["<", "<=", ">", ">="] * 2)
            return Term(f"({a.text} {self.pick.choice(signs)} {b.text})", "bool", 1.0, 0.0, True)
        raise Retry

    def _logic(self, kind: str, depth: int, full: bool) -> Term:
        a, b = self._sides(kind, depth, full)
        sign = self.pick.choice(["and", "or"])
        text = self.pick.choice(
            [f"({a.text} {sign} {b.text})", f"({a.text} {sign} (not {b.text}))"]
        )
        return Term(text, kind, 1.0, 0.0, True)

    def _not(self, kind: str, depth: int, full: bool) -> Term:
        a = self.term(kind, depth, full)
        return replace(a, text=f"(not {a.text})")


_Way = Callable[[Expressions, str, int, bool], Term]
_E = Expressions
_WAYS: dict[str, list[_Way]] = {
    "r": [
        *([_E._sum] * 4 + [_E._product] * 4 + [_E._quotient] * 2 + [_E._smooth] * 2),
        *(_E._negated, _E._power, _E._reciprocal, _E._real_power, _E._floor, _E._absolute),
        *(_E._extreme, _E._chosen, _E._part, _E._converted),
    ],
    "c": [
        *([_E._sum] * 4 + [_E._product] * 4),
        *(_E._quotient, _E._smooth, _E._negated, _E._power, _E._conjugate, _E._chosen),
        *(_E._converted,),
    ],
    "i": [
        *([_E._sum] * 3 + [_E._product] * 3 + [_E._floor] * 2),
        *(_E._negated, _E._power, _E._absolute, _E._extreme, _E._chosen, _E._converted),
    ],
    "b": [_E._compared, _E._compared, _E._logic, _E._not],
}
