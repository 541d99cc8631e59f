# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Schedules that passes serve: other code, told of everywhere, with the same results."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import weft

SOURCE = """
kernel f[n: size](x: c128[16, n], w: c128[n]) -> (y: c128[16, n]):
    a = dft(x, axis=1)
    y = a * w
"""


def scheduled(target: str, *directives: str) -> str:
    return SOURCE + f"\nschedule f on {target}:\n" + "".join(f"    {d}\n" for d in directives)


def inputs() -> list[np.ndarray]:
    rng = np.random.default_rng(3)
    return [rng.standard_normal((16, 256)) + 0j, rng.standard_normal(256) + 0j]


def test_factor_chooses_the_stages(target: str) -> None:
    kernel = weft.compile(scheduled(target, "factor a into 8, 4, 8"), target=target, n=256)
    stages = re.findall(r"radix (\d+) done", kernel.ir["after:factor-transform"])
    assert stages == ["8", "4", "8"]
    x, w = inputs()
    np.testing.assert_allclose(kernel(x, w), np.fft.fft(x, axis=1) * w, rtol=1e-12, atol=1e-11)


SCALED = "kernel f[n: size](x: f64[n]) -> (y: f64[n]):\n    y = 2 * x + 1\n"


@pytest.mark.parametrize("factor", [1, 2, 4])
def test_unroll_makes_that_many_copies(target: str, factor: int) -> None:
    text = f"{SCALED}\nschedule f on {target}:\n    unroll {factor}\n"
    kernel = weft.compile(text, target=target, n=4096)
    assert kernel.ir["after:unroll"].count("affine.vector_store") == factor
    x = np.arange(4096.0)
    np.testing.assert_array_equal(kernel(x), 2 * x + 1)


def test_each_kernel_of_a_file_has_its_own(target: str) -> None:
    """Two kernels in one module are unrolled as each one's schedule says."""
    text = (
        SCALED.replace("kernel f", "kernel g")
        + "\n"
        + SCALED
        + f"\nschedule f on {target}:\n    unroll 1\n\nschedule g on {target}:\n    unroll 4\n"
    )
    f, g = weft.compile_many([(text, "f", {"n": 4096}), (text, "g", {"n": 4096})], target=target)
    assert f.report["schedule"] == {"f": ["unroll 1"]}
    assert g.report["schedule"] == {"g": ["unroll 4"]}
    x = np.arange(4096.0)
    np.testing.assert_array_equal(f(x), g(x))
    parts = re.split(r"^int (\w+)\(.*\{$", f.asm["c"], flags=re.MULTILINE)[1:]
    bodies = dict(zip(parts[::2], parts[1::2], strict=True))
    copies = {k: bodies[k.report["c_name"]].count("y[i0") for k in (f, g)}
    assert copies[g] == 4 * copies[f] > 0


def test_told_in_report_command_and_dump(target: str, tmp_path: Path) -> None:
    text = scheduled(target, "unroll 2", "factor a into 16, 16")
    kernel = weft.compile(text, target=target, n=256, dump_dir=tmp_path)
    plain = weft.compile(SOURCE, target=target, n=256)
    assert kernel.report["schedule"] == {"f": ["unroll 2", "factor a into 16, 16"]}
    assert plain.report["schedule"] == {}
    assert kernel.command == plain.command + "  # schedule of f: unroll 2; factor a into 16, 16"
    assert kernel.command in kernel.asm["c"]
    lowered = (tmp_path / "10-weft.mlir").read_text()
    assert "weft.unroll = 2 : i64" in lowered
    assert "radices = array<i64: 16, 16>" in lowered
    assert "weft.unroll" not in plain.ir["lowered"]


def test_within_a_caller_only_what_acts_is_told(target: str) -> None:
    """Of a called kernel, the radices; its loops and copies are the caller's."""
    calls = """
kernel inner(x: c128[64, 96]) -> (y: c128[64, 96]):
    y = dft(x, axis=0)

kernel outer(x: c128[64, 96]) -> (z: c128[64, 96]):
    y = inner(x)
    z = inner(y)
"""
    head = f"\nschedule inner on {target}:\n    factor y into 4, 16\n"
    idle = ["tile y.axis1 by 16 -> co, ci", "unroll 2"]
    text = calls + head + "".join(f"    {directive}\n" for directive in idle)
    outer = weft.compile(text, "outer", target=target)
    inner = weft.compile(text, "inner", target=target)
    assert inner.report["schedule"] == {"inner": ["factor y into 4, 16", *idle]}
    assert inner.report["schedule_idle"] == {}
    assert outer.report["schedule"] == {"inner": ["factor y into 4, 16"]}
    assert outer.report["schedule_idle"] == {"inner": idle}
    assert outer.command.endswith("  # schedule of inner: factor y into 4, 16")
    assert outer.asm["c"] == weft.compile(calls + head, "outer", target=target).asm["c"]
    both = weft.compile_many([(text, "inner", {}), (text, "outer", {})], target=target)
    assert both[0].command.endswith(f"of inner: factor y into 4, 16; {'; '.join(idle)}")


def test_of_another_target_does_nothing(target: str) -> None:
    kernel = weft.compile(scheduled("sw26010", "fuse a, y", "unroll 2"), target=target, n=256)
    assert kernel.report["schedule"] == {}
    assert "weft.unroll" not in kernel.ir["lowered"]
    reference = weft.compile(scheduled(target, "factor a into 16, 16"), mode="interpret", n=256)
    x, w = inputs()
    np.testing.assert_allclose(reference(x, w), kernel(x, w), rtol=1e-12, atol=1e-11)


def test_not_served_is_refused_by_name(target: str) -> None:
    with pytest.raises(weft.SourceError, match=f"no pass serves 'overlap' on {target} yet"):
        weft.compile(scheduled(target, "overlap a"), target=target, n=256)


CONV = """
kernel f(x: f32[1, 8, 14, 14], g: f32[8, 8, 3, 3]) -> (y: f32[1, 8, 12, 12]):
    y = conv(x, g{argument})
"""


def code(kernel: weft.Kernel) -> list[str]:
    """The emitted C without comments, which tell of the schedule."""
    text = re.sub(r"/\*.*?\*/", "", kernel.asm["c"], flags=re.DOTALL)
    return [line for line in text.splitlines() if not line.lstrip().startswith("//")]


def test_factor_chooses_the_algorithm_of_a_convolution(target: str) -> None:
    """The code is that of the same algorithm written in the kernel, and each has its own."""
    rng = np.random.default_rng(5)
    x = rng.standard_normal((1, 8, 14, 14)).astype(np.float32)
    g = rng.standard_normal((8, 8, 3, 3)).astype(np.float32)
    expected = sum(
        np.einsum("nchw,kc->nkhw", x[:, :, i : i + 12, j : j + 12], g[:, :, i, j])
        for i in range(3)
        for j in range(3)
    )
    seen = []
    for way in ("direct", "winograd(2)", "winograd(4)"):
        text = f"{CONV.format(argument='')}\nschedule f on {target}:\n    factor y as {way}\n"
        kernel = weft.compile(text, target=target)
        written = weft.compile(CONV.format(argument=f", algorithm={way}"), target=target)
        assert kernel.report["schedule"] == {"f": [f"factor y as {way}"]}
        assert code(kernel) == code(written)
        assert code(kernel) not in seen
        seen.append(code(kernel))
        np.testing.assert_allclose(kernel(x, g), expected, rtol=0, atol=1e-3)
