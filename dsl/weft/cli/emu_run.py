# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""weft emu run: the words of bsub and our own, before the program; all after it is the program's.

bsub's options are words with one dash, which no usual parser takes; and the start must be fast:
nothing heavy is imported before the program runs.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from weft.cli.failure import UsageError
from weft.diagnostics import RunError, close_match
from weft.emu import Request, require_program, surroundings

HELP = "weft emu run --help"


@dataclass(frozen=True)
class Option:
    """A word before the program. `value` names what follows it; without, nothing does."""

    help: str
    value: str = ""
    field: str = ""  # of Request; without, the word acts here or has no meaning
    reads: Callable[[str], Any] = str
    ours: bool = False  # not one of bsub's


def _whole(least: int, most: int | None = None) -> Callable[[str], int]:
    def reads(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            raise ValueError("a whole number") from None
        if number < least or (most is not None and number > most):
            raise ValueError(f"{least} to {most}" if most is not None else f"at least {least}")
        return number

    return reads


def _function_and_cpe(text: str) -> str:
    function, _, cpe = text.rpartition(":")
    if not function or not cpe.isdigit() or int(cpe) > 63:
        raise ValueError("FUNCTION:CPE, the CPE from 0 to 63")
    return text


MEGABYTES = _whole(1)
NO_MEANING = "no meaning here"
OPTIONS = {
    "--functional": Option("no timing, as fast as it goes", field="functional", ours=True),
    "--strict": Option("a race ends the run", field="strict", ours=True),
    "--report": Option("write the run in figures there (JSON)", "FILE", "report", Path, True),
    "--summary": Option("print a table of it; default on a terminal", ours=True),
    "--no-summary": Option("print none", ours=True),
    "--trace": Option("write what happened when (Perfetto)", "FILE", "trace", Path, True),
    "--trace-from": Option("from this cycle on", "CYCLE", "trace_from", _whole(0), True),
    "--trace-limit": Option("at most so much; default 900", "MB", "trace_limit", MEGABYTES, True),
    "--konata": Option(
        "write the pipelines of a CPE in a function",
        "FUNCTION:CPE",
        "konata",
        _function_and_cpe,
        True,
    ),
    "--konata-file": Option(
        "there; default FUNCTION.CPE.kanata", "FILE", "konata_file", Path, True
    ),
    "--konata-from": Option("from this cycle on", "CYCLE", "konata_from", _whole(0), True),
    "--konata-limit": Option(
        "so many instructions; default 20000", "N", "konata_limit", _whole(1), True
    ),
    "--machine": Option("another table of the machine", "FILE", "machine", Path, True),
    "-b": Option("arrays of slave functions lie in LDM", field="ldm_stack"),
    "-n": Option("core groups: 1", "N", reads=_whole(1)),
    "-cgsp": Option("CPEs: 1 to 64", "N", "cpes", _whole(1, 64)),
    "-host_stack": Option("stack of the MPE", "MB", "host_stack", MEGABYTES),
    "-share_size": Option("main memory that CPEs share", "MB", "share_size", MEGABYTES),
    "-priv_size": Option("private memory of a CPE", "MB", "priv_size", MEGABYTES),
    "-cross_size": Option("memory across core groups", "MB", "cross_size", MEGABYTES),
    "-o": Option("append the program's standard output there", "FILE", reads=Path),
    "-I": Option(NO_MEANING + ": every run is interactive"),
    "-q": Option(NO_MEANING + ": there are no queues", "QUEUE"),
    "-J": Option(NO_MEANING + ": jobs have no names", "NAME"),
    "-p": Option(NO_MEANING),
    "-m": Option(NO_MEANING, "N"),
    "-node": Option(NO_MEANING + ": there is one node", "LIST"),
}


@dataclass
class Words:
    """What the words before the program say, and the program with its own."""

    program: list[str]
    asked: dict[str, Any] = field(default_factory=dict)
    output: Path | None = None
    summary: bool | None = None


def parse(arguments: Sequence[str]) -> Words:
    """Takes words up to the first that is no option: that is the program."""
    words = Words([])
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        if not word.startswith("-") or word == "-":
            words.program = [word, *rest]
            break
        if word == "--":
            words.program = rest
            break
        _take(words, word, rest)
    if not words.program:
        raise UsageError("no program is named", expected="weft emu run [WORDS] ./prog", help=HELP)
    return words


def _take(words: Words, word: str, rest: list[str]) -> None:
    name, equals, value = word.partition("=") if word.startswith("--") else (word, "", "")
    option = OPTIONS.get(name)
    if option is None:
        raise UsageError(f"no word {name!r}", help=f"{close_match(name, OPTIONS)} {HELP}".strip())
    if not option.value:
        if equals:
            raise UsageError(f"{name} takes no value", found=repr(value))
        _note(words, name, option, True)
        return
    if not equals:
        if not rest:
            raise UsageError(f"{name}: a value is missing", expected=option.value, help=HELP)
        value = rest.pop(0)
    try:
        _note(words, name, option, option.reads(value))
    except ValueError as error:
        raise UsageError(f"{name} {value}", expected=str(error), found=repr(value)) from None


def _note(words: Words, name: str, option: Option, value: Any) -> None:
    if option.field:
        words.asked[option.field] = value
    elif name in ("--summary", "--no-summary"):
        words.summary = name == "--summary"
    elif name == "-o":
        words.output = value
    elif name == "-n" and value > 1:
        raise UsageError(
            f"-n {value}: several core groups",
            expected="-n 1",
            found=f"-n {value}",
            help="the emulator has one core group, and mpi.h one rank",
        )


def help_text() -> str:
    """All words, ours and bsub's."""
    lines = ["usage: weft emu run [WORDS] ./prog [its own words]", ""]
    for title, ours in (("own words", True), ("bsub's words", False)):
        lines.append(f"{title}:")
        for name, option in OPTIONS.items():
            if option.ours is ours:
                lines.append(f"  {f'{name} {option.value}'.rstrip():<24}{option.help}")
        lines.append("")
    lines.append("Exit status: the program's own; 3 where a fault of the machine ended it.")
    return "\n".join(lines)


def main(arguments: Sequence[str]) -> int:
    """Runs the program; returns only after a summary, else becomes the program."""
    if any(word in ("-h", "--help") for word in arguments[:1]):
        print(help_text())
        return 0
    words = parse(arguments)
    try:
        program = require_program(words.program[0])
    except RunError as error:
        raise UsageError(
            error.message, expected=error.expected, found=error.found, help=error.help
        ) from None
    if words.output is not None:
        _redirect(words.output)
    command = [program, *words.program[1:]]
    summary = sys.stderr.isatty() if words.summary is None else words.summary
    if not summary:
        _become(command, Request(**words.asked))
    return _run_and_sum_up(command, words.asked)


def _redirect(path: Path) -> None:
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
    except OSError as error:
        raise UsageError(f"-o {path}: cannot write it: {error.strerror}") from None
    sys.stdout.flush()
    os.dup2(file, 1)
    os.close(file)


def _become(command: list[str], request: Request) -> NoReturn:
    try:
        os.execve(command[0], command, surroundings(request))
    except OSError as error:
        raise RunError(f"{command[0]} cannot be executed: {error.strerror}") from None


def _run_and_sum_up(command: list[str], asked: dict[str, Any]) -> int:
    import signal
    import subprocess
    import tempfile

    with tempfile.TemporaryDirectory(prefix="weft-emu-") as folder:
        request = Request(**{"report": Path(folder, "report.json"), **asked})
        # Ctrl-C is for the program: what it does then is its own affair.
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        old = _inode(request.report)
        try:
            status = subprocess.Popen(
                command,
                env=surroundings(request),
                preexec_fn=lambda: signal.signal(signal.SIGINT, before),
            ).wait()
        except OSError as error:
            raise RunError(f"{command[0]} cannot be executed: {error.strerror}") from None
        finally:
            signal.signal(signal.SIGINT, before)
        # A report appears by being renamed; one that was there before is not of this run.
        if request.report is not None and _inode(request.report) not in (None, old):
            from weft.cli.emu_summary import show
            from weft.emu import read_report

            show(read_report(request.report))
    if status < 0:
        _end_by(-status)
    return status


def _inode(path: Path | None) -> int | None:
    return path.stat().st_ino if path is not None and path.is_file() else None


def _end_by(number: int) -> None:
    """Ends as the program has: by the same signal."""
    import contextlib
    import signal

    with contextlib.suppress(OSError):  # SIGKILL has no other way
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
