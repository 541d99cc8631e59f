# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""weft emu run and weft emu info: words, what belongs to the program, summaries, refusals."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from emulating import KERNEL, MAIN, by_hand, compiled
from pftrace import Trace
from weft import emu
from weft.cli import main
from weft.cli.emu_run import OPTIONS, help_text, parse
from weft.cli.emu_summary import show
from weft.cli.failure import UsageError

WEFT = [sys.executable, "-c", "import sys, weft.cli; sys.exit(weft.cli.main())"]
# Prints its words and what it reads; its exit status is its first word.
ECHO = """
#include <stdio.h>
int main(int argc, char **argv) {
  athread_init();
  for (int turn = 0; turn < 3; ++turn) {
    __real_athread_spawn(slave_kernel, 0);
    athread_join();
  }
  athread_halt();
  for (int word = 1; word < argc; ++word)
    printf("%s\\n", argv[word]);
  for (int letter; (letter = getchar()) != EOF;)
    putchar(letter);
  fputs("to stderr\\n", stderr);
  return argc > 1 ? atoi(argv[1]) : 0;
}
"""

# Before the end: no file may have more than that.
FULL = "fflush(stdout); setrlimit(RLIMIT_FSIZE, &(struct rlimit){100, 100}); "


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return by_hand(tmp_path_factory.mktemp("emu"), KERNEL + ECHO)


def run(*words: object, stdin: str = "") -> subprocess.CompletedProcess[str]:
    command = [*WEFT, "emu", "run", *(str(word) for word in words)]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, check=False)


def test_words_after_the_program_are_its_own(program: Path) -> None:
    done = run("-b", "-n", "1", program, "7", "-b", "--report", "--help", "", stdin="input\n")
    assert done.returncode == 7
    assert done.stdout == "7\n-b\n--report\n--help\n\ninput\n"
    assert done.stderr == "to stderr\n"


def test_bsubs_words_are_taken(program: Path) -> None:
    line = (
        "-b -I -q q_sw_expr -n 1 -cgsp 64 -share_size 4096 -host_stack 64 -priv_size 4 "
        "-cross_size 8 -m 1 -p -J job -node 3"
    )
    done = run(*line.split(), program, "0")
    assert (done.returncode, done.stdout, done.stderr) == (0, "0\n", "to stderr\n")


def test_words_of_public_job_scripts_are_taken(program: Path) -> None:
    line = (
        "-b -debug -p -q q_sw_expr -J a_case -x -shared -N 1 -np 1 -n 1 -cgsp 64 -perf -K "
        "-P project -cpu_per_node 4 -host_stack 128 -share_size 5120 -priv_size 16 -cross_size 0 "
        "-ro_size 8 -cache_size 0 -ldm_share_size 0 -W 1:30"
    )
    done = run(*line.split(), program, "0")
    assert (done.returncode, done.stdout, done.stderr) == (0, "0\n", "to stderr\n")


def test_the_whole_chip_is_one_core_group_and_that_is_said_once(program: Path) -> None:
    done = run("-sw3run", "./sw3run-all", "-sw3runarg", "-a 1", "-cross", program, "0")
    assert (done.returncode, done.stdout) == (0, "0\n")
    assert done.stderr.count("weft emu: note: -sw3run asks for the whole chip") == 1
    assert done.stderr.count("note") == 1


def test_standard_files(program: Path, tmp_path: Path) -> None:
    out, error = tmp_path / "out.txt", tmp_path / "error.txt"
    out.write_text("before\n")
    error.write_text("before\n")
    done = run("-oo", out, "-e", error, program, "0")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (out.read_text(), error.read_text()) == ("0\n", "before\nto stderr\n")
    assert "cannot open it" in run("-i", tmp_path / "none", program, "0").stderr


def test_what_words_mean_for_the_program() -> None:
    line = "-b -cgsp 4 -host_stack 16 -share_size 100 --strict ./p -b"
    words = parse(line.split())
    assert words.program == ["./p", "-b"]
    assert emu.Request(**words.asked).environment() == {
        "WEFT_EMU_LDM_STACK": "1",
        "WEFT_EMU_CPES": "4",
        "WEFT_EMU_HOST_STACK": "16",
        "WEFT_EMU_SHARE_SIZE": "100",
        "WEFT_EMU_STRICT": "1",
    }


