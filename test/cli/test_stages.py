# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""weft compile: where the time goes, IR between passes, and going on from any stage."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from weft import backend, machine, pipeline
from weft.artifacts import Dump
from weft.cli import Exit, main

SOURCE = """\
kernel scale[n: size](x: c128[n]) -> (y: c128[n]):
    y = x / n

kernel wave[n: size](x: c128[n]) -> (y: c128[n]):
    z = dft(x, axis=0)
    y = scale(z)
"""
EXAMPLES = Path(__file__).parents[2] / "examples"
PASSES = [step.flag for step in pipeline.steps("portable")]
HEADER = "// -----// IR Dump After "


@pytest.fixture
def words(tmp_path: Path, target: str) -> list[str]:
    (tmp_path / "waves.weft").write_text(SOURCE)
    file = str(tmp_path / "waves.weft") + ":wave"
    return ["compile", file, "--size", "n=24", "--target", target]


def shown_passes(err: str) -> list[str]:
    heads = [line for line in err.splitlines() if line.startswith(HEADER)]
    return [head.removeprefix(HEADER).split()[0] for head in heads]


def test_every_stage_of_a_dump_can_be_replayed(
    words: list[str], tmp_path: Path, target: str, capsys: pytest.CaptureFixture[str]
) -> None:
    dump, whole = tmp_path / "dump", tmp_path / "whole"
    kinds = ["--emit", "c,asm,so"]
    assert main([*words, *kinds, "--dump-dir", str(dump), "-o", str(whole)]) == Exit.OK
    stages = sorted(path.name for path in dump.iterdir())
    shown_only = ("00-command.txt", "01-ast.txt", "02-typed.txt", "80-notes.txt")
    replayed = [name for name in stages if name not in shown_only]
    assert len(replayed) == len(pipeline.steps(target)) + 4
    for name in replayed:
        out = tmp_path / "replayed" / name.replace(".", "-")
        left = kinds if name != "91-kernel.s" else ["--emit", "asm,so"]
        assert main(["compile", "--from", str(dump / name), *left, "-o", str(out)]) == Exit.OK
        for path in out.iterdir():
            assert path.read_bytes() == (whole / path.name).read_bytes(), (name, path.name)
        assert len(list(out.iterdir())) == len(left[1].split(","))


def test_command_of_a_file_whose_name_the_shell_takes_apart(tmp_path: Path, target: str) -> None:
    (tmp_path / "the wave's.weft").write_text(SOURCE)
    dump, whole, again = (tmp_path / name for name in ("dump", "whole", "again"))
    words = ["compile", str(tmp_path / "the wave's.weft") + ":wave", "--size", "n=24"]
    words += ["--target", target, "--dump-dir", str(dump), "-o", str(whole)]
    assert main(words) == Exit.OK
    assert main(["compile", "--from", str(dump / "00-source.weft"), "-o", str(again)]) == Exit.OK
    made = (whole / "wave.c").read_text()
    assert (again / "wave.c").read_text() == made
    command = made.splitlines()[1].removeprefix(" * ")
    assert shlex.split(command)[:3] == ["weft", "compile", "the wave's.weft:wave"]


@pytest.mark.parametrize(
    ("file", "sizes"),
    [
        ("ft/ft.weft:ft", "nx=16,ny=8,nz=8,niter=2"),
        ("winograd/winograd.weft:winograd2", "N=2,C=3,K=5,H=11,W=9"),
    ],
)
def test_names_in_c_are_those_of_the_source_from_every_stage(
    file: str, sizes: str, tmp_path: Path, target: str
) -> None:
    """The text of a loop has no place for the names of its index and of what it carries."""
    source = ["compile", str(EXAMPLES / file), "--size", sizes, "--target", target]
    assert main([*source, "--dump-dir", str(tmp_path), "-o", str(tmp_path)]) == Exit.OK
    chosen = machine.load(target)
    whole = (tmp_path / "90-kernel.c").read_text()
    command = (tmp_path / "00-command.txt").read_text().strip()
    for done, stage in enumerate(sorted(tmp_path.glob("[12]0-*.mlir"))):
        text = stage.read_text()
        module = backend.run_passes(text, chosen, Dump(None), done=done)
        assert backend.emit(module, text, chosen, command).c == whole, stage.name


