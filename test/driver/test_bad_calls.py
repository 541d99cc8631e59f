# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `weft.compile` is given wrongly is told as such, by the argument's name."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest

import weft
from weft import requests
from weft.diagnostics import RunError

SOURCE = """
kernel k[n: size, m: size](x: f64[n], y: f64[m]) -> (z: f64[n]):
    z = x * 2
"""


@pytest.mark.parametrize("value", [0, -1, "5", True, None, 5.0, 2**60])
def test_size_is_no_extent(value: Any) -> None:
    with pytest.raises(RunError, match="the size 'n' is no extent") as caught:
        weft.compile(SOURCE, n=value)
    assert caught.value.found == repr(value)


@pytest.mark.parametrize(
    ("given", "near"),
    [({"traget": "avx512"}, "target"), ({"verify_eech": True}, "verify_each"), ({"q": "5"}, "")],
)
def test_an_option_that_is_misspelt(given: dict[str, Any], near: str) -> None:
    """It arrives as a size, which it is not."""
    with pytest.raises(RunError, match="is no extent") as caught:
        weft.compile(SOURCE, **given)
    assert caught.value.help == (f"did you mean '{near}'?" if near else "")


def test_options_are_those_of_compile() -> None:
    parameters = inspect.signature(weft.compile).parameters
    assert {*requests.OPTIONS} == {*parameters} - {"source", "named"}


# Two of them are reserved words, which no size is called.
@pytest.mark.parametrize("name", sorted({*requests.OPTIONS} - {"kernel", "schedule"}))
def test_a_size_may_be_called_as_an_option(name: str) -> None:
    text = f"kernel k[{name}: size, n: size](x: f64[{name}]) -> (y: f64[{name}, n]):\n"
    text += f"    y[i in 0:{name}, j in 0:n] = x[i]\n"
    with pytest.raises(RunError, match=f"{name}= belongs to weft.compile itself") as caught:
        weft.compile(text, **{"mode": "interpret", "n": 2, name: 3})
    assert caught.value.argument == name
    assert caught.value.help == f"a size of that name is given as sizes={{{name!r}: 3}}"
    kernel = weft.compile(text, mode="interpret", sizes={name: 3, "n": 2})
    assert kernel.sizes == {name: 3, "n": 2}


@pytest.mark.parametrize(
    ("sizes", "told", "argument"),
    [
        ([4], "sizes are numbers by their names", "sizes"),
        ({1: 4}, "sizes are numbers by their names", "sizes"),
        ({"n": 4, "m": 3}, "the size 'm' is given twice", "m"),
        ({"n": 0}, "the size 'n' is no extent", "n"),
        ({"k": 1}, "has no size 'k'", "k"),
    ],
)
def test_sizes_that_are_no_sizes(sizes: Any, told: str, argument: str) -> None:
    with pytest.raises(RunError, match=told) as caught:
        weft.compile(SOURCE, sizes=sizes, m=4)
    assert caught.value.argument == argument


@pytest.mark.parametrize(
    ("given", "argument", "told"),
    [
        ({"without": "fuse"}, "without", "without=['fuse']"),
        ({"without": ["fuze"]}, "without", "did you mean 'fuse'?"),
        ({"dump_dir": ["a"]}, "dump_dir", "dump_dir is the path of a folder"),
        ({"dump_dir": ""}, "dump_dir", "dump_dir is the path of a folder"),
        ({"dump_dir": b"a"}, "dump_dir", "dump_dir is the path of a folder"),
        ({"verify_each": "yes"}, "verify_each", "verify_each is True or False"),
        ({"case": "S"}, "case", "the sizes of a case are given themselves"),
    ],
)
def test_options_of_another_kind(given: dict[str, Any], argument: str, told: str) -> None:
    with pytest.raises(RunError) as caught:
        weft.compile(SOURCE, target="portable", **given)
    assert caught.value.argument == argument
    assert told in str(caught.value)


def test_a_size_in_a_call() -> None:
    kernel = weft.compile(SOURCE, mode="interpret")
    for told in range(2):  # before its sizes are known, and after
        with pytest.raises(RunError, match="no argument 'n'") as caught:
            kernel(np.ones(2), np.ones(3), n=2)
        assert caught.value.help == (
            "it is a size: the arrays have it, or weft.compile(..., n=...) says it"
        ), told
        kernel(np.ones(2), np.ones(3))
    with pytest.raises(TypeError, match="inputs by their names: x, y"):
        kernel.fix(np.ones(2))
    with pytest.raises(RunError, match="no argument 'n'") as caught:
        kernel.fix(n=2.5)
    assert caught.value.help.startswith("it is a size")


def test_sizes_in_the_place_of_a_name() -> None:
    with pytest.raises(RunError, match="the kernel is no name") as caught:
        weft.compile(SOURCE, {"n": 4})  # type: ignore[arg-type]
    assert caught.value.help == "sizes are given by their names: n=4, or sizes={'n': 4}"


