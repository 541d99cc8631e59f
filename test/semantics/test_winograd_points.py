# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Winograd's matrices: the identity that they are made for, in exact numbers."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weft import module_files
from weft.semantics import winograd_points
from weft.semantics.types import Element
from weft.semantics.winograd_points import Family, Surd, family, square_root

SIZES = [(m, r) for m in range(2, 7) for r in range(2, 6)]


def is_correlation(made: Family) -> bool:
    """sum over k of AT[i, k] * G[k, j] * BT[k, l] is 1 where l = i + j, and 0 elsewhere.

    y = AT @ ((G @ g) * (BT @ d)) is linear in g and in d: that is sum(g[j] * d[i+j] for j).
    Terms of different roots add up by root; the irrational parts must vanish.
    """
    at, g, bt = (made.matrix(name) for name in ("AT", "G", "BT"))
    for i in range(made.m):
        for j in range(made.r):
            for place in range(made.n):
                by_root: dict[int, Fraction] = {}
                total = Fraction(0)
                for k in range(made.n):
                    term = at[i][k] * g[k][j] * bt[k][place]
                    total += term.rational
                    by_root[term.root] = by_root.get(term.root, Fraction(0)) + term.factor
                if total != (place == i + j) or any(by_root.values()):
                    return False
    return True


@pytest.mark.parametrize(("m", "r"), SIZES)
def test_default_points_give_the_correlation(m: int, r: int) -> None:
    assert is_correlation(family(m, r))


@pytest.mark.parametrize(("m", "r"), [(1, 1), (1, 3), (3, 1), (2, 15), (15, 2), (14, 3)])
def test_extreme_sizes_give_the_correlation(m: int, r: int) -> None:
    assert is_correlation(family(m, r))


RATIONALS = st.fractions(-9, 9, max_denominator=9)
SQUARES = st.fractions("1/9", 9, max_denominator=9)


@st.composite
def families(draw: st.DrawFn) -> Family:
    m, r = draw(st.sampled_from(SIZES))
    count = m + r - 2
    roots = draw(st.lists(SQUARES.map(square_root), max_size=count // 2, unique=True))
    points = [p for root in roots for p in (root, -root)]
    taken = {p.rational for p in points if not p.root}
    plain = RATIONALS.filter(lambda p: p not in taken)
    missing = count - len(points)
    more = draw(st.lists(plain, min_size=missing, max_size=missing, unique=True))
    return Family(m, r, tuple(draw(st.permutations([*points, *map(Surd, more)]))))


@settings(max_examples=60, deadline=None)
@given(families())
def test_any_points_give_the_correlation(made: Family) -> None:
    assert is_correlation(made)


def test_equal_points_are_no_family() -> None:
    """The proof above can fail: a point given twice has no inverse weight."""
    with pytest.raises(ZeroDivisionError):
        family(2, 3, tuple(Surd(Fraction(p)) for p in (0, 1, 1))).matrix("G")


def test_other_matrices_are_no_correlation() -> None:
    class Wrong(Family):
        def matrix(self, name: str) -> winograd_points.Matrix:
            rows = super().matrix(name)
            return rows if name != "BT" else tuple(tuple(-e for e in row) for row in rows)

    assert not is_correlation(Wrong(2, 3, winograd_points.default_points(3)))


def test_f23_is_lavins() -> None:
    made = family(2, 3)
    shown = {n: winograd_points.rounded(made.matrix(n), Element.F64).tolist() for n in "AGB"}
    assert shown["G"] == [[1, 0, 0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0, 0, 1]]
    assert shown["A"] == [[1, 0], [1, 1], [1, -1], [0, 1]]
    assert np.array_equal(
        np.transpose(shown["B"]), [[1, 0, -1, 0], [0, 1, 1, 0], [0, -1, 1, 0], [0, -1, 0, 1]]
    )


def test_transposes() -> None:
    made = family(4, 3)
    for name, other in (("B", "BT"), ("GT", "G"), ("A", "AT")):
        assert made.matrix(name) == winograd_points.transposed(made.matrix(other))


@pytest.mark.parametrize(
    ("square", "shown"),
    [("1/2", "sqrt(1/2)"), ("8", "sqrt(8)"), ("9/4", "3/2"), ("2/9", "sqrt(2/9)"), ("1", "1")],
)
def test_square_roots_square_to_what_they_are_of(square: str, shown: str) -> None:
    root = square_root(Fraction(square))
    assert root * root == Surd(Fraction(square))
    assert root.is_positive
    assert not (-root).is_positive
    assert str(root) == shown
    assert (root * root.inverse()) == winograd_points.ONE


def test_equal_roots_are_equal_however_written() -> None:
    half, two = square_root(Fraction(1, 2)), square_root(Fraction(2))
    assert half + half == two
    assert square_root(Fraction(4)) == Surd(Fraction(2))


def test_matrices_are_rounded_once() -> None:
    """Entries of f32 are the nearest to the exact ones, not to those of f64."""
    root = square_root(Fraction(2))
    matrix = family(2, 3, (winograd_points.ZERO, root, -root)).matrix("BT")
    for element in (Element.F32, Element.F64):
        data = winograd_points.rounded(matrix, element)
        exact = np.sqrt(np.longdouble(2))
        assert data[1, 1] == data.dtype.type(exact)
        assert data.dtype == element.numpy
        assert not data.flags.writeable


@pytest.mark.parametrize("count", [3, 4, 5, 6, 7])
def test_points_are_those_that_the_search_finds(count: int) -> None:
    search = module_files.load(Path(__file__).parents[2] / "bench" / "winograd" / "points.py")
    found = search.best(count, ())
    expected = {Surd(p) for p in search.points(found, count)}
    assert set(winograd_points.default_points(count)) == expected
    made = family(count - 1, search.FILTER)
    worst = search.errors(search.points(found, count), search.FILTER).max()
    assert winograd_points.amplification(made) ** 2 == pytest.approx(worst)


@pytest.mark.parametrize("count", range(winograd_points.LARGEST))
def test_there_are_points_for_every_size(count: int) -> None:
    assert len(set(winograd_points.default_points(count))) == count


def test_amplification_grows_with_m() -> None:
    found = [winograd_points.amplification(family(m, 3)) for m in (2, 4, 6, 8)]
    assert found == sorted(found)
    assert 1 < found[0] < 2
