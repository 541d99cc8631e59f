# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels on the SW26010's core group, emulated: against NumPy, and who does what where."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import weft
from weft.diagnostics import CompilerBug, RunError

TARGET = "sw26010"
CORES = 64
EXAMPLES = Path(__file__).parent.parent.parent / "examples"
LINES = """\
kernel lines[b: size, n: size](x: c128[b, n]) -> (y: c128[b, n]):
    y = dft(x, axis=1)
"""
# Codelets, mixed radices, primes by convolutions, lines that do not fit a core (911: not with
# the product that a later stage reads again).
DAILY = [2, 3, 4, 8, 13, 16, 30, 31, 37, 64, 97, 100, 128, 131, 243, 251, 256, 911, 1000, 2048]


def noise(*shape: int, seed: int = 0) -> np.ndarray:
    random = np.random.default_rng(seed)
    return random.standard_normal(shape) + 1j * random.standard_normal(shape)


def check_lines(lengths: list[int], lines: int = CORES, dtype: str = "c128") -> None:
    source = LINES.replace("c128", dtype)
    kernels = weft.compile_many([(source, "lines", {"b": lines, "n": n}) for n in lengths], TARGET)
    rounding = {"c128": 1e-15, "c64": 1.5e-7}[dtype]
    wrong = []
    for n, kernel in zip(lengths, kernels, strict=True):
        x = noise(lines, n).astype({"c128": np.complex128, "c64": np.complex64}[dtype])
        expected = np.fft.fft(x.astype(np.complex128), axis=1)
        error = np.linalg.norm(kernel(x) - expected) / np.linalg.norm(expected)
        if not error < rounding * (3 + np.log2(n)):
            wrong.append(f"{n}: {error:.2e}")
    assert not wrong


@pytest.mark.parametrize("lines", [64, 300])
def test_transforms_of_lines(lines: int) -> None:
    check_lines(DAILY, lines)


def test_transforms_of_lines_in_single_precision() -> None:
    check_lines([n for n in DAILY if n not in {31, 131, 243, 251}], 70, "c64")


@pytest.mark.nightly
@pytest.mark.parametrize("dtype", ["c128", "c64"])
@pytest.mark.parametrize("first", range(1, 257, 32))
def test_transforms_of_every_length(first: int, dtype: str) -> None:
    check_lines(list(range(first, min(first + 32, 257))), dtype=dtype)


@pytest.mark.parametrize(("lines", "length"), [(64, 16), (64, 64), (640, 100), (4096, 32)])
def test_each_core_does_its_share_in_its_own_memory(lines: int, length: int) -> None:
    kernel = weft.compile(LINES, target=TARGET, b=lines, n=length)
    kernel(noise(lines, length))
    run = kernel.report["run"]
    cores = [core["counters"] for core in run["cores"] if core["kind"] == "CPE"]
    flops = [core.get("flops", 0) for core in cores]
    assert len(flops) == CORES
    assert sum(flops) > 2 * lines * length * np.log2(length)
    assert max(flops) <= 1.2 * sum(flops) / CORES
    assert min(flops) >= 0.8 * sum(flops) / CORES
    # Single words of main memory: only what the cores were started with.
    assert all(core.get("gld", 0) + core.get("gst", 0) <= 8 for core in cores)
    assert sum(core.get("dma_get_bytes", 0) for core in cores) >= 16 * lines * length


PROGRAM = """\
kernel cube[n: size, m: size](x: c128[n, n, m]) -> (y: c128[n, n, m]):
    y = idft(dft(x, axes=[0, 1, 2]) * 2, axes=[2, 0])

kernel single[n: size](x: c64[70, n]) -> (y: c64[70, n]):
    y = dft(x, axis=1, sign=+1)

kernel turned[n: size, m: size](x: f64[n, m]) -> (y: f64[m, n], s: f64[n]):
    y = transpose(x) * 4 - 1
    s[i] = sum(x[i, j] for j in 0:m)

kernel where_large[n: size](x: f64[n], k: i64[n]) -> (y: f64[n]):
    y[i] = where(x[i] > 0.25, sqrt(abs(x[i])), max(x[n - 1 - i], f64(k[i % 7])))

kernel kept[n: size](x: f32[n]) -> (y: f32[n], z: f64[n]):
    y[i] = where(x[i] > 0.25, max(x[i] * 0.5, 0.2), -x[i])
    z = f64(x) / 3

kernel picked[n: size](x: f64[n], k: i64[n]) -> (y: f64[n]):
    y = gather(x, k, axis=0) * 2
"""


def test_three_dimensions() -> None:
    x = noise(20, 20, 24)
    kernel = weft.compile(PROGRAM, "cube", TARGET, n=20, m=24)
    expected = np.fft.ifftn(2 * np.fft.fftn(x), axes=(2, 0))
    assert np.abs(kernel(x) - expected).max() < 1e-13 * np.abs(expected).max()


def test_single_precision() -> None:
    x = noise(70, 48).astype(np.complex64)
    kernel = weft.compile(PROGRAM, "single", TARGET, n=48)
    expected = np.fft.ifft(x.astype(np.complex128), axis=1) * 48
    assert np.abs(kernel(x) - expected).max() < 1e-6 * np.abs(expected).max()


