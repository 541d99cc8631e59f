# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command line without the compiler behind it: words, exit status, what goes where."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import weft
from weft.cli import Exit, failure, main
from weft.diagnostics import CompilerBug, RunError, SourceError

WEFT = str(Path(sys.executable).with_name("weft"))


def shell(*words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run([WEFT, *words], input=stdin, capture_output=True, text=True, check=False)


def test_version() -> None:
    for words in (["--version"], ["--version", "compile"]):
        done = shell(*words)
        assert (done.returncode, done.stdout) == (0, f"weft {weft.__version__}\n")


def test_help_names_every_verb() -> None:
    done = shell("--help")
    assert done.returncode == 0
    for verb in ("compile", "run", "opt", "bench"):
        assert f" {verb} " in done.stdout


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["kompile"], "No such command"),
        (["compile"], "either a .weft file"),
        (["compile", "no.weft"], "no such file: no.weft"),
        (["compile", "no.weft:k"], "no such file: no.weft"),
        (["compile", __file__, "--target", "avx521"], "did you mean 'avx512'?"),
        (["compile", __file__, "--emit", "c,elf"], "'elf': expected some of ir, c, asm, so"),
        (["compile", __file__, "--emit", "c,ir", "-o", "-"], "standard output takes one text"),
        (["compile", __file__, "--emit", "so", "-o", "-"], "standard output takes one text"),
        (["compile", __file__, "-o", ""], "a folder is missing; this one is '.'"),
        (
            ["compile", __file__, "-o", "out/x.c"],
            "files have the names of kernels: -o out",
        ),
        (["run", __file__, "--threads", "0"], "0: expected a whole number from 1 to 1024"),
        (["run", __file__, "--threads", "x"], "x: expected a whole number from 1 to 1024"),
        (["run", __file__, "--seed", "-1"], "-1: expected a whole number from 0 to"),
        (["run", __file__, "--groups", "1.5"], "1.5: expected a whole number from 1 to 65536"),
        (["compile", f"{__file__}:two", "--kernel", "one"], "given twice: two, one"),
        (["run", __file__, "--kernel", "one", "--kernel", "two"], "given twice: one, two"),
        (["explain", f"{__file__}:two", "--kernel", "one"], "given twice: two, one"),
        (["tune", f"{__file__}:two", "--kernel", "one"], "given twice: two, one"),
        (["tune", "--calibrate", "--kernel", "one"], "of the machine, not of a kernel"),
        (["interp", "x.mlir", "--random"], "--random is given no value\nexpected: --random SEED"),
        (["bench", "no-such-suite"], "no suite 'no-such-suite'"),
        (["bench", "ff"], "; did you mean 'fft'?"),
        (["bench", "fft", "--json", "bench"], "cannot write bench: it is a folder"),
        (["run", __file__, "n=4"], "sizes are options: --size n=4; weft run --help"),
        (["compile", __file__, "--emit"], "an argument.\nhelp: weft compile --help"),
        (["cache", "clear", "--older-than"], "help: weft cache clear --help"),
        (["calibrate"], "help: weft tune --calibrate"),
        (["explain", "W499"], "W499; there are W001 to W903, of W4xx (Indices) W401 to W411"),
        (
            ["explain", "W9999"],
            "there is no rule W9999; there are W001 to W903, of W9xx (Not available yet) W902 to",
        ),
        (["explain", "W"], "no such file: W"),
    ],
)
def test_wrong_words_are_usage(
    capsys: pytest.CaptureFixture[str], words: list[str], told: str
) -> None:
    assert main(words) == Exit.USAGE
    shown = capsys.readouterr()
    assert shown.out == ""
    # The frame that typer draws breaks lines; its border is not what is tested.
    assert "".join(told.split()) in "".join(c for c in shown.err if c not in " │\n")


@pytest.mark.parametrize(
    ("sizes", "told"),
    [
        (["n"], "'n': expected NAME=N"),
        (["=3"], "'=3': expected NAME=N"),
        (["n=x"], "'x' is not an integer"),
        (["n=3,n=4"], "n given twice"),
    ],
)
def test_wrong_sizes_are_usage(sizes: list[str], told: str) -> None:
    import typer

    from weft.cli.options import parse_sizes

    with pytest.raises(typer.BadParameter) as caught:
        parse_sizes(sizes)
    assert told in str(caught.value)


def test_sizes() -> None:
    from weft.cli.options import parse_sizes

    assert parse_sizes(["n=3, m=4", "k=5", "n=3"]) == {"n": 3, "m": 4, "k": 5}
    assert parse_sizes(None) == {}


def test_one_kernel() -> None:
    from weft.cli.options import one_kernel

    assert one_kernel(["a", "a"], "a") == one_kernel(None, "a") == one_kernel(["a"], None) == "a"
    assert one_kernel(None, None) is one_kernel([], None) is None


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (SourceError([]), 1),
        (failure.UsageError("u"), 2),
        (RunError("r"), 3),
        (CompilerBug("b"), 70),
    ],
)
def test_each_failure_has_its_status(
    capsys: pytest.CaptureFixture[str], error: Exception, status: int
) -> None:
    assert failure.report(error) == status
    assert capsys.readouterr().out == ""


