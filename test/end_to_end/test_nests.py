# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cycles of the cores by nest: nothing is lost, and each nest says where it comes from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import weft
from weft import nests

TARGET = "sw26010"
FT = (Path(__file__).parent.parent.parent / "examples" / "ft" / "ft.weft").read_text()
TRANSFORM = """\
kernel lines[b: size, n: size](x: c128[b, n]) -> (y: c128[b, n]):
    a = dft(x, axis=0)  # along columns
    y = dft(a, axis=1)
"""
CONV = """\
kernel layer[c: size, h: size](x: f32[1, c, h, h], g: f32[c, c, 3, 3]) -> (y: f32[1, c, h, h]):
    y = conv(x, g, pad=1)
"""
SUMS = """\
program steps[n: size, m: size, times: size](x: f64[n, m, m]) -> (a: f64[times], b: f64[times]):
    carry v = x * 2
    for t in 0:times:
        carry v = v * 0.5 + 1
        a[t] = total(v)
        b[t] = total(v * v)

kernel total[n: size, m: size](x: f64[n, m, m]) -> (s: f64):
    s = sum(x[j % n, 3*j % m, 7*j % m] for j in 0:640)
"""
KERNELS = {
    "ft": (FT, {"nx": 64, "ny": 64, "nz": 64, "niter": 2}),
    "small ft": (FT, {"nx": 32, "ny": 32, "nz": 32, "niter": 2}),
    "dft": (TRANSFORM, {"b": 64, "n": 512}),
    "conv": (CONV, {"c": 32, "h": 16}),
    "sums": (SUMS, {"n": 16, "m": 32, "times": 2}),
}


def ran(name: str) -> weft.driver.Compiled:
    source, sizes = KERNELS[name]
    entry = {"sums": "steps", "dft": None, "conv": None}.get(name, "ft")
    kernel = weft.compile(source, entry, target=TARGET, **sizes)
    random = np.random.default_rng(5)
    kernel(*[random.standard_normal(p.shape).astype(p.dtype) for p in kernel.inputs])
    return kernel


@pytest.fixture(scope="module", params=KERNELS)
def report(request: pytest.FixtureRequest) -> dict[str, Any]:
    return ran(request.param).report


def test_a_cores_nests_add_up_to_its_cycles(report: dict[str, Any]) -> None:
    run = report["run"]
    active = {one["core"]: one["active"] for one in run["cores"] if one["kind"] == "CPE"}
    assert len(active) == 64
    for core, cycles in active.items():
        of_core = nests.by_nest(run, report["nests"], core)
        assert sum(nest["cycles"] for nest in of_core) == cycles
        assert all(sum(nest["spent"].values()) == nest["cycles"] for nest in of_core)
    assert sum(nest["cycles"] for nest in run["nests"]) == sum(active.values())


def test_waits_count_in_the_nest_that_waits(report: dict[str, Any]) -> None:
    """Not in the helpers that the emitted C calls."""
    kinds = {nest["kind"] for nest in report["run"]["nests"]}
    assert "elsewhere" not in kinds
    begins = [nest for nest in report["run"]["nests"] if nest["kind"] == "begin"]
    assert begins
    for begin in begins:
        assert not {"dma", "messages", "sync"} & begin["spent"].keys()


def test_counters_are_told_apart(report: dict[str, Any]) -> None:
    run = report["run"]
    cores = [one["counters"] for one in run["cores"] if one["kind"] == "CPE"]
    for part, counters in nests.PARTS.items():
        expected = sum(one.get(counter, 0) for one in cores for counter in counters)
        if part == "computing":  # what waited for operands is no computing
            expected -= sum(one.get("data_stall", 0) for one in cores)
        assert sum(nest["spent"].get(part, 0) for nest in run["nests"]) == expected, part


def test_stages_of_a_transform() -> None:
    run = ran("dft").report["run"]
    found = [nest for nest in run["nests"] if nest["nest"]]
    statements = {nest["line"]: nest["statement"] for nest in found}
    assert statements == {2: "a = dft(x, axis=0)", 3: "y = dft(a, axis=1)"}
    of_columns = [nest for nest in found if nest["line"] == 2]
    assert [nest["part"] for nest in of_columns] == list(range(1, of_columns[0]["parts"] + 1))
    exchanged = [nest for nest in found if nest["kind"] == "exchange"]
    assert all("messages" in nest["spent"] and "dma" not in nest["spent"] for nest in exchanged)
    assert exchanged
    assert any("dma" in nest["spent"] for nest in found)


def test_sums_of_all_cores_wait_in_their_own_nest() -> None:
    found = [nest for nest in ran("sums").report["run"]["nests"] if nest["nest"]]
    of_sums = [nest for nest in found if nest["statement"].startswith("s = sum(")]
    assert any("messages" in nest["spent"] for nest in of_sums)


def test_a_step_of_ft_by_statement() -> None:
    """The inverse transform takes most of a step, whose messages are told apart."""
    run = ran("small ft").report["run"]
    cycles: dict[int, int] = {}
    for nest in run["nests"]:
        if nest["nest"]:
            cycles[nest["line"]] = cycles.get(nest["line"], 0) + nest["cycles"]
    assert max(cycles, key=lambda line: cycles[line]) in (19, 22)
    exchanges = [nest for nest in run["nests"] if nest["kind"] == "exchange"]
    assert {nest["line"] for nest in exchanges} == {19, 22}
    told = nests.told(run)
    assert any(":22 sums[t] = checksum(dft(v, axes=[0, 1, 2], sign=-1)): " in one for one in told)
    assert any(" of 7, exchange: " in one for one in told)
