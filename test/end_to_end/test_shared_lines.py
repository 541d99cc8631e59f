# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lines longer than a core's memory: each by the cores of a row, which exchange its points."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from weft.diagnostics import RunError

TARGET = "sw26010"
LINES = """\
kernel lines[b: size, n: size](x: {type}[b, n]) -> (y: {type}[b, n]):
    y = dft(x, axis=1, sign={sign})

kernel both_ways[a: size, b: size, n: size](x: c128[a, b, n], w: c128[n]) -> (y: c128[a, b, n]):
    y = conj(idft(dft(x, axis=2) * w, axis=2))

kernel twice[b: size, n: size](x: c128[b, n]) -> (y: c128[b, n]):
    a = dft(x, axis=1)
    y = dft(conj(a), axis=1)
"""


def field(*shape: int) -> np.ndarray:
    random = np.random.default_rng(5)
    return random.standard_normal(shape) + 1j * random.standard_normal(shape)


def compiled(
    lines: int, points: int, type_: str = "c128", sign: int = -1, split: int | None = None
) -> weft.driver.Compiled:
    source = LINES.format(type=type_, sign=f"{sign:+d}")
    if split is not None:
        source += f"\nschedule lines on {TARGET}:\n    split {split}\n"
    return weft.compile(source, "lines", target=TARGET, b=lines, n=points)


def check(kernel: weft.driver.Compiled, x: np.ndarray, sign: int = -1) -> None:
    expected = np.fft.fft(x) if sign < 0 else np.fft.ifft(x) * x.shape[-1]
    bound = 1e-6 if x.dtype == np.complex64 else 1e-14
    np.testing.assert_allclose(kernel(x), expected, atol=bound * np.abs(expected).max())
    assert kernel.report["run"]["hazards"] == []


def counters_of(kernel: weft.driver.Compiled) -> dict[str, int]:
    (phase,) = kernel.report["run"]["phases_by_function"]
    return phase["counters"]


@pytest.mark.parametrize("points", [1792, 2048, 4096, 8192])
def test_lines_pass_over_memory_once(points: int) -> None:
    kernel = compiled(64, points)
    check(kernel, field(64, points))
    counters, data = counters_of(kernel), 16 * 64 * points
    # Twiddles come once, whatever the number of lines; nothing but the lines goes back.
    assert counters["dma_get_bytes"] < 1.25 * data
    assert counters["dma_put_bytes"] == data
    # Seven eighths of the points in each exchange, of 32 bytes a message: between the stages, on
    # the way out, and on the way in where runs of memory would be short.
    exchanges = counters["row_sent"] / (7 / 8 * data / 32)
    assert exchanges == (2 if points == 8192 else 3)
    assert counters.get("column_sent", 0) == 0


@pytest.mark.parametrize(("points", "each"), [(1792, 4), (2048, 4), (4096, 2), (8192, 1)])
def test_rows_take_as_many_lines_at_a_time_as_they_have_room_for(points: int, each: int) -> None:
    kernel = compiled(256, points)
    check(kernel, field(256, points))
    # Lines that lie side by side are one run of memory for each core of a row.
    assert counters_of(kernel)["dma_puts"] == 8 * 256 / each
    assert counters_of(kernel)["dma_put_bytes"] == 16 * 256 * points


@pytest.mark.parametrize(
    ("points", "lines", "computed"), [(2048, 77, 80), (2048, 300, 304), (8192, 13, 16)]
)
def test_what_is_left_of_rounds_stays_with_the_cores(
    points: int, lines: int, computed: int
) -> None:
    kernel = compiled(lines, points)
    check(kernel, field(lines, points))
    assert counters_of(kernel)["dma_put_bytes"] == 16 * computed * points


@pytest.mark.parametrize("sign", [-1, 1])
@pytest.mark.parametrize("lines", [1, 5, 8, 19])
def test_any_number_of_lines(lines: int, sign: int) -> None:
    check(compiled(lines, 2048, sign=sign), field(lines, 2048), sign)


@pytest.mark.parametrize(("points", "sign"), [(4096, -1), (8192, 1)])
def test_single_precision(points: int, sign: int) -> None:
    kernel = compiled(16, points, "c64", sign)
    check(kernel, field(16, points).astype(np.complex64), sign)
    assert counters_of(kernel)["row_sent"] > 0


@pytest.mark.parametrize("points", [2187, 3000, 5000, 6000])
def test_lines_that_are_filled_up_pass_over_memory_once(points: int) -> None:
    kernel = compiled(64, points)
    check(kernel, field(64, points))
    counters, data = counters_of(kernel), 16 * 64 * points
    # Twiddles come once, a few of them for places that are filled up.
    assert counters["dma_get_bytes"] < 1.35 * data
    assert counters["dma_put_bytes"] == data
    assert counters["row_sent"] > 0
    # No core waits for those of other rows.
    assert counters["syncs"] == counters["row_syncs"]


