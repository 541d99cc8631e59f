# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Directives that name values, axes and loops: what they do to the C, and that results stay."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import weft
from weft import machine
from weft.diagnostics import RunError, WeftError
from weft.random_inputs import random_inputs

CPU = ("portable", "avx512")
ALL = (*CPU, "sw26010")

FOUR_STEP = """
kernel k[R: size, C: size](x: c128[R, C]) -> (y: c128[C, R]):
    a = dft(x, axis=0)
    b = a * twiddle(R, C)
    y = transpose(dft(b, axis=1))
"""
CHAIN = """
kernel k[n: size, m: size](x: c128[n, m], w: c128[m]) -> (y: c128[n, m], z: c128[m]):
    a = dft(x, axis=0)
    b = a * w
    z[j] = sum(b[i, j] for i in 0:n)
    y[i in 0:n, j] = b[n-1-i, j] * conj(z[j])
"""
FEW = """
kernel k(x: c128[3, 8]) -> (y: c128[3, 8]):
    y = dft(x, axis=1)
"""
CALLS = """
kernel f(x: c128[64, 24]) -> (y: c128[64, 24]):
    a = x * x
    y[i in 0:64, j in 0:24] = a[63-i, j] + a[i, j]

kernel k(x: c128[64, 24]) -> (y: c128[64, 24]):
    b = f(x)
    a[i in 0:64, j in 0:24] = b[i, j] + b[63-i, j]
    y[i in 0:64, j in 0:24] = a[i, j] * a[63-i, j]
"""
ROWS = """
kernel k[n: size, m: size](x: c128[n, m]) -> (y: c128[n, m]):
    y = x * x + 1
"""


def scheduled(source: str, target: str, *directives: str) -> str:
    lines = "".join(f"    {directive}\n" for directive in directives)
    return f"{source}\nschedule k on {target}:\n{lines}" if directives else source


def compiled(source: str, target: str, *directives: str, **sizes: int) -> Any:
    return weft.compile(scheduled(source, target, *directives), "k", target=target, **sizes)


def agrees(kernel: Any, source: str, **sizes: int) -> bool:
    """Whether results are those of the reference."""
    inputs = random_inputs(kernel.inputs, 7).values()
    found, wanted = (
        made if isinstance(made, tuple) else (made,)
        for made in (
            kernel(*inputs),
            weft.compile(source, "k", mode="interpret", **sizes)(*inputs),
        )
    )
    return all(
        np.allclose(f, w, rtol=1e-10, atol=1e-10) for f, w in zip(found, wanted, strict=True)
    )


def over(target: str) -> str:
    return "cpes" if target == "sw26010" else "threads"


@pytest.mark.parametrize("target", ALL)
def test_blocks_of_lines_and_their_loops_have_the_names_of_the_schedule(target: str) -> None:
    sizes = {"R": 64, "C": 40}
    tile = ("tile a.axis1 by 8 -> co, ci", f"distribute co over {over(target)}")
    kernel = compiled(FOUR_STEP, target, *tile, **sizes)
    assert agrees(kernel, FOUR_STEP, **sizes)
    if target in CPU:
        text = kernel.asm["c"]
        assert "for (ptrdiff_t co = 0; co < 40; co += 8) {" in text
        before = text.partition("for (ptrdiff_t co")[0].splitlines()
        assert any("omp parallel for" in line for line in before[-5:])
    assert kernel.report["schedule"] == {"k": list(tile)}


@pytest.mark.parametrize("target", ALL)
def test_loops_of_maps_are_tiled_shared_and_vectors(target: str) -> None:
    sizes = {"n": 64, "m": 48}
    asked = (
        *("tile y.axis0 by 8 -> io, ii", "tile y.axis1 by 16 -> jo, ji"),
        *(f"distribute jo over {over(target)}", "vectorize ji"),
    )
    kernel = compiled(CHAIN, target, *asked, **sizes)
    assert agrees(kernel, CHAIN, **sizes)
    if target in CPU:
        text = kernel.asm["c"]
        places = [text.index(f"for (ptrdiff_t {name} = 0") for name in ("jo", "io", "ii")]
        assert places == sorted(places)


