# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What schedules do to a kernel, where they act, and where they do not."""

from __future__ import annotations

from pathlib import Path

import pytest

from weft.diagnostics import SourceError
from weft.semantics import checker, typed
from weft.semantics.directives import FORMS, SERVED
from weft.syntax.parser import parse

SOURCE = """
kernel inner[n: size](x: c128[n]) -> (y: c128[n]):
    y = dft(x)

kernel outer[n: size](x: c128[n]) -> (y: c128[n]):
    a = inner(x)
    y = idft(a)

schedule inner on avx512:
    factor y into 8, 8
    unroll 3

schedule outer on avx512:
    unroll 2

schedule outer on portable:
    factor y into 4, 16

schedule outer on sw26010:
    tile y.axis0 by 8 -> co, ci
    tile ci by 2 -> c1, c2
    distribute co over cpes
    split 4
    place x, y in ldm double_buffered
    place a in ldm
    fold reshape into dma
    fuse a, y
    layout a as split
    exchange 8
    overlap
    vectorize c2
    order pressure
"""


def instance(target: str | None, name: str = "outer", text: str = SOURCE) -> typed.Module:
    return checker.instantiate(checker.check(parse(text, "k.weft")), name, {"n": 64}, target)


def radices(module: typed.Module) -> list[tuple[int, ...]]:
    return [s.radices for k in module.kernels for s in k.body if isinstance(s, typed.Dft)]


def test_acts_on_its_target_only() -> None:
    assert radices(instance(None)) == [(), ()]
    assert radices(instance("portable")) == [(), (4, 16)]
    assert radices(instance("avx512")) == [(8, 8), ()]


def test_directives_and_unrolling_are_known_of_each_kernel() -> None:
    inner, outer = instance("avx512").kernels
    assert inner.directives == ("factor y into 8, 8", "unroll 3")
    assert (inner.unroll, outer.unroll) == (3, 2)
    assert outer.directives == ("unroll 2",)
    assert all(not k.directives and k.unroll is None for k in instance(None).kernels)


def test_a_schedule_for_another_target_is_checked_and_does_not_disturb() -> None:
    assert radices(instance("portable")) == [(), (4, 16)]
    # `inner` has none there.
    assert radices(instance("sw26010", "inner")) == [()]


def test_directives_that_passes_read_are_handed_on_as_they_are_written() -> None:
    outer = instance("sw26010").kernels[-1]
    assert outer.asked[:3] == (
        *("tile y.axis0 by 8 -> co, ci", "tile ci by 2 -> c1, c2"),
        "distribute co over cpes",
    )
    assert set(outer.directives) - set(outer.asked) == {"split 4", "exchange 8", "order pressure"}
    assert instance("avx512").kernels[-1].asked == ()


# Every directive, written as the list of them shows it, after those that it needs.
DIRECTIVES = [
    *(
        "tile y.axis0 by 8 -> co, ci",
        "distribute y.axis0 over cpes",
        "distribute y.axis0 over ranks",
    ),
    *("split 2", "place a, y in ldm double_buffered", "place a in cache"),
    *("fold transpose into dma", "fold a into dma", "fuse a, y", "layout a as split"),
    *("layout a as interleaved", "exchange 16", "overlap"),
    *("overlap a", "vectorize y.axis0", "vectorize y.axis0 by 8", "order latency"),
    *("order pressure", "order source", "unroll 2", "factor a into 8, 8"),
    *("complex interleaved", "complex six_shuffle", "complex split"),
]


@pytest.mark.parametrize("target", SERVED)
@pytest.mark.parametrize("directive", DIRECTIVES)
def test_served_or_refused_by_name(target: str, directive: str) -> None:
    text = (
        "kernel f[n: size](x: c128[n]) -> (y: c128[n]):\n    a = dft(x)\n    y = a * 2\n\n"
        f"schedule f on {target}:\n    {directive}\n"
    )
    word = directive.split()[0]
    if word in SERVED[target]:
        assert instance(target, "f", text).kernels[0].directives == (directive,)
        return
    with pytest.raises(SourceError) as caught:
        instance(target, "f", text)
    (found,) = caught.value.diagnostics
    assert (found.rule, found.span.line, found.span.column) == ("W902", 6, 5)
    assert f"no pass serves '{word}' on {target} yet" in found.message
    assert found.expected


def test_no_directive_is_left_out() -> None:
    assert {directive.split()[0] for directive in DIRECTIVES} == set(FORMS)


