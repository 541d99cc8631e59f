# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The report of a run: exact counts of a program whose costs are given by hand, schema, ends."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from emulating import KERNEL, MAIN, by_hand
from weft import emu

# Of all CPEs in the three spawns: CPE k runs the segment 10 + k times.
TIMES = 3 * sum(10 + cpe for cpe in range(64))


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return by_hand(tmp_path_factory.mktemp("report"), KERNEL + MAIN)


@pytest.fixture(scope="module")
def report(program: Path) -> dict[str, Any]:
    done = emu.run([program, "7", "x"])
    assert done.status == 7
    return done.report


def test_head(report: dict[str, Any], program: Path) -> None:
    assert report["schema"] == emu.SCHEMA
    assert report["version"] == emu.SCHEMA_VERSION
    assert report["program"] == {"path": str(program), "arguments": ["7", "x"]}
    assert report["ended"] == {"by": "exit", "status": 7}
    assert report["fault"] is None
    assert report["hazards"] == []
    assert report["seconds"] == pytest.approx(report["cycles"] / 1.45e9)


def test_machine_is_named_by_its_table(report: dict[str, Any]) -> None:
    content = Path(report["machine"]["table"]).read_bytes()
    assert report["machine"]["sha256"] == hashlib.sha256(content).hexdigest()


def test_counters_are_segments_times_executions(report: dict[str, Any]) -> None:
    expected = {
        "scheduled": 8,
        "pipe0_issued": 4,
        "pipe1_issued": 4,
        "cannot_dual_issue": 1,
        "data_stall": 1,
        "branch": 2,
        "flops": 16,
        "ldm_accesses": 2,
        "spills": 1,
    }
    cpes = [core for core in report["cores"] if core["kind"] == "CPE"]
    assert [core["core"] for core in cpes] == list(range(64))
    for core in cpes:
        times = 3 * (10 + core["core"])
        assert core["counters"] == {name: each * times for name, each in expected.items()}
        assert core["active"] == 8 * times
    for name, each in expected.items():
        assert report["counters"][name] == each * TIMES


def test_time_of_every_core_is_accounted_for(report: dict[str, Any]) -> None:
    assert {core["unaccounted"] for core in report["cores"]} == {0}
    mpe = report["cores"][-1]
    assert mpe["kind"] == "MPE"
    assert mpe["active"] == report["cycles"]


def test_lines(report: dict[str, Any]) -> None:
    lines = {line["line"]: line for line in report["lines"] if line["file"] == "kernel.c"}
    assert set(lines) == {10, 11}
    assert all(line["function"] == "kernel" for line in lines.values())
    # No two CPEs run it equally often: a group each.
    groups = {tuple(group["cores"]): group["counters"] for group in lines[10]["groups"]}
    assert groups[(5,)] == {
        "scheduled": 5 * 45,
        "pipe0_issued": 3 * 45,
        "pipe1_issued": 3 * 45,
        "cannot_dual_issue": 45,
        "data_stall": 45,
        "flops": 16 * 45,
        "ldm_accesses": 2 * 45,
    }
    function = next(one for one in report["functions"] if one["function"] == "kernel")
    assert function["counters"]["scheduled"] == 8 * TIMES


def test_phases(report: dict[str, Any]) -> None:
    phases = report["phases"]
    assert [phase["function"] for phase in phases] == ["kernel"] * 3
    for phase in phases:
        assert phase["ended"]
        assert phase["cpes"] == 64
        assert phase["counters"]["flops"] * 3 == report["counters"]["flops"]
        assert phase["cycles"] >= 8 * (10 + 63)
    assert report["phases_omitted"] == 0
    (together,) = report["phases_by_function"]
    assert together["times"] == 3
    assert together["cycles"] == sum(phase["cycles"] for phase in phases)


def test_derived(report: dict[str, Any]) -> None:
    derived = report["derived"]
    flops = 16 * TIMES
    assert derived["gflops"] == pytest.approx(flops / report["seconds"] / 1e9)
    assert derived["percent_of_peak"] == pytest.approx(100 * flops / (64 * 8 * report["cycles"]))
    # 8 instructions in the 5 cycles that neither waited nor branched: 3 of these issued two.
    assert derived["instructions_per_cycle"] == pytest.approx(8 / 5)
    assert derived["dual_issue_rate"] == pytest.approx(3 / 5)


def test_equal_cores_share_a_group(tmp_path: Path) -> None:
    equal = KERNEL.replace("turn < 10 + core->index", "turn < 4 + (core->index == 63)")
    report = emu.run([by_hand(tmp_path, equal + MAIN)]).report
    (line,) = (line for line in report["lines"] if line["line"] == 11)
    cores = sorted(group["cores"] for group in line["groups"])
    assert cores == [list(range(63)), [63]]


