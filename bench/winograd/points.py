# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The points of Winograd's transforms: a search for those that lose the fewest digits.

    bench/winograd/points.py            prints the table of dsl/weft/semantics/winograd_points.py

For each number of finite points: pairs +p, -p of multiples of 1/8, and 0 if the number is odd. So
the points, and all that the transforms of images and results are made of, are exact in every type,
and the sums over each pair are shared. The measure is the estimate of rounding errors of
docs/decisions/0007-error-of-winograd.md, for a filter of three: that of the worst result, which
decides the largest error, times the mean, which decides the error in the L2 norm. Up to four pairs
all sets are looked at; more are found by changing one pair at a time.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from fractions import Fraction

import numpy as np

Pairs = tuple[Fraction, ...]

FILTER = 3
STEP, MOST = Fraction(1, 8), 4
MOST_POINTS = 15
# All sets of so many pairs are looked at.
MOST_PAIRS = 4
CANDIDATES = [k * STEP for k in range(1, int(MOST / STEP) + 1)]


def points(pairs: Pairs, count: int) -> list[Fraction]:
    return [Fraction(0)] * (count % 2) + [s * p for p in pairs for s in (1, -1)]


def errors(finite: list[Fraction], r: int) -> np.ndarray:
    """The variance of each result of a dimension over the direct sum's, about."""
    m, n = len(finite) + 2 - r, len(finite) + 1
    x = np.array(finite, dtype=float)
    product = np.poly(x)  # the highest power first
    variance = np.empty(n)
    for k, point in enumerate(x):
        quotient = np.poly(np.delete(x, k))
        filters = (point ** np.arange(r) / np.polyval(quotient, point)) ** 2
        variance[k] = (quotient**2).sum() * filters.sum()
    variance[-1] = (product**2).sum()
    results = np.zeros((n, m))
    results[:-1] = x[:, None] ** np.arange(m)
    results[-1, -1] = 1
    return np.asarray((results.T**2) @ variance / r)


def measure(pairs: Pairs, count: int, r: int = FILTER) -> float:
    found = errors(points(pairs, count), r)
    return math.sqrt(found.max() * found.mean())


def best(count: int, before: Pairs) -> Pairs:
    """`before` are those for two points less."""
    if count // 2 <= MOST_PAIRS:
        sets: Iterable[Pairs] = itertools.combinations(CANDIDATES, count // 2)
        return min(sets, key=lambda pairs: measure(pairs, count))
    found = min(_with_another(before), key=lambda pairs: measure(pairs, count))
    while True:
        changed = (
            pairs for k in range(len(found)) for pairs in _with_another(found[:k] + found[k + 1 :])
        )
        better = min(changed, key=lambda pairs: measure(pairs, count))
        if measure(better, count) >= measure(found, count):
            return found
        found = better


def _with_another(pairs: Pairs) -> Iterable[Pairs]:
    return (tuple(sorted((*pairs, p))) for p in CANDIDATES if p not in pairs)


def table() -> dict[int, Pairs]:
    found: dict[int, Pairs] = {}
    for count in range(3, MOST_POINTS + 1):
        found[count] = best(count, found.get(count - 2, ()))
    return found


def main() -> None:
    for count, pairs in table().items():
        worst = errors(points(pairs, count), FILTER).max()
        said = " ".join(map(str, pairs))
        print(f'{count}: "{said}",  # F({count + 2 - FILTER}, {FILTER}): {worst:.3g}')


if __name__ == "__main__":
    main()