CONV = """
kernel f(x: f32[1, 8, 20, 20], g: f32[8, 8, 3, 3]) -> (y: f32[1, 8, 18, 18]):
    y = conv(x, g{argument})

schedule f on avx512:
    factor y as {way}
"""


@pytest.mark.parametrize("argument", ["", ", algorithm=auto", ", max_error=1e-3"])
@pytest.mark.parametrize(
    ("way", "algorithm", "sizes"), [("direct", "direct", []), ("winograd(4)", "winograd", [4])]
)
def test_algorithm_of_a_convolution(
    argument: str, way: str, algorithm: str, sizes: list[int]
) -> None:
    text = CONV.format(argument=argument, way=way)
    module = checker.instantiate(checker.check(parse(text, "k.weft")), "f", {}, "avx512")
    (conv,) = (s for s in module.entry.body if isinstance(s, typed.Conv))
    assert conv.algorithm == algorithm
    assert [t.m for t in conv.transforms] == sizes


def test_carried_values_are_factored_in_the_loop_too() -> None:
    text = """
program p[n: size](x: c128[n]) -> (y: c128[n]):
    carry v = dft(x)
    for t in 0:3:
        carry v = idft(v)
    y = v

schedule p on avx512:
    factor v into 4, 4, 4
"""
    module = instance("avx512", "p", text)
    (loop,) = (s for s in module.entry.body if isinstance(s, typed.For))
    assert radices(module) == [(4, 4, 4)]
    assert [s.radices for s in loop.body if isinstance(s, typed.Dft)] == [(4, 4, 4)]


def test_every_target_has_its_list() -> None:
    machines = Path(__file__).parents[2].glob("targets/*/machine.toml")
    assert {path.parent.name for path in machines} <= set(SERVED)
    assert all(served <= set(FORMS) for served in SERVED.values())


@pytest.mark.parametrize(
    ("directive", "said", "other", "kept_as"),
    [
        ("order", "pressure", "latency", "order"),
        ("complex", "split", "interleaved", "complex_form"),
    ],
)
def test_said_once(directive: str, said: str, other: str, kept_as: str) -> None:
    text = (
        "kernel f[n: size](x: c128[n]) -> (y: c128[n]):\n    y = x * x\n\n"
        f"schedule f on sw26010:\n    {directive} {said}\n"
    )
    for second in (said, other):
        with pytest.raises(SourceError, match=f"'{directive}' is said twice"):
            instance("sw26010", "f", f"{text}    {directive} {second}\n")
    (kernel,) = instance("sw26010", "f", text).kernels
    assert getattr(kernel, kept_as) == said


@pytest.mark.parametrize(
    ("target", "directive", "expected", "help_text"),
    [
        (
            "sw26010",
            "distribute c.axis0",
            "distribute co over cpes",
            "it says: who does the iterations of this loop",
        ),
        (
            "avx512",
            "distribute c.axis0",
            "distribute co over threads",
            "it says: who does the iterations of this loop",
        ),
        ("avx512", "distribute c.axis0 over thread", "threads", "did you mean 'threads'?"),
        ("sw26010", "distribute c.axis0 over ranges", "cpes", ""),
        (
            "avx2",
            "place c",
            "place a, b in cache",
            "it says: where these values are while they are computed with",
        ),
        (
            "sw26010",
            "place c",
            "place a, b in ldm, or place a, b in ldm double_buffered",
            "it says: where these values are while they are computed with",
        ),
        (
            "sw26010",
            "distribute co over cpes",
            "an axis such as a.axis0 or a loop that a tile before has created",
            "",
        ),
        (
            "avx512",
            "vectorize ci",
            "an axis such as a.axis0 or a loop that a tile before has created",
            "",
        ),
        (
            "avx512",
            "tile cc.axis0 by 8 -> co, ci",
            "an axis such as a.axis0 or a loop that a tile before has created",
            "did you mean 'c.axis0'?",
        ),
    ],
)
def test_what_can_be_said_on_the_target(
    target: str, directive: str, expected: str, help_text: str
) -> None:
    text = f"kernel f(c: f64[64]) -> (y: f64[64]):\n    y = c * 2\n\nschedule f on {target}:\n"
    with pytest.raises(SourceError) as caught:
        checker.check(parse(f"{text}    {directive}\n", "k.weft"))
    (found,) = caught.value.diagnostics
    assert (found.expected, found.help) == (expected, help_text)
