# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the driver asks of the checker: signatures, sizes, and wrong calls."""

from __future__ import annotations

import pytest

from weft.diagnostics import RunError, SourceError
from weft.semantics import checker
from weft.semantics.checker import Checked, check, instantiate, solve_sizes
from weft.syntax.parser import parse

TEXT = """
kernel f[H: size, W: size](x: f64[H, W], g: f64[H-2]) -> (y: f64[W, H], s: f64):
    y = transpose(x)
    s = sum(g)
kernel half[n: size](x: f64[2*n]) -> (y: f64[n]):
    y = x[0:n]
program p[n: size](x: c64[n]) -> (y: c64[n]):
    case S: n=4
    y = x
"""


@pytest.fixture(scope="module", name="checked")
def _checked() -> Checked:
    return check(parse(TEXT, "t.weft"))


def test_names(checked: Checked) -> None:
    names = checked.names()
    assert list(names) == ["f", "half", "p"]
    f, p = names["f"], names["p"]
    assert f.sizes == ("H", "W")
    assert f.inputs == {"x": "f64[H, W]", "g": "f64[H-2]"}
    assert f.outputs == {"y": "f64[W, H]", "s": "f64"}
    assert (f.is_program, p.is_program) == (False, True)
    assert (f.cases, p.cases) == ({}, {"S": {"n": 4}})


def test_sizes_follow_from_shapes(checked: Checked) -> None:
    assert solve_sizes(checked, "f", {"x": (5, 7), "g": (3,)}) == {"H": 5, "W": 7}
    assert solve_sizes(checked, "half", {"x": (8,)}) == {}
    assert solve_sizes(checked, "half", {"x": (8,)}, {"n": 4}) == {"n": 4}


@pytest.mark.parametrize(
    ("name", "shapes", "given", "argument", "part"),
    [
        ("f", {"x": (5, 7)}, {}, "g", "needs the argument"),
        ("f", {"x": (5,), "g": (3,)}, {}, "x", "number of dimensions"),
        ("f", {"x": (5, 7), "g": (4,)}, {}, "g", "H-2 (= 3)"),
        ("f", {"x": (5, 7), "g": (3,)}, {"H": 6}, "x", "the sizes given"),
        ("half", {"x": (8,)}, {"n": 5}, "x", "2*n (= 10)"),
        ("hal", {"x": (8,)}, {}, "kernel", "did you mean 'half'?"),
    ],
)
def test_shapes_that_do_not_fit(
    checked: Checked,
    name: str,
    shapes: dict[str, tuple[int, ...]],
    given: dict[str, int],
    argument: str,
    part: str,
) -> None:
    with pytest.raises(RunError) as caught:
        solve_sizes(checked, name, shapes, given)
    assert caught.value.argument == argument
    assert part in caught.value.render()


@pytest.mark.parametrize(
    ("sizes", "part"),
    [
        ({"H": 5}, "needs a value for the size 'W'"),
        ({"H": 5, "W": 4, "w": 3}, "did you mean 'W'?"),
        ({"H": 0, "W": 4}, "an integer from 1 to 2^48"),
        ({"H": 1 << 60, "W": 4}, "an integer from 1 to 2^48"),
        ({"H": 2.5, "W": 4}, "2.5"),
        ({"H": True, "W": 4}, "True"),
    ],
)
def test_wrong_sizes(checked: Checked, sizes: dict[str, int], part: str) -> None:
    with pytest.raises(RunError, match=part.replace("^", r"\^").replace("?", r"\?")):
        instantiate(checked, "f", sizes)


def test_shapes_are_shown_as_written(checked: Checked) -> None:
    with pytest.raises(SourceError) as caught:
        instantiate(checked, "f", {"H": 2, "W": 4})
    (diagnostic,) = caught.value.diagnostics
    assert (diagnostic.rule, diagnostic.found) == ("W304", "H-2 (= 0)")
    assert diagnostic.notes == ("with H=2, W=4",)


def test_places_and_types_of_the_typed_tree(checked: Checked) -> None:
    module = checker.instantiate(checked, "p", {"n": 4})
    (value,) = module.entry.inputs
    assert str(value.type) == "c64[4]"
    assert str(value.span) == "t.weft:7:20"
    assert module.entry.outputs == (("y", value),)