@pytest.mark.parametrize(
    ("lines", "points", "type_", "sign"),
    [
        (8, 3000, "c128", 1),
        (20, 10000, "c64", -1),  # two rounds, and a last one
        (43, 2187, "c128", -1),
        (13, 7000, "c128", 1),
        (16, 6561, "c128", -1),  # arrays and parts of tables do not fit together
        (19, 5000, "c64", -1),
        (600, 3000, "c128", -1),  # rows take two lines at a time, and a last one
    ],
)
def test_any_number_of_lines_that_are_filled_up(
    lines: int, points: int, type_: str, sign: int
) -> None:
    kernel = compiled(lines, points, type_, sign)
    x = field(lines, points)
    check(kernel, x.astype(np.complex64) if type_ == "c64" else x, sign)
    assert counters_of(kernel)["row_sent"] > 0


@pytest.mark.parametrize(
    ("lines", "points", "type_", "split"),
    [
        (64, 2048, "c128", 2),
        (37, 2048, "c128", 4),  # three rounds, the last of lines that are there already
        (64, 2048, "c128", 8),
        (32, 4096, "c64", 2),  # a single round
        (45, 3000, "c64", 2),
        (19, 3000, "c128", 4),  # filled up
        (16, 6000, "c64", 4),
    ],
)
def test_a_line_by_some_cores_of_a_row(lines: int, points: int, type_: str, split: int) -> None:
    kernel = compiled(lines, points, type_, split=split)
    x = field(lines, points)
    check(kernel, x.astype(np.complex64) if type_ == "c64" else x)
    counters = counters_of(kernel)
    assert counters["row_sent"] > 0
    assert counters.get("column_sent", 0) == 0
    assert f"weft_sync_part({(1 << split) - 1}" in kernel.asm["slave.c"] or split == 8


@pytest.mark.parametrize("seed", range(3))
def test_the_same_lines_by_any_number_of_cores(seed: int) -> None:
    random = np.random.default_rng(seed)
    points = int(random.choice([2, 4, 6])) * int(random.choice([3, 5, 7, 9, 15])) * 63
    points = max(points, 1890)
    lines = int(random.integers(32, 70))
    x = field(lines, points)
    expected = np.fft.fft(x)
    for split in (2, 4, 8):
        try:
            kernel = compiled(lines, points, split=split)
        except RunError as error:
            if f"the schedule's 'split {split}' cannot be kept" not in str(error):
                raise
            continue
        np.testing.assert_allclose(kernel(x), expected, atol=1e-14 * np.abs(expected).max())
        assert kernel.report["run"]["hazards"] == []


def test_transforms_of_filled_lines_one_after_the_other() -> None:
    """What the one leaves in memory the other one reads there: nothing but lines."""
    source = LINES.format(type="c128", sign="-1")
    kernel = weft.compile(source, "twice", target=TARGET, b=11, n=3000)
    x = field(11, 3000)
    expected = np.fft.fft(np.fft.fft(x).conj())
    np.testing.assert_allclose(kernel(x), expected, atol=1e-13 * np.abs(expected).max())
    assert kernel.report["run"]["hazards"] == []


def test_lines_that_no_row_can_share() -> None:
    kernel = compiled(9, 16384)
    check(kernel, field(9, 16384))
    assert counters_of(kernel).get("row_sent", 0) == 0


@pytest.mark.parametrize(("depth", "split"), [(1, None), (1, 2), (1, 4), (2, None), (8, None)])
def test_any_depth_of_the_buffers(
    depth: int, split: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WEFT_EMU_MESH_SEND_DEPTH", str(depth))
    monkeypatch.setenv("WEFT_EMU_MESH_RECEIVE_DEPTH", str(depth))
    kernel = compiled(32, 2048, split=split)
    check(kernel, field(32, 2048))
    assert counters_of(kernel)["row_sent"] > 0


def test_stages_with_what_is_fused_to_them() -> None:
    source = LINES.format(type="c128", sign="-1")
    kernel = weft.compile(source, "both_ways", target=TARGET, a=3, b=8, n=2048)
    x, w = field(3, 8, 2048), field(2048)
    expected = np.fft.ifft(np.fft.fft(x) * w).conj()
    np.testing.assert_allclose(kernel(x, w), expected, atol=1e-13 * np.abs(expected).max())
    assert kernel.report["run"]["hazards"] == []


def test_every_pass_keeps_the_result() -> None:
    source = LINES.format(type="c128", sign="-1")
    kernel = weft.compile(source, "lines", target=TARGET, verify_each=True, b=21, n=1792)
    check(kernel, field(21, 1792))


def test_every_pass_keeps_the_result_of_filled_lines() -> None:
    source = LINES.format(type="c128", sign="-1")
    kernel = weft.compile(source, "lines", target=TARGET, verify_each=True, b=11, n=3000)
    check(kernel, field(11, 3000))