def test_surprise_is_a_fault_of_weft_with_its_traceback_in_a_file(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def surprise(_: object) -> int:
        raise ZeroDivisionError("surprise")

    monkeypatch.setattr("weft.cli.app.run_app", surprise)
    assert main(["compile"]) == Exit.BUG
    shown = capsys.readouterr().err
    assert "Traceback" not in shown
    assert "This is a fault of Weft, not of your program" in shown
    folder = Path(shown.partition("reproducer: ")[2].splitlines()[0])
    assert "ZeroDivisionError: surprise" in (folder / "traceback.txt").read_text()


def test_opt_is_the_native_program() -> None:
    text = "module {}"
    done = shell("opt", "--canonicalize", "-", stdin=text)
    assert (done.returncode, done.stdout.strip()) == (0, "module {\n}")
    assert shell("opt", "--no-such-pass", stdin=text).returncode != 0
    assert "--factor-transform" in shell("opt", "--help").stdout


def test_opt_writes_to_what_is_there(tmp_path: Path) -> None:
    ir, real, link, pipe = (tmp_path / name for name in ("in.mlir", "real", "link", "pipe"))
    ir.write_text("module {}")
    link.symlink_to(real)
    os.mkfifo(pipe)
    for words in (["-o", link], [f"-o={link}"], [f"--o={link}"], ["-o", "/dev/full", "-o", link]):
        done = shell("opt", str(ir), "--canonicalize", *map(str, words))
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        assert link.is_symlink()
        assert real.read_text().strip() == "module {\n}"
        real.unlink()
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE, text=True) as reader:
        assert shell("opt", str(ir), "-o", str(pipe)).returncode == 0
        assert reader.communicate(timeout=60)[0].strip() == "module {\n}"
    assert pipe.is_fifo()


def test_opt_that_cannot_write_is_a_fault(tmp_path: Path) -> None:
    ir, old = tmp_path / "in.mlir", tmp_path / "old"
    ir.write_text("module {}")
    old.write_text("old")
    for place, told in (
        ("/dev/full", "cannot write /dev/full: No space left on device"),
        (str(tmp_path), f"cannot write {tmp_path}: it is a folder"),
        (str(ir / "out"), f"cannot write {ir / 'out'}: {ir} is no folder"),
    ):
        done = shell("opt", str(ir), "-o", place)
        assert (done.returncode, done.stderr) == (Exit.FAULT, f"error: {told}\n")
    ir.write_text("module {")
    done = shell("opt", str(ir), "-o", str(old))
    assert done.returncode == Exit.WRONG
    assert "in.mlir:1:7: error: " in done.stderr
    assert old.read_text() == "old"


@pytest.mark.parametrize("verb", ["opt", "interp"])
def test_a_source_is_no_ir(verb: str) -> None:
    done = shell(verb, "examples/ft/ft.weft")
    assert done.returncode == Exit.USAGE
    assert f"weft-{verb} reads IR, and this is a source" in done.stderr
    assert f"--emit=ir -o - | weft-{verb} -" in done.stderr


def test_console_scripts_of_the_native_tools() -> None:
    for name, flag in (("weft-opt", "--factor-transform"), ("weft-translate", "--weft-to-c")):
        tool = str(Path(sys.executable).with_name(name))
        done = subprocess.run([tool, "--help"], capture_output=True, text=True, check=True)
        assert flag in done.stdout
        done = subprocess.run([tool, "a.weft"], capture_output=True, text=True, check=False)
        assert done.returncode == Exit.USAGE
        assert done.stderr.startswith(f"error: {name} reads IR, and this is a source\n")


BENCH = """
from __future__ import annotations
from dataclasses import dataclass

@dataclass(frozen=True)
class Case:
    name: str

def records():
    assert Case("a").name == "a"
    yield dict(suite="toy", case="a", metric="rate", value=3.0, unit="GF", peer="p", peer_value=2.0,
               ratio=1.5, goal={goal}, met=1.5 >= {goal})
    yield dict(suite="toy", case="b", metric="", value=1, unit="s", peer=None)
"""


@pytest.mark.parametrize(("goal", "status"), [(1.2, 0), (1.6, 1)])
def test_bench_writes_records_and_says_whether_goals_are_met(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    goal: float,
    status: int,
) -> None:
    suite = tmp_path / "bench" / "toy"
    suite.mkdir(parents=True)
    (suite / "bench.py").write_text(BENCH.format(goal=goal))
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    assert main(["bench", "toy", "--json", "out.json"]) == status
    assert capsys.readouterr().out.splitlines() == [
        f"toy a: 3 GF (rate); p 2; ratio 1.50; goal {goal}: {'NOT met' if status else 'met'}",
        "toy b: 1 s",
    ]
    records = json.loads((tmp_path / "below" / "out.json").read_text())
    assert records[0]["peer_value"] == 2.0
    assert records[1]["met"] is None
