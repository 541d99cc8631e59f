# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What can be chosen for a kernel, and what is left as it is; every choice is legal."""

from __future__ import annotations

from math import prod

import numpy as np
import pytest

import weft
from weft import driver, frontend, machine, toolchain
from weft.semantics.directives import FORMS
from weft.sources import Named, scheduled
from weft.tuning import space
from weft.tuning.space import Space

TWO = """
kernel f[b: size, n: size](x: c128[b, n]) -> (y: c128[b, n]):
    a = dft(x, axis=1)
    y = idft(a * 2, axis=0)
"""


def of(text: str, target: str = "avx512", kernel: str | None = None, **sizes: int) -> Space:
    return space.of(frontend.Job(text, "f.weft", kernel, sizes), machine.load(target))


def test_a_knob_for_each_transform_and_one_for_copies() -> None:
    found = of(TWO, b=12, n=64)
    assert [knob.about for knob in found.knobs] == ["factor a", "factor y", "unroll"]
    lines, columns, copies = found.knobs
    assert lines.subject == "the transform a, 64 points"
    assert columns.choices[0] == "factor y into 12"
    assert "factor y into 3, 4" in columns.choices
    assert copies.choices == ("", "unroll 1", "unroll 2", "unroll 4", "unroll 8")
    assert not copies.costs
    for one in (lines, columns):
        assert list(one.costs) == sorted(one.costs)
        assert len(set(one.choices)) == len(one.choices) == len(one.costs) > 3
    assert found.left == ()


@pytest.mark.parametrize("n", [16, 24, 60, 64, 96, 120, 210, 240, 256, 480, 1000, 1024, 1155, 4096])
@pytest.mark.parametrize("kind", ["c128", "c64"])
@pytest.mark.parametrize("axis", [0, 1])
def test_the_first_choice_is_the_models(n: int, kind: str, axis: int) -> None:
    """Said by the schedule, it makes the code that is made without one."""
    sizes = {"b": 16, "n": n} if axis else {"b": n, "n": 16}
    text = (
        f"kernel f[b: size, n: size](x: {kind}[b, n]) -> (y: {kind}[b, n]):\n"
        f"    y = dft(x, axis={axis})\n"
    )
    found = of(text, **sizes)
    chosen = [k.choices[0] for k in found.knobs if k.about == "factor y"]
    report = driver.examine(text, None, "avx512", sizes)
    (note,) = [n for n in report.notes if n.by == "factor-transform" and n.outcome == "decided"]
    radices = note.what.rpartition("radix ")[2]
    assert chosen in ([], [f"factor y into {radices}"])


@pytest.mark.parametrize("n", [37, 74, 16, 111, 2187, 31 * 37, 4096])
def test_orders_multiply_to_the_length(n: int) -> None:
    text = "kernel f[n: size](x: c128[8, n]) -> (y: c128[8, n]):\n    y = dft(x, axis=1)\n"
    for knob in of(text, n=n).knobs[:-1]:
        for choice in knob.choices:
            assert prod(map(int, choice.partition(" into ")[2].split(","))) == n


def test_a_line_in_four_steps_begins_as_a_matrix() -> None:
    """No order of radices is what the model does with it."""
    text = "kernel f[n: size](x: c128[n]) -> (y: c128[n]):\n    y = dft(x, axis=0)\n"
    (line, _) = of(text, n=16384).knobs
    assert line.choices[0] == ""
    assert len(line.choices) > 3
    assert all(choice.startswith("factor y into ") for choice in line.choices[1:])
    assert line.costs == ()


@pytest.mark.skipif(toolchain.default_target() != "avx512", reason="lines of other lengths there")
def test_whole_lines_as_a_convolution_have_none_of_the_orders() -> None:
    """Until asked for one: then a prime's stage lies across lines."""
    text = "kernel f[n: size](x: c64[n]) -> (y: c64[n]):\n    y = dft(x, axis=0)\n"
    (line, _) = of(text, n=4 * 509).knobs
    assert line.choices == ("", "factor y into 509, 4", "factor y into 509, 2, 2")
    assert line.costs == ()


def test_what_has_no_name_or_several_axes_or_radices_is_left() -> None:
    found = of(
        """
kernel f[n: size](x: c128[n, n]) -> (y: c128[n, n], z: c128[n, n], w: c128[n, n]):
    y = 2 * dft(x, axis=0)
    z = dft(x, axes=[0, 1])
    w = dft(x, axis=1, radices=[4, 4])
""",
        n=16,
    )
    assert [knob.about for knob in found.knobs] == ["unroll"]
    reasons = " | ".join(found.left)
    assert "it has no name of its own" in reasons
    assert "z of f: it has several axes" in reasons
    assert "w of f: radices= decides" in reasons


def test_a_called_kernel_at_two_lengths_is_left_and_at_one_is_tuned() -> None:
    text = """
kernel g[n: size](x: c128[8, n]) -> (y: c128[8, n]):
    y = dft(x, axis=1)

kernel f[n: size, m: size](x: c128[8, n], z: c128[8, m]) -> (y: c128[8, n], w: c128[8, m]):
    y = g(x)
    w = g(z)
"""
    same = of(text, kernel="f", n=64, m=64)
    assert [(knob.kernel, knob.about) for knob in same.knobs] == [
        ("g", "factor y"),
        ("f", "unroll"),
    ]
    assert same.text((1, 2)).startswith("schedule g on avx512:\n    factor y into ")
    assert "schedule f on avx512:\n    unroll 2\n" in same.text((1, 2))
    other = of(text, kernel="f", n=64, m=32)
    assert [knob.about for knob in other.knobs] == ["unroll"]
    assert "at several lengths" in other.left[0]


