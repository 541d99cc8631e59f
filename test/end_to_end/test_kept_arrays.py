# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays that stay with the cores: messages instead of memory, at any depth of the buffers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import weft

TARGET = "sw26010"
FT = (Path(__file__).parent.parent.parent / "examples" / "ft" / "ft.weft").read_text()
CUBE = """\
kernel there_and_back[n: size, m: size, l: size](x: c128[n, m, l]) -> (s: c128[5]):
    y = dft(x, axes=[2, 1, 0])
    z = idft(y * 3, axes=[0, 1, 2])
    s[i in 0:5] = z[i % n, i * 3 % m, i * 5 % l]

program steps[n: size, m: size, l: size, times: size](x: f64[n, m, l]) -> (sums: f64[times]):
    carry v = x * 2
    for t in 0:times:
        carry v = v * 0.5 + 1
        sums[t] = total(v)

kernel total[n: size, m: size, l: size](x: f64[n, m, l]) -> (s: f64):
    s = sum(x[j % n, 3*j % m, 7*j % l] for j in 0:640)
"""


def field(*shape: int) -> np.ndarray:
    random = np.random.default_rng(7)
    return random.standard_normal(shape) + 1j * random.standard_normal(shape)


def ft(u: np.ndarray, steps: int) -> np.ndarray:
    """NPB FT by NumPy."""
    damping = np.ones(u.shape)
    for axis, n in enumerate(u.shape):
        k = np.fft.fftfreq(n, 1 / n)
        shape = [1, 1, 1]
        shape[axis] = n
        damping = damping * np.exp(-4e-6 * np.pi**2 * k**2).reshape(shape)
    v = np.fft.ifftn(u) * u.size
    nz, ny, nx = u.shape
    j = np.arange(1, 1025)
    sums = []
    for _ in range(steps):
        v = v * damping
        sums.append(np.fft.fftn(v)[5 * j % nz, 3 * j % ny, j % nx].sum() / u.size)
    return np.array(sums)


def compiled(nx: int, ny: int, nz: int, niter: int) -> weft.driver.Compiled:
    return weft.compile(FT, "ft", target=TARGET, nx=nx, ny=ny, nz=nz, niter=niter)


@pytest.mark.parametrize(
    "shape", [(16, 16, 16), (32, 32, 32), (16, 32, 64), (32, 16, 16), (24, 24, 24), (12, 16, 20)]
)
def test_ft_of_small_cubes(shape: tuple[int, int, int]) -> None:
    nz, ny, nx = shape
    kernel = compiled(nx, ny, nz, 3)
    u = field(*shape)
    expected = ft(u, 3)
    np.testing.assert_allclose(kernel(u), expected, atol=1e-13 * np.abs(expected).max())
    assert kernel.report["run"]["hazards"] == []


def counters_of(kernel: weft.driver.Compiled) -> dict[str, int]:
    phases = kernel.report["run"]["phases_by_function"]
    assert len(phases) == 1, "one start of the cores"
    assert phases[0]["times"] == 1
    return phases[0]["counters"]


def test_the_field_never_returns_to_memory() -> None:
    field_bytes = 16 * 32**3
    kernel = compiled(32, 32, 32, 6)
    kernel(field(32, 32, 32))
    counters = counters_of(kernel)
    # The input comes in once; lists of what to sum and tables are small.
    assert counters["dma_get_bytes"] < 1.7 * field_bytes
    assert counters.get("dma_put_bytes", 0) == 0
    # Two exchanges forward and two a step, of seven eighths of the field in 32-byte messages,
    # half of them along rows.
    messages = (2 + 2 * 6) * 7 / 8 * field_bytes / 32
    assert counters["row_sent"] + counters["column_sent"] == pytest.approx(messages, rel=0.02)
    assert counters["row_sent"] == pytest.approx(counters["column_sent"], rel=0.02)


def test_no_step_fetches_anything() -> None:
    """Neither tables nor the places of what a core adds: both stay with the cores."""
    gets = []
    for steps in (2, 4):
        kernel = compiled(32, 32, 32, steps)
        kernel(field(32, 32, 32))
        gets.append(counters_of(kernel)["dma_gets"])
    assert gets[0] == gets[1]


