# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cosine and sine transforms in the language, by Fourier transforms of as many points.

With c(n, k) the cosine of the type's angle, a transform of N points is

    type  dct: y[k] = 2 sum(x[n] c(n, k))         dst: the same with the sine of
    I     π n k / (N-1), the ends count half      π (n+1)(k+1) / (N+1)
    II    π (2n+1) k / 2N                         π (2n+1)(k+1) / 2N
    III   π n (2k+1) / 2N, x[0] counts half       π (n+1)(2k+1) / 2N, x[N-1] counts half
    IV    π (2n+1)(2k+1) / 4N                     the same

Short lines are products with the matrix of these. Of others, types II and III are one real
transform of the points in another order (Makhoul, "A fast cosine transform in one and two
dimensions", 1980), IV is a complex one of half as many, I a real one of the line and its mirror
image.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

# Lines along the last axis, and along others, of so many points are products with a matrix.
SHORT_ROWS, SHORT_COLUMNS = 64, 8
# Tables of more numbers are arguments of the kernel, not constants of its text.
MOST_CONSTANTS = 4096
# The type of the way back.
BACK = {1: 1, 2: 3, 3: 2, 4: 4}


class Cosine(NamedTuple):
    """Which of them: `name` is dct, idct, dst or idst."""

    name: str
    type: int
    orthogonal: bool  # the first element, or the last, is scaled so that the matrix is orthogonal

    def __str__(self) -> str:
        return self.name

    @property
    def is_sine(self) -> bool:
        return self.name.endswith("dst")

    @property
    def is_back(self) -> bool:
        return self.name.startswith("i")

    def period(self, points: int) -> int:
        """What the way there and back multiplies by."""
        return 2 * (points + (self.type == 1) * (1 if self.is_sine else -1))

    def scale(self, norm: str, lengths: Sequence[int]) -> Scale:
        """By what all elements are multiplied."""
        whole = math.prod(self.period(points) for points in lengths)
        if norm == "ortho":
            return Scale(f"sqrt(1/{whole})", np.sqrt(1 / np.longdouble(whole)))
        if (norm == "backward") == self.is_back:
            return Scale(f"(1/{whole})", 1 / np.longdouble(whole))
        return ONE


class Scale(NamedTuple):
    """A factor, in the language's words and as a number."""

    text: str
    value: np.longdouble


ONE = Scale("1", np.longdouble(1))


class Roots(NamedTuple):
    """factor * exp(sign * πi (a*k + b) / c) for k from 0 on: a table, by name."""

    name: str
    points: int
    factor: Scale
    sign: int
    angle: tuple[int, int, int]

    def constant(self) -> str:
        """The line of a kernel that says so."""
        a, b, c = self.angle
        exponent = f"{self.sign}j*pi*({a}*k + {b})/{c}"
        return f"const {self.name}[k in 0:{self.points}] = {self.factor.text}*exp({exponent})"

    def array(self, dtype: str) -> np.ndarray:
        a, b, c = self.angle
        turns = (a * np.arange(self.points) + b) % (2 * c)
        angle = turns.astype(np.longdouble) * (self.sign * np.arccos(np.longdouble(-1)) / c)
        found: np.ndarray = self.factor.value * (np.cos(angle) + 1j * np.sin(angle))
        return found.astype(dtype)


@dataclass(frozen=True)
class Line:
    """A line along one axis of a tensor of that shape: how its elements are written."""

    shape: tuple[int, ...]
    axis: int

    @property
    def points(self) -> int:
        return self.shape[self.axis]

    def at(self, name: str, index: str) -> str:
        """The element `index` of the lines of a tensor, `i0, i1 ..` being the other indices."""
        names = [index if d == self.axis else f"i{d}" for d in range(len(self.shape))]
        return f"{name}[{', '.join(names)}]"

    def loop(self, count: int, *assignments: str) -> list[str]:
        """Over all lines, and `k` from 0 to `count`: elements that are not side by side."""
        ranges = [
            f"k in 0:{count}" if d == self.axis else f"i{d} in 0:{extent}"
            for d, extent in enumerate(self.shape)
        ]
        body = [f"    {assignment}" for assignment in assignments]
        return [f"for {', '.join(ranges)}:", *body] if count else []


def cosines(
    kind: Cosine, norm: str, inside: Sequence[int], axes: Sequence[int], x: str, y: str
) -> tuple[list[str], list[Roots]]:
    """The lines of a kernel that make `y` of the real tensor `x`, transformed along axes, and the
    tables that it is given."""
    type_ = BACK[kind.type] if kind.is_back else kind.type
    scale = kind.scale(norm, [inside[axis] for axis in axes])
    lines: list[str] = []
    tables: list[Roots] = []
    source = x
    for place, axis in enumerate(axes):
        result = y if place == len(axes) - 1 else f"{y}{place}"
        line = Line(tuple(inside), axis)
        along = _Along(line, source, result, f"_{y}{place}", kind, scale, tables)
        lines += along.lines(type_)
        source, scale = result, ONE
    return lines, tables


@dataclass(frozen=True)
class _Along:
    """One axis of a transform. Names of its own end in `tag`."""

    line: Line
    x: str
    y: str
    tag: str
    kind: Cosine
    scale: Scale
    tables: list[Roots]  # those that are no constants are added here

    def lines(self, type_: int) -> list[str]:
        most = SHORT_ROWS if self.line.axis == len(self.line.shape) - 1 else SHORT_COLUMNS
        if self.line.points <= most:
            return self._product(type_)
        return {1: self._first, 2: self._second, 3: self._third, 4: self._fourth}[type_]()

    def _in(self, index: str) -> str:
        return self.line.at(self.x, index)

    def _out(self, index: str) -> str:
        return self.line.at(self.y, index)

    def _own(self, name: str, index: str) -> str:
        return self.line.at(name + self.tag, index)

    def _table(
        self, name: str, points: int, factor: Scale, sign: int, angle: tuple[int, int, int]
    ) -> list[str]:
        roots = Roots(name + self.tag, points, factor, sign, angle)
        if points <= MOST_CONSTANTS:
            return [roots.constant()]
        self.tables.append(roots)
        return []

    def _twice(self) -> Scale:
        return Scale(f"2*{self.scale.text}", 2 * self.scale.value)

    def _w(self, index: str) -> str:
        return f"w{self.tag}[{index}]"

    def _product(self, type_: int) -> list[str]:
        """By the matrix: of few points that is less work than to order them."""
        n = self.line.points
        is_sine, ends = self.kind.is_sine, [] if self.kind.is_sine else ["0"]
        # The ends that count half, or are scaled where the matrix is orthogonal.
        if type_ == 1 or is_sine:
            ends.append(f"{n - 1}")
        angle = {
            1: f"(n + 1)*(k + 1)/{n + 1}" if is_sine else f"n*k/{max(n - 1, 1)}",
            2: f"(2*n + 1)*{'(k + 1)' if is_sine else 'k'}/{2 * n}",
            3: f"{'(n + 1)' if is_sine else 'n'}*(2*k + 1)/{2 * n}",
            4: f"(2*n + 1)*(2*k + 1)/{4 * n}",
        }[type_]
        value = f"2*{'sin' if is_sine else 'cos'}(pi*{angle})"
        orthogonal = self.kind.orthogonal
        if type_ == 3 or (type_ == 1 and not is_sine):
            half = "sqrt(1/2)" if orthogonal else "1/2"
            for end in ends:
                value += f"*where(n == {end}, {half}, 1)"
        if orthogonal and (type_ == 2 or (type_ == 1 and not is_sine)):
            for end in ends:
                value += f"*where(k == {end}, sqrt(1/2), 1)"
        return [
            f"const w{self.tag}[n in 0:{n}, k in 0:{n}] = {self.scale.text}*{value}",
            f"{self._out('k')} = sum({self._in('n')}*{self._w('n, k')} for n in 0:{n})",
        ]

    def _transform(self, call: str, source: str, result: str, more: str = "") -> str:
        return f"{result}{self.tag} = {call}({source}{self.tag}, axis={self.line.axis}{more})"

    def _first(self) -> list[str]:
        """The real transform of the line and its mirror image."""
        n, scale = self.line.points, self.scale.text
        ends = "*sqrt(2)" if self.kind.orthogonal else ""
        if self.kind.is_sine:
            return [
                f"{self._own('e', '0')} = 0*{self._in('0')}",
                f"{self._own('e', f'k in 1:{n + 1}')} = {self._in('k - 1')}",
                f"{self._own('e', f'{n + 1}')} = 0*{self._in('0')}",
                f"{self._own('e', f'k in {n + 2}:{2 * n + 2}')} = -{self._in(f'{2 * n + 1} - k')}",
                self._transform("rfft", "e", "h"),
                f"{self._out(f'k in 0:{n}')} = -({scale})*imag({self._own('h', 'k + 1')})",
            ]
        lines = [
            f"{self._own('e', '0')} = {self._in('0')}{ends}",
            f"{self._own('e', f'{n - 1}')} = {self._in(f'{n - 1}')}{ends}",
        ]
        if n > 2:
            lines += [
                f"{self._own('e', f'k in 1:{n - 1}')} = {self._in('k')}",
                f"{self._own('e', f'k in {n}:{2 * n - 2}')} = {self._in(f'{2 * n - 2} - k')}",
            ]
        lines.append(self._transform("rfft", "e", "h"))
        if not ends:
            return [
                *lines,
                f"{self._out(f'k in 0:{n}')} = ({scale})*real({self._own('h', 'k')})",
            ]
        for index in ("0", f"{n - 1}"):
            lines.append(f"{self._out(index)} = ({scale}*sqrt(1/2))*real({self._own('h', index)})")
        if n > 2:
            inner = self._out(f"k in 1:{n - 1}")
            lines.append(f"{inner} = ({scale})*real({self._own('h', 'k')})")
        return lines

    def _second(self) -> list[str]:
        """Of elements 0, 2, 4 .. and back .. 5, 3, 1."""
        n = self.line.points
        even, half = (n + 1) // 2, n // 2 + 1
        sign = "-" if self.kind.is_sine else ""
        lines = [
            *self._table("w", half, self._twice(), -1, (1, 0, 2 * n)),
            f"{self._own('v', f'k in 0:{even}')} = {self._in('2*k')}",
            f"{self._own('v', f'k in {even}:{n}')} = {sign}{self._in(f'{2 * n - 1} - 2*k')}",
            self._transform("rfft", "v", "h"),
        ]

        def real(index: str) -> str:
            return f"real({self._own('h', index)}*{self._w(index)})"

        def imag(index: str) -> str:
            return f"-imag({self._own('h', index)}*{self._w(index)})"

        small = self.kind.orthogonal
        if self.kind.is_sine:
            imags = (n - 1) // 2
            last = n - 1 if small else n
            lines += [f"{self._out(f'k in {imags}:{last}')} = {real(f'{n - 1} - k')}"] * (
                last > imags
            )
            lines += [f"{self._out(f'{n - 1}')} = sqrt(1/2)*{real('0')}"] * small
            lines += [f"{self._out(f'k in 0:{imags}')} = {imag('k + 1')}"] * (imags > 0)
        else:
            first = 1 if small else 0
            lines += [f"{self._out('0')} = sqrt(1/2)*{real('0')}"] * small
            lines.append(f"{self._out(f'k in {first}:{half}')} = {real('k')}")
            lines += [f"{self._out(f'k in {half}:{n}')} = {imag(f'{n} - k')}"] * (n > half)
        return lines

    def _third(self) -> list[str]:
        """Type II from its end to its beginning."""
        n = self.line.points
        half = n // 2 + 1
        if self.kind.is_sine:
            first, pair = self._in(f"{n - 1}"), (self._in(f"{n - 1} - k"), self._in("k - 1"))
        else:
            first, pair = self._in("0"), (self._in("k"), self._in(f"{n} - k"))
        if self.kind.orthogonal:
            first = f"sqrt(2)*{first}"
        sign = "-" if self.kind.is_sine else ""
        even = f"{self._out('2*k')} = {self._own('v', 'k')}"
        odd = f"{self._out('2*k + 1')} = {sign}{self._own('v', f'{n - 1} - k')}"
        return [
            *self._table("w", half, self.scale, 1, (1, 0, 2 * n)),
            f"{self._own('h', '0')} = {self._w('0')}*{first}",
            f"{self._own('h', f'k in 1:{half}')} = {self._w('k')}*({pair[0]} - 1j*{pair[1]})",
            self._transform("irfft", "h", "v", f", n={n}, norm=none"),
            *self.line.loop(n // 2, even, odd),
            *([self._out(f"{n - 1}") + f" = {self._own('v', f'{n // 2}')}"] if n % 2 else []),
        ]

    def _fourth(self) -> list[str]:
        n = self.line.points
        if n % 2:
            return self._fourth_odd()
        half = n // 2
        pair = (self._in("2*k"), self._in(f"{n - 1} - 2*k"))
        if self.kind.is_sine:
            pair = pair[::-1]
        sign = "" if self.kind.is_sine else "-"
        turned = f"{self._own('h', 'k')}*u{self.tag}[k]"
        return [
            *self._table("w", half, self.scale, -1, (4, 1, 4 * n)),
            *self._table("u", half, Scale("2", np.longdouble(2)), -1, (1, 0, n)),
            f"{self._own('v', f'k in 0:{half}')} = {self._w('k')}*({pair[0]} + 1j*{pair[1]})",
            self._transform("dft", "v", "h"),
            *self.line.loop(
                half,
                f"{self._out('2*k')} = real({turned})",
                f"{self._out(f'{n - 1} - 2*k')} = {sign}imag({turned})",
            ),
        ]

    def _fourth_odd(self) -> list[str]:
        """A complex transform of twice as many points, half of them zero."""
        n = self.line.points
        turned = f"{self._own('h', 'k')}*u{self.tag}[k]"
        part = f"-imag({turned})" if self.kind.is_sine else f"real({turned})"
        zeros = [n if axis == self.line.axis else 0 for axis in range(len(self.line.shape))]
        return [
            *self._table("w", n, self.scale, -1, (1, 0, 2 * n)),
            *self._table("u", n, Scale("2", np.longdouble(2)), -1, (2, 1, 4 * n)),
            f"{self._own('p', f'k in 0:{n}')} = {self._w('k')}*{self._in('k')}",
            f"v{self.tag} = pad(p{self.tag}, {[0] * len(zeros)}, {zeros})",
            self._transform("dft", "v", "h"),
            f"{self._out(f'k in 0:{n}')} = {part}",
        ]