CONV = """
kernel f(x: f32[1, 8, 14, 14], g: f32[8, 8, 3, 3]) -> (y: f32[1, 8, 12, 12]):
    y = conv(x, g{argument})
"""


def test_algorithms_of_a_convolution() -> None:
    found = of(CONV.format(argument=""), target="portable")
    assert found.knobs[0].choices[:2] == ("", "factor y as direct")
    assert "factor y as winograd(4)" in found.knobs[0].choices
    for choice in range(len(found.knobs[0].choices)):
        text = found.text((choice, 0))
        weft.compile(CONV.format(argument=""), target="portable", schedule=text + "\n")


def test_an_error_bound_allows_fewer_algorithms() -> None:
    free, bound = (
        of(CONV.format(argument=argument), target="portable").knobs[0].choices
        for argument in ("", ", max_error=1e-6")
    )
    assert set(bound) < set(free)


OWN = (
    TWO
    + """
schedule f on avx512:
    unroll 2
    factor a into 4, 4, 4

schedule f on portable:
    unroll 8
"""
)


def test_the_sources_own_schedule_is_where_it_starts() -> None:
    found = of(OWN, b=12, n=64)
    a, _, copies = found.knobs
    assert copies.choices == ("unroll 2", "unroll 1", "unroll 4", "unroll 8")
    assert len(a.choices) > 3
    assert "factor a" not in str(found.kept)
    # Directives that no knob is about stay.
    kept = of(OWN.replace("unroll 2", "overlap a"), b=12, n=64)
    assert kept.directives(kept.model)["f"][0] == "overlap a"


def test_every_choice_compiles_and_replays() -> None:
    """Of the first orders of each knob, as a file beside the source."""
    rng = np.random.default_rng(3)
    x = rng.standard_normal((12, 32)) + 1j * rng.standard_normal((12, 32))
    expected = np.fft.ifft(np.fft.fft(x, axis=1) * 2, axis=0)
    found = of(TWO, target="portable", b=12, n=32)
    for number, knob in enumerate(found.knobs):
        for choice in range(1, min(4, len(knob.choices))):
            point = tuple(choice if n == number else 0 for n in range(len(found.knobs)))
            source = scheduled(Named.make(TWO, "f.weft"), found.text(point))
            kernel = weft.compile(source, target="portable", b=12, n=32)
            assert knob.choices[choice] in kernel.report["schedule"]["f"]
            np.testing.assert_allclose(kernel(x), expected, rtol=1e-12, atol=1e-12)


def test_ranked_leaves_what_the_model_ranks() -> None:
    found = of(TWO, b=12, n=64).ranked(3)
    assert [len(knob.choices) for knob in found.knobs] == [3, 3]


def test_forms_of_complex_numbers_where_a_pass_serves_them() -> None:
    text = "kernel f[n: size](x: c128[n]) -> (y: c128[n]):\n    y = x * x\n"
    assert "complex" not in [knob.about for knob in of(text, "portable", n=64).knobs]
    found = of(text, "sw26010", n=64)
    (forms,) = [knob for knob in found.knobs if knob.about == "complex"]
    assert set(forms.choices) == {"", *(f"complex {f}" for f in FORMS["complex"].operands.words)}
    own = of(f"{text}\nschedule f on sw26010:\n    complex split\n", "sw26010", n=64)
    (forms,) = [knob for knob in own.knobs if knob.about == "complex"]
    assert forms.choices[0] == "complex split"
    assert own.directives(own.model) == {"f": ["complex split"]}
    real = of(text.replace("c128", "f64"), "sw26010", n=64)
    assert "complex" not in [knob.about for knob in real.knobs]


def test_orders_where_a_pass_serves_them() -> None:
    text = "kernel f[n: size](x: f64[n]) -> (y: f64[n]):\n    y = x * 2\n"
    assert "order" not in [knob.about for knob in of(text, n=64).knobs]
    found = of(text, "sw26010", n=64)
    (orders,) = [knob for knob in found.knobs if knob.about == "order"]
    assert orders.choices == ("", "order latency", "order pressure", "order source")
    point = tuple(2 if knob is orders else 0 for knob in found.knobs)
    assert found.text(point) == "schedule f on sw26010:\n    order pressure\n"
    # What the source says comes first.
    own = of(f"{text}\nschedule f on sw26010:\n    order source\n", "sw26010", n=64)
    (orders,) = [knob for knob in own.knobs if knob.about == "order"]
    assert orders.choices == ("order source", "order latency", "order pressure")


LINES = "kernel f[b: size, n: size](x: c64[b, n]) -> (y: c64[b, n]):\n    y = dft(x, axis=1)\n"


def splits(text: str, target: str = "sw26010", **sizes: int) -> list[tuple[str, ...]]:
    return [knob.choices for knob in of(text, target, **sizes).knobs if knob.about == "split"]


def test_cores_that_share_a_line_that_none_has_room_for() -> None:
    assert splits(LINES, b=64, n=6000) == [("", "split 2", "split 4", "split 8")]
    assert splits(LINES, b=64, n=1024) == splits(LINES, "avx512", b=64, n=6000) == []
    own = f"{LINES}\nschedule f on sw26010:\n    split 4\n"
    assert splits(own, b=64, n=6000) == [("split 4", "split 2", "split 8")]
