# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exit statuses of the tool itself, and outputs that cannot be written."""

from __future__ import annotations

import os
import re
import resource
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from weft.cli import Exit, main
from weft.cli.app import app

TOOL = str(Path(sys.executable).with_name("weft"))
SOURCE = "kernel wave[n: size](x: c128[n]) -> (y: c128[n]):\n    y = dft(x, axis=0)\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "wave.weft"
    path.write_text(SOURCE)
    return path


def run(*words: object, **options: object) -> subprocess.CompletedProcess[str]:
    command = [TOOL, *map(str, words)]
    return subprocess.run(command, check=False, capture_output=True, text=True, **options)  # type: ignore[call-overload,no-any-return]


def told_beside_progress(done: subprocess.CompletedProcess[str]) -> str:
    """Standard error without the lines for steps that took more than a second here."""
    lines = done.stderr.splitlines(keepends=True)
    return "".join(line for line in lines if not re.fullmatch(r"weft: .* \.\.\.\n", line))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["compile", ""], "'' names no file"),
        (["compile", ":h"], "':h' names no file"),
        (["compile", "FILE", "--size", "n=8", "--dump-dir", ""], "--dump-dir': '' names no file"),
        (["compile", "FILE", "--size", "n=8", "--dump-dir="], "--dump-dir': '' names no file"),
        (["compile", "FILE", "--size", "n=8", "--schedule", ""], "--schedule': '' names no file"),
        (["compile", "--from", ""], "--from': '' names no file"),
        (["run", "", "--size", "n=8"], "'' names no file"),
        (["run", "FILE", "--size", "n=8", "--dump-dir", ""], "--dump-dir': '' names no file"),
        (["run", "FILE", "--size", "n=8", "-o", ""], "'' names no file or folder"),
        (["tune", "FILE", "--size", "n=8", "-o", ""], "'' names no file or folder"),
        (["bench", "fft", "--json", ""], "--json': '' names no file"),
        (["emu", "run", "--report", "", "./prog"], "expected: a path"),
        (["compile", "FILE", "--target", "avx"], "sw26010; did you mean 'avx2'?"),
        (["compile", "no.weft"], "no such file: no.weft"),
        (["compile", "FILE:"], "a kernel's name is missing after the colon"),
        (["compile", "FOLDER"], "is a folder; a .weft file is expected"),
        (["compile", "FILE:wav", "--size", "n=8"], "did you mean 'wave'?"),
        (["compile", "FILE", "--size", "m=8"], "wave has no size 'm'"),
        (["compile", "FILE"], "wave needs n: for example --size n=64"),
        (["compile", "FILE", "--size", "n=8", "-o", "/dev/null"], "a folder is expected"),
        (["compile", "FILE", "--size", "n=8", "--dump-dir", "FILE"], "a folder is expected"),
        (["run", "FILE", "--size", "n=8", "--threads", "100000"], "100000: expected a whole"),
        (["run", "FILE", "--size", "n=8", "-o", "FOLDER"], "it is a folder"),
        (["run", "FILE", "--size", "n=8", "-o", "FILE/y.npz"], "is no folder"),
        (["run", "EMPTY"], "not an example"),
        (["run", "FILE", "--dump-dir", "FILE"], "a folder is expected"),
    ],
)
def test_usage(file: Path, words: list[str], told: str) -> None:
    (file.parent / "empty").mkdir()
    names = {"FILE": file, "FOLDER": file.parent, "EMPTY": file.parent / "empty"}
    for name, path in names.items():
        words = [word.replace(name, str(path)) for word in words]
    done = run(*words)
    assert done.stdout == ""
    assert told in done.stderr
    assert done.returncode == Exit.USAGE
    assert told_beside_progress(done).startswith("error: ")
    assert "Traceback" not in done.stderr
    assert file.read_text() == SOURCE