@pytest.mark.parametrize("target", ALL)
@pytest.mark.parametrize(
    "asked",
    [
        ("fuse b, y",),
        ("fuse a, b",),
        ("layout b as split",),
        ("layout b as interleaved",),
        ("layout a, b as split",),
        ("vectorize z.axis0",),
        ("vectorize y.axis1",),
        ("tile y.axis1 by 12 -> o, i", "tile i by 4 -> p, q"),
        ("tile a.axis1 by 4 -> o, i", "layout a as split"),
    ],
)
def test_results_stay(target: str, asked: tuple[str, ...]) -> None:
    sizes = {"n": 24, "m": 48}
    assert agrees(compiled(CHAIN, target, *asked, **sizes), CHAIN, **sizes)


ACTING = [
    (FOUR_STEP, ALL, "tile a.axis1 by 4 -> o, i"),
    (FOUR_STEP, CPU, "distribute a.axis1 over {over}"),
    (FOUR_STEP, ("sw26010",), "fold transpose into dma"),
    (FOUR_STEP, ALL, "fuse a, b"),
    (CHAIN, ALL, "tile y.axis0 by 8 -> o, i"),
    (CHAIN, CPU, "distribute z.axis0 over {over}"),
    (CHAIN, CPU, "distribute y.axis0 over {over}"),
    (CHAIN, CPU, "vectorize y.axis0"),
    (CHAIN, ALL, "fuse b, y"),
    (CHAIN, ALL, "fuse b, z"),
    (CHAIN, ALL, "layout b as split"),
]


@pytest.mark.parametrize(
    ("source", "target", "directive"),
    [(source, target, one) for source, targets, one in ACTING for target in targets],
)
def test_what_is_accepted_changes_the_kernel(source: str, target: str, directive: str) -> None:
    sizes = {"R": 64, "C": 24} if source == FOUR_STEP else {"n": 24, "m": 48}
    asked = directive.format(over=over(target))
    plain, kernel = (compiled(source, target, *d, **sizes) for d in ((), (asked,)))
    assert code(plain) != code(kernel)
    assert agrees(kernel, source, **sizes)


def code(kernel: Any) -> list[str]:
    """The C but for comments, which tell of the schedule."""
    texts = [text for name, text in kernel.asm.items() if name.startswith(("c", "slave"))]
    return [
        line for text in texts for line in text.splitlines() if not line.startswith((" *", "/*"))
    ]


def test_layouts_are_those_of_memory() -> None:
    """Split: a row of real parts, then one of imaginary parts, so that nothing is shuffled."""
    sizes = {"n": 24, "m": 64}
    plain, split = (
        compiled(CHAIN, "portable", *asked, **sizes).ir["after:lower-to-loops"]
        for asked in ((), ("layout b as split",))
    )
    assert "memref<24x2x64xf64>" in split
    assert "memref<24x2x64xf64>" not in plain


def test_what_is_fused_has_no_array() -> None:
    sizes = {"n": 24, "m": 48}
    apart = compiled(CHAIN, "portable", **sizes)
    fused = compiled(CHAIN, "portable", "fuse b, y", **sizes)
    assert fused.report["operations"]["mul"] > apart.report["operations"]["mul"]


def test_of_three_each_is_computed_where_the_next_one_reads_it() -> None:
    source = (
        "kernel k[n: size](x: f64[n, n]) -> (y: f64[n, n]):\n"
        "    a = x * 2\n    b = sum(a, axis=0)\n    c[i, j] = exp(a[i, j] + b[j])\n"
        "    y = c @ c\n"
    )
    together = compiled(source, "portable", "fuse a, b, c", n=16)
    one_by_one = compiled(source, "portable", "fuse a, b", "fuse b, c", n=16)
    assert agrees(together, source, n=16)
    assert together.report["operations"] == one_by_one.report["operations"]
    with pytest.raises(RunError, match="'b' does not read 'c'"):
        compiled(source, "portable", "fuse a, c, b", n=16)


