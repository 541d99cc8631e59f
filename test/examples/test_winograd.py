# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The layers: read rightly, judged by a right direct sum; every kernel within its bound."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from weft import driver, hosting, module_files
from weft.cli import Exit, main
from weft.diagnostics import RunError
from weft.hosting import Case
from weft.semantics import checker, reference, winograd_points
from weft.syntax.parser import parse

FOLDER = Path(__file__).parents[2] / "examples" / "winograd"
KERNELS = ("winograd4", "winograd2", "conv_direct", "conv_winograd2", "conv_winograd4", "conv_auto")
# Few channels; odd borders; one tile; more channels than any vector has lanes.
LAYERS = [
    {"C": 3, "H": 10, "W": 10, "K": 2, "N": 2},
    {"C": 5, "H": 11, "W": 8, "K": 7, "N": 3},
    {"C": 4, "H": 3, "W": 6, "K": 3, "N": 1},
    {"C": 96, "H": 12, "W": 12, "K": 40, "N": 1},
]


@pytest.fixture(scope="module")
def host() -> Any:
    return module_files.load(FOLDER / "host.py")


@pytest.fixture(scope="module")
def instance() -> Callable[..., Any]:
    source, _ = hosting.example_files(FOLDER)
    checked = checker.check(parse(source.read_text(), source.name))
    return lambda name, sizes: checker.instantiate(checked, name, sizes)


def name_of(layer: dict[str, int]) -> str:
    return "x".join(map(str, layer.values()))


def test_cases_are_the_files(host: Any) -> None:
    assert host.CASES == ("small", "smallrealworld")
    assert len(host.layers("small")) == 5
    assert host.layers("small")[4] == {"C": 32, "H": 50, "W": 50, "K": 64, "N": 64}
    layers = host.layers("smallrealworld")
    assert len(layers) == 18
    assert {layer["N"] for layer in layers} == {1}
    assert layers[14] == {"C": 128, "H": 20, "W": 26, "K": 96, "N": 1}


def test_operations_are_those_of_the_direct_sum(host: Any) -> None:
    for name, expected in host.EXPECTED["flops"].items():
        assert sum(map(host.flops, host.layers(name))) == expected
    assert host.flops(LAYERS[0]) == 2 * 9 * 64 * 3 * 2 * 2


def test_too_few_layers_are_told(host: Any, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(host, "HERE", tmp_path)
    (tmp_path / "x.conf").write_text("2\n3 10 10 2 2\n")
    with pytest.raises(RunError, match="2 layers are announced"):
        host.layers("x")


def test_amplifications_are_those_of_the_matrices(host: Any) -> None:
    for m, kernels in ((2, ("winograd2", "conv_winograd2")), (4, ("winograd4", "conv_winograd4"))):
        exact = winograd_points.amplification(winograd_points.family(m, 3)) ** 2
        for kernel in kernels:
            assert exact <= host.KERNELS[kernel]["amplification"] < 1.01 * exact


@pytest.mark.parametrize("layer", LAYERS, ids=name_of)
def test_the_judge_is_a_direct_convolution(host: Any, layer: dict[str, int]) -> None:
    data = host.inputs(Case("", layer))
    x, g = data["x"].astype(float), data["g"].astype(float)
    windows = np.lib.stride_tricks.sliding_window_view(x, (3, 3), axis=(2, 3))
    expected = np.einsum("kcrs,nchwrs->nkhw", g, windows)
    np.testing.assert_allclose(host.direct(data["x"], data["g"]), expected, rtol=0, atol=1e-12)


def test_errors_beyond_the_bound_do_not_hold(host: Any) -> None:
    case = Case("", LAYERS[0], "winograd4")
    exact = host.direct(**host.inputs(case))
    allowed = host.bound("winograd4", 3) * np.abs(exact).max()
    assert host.check(case, {"y": exact.astype("float32")}).holds
    for wrong in (1.5 * allowed, np.nan):
        spoilt = exact.copy()
        spoilt[1, 1, 4, 4] += wrong
        assert not host.check(case, {"y": spoilt}).holds


def test_unknown_kernel_is_told(host: Any) -> None:
    with pytest.raises(RunError, match="no algorithm 'winograd3'"):
        host.runs("small", "winograd3")


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("layer", LAYERS, ids=name_of)
def test_reference_holds(
    host: Any, instance: Callable[..., Any], kernel: str, layer: dict[str, int]
) -> None:
    case = Case("", layer, kernel)
    verdict = host.check(case, reference.evaluate(instance(kernel, layer), host.inputs(case)))
    assert verdict.holds, verdict.lines


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("layer", LAYERS, ids=name_of)
def test_compiled_holds(host: Any, target: str, kernel: str, layer: dict[str, int]) -> None:
    case = Case("", layer, kernel)
    source, _ = hosting.example_files(FOLDER)
    (entry,) = driver.compile_many([(source, kernel, layer)], target)
    verdict = host.check(case, {"y": entry(**host.inputs(case))})
    assert verdict.holds, verdict.lines


def test_all_kernels_of_the_source_are_judged(host: Any, instance: Callable[..., Any]) -> None:
    assert tuple(host.KERNELS) == KERNELS
    source, _ = hosting.example_files(FOLDER)
    assert set(driver.outline(source, "winograd2").missing) == set("NCKHW")
    checked = checker.check(parse(source.read_text(), source.name))
    assert set(checked.names()) == set(KERNELS)


def test_run_prints_a_line_a_layer(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["run", str(FOLDER), "--case", "small", "--mode", "interpret", "--size", "N=1"]
    assert main([*words, "--kernel", "conv_winograd2"]) == Exit.OK
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "case small, 5 runs on interpret"
    assert lines[1].startswith("conv_winograd2 C=3 H=10 W=10 K=2 N=1: winograd(2)  ")
    assert all("GFlop/s" in line and line.endswith("holds") for line in lines[1:6])
    assert lines[6].startswith("total 0.1712 GFlop in ")
    assert lines[7:] == ["holds"]


def test_run_refuses_what_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--case", "smal"], [], ["--case", "small", "--kernel", "winograd3"]):
        assert main(["run", str(FOLDER), *words]) == Exit.USAGE
    told = capsys.readouterr().err
    assert "small, smallrealworld" in told
    assert "winograd4, winograd2" in told