def test_unreadable_file_is_told(file: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root reads everything")
    file.chmod(0)
    done = run("compile", file, "--size", "n=8")
    assert done.returncode == Exit.USAGE
    assert "Permission denied" in done.stderr


def test_device_as_output_stays_a_device(file: Path, target: str) -> None:
    words = ["run", str(file), "--size", "n=8", "--target", target, "-o", "/dev/null"]
    assert main(words) == Exit.OK
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


def test_link_as_output_stays_a_link(file: Path, target: str) -> None:
    real, link = file.parent / "real.npz", file.parent / "link.npz"
    link.symlink_to(real)
    words = ["run", str(file), "--size", "n=8", "--target", target, "-o", str(link)]
    assert main(words) == Exit.OK
    assert link.is_symlink()
    with np.load(real) as saved:
        assert saved["y"].shape == (8,)


def test_full_standard_output_is_a_fault(file: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [TOOL, "compile", str(file), "--size", "n=8", "--target", "portable", "-o", "-"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == Exit.FAULT
    full = "error: cannot write standard output: No space left on device\n"
    assert told_beside_progress(done) == full


def test_full_disk_writes_all_outputs_or_none(file: Path) -> None:
    words = ("compile", file, "--size", "n=64", "--target", "portable", "--emit", "ir,so,c")
    out = file.parent / "out"
    assert run(*words, "-o", file.parent / "first").returncode == Exit.OK
    sizes = sorted(path.stat().st_size for path in (file.parent / "first").iterdir())
    # Room for the smallest output only; the kernel itself comes from the cache.
    allowed = sizes[0] + 1

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (allowed, allowed))

    done = run(*words, "-o", out, preexec_fn=limited)
    assert done.returncode == Exit.FAULT
    assert "cannot write" in done.stderr
    assert "File too large" in done.stderr
    assert list(out.iterdir()) == []


@pytest.mark.parametrize("words", ["--version", "explain W301", "compile FILE -D n=8 -o -"])
def test_closed_standard_output_is_a_fault(file: Path, words: str) -> None:
    filled = [word.replace("FILE", str(file)) for word in words.split()]
    done = run(*filled, preexec_fn=lambda: os.close(1))
    told = "error: cannot write standard output: Bad file descriptor\n"
    assert told_beside_progress(done) == told
    assert done.returncode == Exit.FAULT


def test_full_standard_output_of_the_version() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [TOOL, "--version"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.stderr == "error: cannot write standard output: No space left on device\n"
    assert done.returncode == Exit.FAULT


def test_closed_standard_error_takes_nothing_else_away(file: Path) -> None:
    done = run("explain", "W301", preexec_fn=lambda: os.close(2))
    assert done.stdout.startswith("W301 ")
    assert done.returncode == Exit.OK
    wrong = run("compile", file.parent / "none.weft", preexec_fn=lambda: os.close(2))
    assert (wrong.stdout, wrong.returncode) == ("", Exit.USAGE)


def test_reader_that_goes_away_is_the_signal_itself(file: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as gone:
        done = subprocess.run(
            [TOOL, "compile", str(file), "--size", "n=8", "--target", "portable", "-o", "-"],
            stdout=gone,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    # A shell shows it as 141.
    assert done.returncode == -signal.SIGPIPE
    assert told_beside_progress(done) == ""


def test_interrupt_leaves_nothing_behind(file: Path, tmp_path: Path) -> None:
    compiler = tmp_path / "slow-cc"
    marker = tmp_path / "compiling"
    compiler.write_text(
        f'#!/bin/sh\n[ "$1" = --version ] && echo slow && exit\ntouch {marker}\nexec sleep 60\n'
    )
    compiler.chmod(0o755)
    cache = tmp_path / "cache"
    environment = {**os.environ, "WEFT_CC": str(compiler), "WEFT_CACHE_DIR": str(cache)}
    process = subprocess.Popen(
        [TOOL, "compile", str(file), "--size", "n=8", "--dump-dir", str(tmp_path / "dump")],
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    while not marker.exists():
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)
    _, told = process.communicate(timeout=30)
    assert process.returncode == Exit.INTERRUPTED
    assert "Traceback" not in told
    assert not list(cache.glob(".work-*"))


def test_help_states_every_exit_status() -> None:
    shown = run("--help").stdout
    text = " ".join(shown[shown.index("Exit status") :].split())
    for status in Exit:
        assert f"{int(status)} " in text


def test_document_has_every_exit_status() -> None:
    page = Path(__file__).parents[2].joinpath("docs", "tool.md").read_text(encoding="utf-8")
    section = page.partition("## Exit status\n")[2].partition("\n## ")[0]
    listed = {int(n) for n in re.findall(r"^\| (\d+) \|", section, re.MULTILINE)}
    assert listed == {*map(int, Exit), 128 + signal.SIGPIPE}


def test_document_has_every_verb_and_variable() -> None:
    root = Path(__file__).parents[2]
    page = root.joinpath("docs", "tool.md").read_text(encoding="utf-8")
    emulator = root.joinpath("docs", "emulator.md").read_text(encoding="utf-8")
    verbs = {command.name for command in app.registered_commands}
    verbs |= {group.name for group in app.registered_groups}
    assert verbs <= set(re.findall(r"`weft (\w+)`", page))
    # The names in dsl/weft/library are macros of the C that it writes.
    paths = [p for p in root.glob("dsl/weft/**/*.py") if p.parent.name != "library"]
    sources = "".join(path.read_text() for path in paths)
    variables = set(re.findall(r"\bWEFT_[A-Z0-9_]+[A-Z0-9]\b", sources))
    variables -= {"WEFT_COMPLETE", "WEFT_ORDERED"}
    assert variables <= set(re.findall(r"`(WEFT_[A-Z0-9_]+)", page + emulator))


def test_document_has_every_event() -> None:
    root = Path(__file__).parents[2]
    page = root.joinpath("docs", "tool.md").read_text(encoding="utf-8")
    sources = "".join(path.read_text() for path in root.glob("dsl/weft/*.py"))
    told = set(re.findall(r"events\.(?:tell|timed)\(\s*\"(\w+)\"", sources))
    section = page.partition("## What it is doing\n")[2]
    listed = re.findall(r"^\| (.*?) \|", section, re.MULTILINE)
    assert told | {"template", "info"} == set(re.findall(r"`(\w+)`", " ".join(listed)))