def test_surroundings_ask_for_nothing(program: Path, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("WEFT_EMU_REPORT", str(tmp_path / "other.json"))
    monkeypatch.setenv("WEFT_EMU_KONATA", "nonsense")
    assert run(program).returncode == 0
    assert not list(tmp_path.iterdir())


def test_output_is_appended_to_a_file(program: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.txt"
    for _ in range(2):
        done = run("-o", out, program, "0", "x")
        assert (done.stdout, done.stderr) == ("", "to stderr\n")
    assert out.read_text() == "0\nx\n" * 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-n", "2"], "error: -n 2: several core groups\n   expected: -n 1"),
        (["-np", "4"], "error: -np 4: several ranks\n   expected: -np 1"),
        (["-cache_size", "32"], "error: -cache_size 32: a part of LDM as a cache"),
        (["-ldm_share_mode", "5"], "error: -ldm_share_mode is not served\n   help: LDM that CPEs"),
        (["-W", "soon"], "expected: [HOURS:]MINUTES"),
        (["-cgsp", "65"], "error: -cgsp 65\n   expected: 1 to 64\n"),
        (["-cgsp", "x"], "expected: a whole number"),
        (["-host_stack", "0"], "expected: at least 1"),
        (["--repport", "f"], "error: no word '--repport'\n   help: did you mean '--report'?"),
        (["--functional=1"], "--functional takes no value"),
        (["--konata", "f"], "expected: FUNCTION:CPE"),
        (["--konata", "f:64"], "expected: FUNCTION:CPE"),
    ],
)
def test_wrong_words(words: list[str], said: str, program: Path) -> None:
    done = run(*words, program)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stdout == ""


def test_words_without_what_they_need() -> None:
    with pytest.raises(UsageError, match="no program is named"):
        parse(["-b"])
    with pytest.raises(UsageError, match="--report: a value is missing"):
        parse(["--report"])


