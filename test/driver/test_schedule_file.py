# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Schedules in a file of their own: they act as if they stood in the source."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

import weft
from weft import sources
from weft.diagnostics import RunError, SourceError

PROGRAM = """\
kernel f[n: size](x: c128[16, n]) -> (y: c128[16, n]):
    y = dft(x, axis=1)
"""
OWN = """
schedule f on portable:
    factor y into 16, 4
    unroll 1

schedule f on avx512:
    unroll 2
"""
BESIDE = "schedule f on portable:\n    factor y into 4, 4, 4\n"


def files(tmp_path: Path, program: str = PROGRAM, beside: str = BESIDE) -> tuple[Path, Path]:
    source, schedule = tmp_path / "f.weft", tmp_path / "beside.weft"
    source.write_text(program)
    schedule.write_text(beside)
    return source, schedule


def test_the_c_is_that_of_the_schedule_in_the_source(tmp_path: Path) -> None:
    source, schedule = files(tmp_path)
    kernel = weft.compile(source, target="portable", schedule=schedule, n=64)
    (tmp_path / "in").mkdir()
    inside, _ = files(tmp_path / "in", PROGRAM + "\n" + BESIDE)
    written = weft.compile(inside, target="portable", n=64)
    assert kernel.asm["c"] == written.asm["c"]
    assert kernel.asm["c"] != weft.compile(source, target="portable", n=64).asm["c"]
    assert "into 4, 4, 4" in kernel.command
    x = np.random.default_rng(1).standard_normal((16, 64)) + 0j
    np.testing.assert_allclose(kernel(x), np.fft.fft(x, axis=1), atol=1e-12)
    again = pickle.loads(pickle.dumps(kernel))
    assert again.report["schedule"] == kernel.report["schedule"]


def test_text_is_taken_as_well() -> None:
    kernel = weft.compile(PROGRAM, target="portable", schedule=BESIDE, n=64)
    assert kernel.report["schedule"] == {"f": ["factor y into 4, 4, 4"]}


def test_it_replaces_the_sources_own_and_lines_keep_their_numbers(tmp_path: Path) -> None:
    text = OWN.lstrip() + "\n" + PROGRAM
    source, schedule = files(tmp_path, text)
    joined = sources.scheduled(source, schedule)
    assert joined.splitlines()[:3] == [
        "# schedule f on portable:",
        "#     factor y into 16, 4",
        "#     unroll 1",
    ]
    assert "\nschedule f on avx512:\n    unroll 2\n" in joined
    assert joined.splitlines().index(PROGRAM.splitlines()[0]) == text.splitlines().index(
        PROGRAM.splitlines()[0]
    )
    kernel = weft.compile(source, target="portable", schedule=schedule, n=64)
    assert kernel.report["schedule"] == {"f": ["factor y into 4, 4, 4"]}
    assert joined.path == str(source)


@pytest.mark.parametrize("ends", ["\r\n", "\n"])
def test_files_of_other_systems(tmp_path: Path, ends: str) -> None:
    source, schedule = tmp_path / "f.weft", tmp_path / "s.weft"
    source.write_bytes(b"\xef\xbb\xbf" + (PROGRAM + OWN).replace("\n", ends).rstrip().encode())
    schedule.write_bytes(BESIDE.replace("\n", ends).rstrip().encode())
    kernel = weft.compile(source, target="portable", schedule=schedule, n=64)
    assert kernel.report["schedule"] == {"f": ["factor y into 4, 4, 4"]}


@pytest.mark.parametrize(
    ("directive", "line", "column", "says"),
    [
        ("factor y into 4, 4, 5", 3, 14, "radices"),  # found when sizes are known
        ("factor q into 8, 8", 3, 12, "'q' is not known here"),
        ("unrol 2", 3, 5, "no directive 'unrol'"),
        ("factor y into", 3, None, ""),  # a syntax error
    ],
)
def test_messages_name_the_schedules_own_file(
    tmp_path: Path, directive: str, line: int, column: int | None, says: str
) -> None:
    source, schedule = files(
        tmp_path, beside=f"# tuned\nschedule f on portable:\n    {directive}\n"
    )
    with pytest.raises(SourceError) as told:
        weft.compile(source, target="portable", schedule=schedule, n=64)
    (found, *_) = told.value.diagnostics
    assert (found.path, found.line) == (str(schedule), line)
    if column is not None:
        assert found.column == column
        assert f"beside.weft:{line}:{column}: error" in found.render()
        assert f" {line} |     {directive}\n" in found.render()
    assert says in found.message