def test_sizes_of_numpy() -> None:
    kernel = weft.compile(SOURCE, target="portable", n=np.int64(5), m=np.int32(1))
    assert kernel(np.ones(5), np.ones(1)).tolist() == [2.0] * 5


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((None,), "the source is no program"),
        ((5,), "the source is no program"),
        ((b"kernel",), "the source is no program"),
        (("a\0.weft",), "cannot read"),
        ((SOURCE, b"k"), "the kernel is no name"),
        ((SOURCE, "k", b"avx2"), "the target is no name"),
    ],
)
def test_told_by_name(arguments: tuple[Any, ...], told: str) -> None:
    with pytest.raises(RunError, match=told):
        weft.compile(*arguments)


def test_an_input_may_have_a_name_of_the_calls_own() -> None:
    kernel = weft.compile(
        "kernel k(self: f64[2], out: f64[2]) -> (y: f64[2]):\n    y = self - out\n"
    )
    x, y = np.ones(2), np.arange(2.0)
    with pytest.raises(RunError, match="give it by its place: out= belongs to the call itself"):
        kernel(self=x, out=y)
    np.testing.assert_array_equal(kernel.fix(self=x)(y), x - y)


@pytest.mark.parametrize("requests", [["kernel k() -> (y: f64): y = 1"], [(SOURCE, "k")]])
def test_requests_have_three_parts(requests: list[Any]) -> None:
    with pytest.raises(RunError, match="a request is a source") as caught:
        weft.compile_many(requests)
    assert caught.value.argument == "requests"


@pytest.mark.parametrize(
    ("x", "y", "declared"), [((0,), (3,), "x: f64[n]"), ((3,), (0,), "y: f64[m]")]
)
def test_an_empty_array_is_named(x: tuple[int, ...], y: tuple[int, ...], declared: str) -> None:
    with pytest.raises(RunError, match="is empty") as caught:
        weft.compile(SOURCE, mode="interpret")(np.ones(x), np.ones(y))
    assert caught.value.argument == declared[0]
    assert caught.value.expected == f"{declared}, extents of 1 or more"


def test_a_scalar_of_another_type_is_told_the_conversion() -> None:
    text = "kernel f(s: f64) -> (t: f64):\n    t = s * 2\n"
    kernel = weft.compile(text, mode="interpret")
    assert kernel(2) == kernel(np.float64(2)) == 4
    with pytest.raises(RunError, match="argument 's': cannot be passed") as caught:
        kernel(np.float32(2))
    assert caught.value.help == "np.float64(s) makes one"
    with pytest.raises(RunError, match="argument 's': cannot be passed") as caught:
        kernel(2j)
    assert caught.value.help == ""


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("target", ["interpret", "portable"])
@pytest.mark.parametrize(
    ("value", "is_in"),
    [
        (3e38, True),
        (2**100, True),
        (float("inf"), True),
        (float("nan"), True),
        (1e-300, True),
        (1e300, False),
        (-1e39, False),
        (2**130, False),
        (10**400, False),
    ],
)
def test_scalars_out_of_range(target: str, value: Any, is_in: bool) -> None:
    text = "kernel f(s: f32, z: c64) -> (t: f32, w: c64):\n    t = s\n    w = z\n"
    given = {"mode": target} if target == "interpret" else {"target": target}
    kernel = weft.compile(text, **given)  # type: ignore[arg-type]
    for _ in range(2):  # a second call looks at its arguments no more
        if is_in:
            t, w = kernel(value, value)
            np.testing.assert_equal((t, w), (np.float32(value), np.complex64(value)))
            continue
        for name, arguments in (("s", (value, 0)), ("z", (0, value))):
            with pytest.raises(RunError, match=f"argument '{name}': out of range") as caught:
                kernel(*arguments)
            assert caught.value.expected == ("float32" if name == "s" else "complex64")
        kernel(0, 0)


def test_parts_of_a_kernel_by_another_name() -> None:
    kernel = weft.compile(SOURCE, target="portable")
    assert repr(kernel) == "<weft kernel k[n=?, m=?] for portable>"
    kernel(np.ones(2), np.ones(3))
    assert repr(kernel) == "<weft kernel k[n=2, m=3] for portable>"
    with pytest.raises(KeyError, match="did you mean 'after:fuse'"):
        kernel.ir["after:fuze"]
    with pytest.raises(KeyError, match="no 'asm': there are 'c', 's' and 'so'"):
        kernel.asm["asm"]


def test_an_output_that_is_no_array_is_told_how_to_make_one() -> None:
    """np.asarray(None) is an array of an object, and that of a number a copy nobody sees."""
    kernel = weft.compile("kernel k(x: f64[2]) -> (y: f64[2], z: f64):\n    y = x\n    z = 1\n")
    for other in (None, np.float64(0)):
        with pytest.raises(RunError) as caught:
            kernel(np.ones(2), out=(np.empty(2), other))
        assert "help: np.empty((), np.float64) makes one" in str(caught.value)
