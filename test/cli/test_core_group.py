# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The verbs on a core group: two files of C, no shared object, times of the emulated machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from weft.cli import Exit, main

SOURCE = """\
kernel lines[n: size](x: c128[64, n]) -> (y: c128[64, n]):
    y = dft(x, axis=1)
"""
ON = ["--target", "sw26010", "--size", "n=24"]


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "lines.weft"
    path.write_text(SOURCE)
    return str(path)


def test_compile_writes_both_files(file: str, tmp_path: Path) -> None:
    assert main(["compile", file, *ON, "--emit", "c,asm", "-o", str(tmp_path / "out")]) == 0
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["lines.c", "lines.s", "lines_slave.c"]
    assert "athread_spawn(lines_cores" in (tmp_path / "out" / "lines.c").read_text()
    assert "void lines_cores(" in (tmp_path / "out" / "lines_slave.c").read_text()
    assert "lines_cores:" in (tmp_path / "out" / "lines.s").read_text()


def test_a_stage_gives_the_same_files(file: str, tmp_path: Path) -> None:
    dump, out = tmp_path / "dump", tmp_path / "out"
    assert main(["compile", file, *ON, "-o", str(out), "--dump-dir", str(dump)]) == 0
    (stage,) = dump.glob("20-*-insert-transfers.mlir")
    assert main(["compile", "--from", str(stage), "-o", str(tmp_path / "again")]) == 0
    for name in ("lines.c", "lines_slave.c"):
        again = (tmp_path / "again" / name).read_text()
        assert again == (out / name).read_text()


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("so", "a kernel for sw26010 is a program of the emulator: expected ir, c or asm"),
        ("lib", "no library for the target 'sw26010': its kernels run on the emulator"),
    ],
)
def test_what_a_core_group_has_not(
    file: str, tmp_path: Path, kind: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["compile", file, *ON, "--emit", kind, "-o", str(tmp_path)]
    assert main(words) == Exit.USAGE
    assert told in capsys.readouterr().err


GROUPS = "kernel s[G: groups, n: size](x: f64[n]) -> (y: f64[n]):\n    y = allreduce(x)\n"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["run", "FILE", *ON, "--threads", "4"], "cores of the emulated core group; leave it out"),
        (["tune", "FILE", *ON, "--threads", "4"], "cores of the emulated core group; leave it out"),
        (["run", "FILE", *ON, "--run-groups", "1"], "lines has one group; only of several groups"),
        (["run", "GROUPS", *ON, "--groups", "3", "--run-groups", "4"], "4 of 3 groups"),
        (["run", "GROUPS", *ON, "--groups", "3", "--run-groups", "4"], "expected 1 to 3"),
        (
            ["run", "GROUPS", *ON, "--groups", "2", "--run-groups", "1", "--target", "portable"],
            "portable runs all groups",
        ),
    ],
)
def test_what_makes_no_sense_there_is_usage(
    file: str, tmp_path: Path, words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    groups = tmp_path / "groups.weft"
    groups.write_text(GROUPS)
    names = {"FILE": file, "GROUPS": str(groups)}
    words = [names.get(word, word) for word in words]
    assert main(words) == Exit.USAGE
    shown = capsys.readouterr().err
    assert told in shown
    assert ("--threads" if "--threads" in words else "--run-groups") in shown


def test_a_part_of_the_groups(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    groups = tmp_path / "groups.weft"
    groups.write_text(GROUPS)
    words = ["run", str(groups), *ON, "--groups", "3", "--run-groups", "3", "--threads", "1"]
    assert main(words) == Exit.OK
    assert "3 core groups" in capsys.readouterr().out


def test_one_of_two_files_is_no_stage(
    file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dump = tmp_path / "dump"
    assert main(["compile", file, *ON, "-o", str(tmp_path), "--dump-dir", str(dump)]) == 0
    assert main(["compile", "--from", str(dump / "90-kernel.c"), "-o", str(tmp_path)]) != 0
    assert "90-kernel.c is one of two files of a program" in capsys.readouterr().err


def test_run_tells_cycles(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", file, *ON]) == 0
    out = capsys.readouterr().out
    assert "cycles in the kernel" in out
    assert "lines_cores: once, " in out
    assert out.endswith("holds\n")


def test_explain_bounds_all_cores(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", file, *ON]) == 0
    out = capsys.readouterr().out
    assert "Lower bound of time on 64 cores" in out
    assert "pass through the LDM at a time" in out


def test_tune_takes_the_emulated_time(
    file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "tuned.weft"
    words = ["tune", file, *ON, "--budget", "5", "-o", str(out)]
    assert main(words) == 0
    text = out.read_text()
    assert "schedule lines on sw26010:" in text
    capsys.readouterr()
    assert main(["run", file, *ON, "--schedule", str(out)]) == 0
    assert capsys.readouterr().out.endswith("holds\n")