def test_a_directive_that_cannot_be_kept_is_shown_in_the_schedules_own_file(
    tmp_path: Path,
) -> None:
    tile = "tile y.axis1 by 8 -> a, b"
    source, schedule = files(
        tmp_path, beside=f"# by hand\nschedule f on portable:\n    unroll 2\n    {tile}\n"
    )
    with pytest.raises(RunError, match="cannot be kept") as told:
        weft.compile(source, target="portable", schedule=schedule, n=64)
    error = pickle.loads(pickle.dumps(told.value))
    assert (error.path, error.line, error.column) == (str(schedule), 4, 5)
    first, line, carets, *_ = error.render().splitlines()
    assert first == f"{schedule}:4:5: error: the schedule's '{tile}' cannot be kept"
    assert line == f" 4 |     {tile}"
    assert carets == f"   |     {'^' * len(tile)}"


def test_of_equal_directives_that_of_the_kernel_at_fault_is_shown() -> None:
    other = PROGRAM.replace("kernel f", "kernel g").replace("axis=1", "axis=0")
    tile = "    tile y.axis1 by 8 -> a, b\n"
    text = f"{other}\nschedule g on portable:\n{tile}\n{PROGRAM}\nschedule f on portable:\n{tile}"
    with pytest.raises(RunError, match="cannot be kept") as told:
        weft.compile_many([(text, "g", {"n": 64}), (text, "f", {"n": 64})], target="portable")
    assert told.value.line == len(text.splitlines())


def test_a_second_schedule_names_the_line_of_the_first_in_its_own_file(tmp_path: Path) -> None:
    source, schedule = files(tmp_path, beside="# by hand\n" + BESIDE + BESIDE)
    with pytest.raises(SourceError) as told:
        weft.compile(source, target="portable", schedule=schedule, n=64)
    (found,) = told.value.diagnostics
    assert (found.path, found.line, found.rule) == (str(schedule), 4, "W621")
    assert found.found == "the other one is at line 2"


def test_messages_about_the_program_name_the_program(tmp_path: Path) -> None:
    source, schedule = files(tmp_path, PROGRAM.replace("axis=1", "axis=7"))
    with pytest.raises(SourceError) as told:
        weft.compile(source, target="portable", schedule=schedule, n=64)
    assert str(told.value.diagnostics[0].span).startswith(f"{source}:2:")


def test_only_comments_are_no_schedule(tmp_path: Path) -> None:
    source, schedule = files(tmp_path, beside="# nothing was better\n")
    kernel = weft.compile(source, target="portable", schedule=schedule, n=64)
    assert kernel.report["schedule"] == {}


def test_a_file_with_kernels_is_refused(tmp_path: Path) -> None:
    source, schedule = files(tmp_path, beside=BESIDE + "\n" + PROGRAM.replace("f[", "g["))
    with pytest.raises(RunError, match=r"beside.weft:4: a file of schedules has no kernels"):
        weft.compile(source, target="portable", schedule=schedule, n=64)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="cannot read") as told:
        weft.compile(PROGRAM, target="portable", schedule=tmp_path / "none.weft", n=64)
    assert told.value.argument == "schedule"


def test_the_words_of_a_path_are_no_schedule() -> None:
    with pytest.raises(RunError, match="is a path"):
        weft.compile(PROGRAM, target="portable", schedule="some/where.txt", n=64)


def test_a_kernel_that_is_not_there_is_told_in_the_schedule(tmp_path: Path) -> None:
    source, schedule = files(tmp_path, beside=BESIDE.replace("schedule f", "schedule ff"))
    with pytest.raises(SourceError) as told:
        weft.compile(source, target="portable", schedule=schedule, n=64)
    assert str(told.value.diagnostics[0].span) == f"{schedule}:1:10"