def test_many_spawns_are_told_by_their_sum(tmp_path: Path) -> None:
    program = by_hand(tmp_path, KERNEL + MAIN.replace("turn < 3", "turn < 1003"))
    report = emu.run([program]).report
    assert len(report["phases"]) == 1000
    assert report["phases_omitted"] == 3
    assert report["phases_by_function"][0]["times"] == 1003
    assert report["counters"]["scheduled"] == 8 * (TIMES // 3) * 1003


FAULTY = MAIN.replace("athread_join();", "(void)argv;")


def test_a_fault_is_in_the_report(tmp_path: Path) -> None:
    done = emu.run([by_hand(tmp_path, KERNEL + FAULTY.replace("turn < 3", "turn < 1"))])
    assert done.status == 3
    assert b"fault [join-missing]" in done.errors
    report = done.report
    assert report["ended"] == {"by": "fault", "status": 3}
    assert report["fault"]["name"] == "join-missing"
    assert report["fault"]["core"] == 64
    assert report["fault"]["others"][0]["core"] == 0
    # The phase was under way.
    assert [phase["ended"] for phase in report["phases"]] == [False]


def test_a_killed_program_leaves_no_report(tmp_path: Path) -> None:
    program = by_hand(
        tmp_path,
        "#include <signal.h>\n" + KERNEL + MAIN.replace("return", "raise(SIGKILL); return"),
    )
    path = tmp_path / "report.json"
    before = set(tmp_path.iterdir())
    done = emu.run([program], report=path)
    assert done.status == -signal.SIGKILL
    assert done.report == {}
    assert set(tmp_path.iterdir()) == before


def test_an_unwritable_report_is_told_before_the_run(program: Path, tmp_path: Path) -> None:
    for path in (tmp_path / "missing" / "r.json", tmp_path):
        done = emu.run([program, "5"], report=path)
        assert done.status == 3
        assert f"cannot write {path}" in done.errors.decode()
        assert done.report == {}


def test_what_cannot_be_replaced_is_written_as_it_is(program: Path, tmp_path: Path) -> None:
    """Started by itself, the program put files in the place of devices, pipes and links."""
    pipe, link, real = (tmp_path / name for name in ("pipe", "link", "real.json"))
    os.mkfifo(pipe)
    real.write_text("old")
    link.symlink_to(real)
    reader = subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE)
    for path in (pipe, link, "/dev/null"):
        done = subprocess.run(
            [program, "5"], env={**os.environ, "WEFT_EMU_REPORT": str(path)}, check=False
        )
        assert done.returncode == 5
    sent, _ = reader.communicate(timeout=30)
    assert b'"schema"' in sent
    assert pipe.is_fifo()
    assert link.is_symlink()
    assert emu.read_report(real)["cycles"] > 0
    assert not Path("/dev/null").is_file()
    assert {path.name for path in tmp_path.iterdir()} >= {"pipe", "link", "real.json"}
    assert not list(tmp_path.glob("*.partial"))


def test_a_link_that_leads_to_nothing_yet(program: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to("real.json")
    environment = {**os.environ, "WEFT_EMU_REPORT": str(link)}
    assert subprocess.run([program, "5"], env=environment, check=False).returncode == 5
    assert link.is_symlink()
    assert emu.read_report(tmp_path / "real.json")["cycles"] > 0


def test_an_open_file_keeps_what_it_has(program: Path, tmp_path: Path) -> None:
    """The report took the place of the file that standard output was sent to."""
    log = tmp_path / "log"
    log.write_text("old\n")
    with log.open("ab") as out:
        done = subprocess.run(
            [program, "5"],
            env={**os.environ, "WEFT_EMU_REPORT": "/dev/stdout"},
            stdout=out,
            check=False,
        )
    assert done.returncode == 5
    assert log.read_text().startswith("old\n")
    assert '"schema"' in log.read_text()
    assert {path.name for path in tmp_path.iterdir()} == {"log"}


def test_a_reader_that_has_gone(program: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [program, "0"],
        env={**os.environ, "WEFT_EMU_REPORT": f"/proc/self/fd/{writing}"},
        pass_fds=[writing],
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writing)
    assert done.returncode == 3
    assert b"cannot write" in done.stderr


@pytest.mark.parametrize(("own", "status"), [("0", 3), ("5", 5)])
def test_a_report_that_cannot_be_written_at_the_end(program: Path, own: str, status: int) -> None:
    """The run ended with its own status, 0."""
    done = emu.run([program, own], report=Path("/dev/full"))
    assert done.status == status
    assert "cannot write /dev/full: No space left on device" in done.errors.decode()
    assert done.report == {}


def test_the_report_of_an_earlier_run_is_not_this_ones(program: Path, tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    first = emu.run([program, "0"], report=path)
    assert first.report["cycles"] > 0
    killed = by_hand(
        tmp_path,
        "#include <signal.h>\n" + KERNEL + MAIN.replace("return", "raise(SIGKILL); return"),
        "killed",
    )
    assert emu.run([killed], report=path).report == {}
    assert emu.read_report(path) == first.report


def test_the_program_may_change_its_folder(tmp_path: Path) -> None:
    moving = MAIN.replace("athread_init();", 'if (chdir("/")) return 1; athread_init();')
    program = by_hand(tmp_path, "#include <unistd.h>\n" + KERNEL + moving)
    done = subprocess.run(
        [program], cwd=tmp_path, env={**os.environ, "WEFT_EMU_REPORT": "r.json"}, check=False
    )
    assert done.returncode == 0
    assert emu.read_report(tmp_path / "r.json")["cycles"] > 0


def test_words_that_are_no_text(program: Path) -> None:
    done = emu.run(
        [
            program,
            "0",
            b'a\xff"\n\xc3\xa9\xed\xa0\x80\xf0\x9f\x98\x80'.decode("utf-8", "surrogateescape"),
        ]
    )
    assert done.report["program"]["arguments"][1] == 'a\ufffd"\né\ufffd\ufffd\ufffd😀'


def test_the_same_run_writes_the_same_report(program: Path) -> None:
    assert emu.run([program]).report == emu.run([program]).report


def test_a_report_of_another_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    path.write_text('{"schema": "weft-emu-report", "version": 99}')
    with pytest.raises(emu.RunError, match="another version"):
        emu.read_report(path)
