# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The three kinds of failure, word for word: each looks different and says what to do.

A fault of Weft leaves a folder whose replay.sh shows it again.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from weft import backend, pipeline
from weft.cli import Exit, main

TOOL = str(Path(sys.executable).with_name("weft"))
SOURCE = """\
kernel wave[n: size](x: c128[n]) -> (y: c128[n]):
    y = dft(x, axis=0)
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "wave.weft").write_text(SOURCE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("WEFT_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path


WORDS = ["compile", "wave.weft", "--size", "n=8", "--target", "portable"]


def told(capsys: pytest.CaptureFixture[str], status: Exit, words: list[str] = WORDS) -> str:
    capsys.readouterr()
    assert main(words) == status
    shown = capsys.readouterr()
    assert shown.out == ""
    return shown.err


def test_wrong_program(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "wave.weft").write_text(SOURCE.replace("dft(x", "dft(xx"))
    assert told(capsys, Exit.WRONG) == (
        "wave.weft:2:13: error[W101]: unknown name 'xx'\n"
        " 2 |     y = dft(xx, axis=0)\n"
        "   |             ^^\n"
        "   help: did you mean 'x'?\n"
    )


def test_wrong_words(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, Exit.USAGE, [*WORDS, "--size", "m=3"]) == (
        "error: wave has no size 'm'\n   expected: n\n"
    )


SCHEDULE = """\
schedule wave on portable:
    tile y.axis0 by 3 -> outer, inner
"""


@pytest.mark.parametrize("where", ["source", "file"])
@pytest.mark.parametrize("verb", ["compile", "run", "explain"])
def test_a_directive_that_cannot_be_kept_is_a_wrong_program(
    here: Path, capsys: pytest.CaptureFixture[str], verb: str, where: str
) -> None:
    """It was status 2, as if the command had asked for what does not exist."""
    text = SOURCE.replace("dft(x, axis=0)", "x * 2")
    (here / "wave.weft").write_text(text + ("\n" + SCHEDULE if where == "source" else ""))
    (here / "s.weft").write_text(SCHEDULE)
    words = [verb, *WORDS[1:], *(["--schedule", "s.weft"] if where == "file" else [])]
    message = told(capsys, Exit.WRONG, words)
    place = "wave.weft:5:5" if where == "source" else "s.weft:2:5"
    assert f"{place}: error: the schedule's 'tile y.axis0 by 3 -> outer, inner'" in message
    assert "8 is no multiple of 3" in message


def test_tune_does_not_begin_with_one(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "wave.weft").write_text(SOURCE.replace("dft(x, axis=0)", "x * 2") + "\n" + SCHEDULE)
    message = told(capsys, Exit.WRONG, ["tune", *WORDS[1:], "--budget", "1s"])
    assert "error: the schedule's 'tile y.axis0 by 3 -> outer, inner' cannot be kept" in message


def test_run_time_fault(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("WEFT_CC", "/no/such/cc")
    assert told(capsys, Exit.FAULT) == (
        "error: no C compiler: WEFT_CC names '/no/such/cc', which is not an executable\n"
        "   help: unset WEFT_CC, or give the path of gcc or clang\n"
    )


def bug(text: str) -> tuple[list[str], Path]:
    """The lines of a fault of Weft, and its folder in place of whatever its name is."""
    folder = Path(text.partition("reproducer: ")[2].splitlines()[0])
    assert (folder / "replay.sh").exists()
    return text.replace(str(folder), "FOLDER").splitlines(), folder


def replayed(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", str(folder / "replay.sh")],
        env={**os.environ, "WEFT": TOOL, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


LAST = [
    "   This is a fault of Weft, not of your program. Please report it.",
    "   reproducer: FOLDER",
    "   replay: sh FOLDER/replay.sh",
]


def test_failing_pass(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The pipeline's check for emittable IR, run where IR is not emittable yet."""
    early = pipeline.Step("check-emittable", "planted: much too early")
    steps = (*pipeline.CPU[:4], early, *pipeline.CPU[4:])
    monkeypatch.setitem(pipeline.STEPS, "portable", steps)
    lines, folder = bug(told(capsys, Exit.BUG))
    assert lines[0].startswith(
        "internal error in the pass check-emittable: wave.weft:1:1: error: not emittable"
    )
    assert lines[-3:] == LAST
    assert "weft.dft" in (folder / "10-weft.mlir").read_text()
    done = replayed(folder)
    assert done.returncode != 0
    assert "not emittable" in done.stderr


