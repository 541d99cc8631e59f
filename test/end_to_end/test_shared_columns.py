# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Columns longer than a core's memory: each by the cores of a column of the mesh, which exchange
its points, while the cores of a row move neighbouring columns together."""

from __future__ import annotations

import numpy as np
import pytest

import weft

TARGET = "sw26010"
COLUMNS = """\
kernel columns[n: size, m: size](x: {type}[n, m]) -> (y: {type}[n, m]):
    y = dft(x, axis=0, sign={sign})

kernel of_planes[a: size, n: size, m: size](
    x: c128[a, n, m], f: c128[n, m], w: c128[m]
) -> (y: c128[a, n, m]):
    y = conj(dft(x * f * w, axis=1))

kernel damped[a: size, n: size, b: size, m: size](
    x: c128[n, a, b, m], d: f64[n]
) -> (y: c128[n, a, b, m]):
    z[k, i, j, l] = x[k, i, j, l] * d[k]
    y = dft(z, axis=0)

kernel kept[n: size, m: size](
    v: c128[n, m], e: f64[n], f: f64[m]
) -> (w: c128[n, m], z: c128[n, m]):
    w[k, j] = v[k, j] * (e[k] * f[j])
    z = dft(w, axis=0)

kernel kept_by_table[n: size, m: size](
    v: c128[n, m], f: f64[m]
) -> (w: c128[n, m], z: c128[n, m]):
    const e[i in 0:n] = exp(-1e-3*i)
    w[k, j] = v[k, j] * (e[k] * f[j])
    z = dft(w, axis=0)

kernel damp[n: size, m: size](v: c128[n, m], e: f64[n], f: f64[m]) -> (w: c128[n, m]):
    w[k, j] = v[k, j] * (e[k] * f[j])

program turns[n: size, m: size, t: size](v: c128[n, m], e: f64[n], f: f64[m]) -> (s: c128[t]):
    carry u = v
    for i in 0:t:
        carry u = damp(u, e, f)
        z = dft(u, axis=0)
        s[i] = z[5, 7]
"""


def field(*shape: int) -> np.ndarray:
    random = np.random.default_rng(5)
    return random.standard_normal(shape) + 1j * random.standard_normal(shape)


def compiled(
    points: int, columns: int, type_: str = "c128", sign: int = -1
) -> weft.driver.Compiled:
    source = COLUMNS.format(type=type_, sign=f"{sign:+d}")
    return weft.compile(source, "columns", target=TARGET, n=points, m=columns)


def check(found: np.ndarray, expected: np.ndarray, kernel: weft.driver.Compiled) -> None:
    bound = 1e-6 if found.dtype == np.complex64 else 1e-14
    np.testing.assert_allclose(found, expected, atol=bound * np.abs(expected).max())
    assert kernel.report["run"]["hazards"] == []


def counters_of(kernel: weft.driver.Compiled) -> dict[str, int]:
    (phase,) = kernel.report["run"]["phases_by_function"]
    return phase["counters"]


@pytest.mark.parametrize(("points", "each"), [(1536, 4), (2048, 4), (3584, 2), (4096, 2)])
def test_columns_pass_over_memory_once_in_runs_of_a_row_of_cores(points: int, each: int) -> None:
    columns = 64
    kernel, x = compiled(points, columns), field(points, columns)
    check(kernel(x), np.fft.fft(x, axis=0), kernel)
    counters, data = counters_of(kernel), 16 * points * columns
    # Twiddles come once, whatever the number of columns; nothing but the columns goes back.
    assert counters["dma_get_bytes"] < 1.25 * data
    assert counters["dma_put_bytes"] == data
    # A core has one request a round, for its share of the rows of 8 * each columns.
    rounds = columns // (8 * each)
    assert counters["dma_puts"] == 64 * rounds
    assert counters["dma_put_lines"] == data / 128
    # Seven eighths of the points in each exchange, of 32 bytes a message: along columns of the mesh
    # between the stages, along rows on the way in and out.
    assert counters["column_sent"] == 7 / 8 * data / 32
    assert counters["row_sent"] == 2 * 7 / 8 * data / 32


@pytest.mark.parametrize(
    ("type_", "points", "columns"),
    [("c128", 64, 512), ("c128", 128, 200), ("c128", 512, 136), ("c64", 512, 256)],
)
def test_columns_that_a_core_has_room_for_are_shared_for_long_runs(
    type_: str, points: int, columns: int
) -> None:
    kernel = compiled(points, columns, type_)
    x = field(points, columns).astype({"c64": np.complex64, "c128": np.complex128}[type_])
    check(kernel(x), np.fft.fft(x, axis=0), kernel)
    counters = counters_of(kernel)
    assert counters["column_sent"] > 0
    # Each line of memory that is written is written whole.
    assert counters["dma_put_lines"] == counters["dma_put_bytes"] / 128


def test_planes_of_columns_that_groups_have_sent_come_in_long_runs() -> None:
    # Points of a column lie in planes of eight, each from another group.
    source = """\