@pytest.mark.parametrize(
    ("directive", "target", "told"),
    [
        ("fuse y", "portable", "fuse a, b, or fuse a, b, d\n   found: 1 operand\n   help: it says"),
        (
            "split",
            "sw26010",
            "split 4\n   found: no operands\n   help: it says: a line that is too",
        ),
        ("split 100", "sw26010", "found: 100\n   help: 'split 4' says: a line that is too long"),
        ("split y", "sw26010", "'y' is a value, and no number"),
        ("split 4", "portable", "found: it acts on sw26010"),
        ("split 4", "sw26010", "expected: no 'split' here\n   found: no line is longer than"),
        ("exchange 3", "sw26010", "expected: 1 here, or none\n   found: no transform goes along"),
    ],
)
def test_words_of_what_is_wrong(directive: str, target: str, told: str) -> None:
    source = "kernel k(x: c128[64]) -> (y: c128[64]):\n    y = dft(x)\n"
    with pytest.raises(WeftError) as caught:
        compiled(source, target, directive)
    assert told in str(caught.value)


@pytest.mark.parametrize("asked", ["fold transpose into dma", "fold y into dma"])
def test_transposes_are_folded_into_transfers(asked: str) -> None:
    source = (
        "kernel k(x: c128[8, 32, 256]) -> (y: c128[256, 32, 8]):\n"
        "    y = transpose(dft(x, axis=2), [2, 1, 0])\n"
    )
    kernel = compiled(source, "sw26010", asked, "place x, y in ldm")
    plain = compiled(source, "sw26010")
    assert agrees(kernel, source)
    assert agrees(plain, source)
    assert kernel.report["run"]["cycles"] < plain.report["run"]["cycles"]


def test_what_cores_fetch_comes_in_parts() -> None:
    sizes = {"n": 64, "m": 1024}
    kernel = compiled(ROWS, "sw26010", "place x in ldm double_buffered", **sizes)
    assert agrees(kernel, ROWS, **sizes)
    assert "in_parts" in kernel.ir["after:insert-transfers"]
    assert "in_parts" not in compiled(ROWS, "sw26010", **sizes).ir["after:insert-transfers"]


def test_values_pass_through_a_cache_slice_by_slice() -> None:
    source = (
        "kernel k[n: size, m: size](x: f64[n, m]) -> (y: f64[n, m]):\n"
        "    a = x * x + 1\n"
        "    y[i in 0:n, j in 0:m] = a[i, j] * a[i, m-1-j] + a[i, (3*j) % m]\n"
    )
    sizes = {"n": 64, "m": 64}
    kernel = compiled(source, "portable", "place a in cache", **sizes)
    assert agrees(kernel, source, **sizes)
    assert "weft.slice" in kernel.ir["after:keep-slices"]
    assert "weft.slice" not in compiled(source, "portable", **sizes).ir["after:keep-slices"]


