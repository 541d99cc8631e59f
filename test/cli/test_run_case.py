# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""weft run of a host's own cases: a line a run, all outputs kept, one wrong run is enough."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from weft.cli import Exit, main

SOURCE = """\
kernel double[n: size](x: f64[n]) -> (y: f64[n]):
    y = 2*x

kernel triple[n: size](x: f64[n]) -> (y: f64[n]):
    y = 3*x
"""
HOST = """\
import numpy as np
from weft.hosting import Case, Verdict

CASES = ("short", "long")

def runs(name, kernel):
    return [Case(name, {"n": n}, kernel or "double") for n in ((2, 3) if name == "short" else (9,))]

def inputs(case):
    return {"x": np.arange(case.sizes["n"], dtype=float)}

def check(case, outputs):
    return Verdict(bool(np.all(outputs["y"] == 2 * np.arange(case.sizes["n"]))), ["checked"])

def report(case, outputs, seconds):
    return f"{len(outputs['y'])} elements"

def summary(runs, seconds):
    return f"{sum(run.sizes['n'] for run in runs)} elements in {len(seconds)} runs"
"""


@pytest.fixture
def words(tmp_path: Path) -> list[str]:
    (tmp_path / "double.weft").write_text(SOURCE)
    (tmp_path / "host.py").write_text(HOST)
    return ["run", str(tmp_path), "--mode", "interpret"]


def test_all_runs_hold(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    npz = tmp_path / "out.npz"
    assert main([*words, "--case", "short", "-o", str(npz)]) == Exit.OK
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "case short, 2 runs on interpret"
    assert lines[1].startswith("double n=2: 2 elements  ")
    assert lines[2].endswith(" s  checked  holds")
    assert lines[3:] == ["5 elements in 2 runs", "holds"]
    with np.load(npz) as saved:
        assert {name: saved[name].tolist() for name in saved} == {
            "y_0": [0, 2],
            "y_1": [0, 2, 4],
        }


def test_a_wrong_run_is_enough(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    (path,) = (Path(word) for word in words if "/" in word)
    wrong = HOST.replace('2 * np.arange(case.sizes["n"])', '[0, 2, 5][: case.sizes["n"]]')
    (path / "host.py").write_text(wrong)
    assert main([*words, "--case", "short"]) == Exit.WRONG
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].endswith("holds")
    assert lines[2].endswith("DOES NOT HOLD")
    assert lines[-1] == "DOES NOT HOLD: 1 of 2 runs"


def test_kernel_and_sizes_asked_for(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--case", "long", "--kernel", "triple", "--size", "n=1"]
    assert main([*words, *asked]) == Exit.OK
    assert "triple n=1: 1 elements" in capsys.readouterr().out


def test_kernel_with_sizes_of_its_own(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Without a case it is run by itself, on random numbers, as of any other file."""
    assert main([*words[:2], "--kernel", "triple", "--size", "n=3"]) == Exit.OK
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith("triple [n=3] on ")
    assert told[-1] == "holds"


def test_compiled_runs(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*words[:2], "--case", "short", "--threads", "1"]) == Exit.OK
    assert "2 runs on interpret" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ([], "which one? cases: short, long"),
        (["--kernel", "triple"], "which one? cases: short, long"),
        (["--case", "shrt"], "did you mean 'short'?"),
        (["--case", "short", "--kernel", "dubble"], "has no kernel 'dubble'"),
        (["--case", "short", "--size", "m=2"], "has no size 'm'"),
    ],
)
def test_wrong_request_is_usage(
    words: list[str], asked: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, *asked]) == Exit.USAGE
    shown = capsys.readouterr().err
    assert told.replace(" ", "") in "".join(c for c in shown if c not in " │\n")
