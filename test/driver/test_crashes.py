# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A pass crashes, fails or leaves invalid IR: the process lives on, a reproducer is kept."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from weft.cli.native_tools import tool_path

SOURCE = """\
kernel k[N: size](x: f64[N], y: f64[N]) -> (z: f64[N]):
    z = (x - y) * 0.5
"""
# Breaks the pipeline, compiles, mends it, compiles again.
PLANTED = """\
import sys
import threading
import numpy as np
import weft
from weft import pipeline
right = dict(pipeline.STEPS)
how, where, mode = sys.argv[1:]
steps = list(right["portable"])
at = [s.flag for s in steps].index(where)
steps.insert(at, pipeline.Step("test-break{how=%s}" % how, "planted by a test"))
pipeline.STEPS["portable"] = tuple(steps)
def compile():
    try:
        weft.compile(sys.stdin.read(), target="portable", N=4)
    except weft.CompilerBug as bug:
        print(bug.stage, bug.reproducer, bug.message, sep="|")
sys.stdin = open("k.weft")
if mode == "thread":
    thread = threading.Thread(target=compile)
    thread.start()
    thread.join()
else:
    compile()
pipeline.STEPS["portable"] = right["portable"]
k = weft.compile(open("k.weft").read(), target="portable", N=4)
print(k(3 * np.ones(4), np.ones(4)))
"""
# how: what is told, what weft opt ends with, what it tells
ENDS = {
    "crash": ("crashed: Segmentation fault (signal 11)", -signal.SIGSEGV, "weft-opt crashed"),
    "abort": ("crashed: Aborted (signal 6)", -signal.SIGABRT, "weft-opt crashed"),
    "fail": ("'builtin.module' op cannot be lowered", 1, "'builtin.module' op cannot be lowered"),
    "invalid": ("must have 0 arguments to match", 1, "must have 0 arguments to match"),
}


def run(*words: str, cwd: Path, **more: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "WEFT_TEST_PASSES": "1", **more}
    return subprocess.run(words, capture_output=True, text=True, env=env, cwd=cwd, check=False)


@pytest.mark.parametrize(
    ("how", "where", "mode"),
    [
        ("crash", "inline", "main"),
        ("crash", "check-emittable", "thread"),
        *((how, "fuse", "main") for how in ENDS if how != "crash"),
    ],
)
def test_reproducer_ends_as_the_pass_did(how: str, where: str, mode: str, tmp_path: Path) -> None:
    (tmp_path / "k.weft").write_text(SOURCE)
    message, status, told = ENDS[how]
    done = run(sys.executable, "-c", PLANTED, how, where, mode, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    bug, result = done.stdout.strip().splitlines()
    stage, folder, found = bug.split("|")
    assert stage == f"the pass test-break{{how={how}}}"
    assert message in found
    # The same process compiles what is right.
    assert result == "[1. 1. 1. 1.]"

    replayed = run(str(tool_path("weft-opt")), "10-weft.mlir", cwd=Path(folder))
    assert replayed.returncode == status
    assert told in replayed.stderr
    weft = str(Path(sys.executable).with_name("weft"))
    again = run("sh", "replay.sh", cwd=Path(folder), WEFT=weft)
    assert again.returncode in (status, 128 - status)
    assert told in again.stderr


def test_reproducer_is_watched_as_any_pipeline_and_other_passes_replace_its_own(
    tmp_path: Path,
) -> None:
    (tmp_path / "k.weft").write_text(SOURCE)
    done = run(sys.executable, "-c", PLANTED, "fail", "fuse", "main", cwd=tmp_path)
    folder = Path(done.stdout.split("|")[1])
    tool = str(tool_path("weft-opt"))
    watched = run(tool, "10-weft.mlir", "--print-ir-after-all", cwd=folder)
    assert watched.returncode == 1
    assert "IR Dump After SimplifyButterflies" in watched.stderr
    replaced = run(tool, "10-weft.mlir", "--pass-pipeline=builtin.module(inline)", cwd=folder)
    assert replaced.returncode == 0, replaced.stderr


def test_crash_of_python_between_passes_is_not_caught(tmp_path: Path) -> None:
    """What Python does while passes run is not caught: its state would be lost."""
    program = """\
import os, sys, signal
from weft.native import _compiler
module = _compiler.Module("func.func @f() { return }")
module.run("canonicalize", lambda flag, text: os.kill(os.getpid(), signal.SIGSEGV))
print("alive")
"""
    done = run(sys.executable, "-c", program, cwd=tmp_path)
    assert done.returncode == -signal.SIGSEGV
    assert "alive" not in done.stdout