def test_edited_stage_is_what_is_compiled(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dump = tmp_path / "dump"
    assert main([*words, "--dump-dir", str(dump), "-o", str(tmp_path)]) == Exit.OK
    c = dump / "90-kernel.c"
    c.write_text(c.read_text() + "int added(void);\nint added(void) { return 3; }\n")
    capsys.readouterr()
    again = ["compile", "--from", str(c), "--emit", "asm", "-o", "-"]
    assert main(again) == Exit.OK
    assert "added:" in capsys.readouterr().out


def test_replay_goes_on_with_the_dump(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    assert main([*words, "--dump-dir", str(first), "-o", str(tmp_path)]) == Exit.OK
    capsys.readouterr()
    stage = first / "20-10-fuse.mlir"
    assert stage.exists()
    again = ["compile", "--from", str(stage), "--dump-dir", str(second), "-o", str(tmp_path)]
    assert main([*again, "--print-ir-after-all"]) == Exit.OK
    assert shown_passes(capsys.readouterr().err) == PASSES[10:]
    names = sorted(path.name for path in second.iterdir())
    assert names == sorted(p.name for p in first.iterdir() if p.name > stage.name)
    # What the passes said that did not run again is not known here.
    notes = [(folder / "80-notes.txt").read_text() for folder in (first, second)]
    assert notes[1]
    assert notes[0].endswith(notes[1])
    names.remove("80-notes.txt")
    for name in names:
        assert (second / name).read_text() == (first / name).read_text()


@pytest.mark.parametrize(
    ("change", "more", "told"),
    [
        (None, ["--from", "gone.mlir"], "gone.mlir is not there"),
        (None, ["--from", "DUMP"], "is a folder; a file of it is expected"),
        (None, ["--from", "DUMP/01-ast.txt"], "only shows a stage"),
        (None, ["--from", "DUMP/80-notes.txt"], "only shows a stage"),
        (None, ["--from", "DUMP/10-weft.mlir", "--size", "n=3"], "has its sizes already"),
        (None, ["--from", "DUMP/10-weft.mlir", "--emit", "ir"], "'ir' lies before 10-weft.mlir"),
        (None, ["--from", "DUMP/91-kernel.s"], "'c' lies before 91-kernel.s"),
        (None, ["--from", "DUMP/10-weft.mlir", "DUMP/00-source.weft"], "either a .weft file"),
        (None, [], "either a .weft file"),
        ("20-10-cse.mlir", ["--from", "DUMP/20-10-cse.mlir"], "expected: pass 10 to be fuse"),
        ("20-77-cse.mlir", ["--from", "DUMP/20-77-cse.mlir"], "expected: pass 77 to be none"),
        ("a.txt", ["--from", "DUMP/a.txt"], "is no stage of a dump"),
    ],
)
def test_wrong_stage_is_usage(
    words: list[str],
    tmp_path: Path,
    change: str | None,
    more: list[str],
    told: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    dump = tmp_path / "dump"
    assert main([*words, "--dump-dir", str(dump), "-o", str(tmp_path)]) == Exit.OK
    if change is not None:
        (dump / "20-10-fuse.mlir").rename(dump / change)
    capsys.readouterr()
    more = [word.replace("DUMP", str(dump)) for word in more]
    assert main(["compile", *more, "-o", str(tmp_path / "out")]) == Exit.USAGE
    assert told in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("more", [[], ["--print-ir-after-change"]])
def test_damaged_ir_is_the_writers_mistake(
    words: list[str], tmp_path: Path, more: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    dump, half = tmp_path / "dump", tmp_path / "half.mlir"
    assert main([*words, "--dump-dir", str(dump), "-o", str(tmp_path)]) == Exit.OK
    text = (dump / "10-weft.mlir").read_text()
    capsys.readouterr()
    half.write_text(text[:500])
    assert main(["compile", "--from", str(half), *more]) == Exit.WRONG
    assert capsys.readouterr().err.startswith(f"{half}:1:500: error: expected ")
    # As weft opt says it: what has a place in the source is told there.
    half.write_text(text.replace("weft.dft %x axis 0", "weft.dft %x axis 7"))
    assert main(["compile", "--from", str(half), *more]) == Exit.WRONG
    told = capsys.readouterr().err
    assert re.match(r"\S+\.weft:\d+:\d+: error: 'weft\.dft' op ", told)
    assert "fault of Weft" not in told
    half.write_bytes(b"\xff\xfe")
    assert main(["compile", "--from", str(half), *more]) == Exit.USAGE
    assert f"cannot read {half}" in capsys.readouterr().err


def test_stage_of_another_target_is_refused(
    words: list[str], tmp_path: Path, target: str, capsys: pytest.CaptureFixture[str]
) -> None:
    dump = tmp_path / "dump"
    assert main([*words, "--dump-dir", str(dump), "-o", str(tmp_path)]) == Exit.OK
    other = "portable" if target == "avx512" else "avx512"
    for name in ("10-weft.mlir", "90-kernel.c"):
        assert main(["compile", "--from", str(dump / name), "--target", other]) == Exit.USAGE
        assert f"was made for the target '{target}'" in capsys.readouterr().err


def test_timing_has_every_stage_and_pass(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, "-o", str(tmp_path)]) == Exit.OK
    capsys.readouterr()
    # From the cache there would be nothing to time.
    assert main([*words, "--timing", "-o", "-"]) == Exit.OK
    shown = capsys.readouterr()
    assert shown.out.startswith("/* C for ")
    # On a busy machine a slow step is told of as well.
    table = [line for line in shown.err.splitlines() if not line.startswith("weft: compiling")]
    rows = [(line[:28].rstrip(), *line[28:].split()) for line in table]
    assert rows[0] == ("stage", "ms", "%")
    names = [row[0] for row in rows[1:]]
    start = names.index("passes") + 1
    assert names[start : start + len(PASSES)] == [f"  {flag}" for flag in PASSES]
    assert names[-4:] == ["C compiler", "  C to assembly", "  assembly to shared object", "total"]
    stages = [float(row[1]) for row in rows[1:-1] if not row[0].startswith(" ")]
    assert abs(sum(stages) - float(rows[-1][1])) < 0.1
    assert all(ms > 0 for ms in stages)


def test_ir_is_printed_after_passes(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = ["-o", str(tmp_path)]
    assert main([*words, *out, "--print-ir-after-all"]) == Exit.OK
    every = capsys.readouterr().err
    assert shown_passes(every) == PASSES
    assert main([*words, *out, "--print-ir-after-change"]) == Exit.OK
    changes = shown_passes(capsys.readouterr().err)
    assert "inline" in changes
    assert "factor-transform" in changes
    assert "check-emittable" not in changes
    assert len(changes) < len(PASSES)
    assert main([*words, *out, "--print-ir-after", "fuse", "--print-ir-after", "cse"]) == Exit.OK
    assert shown_passes(capsys.readouterr().err) == [f for f in PASSES if f in ("fuse", "cse")]
    assert main([*words, *out, "--print-ir-after", "fusee"]) == Exit.USAGE
    assert "did you mean 'fuse'?" in capsys.readouterr().err