@pytest.mark.parametrize("depth", range(1, 9))
def test_any_depth_of_the_buffers(depth: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEFT_EMU_MESH_SEND_DEPTH", str(depth))
    monkeypatch.setenv("WEFT_EMU_MESH_RECEIVE_DEPTH", str(depth))
    kernel = compiled(32, 32, 32, 2)
    u = field(32, 32, 32)
    expected = ft(u, 2)
    np.testing.assert_allclose(kernel(u), expected, atol=1e-13 * np.abs(expected).max())
    assert kernel.report["run"]["hazards"] == []
    assert counters_of(kernel)["row_sent"] > 0


def test_every_pass_keeps_the_result() -> None:
    kernel = weft.compile(FT, "ft", target=TARGET, verify_each=True, nx=8, ny=16, nz=8, niter=2)
    u = field(8, 16, 8)
    np.testing.assert_allclose(kernel(u), ft(u, 2), rtol=1e-12)


def test_a_loop_over_time_with_a_sum() -> None:
    kernel = weft.compile(CUBE, "steps", target=TARGET, n=16, m=24, l=40, times=4)
    x = np.random.default_rng(3).standard_normal((16, 24, 40))
    v, j, expected = 2 * x, np.arange(640), []
    for _ in range(4):
        v = v * 0.5 + 1
        expected.append(v[j % 16, 3 * j % 24, 7 * j % 40].sum())
    np.testing.assert_allclose(kernel(x), expected, rtol=1e-12)
    counters_of(kernel)


@pytest.mark.parametrize("shape", [(16, 16, 16), (8, 8, 32), (10, 16, 16)])
def test_elements_picked_by_the_management_core(shape: tuple[int, int, int]) -> None:
    n, m, width = shape
    kernel = weft.compile(CUBE, "there_and_back", target=TARGET, n=n, m=m, l=width)
    x, i = field(*shape), np.arange(5)
    expected = 3 * x[i % n, i * 3 % m, i * 5 % width]
    np.testing.assert_allclose(kernel(x), expected, atol=1e-13)


LOOP = """\
program steps[n: size, times: size](x: {type}[n, n, n]) -> (r: {type}[times]):
    carry v = x * 2
    for t in 0:times:
        {carry}
        r[t] = {result}
"""


@pytest.mark.parametrize(
    ("type_", "carry", "result"),
    [
        pytest.param(
            "f64",
            "carry v = v * 0.5 + 1",
            "sum(v[j % n, 3*j % n, j % n] for j in 0:640) - sum(v[0, 0, j % n] for j in 0:512)",
            id="two-sums-have-lists-of-their-own",
        ),
        pytest.param(
            "f64",
            "w[i, j, k] = v[i, j, k] * v[i, j, t]\n        carry v = w",
            "sum(v[j % n, 3*j % n, j % n] for j in 0:640)",
            id="read-from-two-starts-in-one-nest",
        ),
        pytest.param(
            "f64",
            "carry v = v * 0.5 + 1",
            "sum(v[0, 3, 7] * x[0, 3, 7] for j in 0:640)",
            id="a-sum-with-another-array",
        ),
        pytest.param(
            "f64",
            "carry v = v * 0.5 + 1",
            "sum(v[0, 0, j % 2] for j in 0:65536)",
            id="a-list-longer-than-the-core-has-room-for",
        ),
        pytest.param(
            "f32",
            "carry v = v * 0.5 + 1",
            "sum(v[j % n, 3*j % n, j % n] for j in 0:640)",
            id="a-sum-of-f32",
        ),
        pytest.param(
            "f64",
            "carry v = v * 0.5 + 1",
            "max(v[j % n, 3*j % n, j % n] for j in 0:640)",
            id="the-greatest-of-some",
        ),
    ],
)
def test_steps_as_the_reference(type_: str, carry: str, result: str) -> None:
    text = LOOP.format(type=type_, carry=carry, result=result)
    x = np.random.default_rng(5).standard_normal((16, 16, 16)).astype(type_.replace("f", "float"))
    kernel = weft.compile(text, "steps", target=TARGET, n=16, times=3)
    expected = weft.compile(text, "steps", mode="interpret", n=16, times=3)(x)
    np.testing.assert_allclose(kernel(x), expected, rtol=1e-10 if type_ == "f64" else 1e-4)
    assert kernel.report["run"]["hazards"] == []


def test_nobody_writes_what_another_core_has_yet_to_load() -> None:
    outputs = ", ".join(f"s{i}: f64[times]" for i in range(20))
    stores = "\n".join(f"        s{i}[t] = v[n-{1 + i}]" for i in range(20))
    text = (
        f"program steps[n: size, times: size](x: f64[n]) -> ({outputs}):\n    carry v = x\n"
        f"    for t in 0:times:\n        carry v = v * 0.5 + 1\n{stores}\n"
    )
    x = np.random.default_rng(5).standard_normal(128)
    kernel = weft.compile(text, "steps", target=TARGET, n=128, times=5)
    expected = weft.compile(text, "steps", mode="interpret", n=128, times=5)(x)
    np.testing.assert_allclose(kernel(x), expected, rtol=1e-12)
    assert kernel.report["run"]["hazards"] == []


COLUMNS = """\
kernel columns[b: size, n: size, m: size](x: c128[b, n, m]) -> (y: c128[b, n, m]):
    y = dft(x, axis=1)
"""


@pytest.mark.parametrize(("b", "n", "m"), [(8, 512, 32), (16, 256, 64), (8, 384, 48), (8, 500, 32)])
def test_long_columns(b: int, n: int, m: int) -> None:
    """A row fetches long runs together where each core alone would fetch short ones."""
    kernel = weft.compile(COLUMNS, target=TARGET, b=b, n=n, m=m)
    x = field(b, n, m)
    expected = np.fft.fft(x, axis=1)
    np.testing.assert_allclose(kernel(x), expected, atol=1e-13 * np.abs(expected).max())
    run = kernel.report["run"]
    assert run["hazards"] == []
    # 500 is no multiple of eight.
    assert ("weft_to_row_v4d" in kernel.asm["slave.c"]) == (n != 500)