kernel sent[g: size, p: size, m: size](x: c128[g, p, 8, m]) -> (y: c128[p, 8*g, m]):
    y = dft(reshape(transpose(x, [1, 0, 2, 3]), [p, 8*g, m]), axis=1)
"""
    kernel = weft.compile(source, "sent", target=TARGET, g=64, p=2, m=256)
    x = field(64, 2, 8, 256)
    check(kernel(x), np.fft.fft(x.transpose(1, 0, 2, 3).reshape(2, 512, 256), axis=1), kernel)
    counters = counters_of(kernel)
    assert counters["row_sent"] == 2 * counters["column_sent"]  # for gets, and for puts


@pytest.mark.parametrize(
    ("shape", "axis", "rounds"),
    [((64, 64, 64), 0, 4), ((64, 64, 64), 1, 4), ((32, 128, 128), 0, 8), ((2, 64, 64, 64), 1, 8)],
)
def test_rows_of_cores_have_whole_columns_of_planes(
    shape: tuple[int, ...], axis: int, rounds: int
) -> None:
    sizes = ", ".join(f"n{n}: size" for n in range(len(shape)))
    type_ = f"c128[{', '.join(f'n{n}' for n in range(len(shape)))}]"
    source = f"kernel f[{sizes}](x: {type_}) -> (y: {type_}):\n    y = dft(x, axis={axis})\n"
    kernel = weft.compile(source, "f", target=TARGET, **{f"n{n}": m for n, m in enumerate(shape)})
    x = field(*shape)
    check(kernel(x), np.fft.fft(x, axis=axis), kernel)
    counters = counters_of(kernel)
    assert counters.get("column_sent", 0) == 0
    assert counters["row_sent"] == 2 * 7 / 8 * x.nbytes / 32
    assert counters["dma_puts"] == 64 * rounds
    assert counters["dma_put_bytes"] == x.nbytes


@pytest.mark.parametrize(
    ("shape", "axis"),
    [((64, 64, 64), 1), ((64, 64, 64), 0), ((2, 64, 64, 64), 2), ((48, 32, 128), 1)],
)
@pytest.mark.parametrize("type_", ["c128", "c64"])
@pytest.mark.parametrize("first", ["columns", "lines"])
def test_lines_of_planes_are_transformed_in_the_rounds_of_their_columns(
    shape: tuple[int, ...], axis: int, type_: str, first: str
) -> None:
    sizes = ", ".join(f"n{n}: size" for n in range(len(shape)))
    array = f"{type_}[{', '.join(f'n{n}' for n in range(len(shape)))}]"
    axes = (axis, len(shape) - 1) if first == "columns" else (len(shape) - 1, axis)
    transforms = f"dft(dft(x, axis={axes[0]}), axis={axes[1]})"
    source = f"kernel f[{sizes}](x: {array}) -> (y: {array}):\n    y = 2 * {transforms}\n"
    kernel = weft.compile(source, "f", target=TARGET, **{f"n{n}": m for n, m in enumerate(shape)})
    x = field(*shape).astype({"c64": np.complex64, "c128": np.complex128}[type_])
    check(kernel(x), 2 * np.fft.fftn(x, axes=axes), kernel)
    counters = counters_of(kernel)
    assert counters["dma_put_bytes"] == x.nbytes
    assert counters["dma_get_bytes"] < 1.1 * x.nbytes  # with tables
    assert counters.get("column_sent", 0) == 0


@pytest.mark.parametrize("between", ["roll(u, 1, axis=0)", "transpose(u, [2, 1, 0])", "u + 1"])
@pytest.mark.parametrize("axes", [(1, 2), (2, 1)])
def test_lines_of_other_planes_than_their_columns(between: str, axes: tuple[int, int]) -> None:
    n = 64
    source = f"""\
kernel f[n: size](x: c128[n, n, n]) -> (y: c128[n, n, n]):
    u = dft(x, axis={axes[0]})
    y = dft({between}, axis={axes[1]})
