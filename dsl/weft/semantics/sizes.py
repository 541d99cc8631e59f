# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sizes as they were written and, once a kernel is instantiated, their values.

A size is a polynomial over size parameters. In the generic check parameters have no value: two
sizes then compare as equal, different, or unknown (decided at instantiation). Messages always show
the polynomial, `H-2`, and its value where it is known.
"""

from __future__ import annotations

from dataclasses import dataclass, field

# A product of size parameters, sorted; () is the constant term.
Monomial = tuple[str, ...]

MAX_TERMS = 32
# Far above any array, far below anything slow.
MAX_SIZE_BITS = 128


class SizeOverflow(Exception):
    """A size expression left the range of sizes."""


@dataclass(frozen=True)
class Size:
    """An integer expression over size parameters. Equality is equality of polynomials."""

    terms: tuple[tuple[Monomial, int], ...]
    value: int | None = field(compare=False, default=None)

    @property
    def constant(self) -> int | None:
        """The number, when no parameter takes part."""
        if not self.terms:
            return 0
        if len(self.terms) == 1 and self.terms[0][0] == ():
            return self.terms[0][1]
        return None

    @property
    def concrete(self) -> int:
        """The value; 1 stands in for it in the generic check, whose tree is thrown away."""
        return 1 if self.value is None else self.value

    def __add__(self, other: Size) -> Size:
        terms = dict(self.terms)
        for monomial, factor in other.terms:
            terms[monomial] = terms.get(monomial, 0) + factor
        return _make(terms, _both(self, other, lambda a, b: a + b))

    def __neg__(self) -> Size:
        return _make({m: -c for m, c in self.terms}, None if self.value is None else -self.value)

    def __sub__(self, other: Size) -> Size:
        return self + -other

    def __mul__(self, other: Size) -> Size:
        value = _both(self, other, lambda a, b: a * b)
        if len(self.terms) * len(other.terms) > MAX_TERMS:
            return atom(f"({self})*({other})", value)
        terms: dict[Monomial, int] = {}
        for m, c in self.terms:
            for n, d in other.terms:
                key = tuple(sorted(m + n))
                terms[key] = terms.get(key, 0) + c * d
        return _make(terms, value)

    def floordiv(self, other: Size) -> Size:
        """`other` is not known to be zero."""
        if self.constant is not None and other.constant is not None:
            return size(self.constant // other.constant)
        return atom(f"{_group(self)}//{_group(other)}", _both(self, other, lambda a, b: a // b))

    def mod(self, other: Size) -> Size:
        """`other` is not known to be zero."""
        if self.constant is not None and other.constant is not None:
            return size(self.constant % other.constant)
        return atom(f"{_group(self)}%{_group(other)}", _both(self, other, lambda a, b: a % b))

    def smaller(self, other: Size) -> Size:
        return self._extreme("min", other)

    def larger(self, other: Size) -> Size:
        return self._extreme("max", other)

    def _extreme(self, name: str, other: Size) -> Size:
        choose = min if name == "min" else max
        difference = (self - other).constant
        if difference is not None:
            return self if (difference <= 0) == (name == "min") else other
        return atom(f"{name}({self}, {other})", _both(self, other, choose))

    def __str__(self) -> str:
        if not self.terms:
            return "0"
        out = ""
        ordered = sorted(self.terms, key=lambda t: (t[0] == (), t[1] < 0, t[0]))
        for monomial, factor in ordered:
            sign = "-" if factor < 0 else ("+" if out else "")
            magnitude = abs(factor)
            alone = len(monomial) == 1 and (factor == 1 or (factor == -1 and out != ""))
            # What is no name, h//4 say, has no factors next to it without brackets.
            names = "*".join(n if alone or n.isidentifier() else f"({n})" for n in monomial)
            if not monomial:
                body = str(magnitude)
            elif magnitude == 1:
                body = names
            else:
                body = f"{magnitude}*{names}"
            out += sign + body
        return out

    @property
    def shown(self) -> str:
        """As written, with the value where that says more."""
        text = str(self)
        if self.value is None or self.constant is not None:
            return text
        return f"{text} (= {self.value})"


def _group(part: Size) -> str:
    text = str(part)
    return text if text.isidentifier() or text.isdigit() else f"({text})"


def _both(a: Size, b: Size, op: object) -> int | None:
    if a.value is None or b.value is None:
        return None
    result = op(a.value, b.value)  # type: ignore[operator]
    assert isinstance(result, int)
    return result


def _make(terms: dict[Monomial, int], value: int | None) -> Size:
    kept = tuple(sorted((m, c) for m, c in terms.items() if c))
    largest = max((abs(c) for _, c in kept), default=0)
    if largest.bit_length() > MAX_SIZE_BITS or (value or 0).bit_length() > MAX_SIZE_BITS:
        raise SizeOverflow
    made = Size(kept, value)
    if len(kept) > MAX_TERMS:
        return atom(str(made)[:60] + "...", value)
    constant = made.constant
    return Size(kept, constant) if constant is not None else made


def size(number: int) -> Size:
    return _make({(): number}, number)


def atom(name: str, value: int | None) -> Size:
    """A size parameter, or an expression that is no polynomial, under its text."""
    return Size((((name,), 1),), value)


def unknown() -> Size:
    """A size that only instantiation can tell. It is equal to nothing, not even itself."""
    return atom("?", None)


def equal(a: Size, b: Size) -> bool | None:
    """True, False, or None where it depends on parameters without a value."""
    if a.value is not None and b.value is not None:
        return a.value == b.value
    if ("?",) in (m for m, _ in a.terms + b.terms):
        return None
    difference = (a - b).constant
    return None if difference is None else difference == 0


def negative(a: Size) -> bool | None:
    """Whether a < 0; None where that is not known."""
    value = a.value if a.value is not None else a.constant
    return None if value is None else value < 0


def shape_text(shape: tuple[Size, ...]) -> str:
    """`[H-2, W-2]`, with the values after it where they are known and say more."""
    if not shape:
        return "a scalar"
    text = "[" + ", ".join(map(str, shape)) + "]"
    if all(s.constant is not None for s in shape) or any(s.value is None for s in shape):
        return text
    return f"{text} (= [{', '.join(str(s.value) for s in shape)}])"