@pytest.mark.parametrize(("n", "m"), [(100, 7), (1, 4000), (64, 64), (513, 65)])
def test_transposes_and_sums_of_rows(n: int, m: int) -> None:
    x = np.random.default_rng(1).standard_normal((n, m))
    turned, sums = weft.compile(PROGRAM, "turned", TARGET, n=n, m=m)(x)
    np.testing.assert_allclose(turned, x.T * 4 - 1, rtol=1e-15)
    np.testing.assert_allclose(sums, x.sum(axis=1), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("n", [10, 100, 5000, 100000])
def test_choices_lane_by_lane(n: int) -> None:
    random = np.random.default_rng(2)
    x, k = random.standard_normal(n), random.integers(-3, 3, n)
    expected = np.where(
        x > 0.25, np.sqrt(np.abs(x)), np.maximum(x[::-1], k[np.arange(n) % 7].astype(float))
    )
    np.testing.assert_array_equal(weft.compile(PROGRAM, "where_large", TARGET, n=n)(x, k), expected)


@pytest.mark.parametrize("n", [3, 100, 5000])
def test_choices_between_floats_of_either_width(n: int) -> None:
    x = np.random.default_rng(5).standard_normal(n).astype(np.float32)
    kept, wide = weft.compile(PROGRAM, "kept", TARGET, n=n)(x)
    half = x * np.float32(0.5)
    np.testing.assert_array_equal(kept, np.where(x > 0.25, np.maximum(half, np.float32(0.2)), -x))
    np.testing.assert_array_equal(wide, x.astype(np.float64) / 3)


@pytest.mark.parametrize("kernel", ["winograd2", "conv_direct", "conv_winograd4"])
def test_convolutions(kernel: str) -> None:
    random = np.random.default_rng(6)
    x = random.standard_normal((3, 5, 13, 11)).astype(np.float32)
    g = random.standard_normal((7, 5, 3, 3)).astype(np.float32)
    windows = np.lib.stride_tricks.sliding_window_view(x.astype(np.float64), (3, 3), axis=(2, 3))
    expected = np.einsum("nchwij,kcij->nkhw", windows, g.astype(np.float64))
    y = weft.compile(EXAMPLES / "winograd" / "winograd.weft", kernel, TARGET)(x, g)
    assert np.abs(y - expected).max() < 1e-4 * np.abs(expected).max()


def test_indices_that_are_data() -> None:
    random = np.random.default_rng(3)
    x, k = random.standard_normal(4000), random.integers(0, 4000, 4000)
    kernel = weft.compile(PROGRAM, "picked", TARGET, n=4000)
    np.testing.assert_array_equal(kernel(x, k), x[k] * 2)


def test_an_index_out_of_range_is_told() -> None:
    kernel = weft.compile(PROGRAM, "picked", TARGET, n=4000)
    k = np.zeros(4000, np.int64)
    k[17] = 4000
    with pytest.raises(RunError, match=r"out of range|outside"):
        kernel(np.zeros(4000), k)


def test_a_hazard_is_a_fault_of_weft(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the emulator sees racing is no result."""
    from weft import emulated

    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    seen = {
        "name": "ldm-under-dma",
        "what": "LDM is read before the get that fills it is complete",
        "core": 5,
        "at": {"file": "kernel_slave.c", "line": 169},
    }
    run = emulated.run

    def racing(*arguments: Any) -> tuple[int, dict[str, Any]]:
        status, report = run(*arguments)
        return status, {**report, "hazards": [seen, seen]}

    monkeypatch.setattr(emulated, "run", racing)
    kernel = weft.compile(LINES, target=TARGET, b=64, n=100)
    with pytest.raises(CompilerBug, match=r"hazard ldm-under-dma, results may be wrong") as caught:
        kernel(noise(64, 100))
    assert "(kernel_slave.c:169, core 5); 1 more" in str(caught.value)
    kept = {path.name for path in Path(caught.value.reproducer).iterdir()}
    assert {"kernel.c", "kernel_slave.c", "hazards.json", "command.txt"} <= kept


def test_the_same_cycles_every_time() -> None:
    kernel = weft.compile(LINES, target=TARGET, b=64, n=100)
    cycles = set()
    for _ in range(3):
        kernel(noise(64, 100))
        cycles.add(kernel.report["run"]["cycles"])
    assert len(cycles) == 1


def test_threads_are_refused_by_name() -> None:
    kernel = weft.compile(LINES, target=TARGET, b=64, n=100)
    with pytest.raises(RunError, match="a core group has cores of its own"):
        kernel(noise(64, 100), threads=2)
    for given in (1.0, "1", True):
        with pytest.raises(RunError, match="threads: not an integer") as caught:
            kernel(noise(64, 100), threads=given)  # type: ignore[arg-type]
        assert caught.value.found == repr(given)


def test_files_of_a_core_group() -> None:
    kernel = weft.compile(LINES, target=TARGET, b=64, n=64)
    assert list(kernel.asm) == ["c", "slave.c", "s", "program"]
    assert "athread_spawn(lines_cores, &given);" in kernel.asm["c"]
    assert "weft_get(" in kernel.asm["slave.c"]
    assert "vmad" in kernel.asm["s"] or "vaddd" in kernel.asm["s"]


@pytest.mark.parametrize("case", ["S"])
def test_ft_holds(case: str) -> None:
    from typer.testing import CliRunner

    from weft.cli.app import app

    words = ["run", str(EXAMPLES / "ft"), "--class", case, "--target", TARGET]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    assert "holds" in done.output
    assert "cycles in the kernel" in done.output
    assert "ft_cores" in done.output