"""
    kernel, x = weft.compile(source, "f", target=TARGET, n=n), field(n, n, n)
    u = np.fft.fft(x, axis=axes[0])
    between_of = {"r": np.roll(u, 1, axis=0), "t": u.transpose(2, 1, 0), "u": u + 1}[between[0]]
    check(kernel(x), np.fft.fft(between_of, axis=axes[1]), kernel)


@pytest.mark.parametrize(("columns", "computed"), [(16, 16), (24, 32), (77, 96), (100, 128)])
def test_what_is_left_of_rounds_is_computed_with_columns_before_it(
    columns: int, computed: int
) -> None:
    kernel, x = compiled(2048, columns), field(2048, columns)
    check(kernel(x), np.fft.fft(x, axis=0), kernel)
    assert counters_of(kernel)["dma_put_bytes"] == 16 * 2048 * computed


@pytest.mark.parametrize(("type_", "sign"), [("c64", -1), ("c64", 1), ("c128", 1)])
def test_other_precisions_and_signs(type_: str, sign: int) -> None:
    kernel = compiled(4096, 32, type_, sign)
    x = field(4096, 32).astype({"c64": np.complex64, "c128": np.complex128}[type_])
    expected = np.fft.fft(x, axis=0) if sign < 0 else np.fft.ifft(x, axis=0) * 4096
    check(kernel(x), expected, kernel)
    assert counters_of(kernel)["column_sent"] > 0


def test_columns_of_planes_with_what_stands_before_and_behind() -> None:
    kernel = weft.compile(
        COLUMNS.format(type="c128", sign="-1"), "of_planes", target=TARGET, a=3, n=1536, m=48
    )
    x, f, w = field(3, 1536, 48), field(1536, 48), field(48)
    check(kernel(x, f, w), np.conj(np.fft.fft(x * f * w, axis=1)), kernel)
    counters = counters_of(kernel)
    assert counters["column_sent"] > 0
    assert counters["dma_put_bytes"] == 16 * x.size


def test_columns_of_which_few_lie_side_by_side_beside_others() -> None:
    kernel = weft.compile(
        COLUMNS.format(type="c128", sign="-1"), "damped", target=TARGET, a=2, n=2048, b=2, m=16
    )
    x, d = field(2048, 2, 2, 16), np.linspace(1, 2, 2048)
    check(kernel(x, d), np.fft.fft(x * d[:, None, None, None], axis=0), kernel)
    assert counters_of(kernel)["column_sent"] > 0


@pytest.mark.parametrize(("points", "columns"), [(2048, 12), (1600, 32), (8192, 16)])
def test_columns_that_cores_cannot_share_pass_over_memory_stage_by_stage(
    points: int, columns: int
) -> None:
    kernel, x = compiled(points, columns), field(points, columns)
    check(kernel(x), np.fft.fft(x, axis=0), kernel)
    assert counters_of(kernel)["dma_put_bytes"] >= 2 * 16 * x.size


def test_a_result_in_the_memory_of_what_is_transformed() -> None:
    kernel, x = compiled(2048, 40), field(2048, 40)
    expected, given = np.fft.fft(x, axis=0), x.copy()
    check(kernel(given, out=given), expected, kernel)


def test_no_core_waits_for_ever_where_buffers_hold_one_message(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for side in ("SEND", "RECEIVE"):
        monkeypatch.setenv(f"WEFT_EMU_MESH_{side}_DEPTH", "1")
    kernel, x = compiled(2048, 32), field(2048, 32)
    check(kernel(x), np.fft.fft(x, axis=0), kernel)
    assert counters_of(kernel)["put_full"] > 0


@pytest.mark.parametrize("given", [False, True])
def test_the_first_stage_makes_columns_that_are_a_result_as_well(given: bool) -> None:
    kernel = weft.compile(
        COLUMNS.format(type="c128", sign="-1"),
        "kept" if given else "kept_by_table",
        target=TARGET,
        n=2048,
        m=64,
    )
    v, e, f = field(2048, 64), np.exp(-1e-3 * np.arange(2048)), np.linspace(1, 2, 64)
    w, z = kernel(v, e, f) if given else kernel(v, f)
    expected = v * (e[:, None] * f)
    np.testing.assert_allclose(w, expected, rtol=1e-14)
    check(z, np.fft.fft(expected, axis=0), kernel)
    # In once, both out once: no pass of its own.
    counters = counters_of(kernel)
    assert counters["dma_get_bytes"] < 1.5 * 16 * v.size  # with tables
    assert counters["dma_put_bytes"] == 2 * 16 * v.size


def test_columns_that_a_loop_carries_are_made_once_in_each_turn() -> None:
    kernel = weft.compile(
        COLUMNS.format(type="c128", sign="-1"), "turns", target=TARGET, n=2048, m=64, t=3
    )
    v, e, f = field(2048, 64), np.exp(-1e-3 * np.arange(2048)), np.linspace(1, 2, 64)
    found, expected, u = kernel(v, e, f), [], v
    for _ in range(3):
        u = u * (e[:, None] * f)
        expected.append(np.fft.fft(u, axis=0)[5, 7])
    np.testing.assert_allclose(found, expected, rtol=1e-11)
    assert kernel.report["run"]["hazards"] == []
    # Both results in each turn, one of them where the columns were; and what is carried at first.
    assert counters_of(kernel)["dma_put_bytes"] <= (2 * 3 + 1) * 16 * v.size