def test_ir_that_cannot_be_emitted(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A pipeline that stops too early: IR without a C form reaches the emitter."""
    monkeypatch.setitem(pipeline.STEPS, "portable", pipeline.CPU[:4])
    lines, folder = bug(told(capsys, Exit.BUG))
    assert lines[0].startswith("internal error in emission: ")
    assert lines[-3:] == LAST
    # The pipeline of now is whole, and what is kept is what the passes were given.
    done = replayed(folder)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("/* C for portable")


def test_c_that_does_not_compile(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real = backend.emit

    class Broken:
        def __init__(self, emitted: Any) -> None:
            self.c = emitted.c + "\nno sense at all;\n"
            self.kernels = emitted.kernels

    monkeypatch.setattr(backend, "emit", lambda *arguments: Broken(real(*arguments)))
    lines, folder = bug(told(capsys, Exit.BUG))
    assert lines[0].startswith("internal error in emission: ")
    assert lines[0].endswith(" refused the C that Weft emitted")
    assert lines[-3:] == LAST
    done = replayed(folder)
    assert done.returncode == Exit.BUG
    assert "no sense at all" in (folder / "90-kernel.c").read_text()
    assert "refused the C" in done.stderr


@pytest.mark.parametrize("stage", ["semantics", "lowering"])
def test_surprise_in_the_front_end(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], stage: str
) -> None:
    from weft.lowering import build_ir
    from weft.semantics import checker

    place, name = {"semantics": (checker, "instantiate"), "lowering": (build_ir, "lower")}[stage]
    monkeypatch.setattr(place, name, lambda *_: {}["planted"])
    lines, folder = bug(told(capsys, Exit.BUG))
    first = f"internal error in {stage}: KeyError: 'planted' (while compiling wave.weft)"
    assert lines == [first, *LAST]
    assert (folder / "00-source.weft").read_text() == SOURCE
    assert "KeyError" in (folder / "traceback.txt").read_text()
    # Without what was planted the same command makes the kernel.
    done = replayed(folder)
    assert done.returncode == 0, done.stderr
    assert "--size n=8" in done.stdout


def test_surprise_in_the_tool(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["weft", *WORDS])
    monkeypatch.setattr("weft.cli.app.run_app", lambda _: 1 / 0)
    lines, folder = bug(told(capsys, Exit.BUG))
    assert lines == ["internal error: ZeroDivisionError: division by zero", *LAST]
    assert "ZeroDivisionError" in (folder / "traceback.txt").read_text()
    assert replayed(folder).returncode == Exit.OK
    assert (here / "wave.c").exists(), "replayed where it was asked"


def test_fault_is_told_even_where_nothing_can_be_kept(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(here / "file"))
    monkeypatch.setattr("weft.cli.app.run_app", lambda _: 1 / 0)
    lines, folder = bug(told(capsys, Exit.BUG))
    assert lines[1:] == LAST
    assert (folder / "traceback.txt").exists()


def test_inputs_that_no_memory_holds(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "twice.weft").write_text(
        "kernel twice[n: size](x: c128[n]) -> (y: c128[n]):\n    y = 2 * x\n"
    )
    words = ["run", "twice.weft", "--size", f"n={1 << 44}", "--mode", "interpret"]
    assert told(capsys, Exit.FAULT, words) == (
        "error: no memory for the inputs\n"
        f"   expected: x: complex128[{1 << 44}], {1 << 48} bytes\n"
        "   help: choose smaller sizes\n"
    )