SPECTRA = """
kernel k[n: size, m: size](x: f64[n, m]) -> (y: c128[n, m//2+1]):
    y = rfft(x, axis=1)
"""
REFUSED = [
    (SPECTRA, "tile y.axis0 by 4 -> o, i", "sw26010", "go in blocks of the compiler's own"),
    (FOUR_STEP, "tile a.axis0 by 8 -> o, i", "avx512", "axis0 is what the transform goes along"),
    (FOUR_STEP, "tile a.axis1 by 65 -> o, i", "avx512", "there are 64 lines along it"),
    (FOUR_STEP, "tile a.axis1 by 48 -> o, i", "sw26010", "48 lines of 'a' take .* bytes, .* more"),
    (FOUR_STEP, "tile b.axis1 by 8 -> o, i", "avx512", "'b' has no loops of its own"),
    (CHAIN, "tile y.axis1 by 7 -> o, i", "avx512", "48 is no multiple of 7"),
    (CHAIN, "distribute y.axis0 over ranks", "avx512", "a parameter of the kind `groups`"),
    (CHAIN, "distribute y.axis0 over cpes", "avx512", "threads do the iterations here"),
    (CHAIN, "distribute y.axis0 over threads", "sw26010", "cores of a core group do"),
    (CHAIN, "vectorize z.axis0 by 3", "avx512", "vectors have 8 numbers of f64 here"),
    (CHAIN, "fuse x, a", "avx512", "'x' is an input, which nothing computes"),
    (CHAIN, "fuse y, a", "avx512", "'a' does not read 'y'"),
    (CHAIN, "fuse a, y", "avx512", "'y' does not read 'a'"),
    (CHAIN, "fuse y, x", "avx512", "'x' is an input, which nothing computes"),
    (CHAIN, "layout z as split", "avx512", "'z': the caller's array holds it"),
    (CHAIN, "layout x as split", "avx512", "'x': it has no memory of its own"),
    (CHAIN, "place y in cache", "avx512", "'y' is the caller's array"),
    (CHAIN, "vectorize a.axis0", "avx512", "axis0 is what the transform goes along"),
    (CHAIN, "distribute y.axis1 over threads", "avx512", "it is the innermost loop"),
    (FEW, "vectorize y.axis0", "avx512", "3 lines side by side do not fill 8 lanes"),
    (FEW, "place x in ldm", "sw26010", "no loop of the kernel does enough"),
    (CALLS, "tile b.axis0 by 8 -> o, i", "avx512", "or by a kernel that is called"),
    (CHAIN, "place a in ldm", "avx512", "a CPU has caches"),
    (CHAIN, "place a in cache double_buffered", "avx512", "caches fetch what follows"),
    (CHAIN, "place a in cache", "sw26010", "cores of a core group have memory of their own"),
    (CHAIN, "overlap", "sw26010", "no loop over time has an alltoall in it"),
    (CHAIN, "fold transpose into dma", "sw26010", "there is none in the kernel"),
    (FOUR_STEP, "fold a into dma", "sw26010", "'a' is neither a transpose nor a reshape"),
]


@pytest.mark.parametrize(("source", "directive", "target", "why"), REFUSED)
def test_refused_with_a_reason_and_what_could_be_said(
    source: str, directive: str, target: str, why: str
) -> None:
    wide = {"n": 256, "m": 256}
    sizes = {FOUR_STEP: {"R": 64, "C": 64}, CHAIN: {"n": 64, "m": 48}, SPECTRA: wide}.get(
        source, {}
    )
    with pytest.raises(RunError, match=why) as caught:
        compiled(source, target, directive, **sizes)
    message = str(caught.value)
    assert f"the schedule's '{directive}' cannot be kept" in message
    assert "expected: " in message


def test_where_nothing_is_transposed_beside_work_a_fold_is_refused() -> None:
    source = "kernel k(x: c128[32, 16]) -> (y: c128[16, 32]):\n    y = transpose(x)\n"
    with pytest.raises(RunError, match="'y' is copied from 'x'"):
        compiled(source, "sw26010", "fold transpose into dma")


def test_values_of_called_kernels_do_not_answer_to_names_of_the_caller() -> None:
    ir = compiled(CALLS, "portable", "tile a.axis0 by 8 -> o, i").ir["after:tile-for-ldm"]
    assert ir.count("to [8, 24, 8]") == 1
    assert agrees(compiled(CALLS, "portable", "tile a.axis0 by 8 -> o, i"), CALLS)


def test_vectors_of_as_many_lanes_as_there_are() -> None:
    lanes = machine.load("avx512").values["vector_bytes"] // 8
    sizes = {"n": 24, "m": 48}
    kernel = compiled(CHAIN, "avx512", f"vectorize y.axis1 by {lanes}", **sizes)
    assert agrees(kernel, CHAIN, **sizes)