def test_what_is_no_program_of_ours(tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text("#!/bin/sh\n")
    assert "cannot be executed" in run(script).stderr
    script.chmod(0o755)
    for word, said in (
        (script, "found: a script"),
        ("/bin/true", "found: a program of the host alone"),
        (tmp_path, "is a folder"),
        (tmp_path / "missing", "no such program"),
        ("missing", "programs are not searched for"),
    ):
        done = run(word)
        assert done.returncode == 2
        assert said in done.stderr


def test_a_program_of_this_folder_needs_no_slash(program: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(program.parent)
    assert run("program", "4").returncode == 4


def test_files_that_are_asked_for(program: Path, tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("r.json", "t.pftrace", "k.kanata")]
    words = ["--report", files[0], "--trace", files[1], f"--konata-file={files[2]}"]
    assert run(*words, "--konata", "kernel:1", program, "3").returncode == 3
    assert set(tmp_path.iterdir()) == set(files)
    assert json.loads(files[0].read_text())["ended"]["status"] == 3


def test_links_and_devices_stay_what_they_are(program: Path, tmp_path: Path) -> None:
    names = ("r.json", "t.pftrace", "kernel.1.kanata")
    for name in names:
        (tmp_path / name).symlink_to(tmp_path / f"real-{name}")
    words = ["-cwd", tmp_path, "--report", names[0], "--trace", names[1], "--konata", "kernel:1"]
    done = run(*words, program, "0")
    assert (done.returncode, done.stderr) == (0, "to stderr\n")
    for name in names:
        assert (tmp_path / name).is_symlink()
        assert (tmp_path / f"real-{name}").stat().st_size > 0
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE, text=True) as reader:
        assert run("--report", pipe, program, "0").returncode == 0
        report, _ = reader.communicate(timeout=60)
    assert json.loads(report)["ended"]["status"] == 0
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    done = run("--report", "/dev/stdout", program, "0")
    assert done.returncode == 0
    assert json.loads(done.stdout.partition("\n")[2])["ended"]["status"] == 0
    assert {path.name for path in tmp_path.iterdir()} == {
        "pipe", *names, *(f"real-{name}" for name in names)
    }  # fmt: skip


@pytest.mark.parametrize("way", ["--no-summary", "--summary"])
def test_a_file_that_cannot_be_written_is_a_fault(program: Path, tmp_path: Path, way: str) -> None:
    """It is told when the program has ended: then a disk is full, or nearly so."""
    done = run(way, "--report", "/dev/full", program, "0")
    assert (done.returncode, done.stdout) == (3, "0\n")
    assert "error: cannot write /dev/full: No space left on device" in done.stderr

    source = (
        "#include <sys/resource.h>\n" + KERNEL + ECHO.replace("return argc", FULL + "return argc")
    )
    limited = by_hand(tmp_path, source, "limited")
    for word, name in (("--report", "r.json"), ("--trace", "t.pftrace")):
        path = tmp_path / name
        path.write_text("old")
        for own, status in (("0", 3), ("5", 5)):
            done = run(way, word, path, limited, own)
            assert (done.returncode, done.stdout) == (status, f"{own}\n")
            assert f"cannot write {path}: File too large" in done.stderr
            assert "was not written" not in done.stderr
        assert path.read_text() == "old"


def test_a_program_that_leaves_at_once_writes_nothing(tmp_path: Path) -> None:
    """_exit asks nobody: then nothing but the missing file says so."""
    leaving = (
        "#include <unistd.h>\n" + KERNEL + ECHO.replace("return argc", "_exit(0); return argc")
    )
    path = tmp_path / "r.json"
    done = run("--report", path, by_hand(tmp_path, leaving, "leaving"), "0")
    assert done.returncode == 3
    assert f"error: {path} was not written" in done.stderr


def test_a_summary_follows_the_program(program: Path) -> None:
    done = run("--summary", program, "5")
    assert (done.returncode, done.stdout) == (5, "5\n")
    before, _, after = done.stderr.partition("to stderr\n")
    assert before == ""
    for said in ("cycles", "Spawned functions", "kernel", "kernel.c:10", "no hazards"):
        assert said in after


def test_a_summary_keeps_its_figures_on_a_narrow_terminal(
    program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    done = run("--summary", program, "5")
    assert "of peak   DMA GB/s" in done.stderr
    assert "…" not in done.stderr


def test_a_summary_is_for_terminals(program: Path) -> None:
    for words, shown in (([], True), (["--no-summary"], False)):
        reader, writer = pty.openpty()
        subprocess.run([*WEFT, "emu", "run", *words, str(program)], stdin=subprocess.DEVNULL,
                       stderr=writer, check=True)  # fmt: skip
        os.close(writer)
        text = b""
        while chunk := _read(reader):
            text += chunk
        os.close(reader)
        assert (b"Spawned functions" in text) is shown


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # the other side is closed
        return b""


def test_the_end_of_a_signal_is_passed_on(tmp_path: Path) -> None:
    program = by_hand(
        tmp_path,
        "#include <signal.h>\n" + KERNEL + MAIN.replace("return", "raise(SIGKILL); return"),
    )
    for words in ([], ["--summary"]):
        assert run(*words, program).returncode == -signal.SIGKILL


# CPE 3 goes on for ever; the others wait for it, and the MPE for all.
ENDLESS_HOST = """
#include <athread.h>
#include <stdio.h>
extern SLAVE_FUN(f)(long *);
static long word[2];
int main(void) {
  athread_init();
  athread_spawn(f, word);
  while (((volatile long *)word)[1] < 40000) { /* the others wait by then */
  }
  puts("begun");
  fflush(stdout);
  athread_join();
  return 0;
}
"""
ENDLESS_SLAVE = """
#include <slave.h>
void f(volatile long *word) {
  while (_MYID == 3)
    word[1] += 1;
  athread_syn(ARRAY_SCOPE, 0xffff);
}
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("way", ["--no-summary", "--summary"])
def test_who_is_interrupted_tells_where_all_stand(
    tmp_path: Path, number: signal.Signals, way: str
) -> None:
    program = compiled(tmp_path, ENDLESS_HOST, ENDLESS_SLAVE)
    report, trace = tmp_path / "r.json", tmp_path / "t.pftrace"
    words = ["emu", "run", way, "--report", str(report), "--trace", str(trace), str(program)]
    # A group of its own: Ctrl-C on a terminal goes to all of it.
    with subprocess.Popen(
        [*WEFT, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    ) as running:
        try:
            assert running.stdout is not None
            assert running.stdout.readline() == b"begun\n"
            if number == signal.SIGINT:
                os.killpg(running.pid, number)
            else:
                running.send_signal(number)
            _, errors = running.communicate(timeout=60)
        finally:
            running.kill()
    assert running.returncode == -number
    said = errors.decode()
    assert said.startswith("weft emu: fault [interrupted]: the run was ")
    assert "CPE 11, 19, 27, 35, 43, 51, 59 wait for others of its column (sync)" in said
    assert re.search(r"CPE 3 runs, at cycle [0-9]+, .*program_slave.c:[45]:", said)
    assert "MPE waits for the CPEs that it spawned" in said
    assert ("ended by a fault: interrupted" in said) is (way == "--summary")
    ended = json.loads(report.read_text())
    assert ended["ended"] == {"by": "fault", "status": 128 + number}
    assert Trace(trace).one("MPE").slices


def test_who_is_interrupted_ends_in_a_while(tmp_path: Path) -> None:
    """Also where telling it waits for ever, in the handler of the timer itself: once it hung."""
    host = """
#include <stdio.h>
int main(void) {
  for (;;)
    printf("a line of a program that nobody reads\\n");
}
"""
    program = compiled(tmp_path, host, ENDLESS_SLAVE)
    with subprocess.Popen(
        [program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    ) as running:
        try:
            assert running.stdout is not None
            assert running.stdout.readline()
            time.sleep(1)  # until the pipe is full
            running.send_signal(signal.SIGTERM)
            assert running.wait(timeout=60) == -signal.SIGALRM
        finally:
            running.kill()


def test_an_old_report_is_not_shown(tmp_path: Path, program: Path) -> None:
    path = tmp_path / "r.json"
    assert "Spawned" in run("--summary", "--report", path, program).stderr
    killed = by_hand(tmp_path, "#include <signal.h>\n#include <stdlib.h>\n"
                     "int main(void) { return raise(SIGKILL); }", "killed")  # fmt: skip
    assert "Spawned" not in run("--summary", "--report", path, killed).stderr


def shown(report: dict[str, Any]) -> str:
    text = io.StringIO()
    show(report, text, 100)
    return text.getvalue()


def test_what_a_summary_says(program: Path) -> None:
    report = emu.run([program]).report
    text = shown(report)
    share = report["phases_by_function"][0]["cycles"] / report["cycles"]
    row = next(line for line in text.splitlines() if line.strip().startswith("kernel "))
    assert row.split()[1] == "3"
    assert f"{100 * share:.1f} %" in row
    stalls = {words[0]: words[1] for line in text.splitlines() if len(words := line.split()) > 1}
    assert stalls["scheduled"] == "100.0"
    assert stalls["data_stall"] == "12.5"
    assert stalls["branch"] == "25.0"
    assert stalls["kernel.c:10"] == "kernel"
    report["fault"] = {"name": "deadlock"}
    assert "ended by a fault: deadlock" in shown(report)
    report["fault"], report["hazards"] = None, [{"times": 2}, {"times": 3}]
    assert "5 hazards" in shown(report)
    report["modelled"]["timing"] = False
    assert "without timing" in shown(report)


def test_help_names_every_word(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["emu", "run", "--help"]) == 0
    assert capsys.readouterr().out == help_text() + "\n"
    assert all(f"  {word}" in help_text() for word in OPTIONS)


def test_info(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["emu", "info"]) == 0
    text = capsys.readouterr().out
    row = next(line for line in text.splitlines() if line.startswith("clock.hz"))
    assert row.split()[1:4] == ["1450000000", "1/s", "specification"]
    assert str(emu.native_file(emu.LIBRARY)) in text
    assert main(["emu", "info", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [one["name"] for one in told["parameters"]] == [one.name for one in emu.parameters()]
    assert Path(told["places"]["compiler"]).is_file()


def test_counters(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["emu", "info", "--counters"]) == 0
    lines = capsys.readouterr().out.splitlines()
    told = emu.counters()
    assert [line.split()[0] for line in lines[1:]] == [one["name"] for one in told]
    assert {one["part"] for one in told} == {"time", "within", "amount"}
    assert all(one["unit"] == "cycles" for one in told if one["part"] == "time")
    assert all(one["unit"] != "cycles" for one in told if one["part"] == "amount")


def test_nothing_heavy_before_the_program(program: Path) -> None:
    code = f"""
import os, sys
os.execve = lambda *words: (print(*sys.modules), sys.exit())
from weft.cli import main
main(["emu", "run", "--no-summary", {str(program)!r}])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "weft.emu" in loaded
    assert not loaded & {"typer", "click", "rich", "numpy", "subprocess", "json", "weft.cli.app"}
