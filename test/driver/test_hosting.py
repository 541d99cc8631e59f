# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""host.py: what it may be, and how its own faults are told."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from weft.diagnostics import RunError
from weft.hosting import Case, Host, Verdict, compare, example_files

CASE = Case("S", {"n": 4})


def host(folder: Path, text: str) -> Host:
    path = folder / "host.py"
    path.write_text(text)
    return Host(path)


def test_case_is_its_name_with_sizes() -> None:
    assert CASE == "S"
    assert {"S": 1}[CASE] == 1
    assert CASE.sizes == {"n": 4}


def test_inputs_check_report(tmp_path: Path) -> None:
    example = host(
        tmp_path,
        "def inputs(case): return {'x': [case.sizes['n']]}\n"
        "def check(case, outputs): return outputs['y'] == 1\n"
        "def report(case, outputs, seconds): return f'{case} took {seconds}'\n",
    )
    assert example.inputs(CASE) == {"x": [4]}
    assert example.check(CASE, {"y": 1}) == Verdict(True)
    assert not example.check(CASE, {"y": 2}).holds
    assert example.report(CASE, {}, 2.0) == ["S took 2.0"]


def test_verdict_with_lines(tmp_path: Path) -> None:
    example = host(
        tmp_path,
        "from weft import Verdict\n"
        "def inputs(case): return []\n"
        "def check(case, outputs): return Verdict(False, ['why'])\n",
    )
    assert example.check(CASE, {}) == Verdict(False, ["why"])
    assert example.report(CASE, {}, 1.0) == []
    with pytest.raises(RunError, match="gave no arrays by name"):
        example.inputs(CASE)


def test_forgotten_return_does_not_pass(tmp_path: Path) -> None:
    example = host(tmp_path, "def inputs(case): return {}\ndef check(case, outputs): pass\n")
    with pytest.raises(RunError, match="gave no verdict"):
        example.check(CASE, {})


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("def inputs(case): return {}\n", "no function 'check'"),
        ("import nothing_like_it\n", r"host\.py:1: loading failed: ModuleNotFoundError"),
        ("def inputs(\n", "loading failed: SyntaxError"),
    ],
)
def test_wrong_host_is_told_by_its_own_line(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(RunError, match=told):
        host(tmp_path, text)


def test_fault_of_a_host_names_its_line(tmp_path: Path) -> None:
    example = host(
        tmp_path,
        "def inputs(case): return {}\ndef check(case, outputs):\n    return outputs['z']\n",
    )
    with pytest.raises(RunError, match=r"host\.py:3: check failed: KeyError: 'z'"):
        example.check(CASE, {})


def test_example_has_exactly_one_source(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"exactly one \.weft file"):
        example_files(tmp_path)
    (tmp_path / "a.weft").write_text("")
    assert example_files(tmp_path) == (tmp_path / "a.weft", None)
    (tmp_path / "host.py").write_text("")
    assert example_files(tmp_path) == (tmp_path / "a.weft", tmp_path / "host.py")
    (tmp_path / "b.weft").write_text("")
    with pytest.raises(RunError, match=r"found: a\.weft, b\.weft"):
        example_files(tmp_path)


REFERENCE = np.array([1.0, -2.0, 0.5])


@pytest.mark.parametrize(
    ("found", "holds"),
    [
        (REFERENCE, True),
        (REFERENCE + 1e-15, True),
        (REFERENCE + np.array([0, 0, 1e-9]), False),
        (REFERENCE * np.nan, False),
        (np.array([1.0, -2.0, np.inf]), False),
    ],
)
def test_comparison_of_reals(found: np.ndarray, holds: bool) -> None:
    assert compare({"y": found}, {"y": REFERENCE}).holds is holds


def test_comparison_of_special_values_and_integers() -> None:
    special = np.array([np.nan, np.inf, -np.inf, 1.0])
    assert compare({"y": special}, {"y": special.copy()}).holds
    assert not compare({"y": -special}, {"y": special}).holds
    assert compare({"n": np.int64(3)}, {"n": np.int64(3)}).holds
    assert not compare({"n": np.array([3, 4])}, {"n": np.array([3, 5])}).holds
    assert compare({"z": np.zeros(3)}, {"z": np.zeros(3)}).holds


SEVERAL = """\
from weft.hosting import Case
CASES = ("a", "b")
def runs(name, kernel): return [Case(name, {"n": n}, kernel or "f") for n in (1, 2)]
def inputs(case): return {}
def check(case, outputs): return True
def summary(runs, seconds): return f"{len(runs)} runs, {sum(seconds)} s"
"""


def test_cases_of_several_runs(tmp_path: Path) -> None:
    example = host(tmp_path, SEVERAL)
    assert example.cases == ("a", "b")
    runs = example.runs("b", None)
    assert [(run, run.sizes, run.kernel) for run in runs] == [
        ("b", {"n": 1}, "f"),
        ("b", {"n": 2}, "f"),
    ]
    assert example.runs("a", "g")[0].kernel == "g"
    assert example.summary(runs, [1.0, 2.0]) == ["2 runs, 3.0 s"]


def test_a_host_without_runs_has_no_cases_of_its_own(tmp_path: Path) -> None:
    example = host(tmp_path, SEVERAL.replace("def runs", "def other").replace("summary", "total"))
    assert example.cases == ()
    assert example.summary([], []) == []


@pytest.mark.parametrize("found", ["[]", "[Case('a', {})]", "['a']"])
def test_runs_without_kernel_or_sizes_are_told(tmp_path: Path, found: str) -> None:
    example = host(tmp_path, SEVERAL + f"def runs(name, kernel): return {found}\n")
    with pytest.raises(RunError, match="gave no runs"):
        example.runs("a", None)