@st.composite
def requests(draw: st.DrawFn) -> tuple[str, dict[str, int], list[str]]:
    """A target, sizes, and directives of which each may be refused."""
    target = draw(st.sampled_from(("portable", "sw26010")))
    sizes = {"n": draw(st.sampled_from((8, 12, 15))), "m": draw(st.sampled_from((8, 24, 40)))}
    value = draw(st.sampled_from(("a", "b", "y", "z")))
    axis = draw(st.integers(0, 0 if value == "z" else 1))
    times = draw(st.sampled_from((2, 3, 4, 5, 8)))
    asked = draw(
        st.lists(
            st.sampled_from(
                (
                    f"tile {value}.axis{axis} by {times} -> o, i",
                    f"vectorize {value}.axis{axis}",
                    f"distribute {value}.axis{axis} over {over(target)}",
                    f"layout {value} as split",
                    "fuse a, b",
                    "fuse b, y",
                    "fuse b, z",
                    *(("place a, b in ldm",) if target == "sw26010" else ("place b in cache",)),
                )
            ),
            min_size=1,
            max_size=3,
            unique_by=lambda one: one.split()[0],
        )
    )
    tiled = any(one.startswith("tile") for one in asked)
    place = f"{value}.axis{axis}"
    names = {"vectorize": "i", "distribute": "o"}
    asked.sort(key=lambda one: not one.startswith("tile"))
    return (
        target,
        sizes,
        [
            one.replace(place, names[one.split()[0]]) if tiled and one.split()[0] in names else one
            for one in asked
        ],
    )


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(requests())
def test_whatever_is_asked_results_stay_or_it_is_refused(
    asked: tuple[str, dict[str, int], list[str]],
) -> None:
    target, sizes, directives = asked
    try:
        kernel = compiled(CHAIN, target, *directives, **sizes)
    except RunError as error:
        refused = str(error)
    else:
        assert agrees(kernel, CHAIN, **sizes)
        return
    assert "cannot be kept" in refused


TRANSPOSED = [
    ("x: c128[24, 20]", "y: c128[20, 24]", "transpose(dft(x, axis=1))"),
    ("x: c64[24, 20]", "y: c64[20, 24]", "transpose(dft(x, axis=0))"),
    ("x: c128[13, 7]", "y: c128[7, 13]", "transpose(dft(x, axis=1))"),
    ("x: c128[9, 40]", "y: c128[40, 9]", "transpose(dft(x, axis=0))"),
    ("x: c128[512, 12]", "y: c128[12, 512]", "transpose(dft(x, axis=1))"),
    ("x: c128[12, 512]", "y: c128[512, 12]", "transpose(dft(x, axis=0))"),
    *(
        ("x: c128[5, 12, 16]", f"y: c128[{shape}]", f"transpose(dft(x, axis={axis}), {order})")
        for axis in (0, 1, 2)
        for order, shape in (
            ("[0, 2, 1]", "5, 16, 12"),
            ("[1, 0, 2]", "12, 5, 16"),
            ("[1, 2, 0]", "12, 16, 5"),
            ("[2, 0, 1]", "16, 5, 12"),
            ("[2, 1, 0]", "16, 12, 5"),
        )
    ),
]


@pytest.mark.parametrize("target", ALL)
@pytest.mark.parametrize(("x", "y", "value"), TRANSPOSED)
def test_transposed_results_are_stored_where_they_lie(
    target: str, x: str, y: str, value: str
) -> None:
    source = f"kernel k({x}) -> ({y}):\n    y = {value}\n"
    kernel = compiled(source, target)
    inputs = random_inputs(kernel.inputs, 3).values()
    wanted = weft.compile(source, "k", mode="interpret")(*inputs)
    assert np.allclose(kernel(*inputs), wanted, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("target", CPU)
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("work", ["", " * 2", " * w"])
def test_a_transposed_result_takes_no_pass_of_its_own(target: str, axis: int, work: str) -> None:
    source = (
        "kernel k(x: c128[64, 48], w: c128[64]) -> (y: c128[48, 64], z: c128[64]):\n"
        f"    y = transpose(dft(x, axis={axis})){work}\n    z = w\n"
    )
    kernel = compiled(source, target)
    assert kernel.report["scratch_bytes"] == 0
    assert agrees(kernel, source)
