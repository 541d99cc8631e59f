# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Kanata log of a function on a CPE: each instruction in its cycles, and what lies between."""

from __future__ import annotations

from pathlib import Path

import pytest

import kanata
from emulating import KERNEL, MAIN, by_hand
from weft import emu

ONCE = MAIN.replace("turn < 3", "turn < 1")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return by_hand(tmp_path_factory.mktemp("konata"), KERNEL + ONCE)


def log(program: Path, folder: Path, what: str = "kernel:5", **asked: object) -> list[kanata.Line]:
    path = folder / "log.kanata"
    done = emu.run([program], konata=what, konata_file=path, **asked)
    assert done.status == 0, done.errors
    return kanata.read(path)


def test_every_instruction_has_its_cycles(program: Path, tmp_path: Path) -> None:
    lines = log(program, tmp_path)
    assert len(lines) == 4 * 15  # CPE 5 runs the segment 15 times
    start = lines[0].begin
    for turn in range(15):
        at = start + 8 * turn
        load, fused, add, branch = lines[4 * turn : 4 * turn + 4]
        assert load.label == "10: vldd $32,0($16)"
        assert load.detail == "kernel.c:10, pipe 1, latency 4"
        assert load.stages == [("I", at, at + 1), ("X", at + 1, at + 4)]
        # It waits in decode for what the load brings.
        assert fused.stages == [("D", at, at + 4), ("I", at + 4, at + 5), ("X", at + 5, at + 11)]
        # Issued together with it, and gone long before.
        assert add.stages == [("I", at + 4, at + 5)]
        assert (add.retired or 0) < (fused.retired or 0)
        assert branch.stages == [("D", at + 4, at + 5), ("I", at + 5, at + 6)]


def test_what_lies_between_is_a_line_with_its_reason(tmp_path: Path) -> None:
    # After the first turn it waits long for a sync, after the others for messages.
    wait = """
    run_segment(core);
    const std::uint64_t cycles = turn ? 100 : 5000;
    count(static_cast<int>(core->index), turn ? Counter::GetrEmpty : Counter::SyncWait, cycles,
          nullptr);
    core->now += cycles;
  }
"""
    kernel = KERNEL.replace("    run_segment(core);\n", "{" + wait)
    source = '#include "Counters.h"\nusing namespace weft::emu;\n' + kernel
    main = ONCE.replace("(slave_kernel", "(reinterpret_cast<void *>(slave_kernel)")
    lines = log(by_hand(tmp_path, source + main, cxx=True), tmp_path)
    waits = [line for line in lines if line.label.startswith("--")]
    assert [line.label for line in waits] == ["-- sync_wait --"] + 13 * ["-- getr_empty --"]
    assert waits[1].detail == "100 cycles without instructions of kernel"
    first = next(line for line in lines if line.label == "10: vldd $32,0($16)")
    assert waits[0].stages == [("W", first.begin + 8, first.begin + 5008)]


def test_only_the_cpe_that_was_named(program: Path, tmp_path: Path) -> None:
    assert len(log(program, tmp_path, "kernel:0")) == 4 * 10
    assert len(log(program, tmp_path, "kernel:63")) == 4 * 73


def test_a_limit_and_a_beginning(program: Path, tmp_path: Path) -> None:
    everything = log(program, tmp_path)
    limited = log(program, tmp_path, konata_limit=10)
    assert [line.stages for line in limited] == [line.stages for line in everything[:10]]
    from_there = everything[0].begin + 8 * 12
    later = log(program, tmp_path, konata_from=from_there)
    assert [line.stages for line in later] == [line.stages for line in everything[4 * 12 :]]


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("kernl:5", "has no slave function 'kernl'\n  it has: kernel"),
        ("kernel:64", "expected FUNCTION:CPE"),
        ("kernel:", "expected FUNCTION:CPE"),
        ("kernel", "expected FUNCTION:CPE"),
        ("kernel:5x", "expected FUNCTION:CPE"),
    ],
)
def test_what_cannot_be_shown_is_refused(program: Path, what: str, said: str) -> None:
    done = emu.run([program], konata=what)
    assert done.status == 2
    assert said in done.errors.decode()


def test_a_function_that_did_not_run_is_told(tmp_path: Path) -> None:
    program = by_hand(tmp_path, KERNEL + "int main(void) { athread_init(); return 0; }")
    done = emu.run([program], konata="kernel:5", konata_file=tmp_path / "log")
    assert done.status == 0
    assert "kernel did not run on CPE 5" in done.errors.decode()


def test_nothing_changes_for_the_program(program: Path, tmp_path: Path) -> None:
    watched = emu.run([program], konata="kernel:5", konata_file=tmp_path / "log")
    assert watched.report == emu.run([program]).report
