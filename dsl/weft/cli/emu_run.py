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

from weft.cli import Exit
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


def _path(text: str) -> Path:
    if not text:
        raise ValueError("a path")
    return Path(text)


def _function_and_cpe(text: str) -> str:
    function, _, cpe = text.rpartition(":")
    if not function or not cpe.isdigit() or int(cpe) > 63:
        raise ValueError("FUNCTION:CPE, the CPE from 0 to 63")
    return text


def _minutes(text: str) -> int:
    """bsub's limit of time, in minutes; LSF puts a host's name behind a slash."""
    hours, colon, minutes = text.partition("/")[0].rpartition(":")
    if not minutes.isdigit() or (colon and not hours.isdigit()):
        raise ValueError("[HOURS:]MINUTES")
    return int(hours or 0) * 60 + int(minutes)


MEGABYTES = _whole(1)
NO_MEANING = "no meaning here"
ONE_GROUP = "the whole chip; here it is one core group, which is said once"
OPTIONS = {
    "--functional": Option("no timing, as fast as it goes", field="functional", ours=True),
    "--strict": Option("a race ends the run", field="strict", ours=True),
    "--report": Option("write the run in figures there (JSON)", "FILE", "report", _path, True),
    "--summary": Option("print a table of it; default on a terminal", ours=True),
    "--no-summary": Option("print none", ours=True),
    "--trace": Option("write what happened when (Perfetto)", "FILE", "trace", _path, True),
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
        "there; default FUNCTION.CPE.kanata", "FILE", "konata_file", _path, True
    ),
    "--konata-from": Option("from this cycle on", "CYCLE", "konata_from", _whole(0), True),
    "--konata-limit": Option(
        "so many instructions; default 20000", "N", "konata_limit", _whole(1), True
    ),
    "--machine": Option("another table of the machine", "FILE", "machine", _path, True),
    "-b": Option("arrays of slave functions lie in LDM", field="ldm_stack"),
    "-n": Option("core groups: 1", "N", reads=_whole(1)),
    "-cgsp": Option("CPEs: 1 to 64", "N", "cpes", _whole(1, 64)),
    "-host_stack": Option("stack of the MPE", "MB", "host_stack", MEGABYTES),
    "-share_size": Option("main memory that CPEs share", "MB", "share_size", MEGABYTES),
    "-priv_size": Option("private memory of a CPE", "MB", "priv_size", _whole(0)),
    "-cross_size": Option("memory across core groups", "MB", "cross_size", _whole(0)),
    "-o": Option("append the program's standard output there", "FILE", reads=_path),
    "-oo": Option("write the program's standard output there", "FILE", reads=_path),
    "-e": Option("append its standard error there", "FILE", reads=_path),
    "-eo": Option("write its standard error there", "FILE", reads=_path),
    "-i": Option("read its standard input from there", "FILE", reads=_path),
    "-cwd": Option("run it in that folder", "FOLDER", reads=_path),
    "-W": Option("processor time after which it is ended", "[HOURS:]MINUTES", reads=_minutes),
    "-np": Option("processes a node: 1", "N", reads=_whole(1)),
    "-cache_size": Option("no part of LDM is a cache: 0", "KB", reads=_whole(0)),
    "-ldm_share_size": Option("no LDM is shared: 0", "KB", reads=_whole(0)),
    "-I": Option(NO_MEANING + ": every run is interactive"),
    "-K": Option(NO_MEANING + ": every run is waited for"),
    "-q": Option(NO_MEANING + ": there are no queues", "QUEUE"),
    "-J": Option(NO_MEANING + ": jobs have no names", "NAME"),
    "-P": Option(NO_MEANING + ": there are no projects", "NAME"),
    "-p": Option(NO_MEANING),
    "-x": Option(NO_MEANING + ": the machine is never shared"),
    "-exclu": Option(NO_MEANING + ": the machine is never shared"),
    "-shared": Option(NO_MEANING + ": the machine is never shared"),
    "-share": Option(NO_MEANING + ": the machine is never shared"),
    "-m": Option(NO_MEANING, "N"),
    "-N": Option(NO_MEANING + ": there is one node", "N"),
    "-node": Option(NO_MEANING + ": there is one node", "LIST"),
    "-cpu_per_node": Option(NO_MEANING + ": there is one node", "N"),
    "-mpecg": Option(NO_MEANING + ": a core group has one MPE", "N"),
    "-ro_size": Option(NO_MEANING, "MB", reads=_whole(0)),
    "-debug": Option(NO_MEANING + ": faults always tell their place"),
    "-perf": Option(NO_MEANING + ": see --report"),
    "-cross": Option(ONE_GROUP),
    "-allmaster": Option(ONE_GROUP),
    "-sw3run": Option(ONE_GROUP, "LAUNCHER"),
    "-swrun": Option(ONE_GROUP, "LAUNCHER"),
    "-sw3runarg": Option(ONE_GROUP, "WORDS"),
    "-swrunarg": Option(ONE_GROUP, "WORDS"),
}
FILES = ("report", "trace", "konata")  # that are there only after the program
# Words of other machines and schedulers, and what to do instead.
REFUSED = {
    "-ldm_share_mode": "LDM that CPEs share is the SW26010-Pro's; leave the word out",
    "-w": "there are no other jobs to wait for; run the program when they have ended",
    "-R": "there is nothing to choose from; leave the word out",
    "-M": "say -share_size MB for the memory that malloc can give",
    "-B": "mails are not sent; leave the word out",
}


@dataclass
class Words:
    """What the words before the program say, and the program with its own."""

    program: list[str]
    asked: dict[str, Any] = field(default_factory=dict)
    files: dict[int, tuple[Path, int]] = field(default_factory=dict)
    """By number of the standard file: where it goes, and how it is opened."""
    folder: Path | None = None
    minutes: int | None = None
    summary: bool | None = None
    notes: list[str] = field(default_factory=list)


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
    if name in REFUSED:
        raise UsageError(f"{name} is not served", help=REFUSED[name])
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
        raise UsageError(
            f"{name} {value or repr(value)}", expected=str(error), found=repr(value)
        ) from None


APPEND = os.O_WRONLY | os.O_CREAT | os.O_APPEND
REPLACE = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
STANDARD_FILES = {
    "-i": (0, os.O_RDONLY),
    "-o": (1, APPEND),
    "-oo": (1, REPLACE),
    "-e": (2, APPEND),
    "-eo": (2, REPLACE),
}


def _note(words: Words, name: str, option: Option, value: Any) -> None:
    if option.field:
        words.asked[option.field] = value
    elif name in ("--summary", "--no-summary"):
        words.summary = name == "--summary"
    elif name in STANDARD_FILES:
        number, mode = STANDARD_FILES[name]
        words.files[number] = (value, mode)
    elif name == "-cwd":
        words.folder = value
    elif name == "-W":
        words.minutes = value
    elif option.help == ONE_GROUP and not words.notes:
        words.notes.append(
            f"{name} asks for the whole chip; the emulator has one core group, on which threads "
            "of the host take turns"
        )
    elif name in ("-n", "-np") and value > 1:
        raise UsageError(
            f"{name} {value}: several core groups"
            if name == "-n"
            else f"-np {value}: several ranks",
            expected=f"{name} 1",
            found=f"{name} {value}",
            help="the emulator has one core group, and mpi.h one rank",
        )
    elif name in ("-cache_size", "-ldm_share_size") and value > 0:
        raise UsageError(
            f"{name} {value}: a part of LDM as a cache",
            expected=f"{name} 0",
            found=f"{name} {value}",
            help="all 64 KB of LDM are the program's here, as SW26010's are by default",
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
    lines.append(
        "Exit status: the program's own; 3 where a fault of the machine ended it or a file"
    )
    lines.append("could not be written, 2 where a word was not understood. Ctrl-C and SIGTERM tell")
    lines.append("where every core stands.")
    return "\n".join(lines)


def main(arguments: Sequence[str]) -> int:
    """Runs the program; becomes it where nothing is left to do after it."""
    if any(word in ("-h", "--help") for word in arguments[:1]):
        print(help_text())
        return 0
    words = parse(arguments)
    if words.folder is not None:
        _enter(words.folder)
    try:
        program = require_program(words.program[0])
    except RunError as error:
        raise UsageError(
            error.message, expected=error.expected, found=error.found, help=error.help
        ) from None
    for note in words.notes:
        print(f"weft emu: note: {note}", file=sys.stderr)
    for number, (path, mode) in words.files.items():
        _redirect(number, path, mode)
    if words.minutes is not None:
        _limit(words.minutes)
    command = [program, *words.program[1:]]
    summary = sys.stderr.isatty() if words.summary is None else words.summary
    if not summary and not any(name in words.asked for name in FILES):
        _become(command, Request(**words.asked))
    return _run_and_look(command, words.asked, summary)


def _enter(folder: Path) -> None:
    try:
        os.chdir(folder)
    except OSError as error:
        raise UsageError(f"-cwd {folder}: {error.strerror}") from None


def _redirect(number: int, path: Path, mode: int) -> None:
    try:
        file = os.open(path, mode, 0o666)
    except OSError as error:
        raise UsageError(f"{path}: cannot open it: {error.strerror}") from None
    (sys.stdout if number == 1 else sys.stderr).flush()
    os.dup2(file, number)
    os.close(file)


def _limit(minutes: int) -> None:
    """The system ends the program then, as the queue would: by SIGXCPU."""
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    seconds = minutes * 60
    if most != resource.RLIM_INFINITY:
        seconds = min(seconds, most)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, most))


def _become(command: list[str], request: Request) -> NoReturn:
    try:
        os.execve(command[0], command, surroundings(request))
    except OSError as error:
        raise RunError(f"{command[0]} cannot be executed: {error.strerror}") from None


def _run_and_look(command: list[str], asked: dict[str, Any], summary: bool) -> int:
    import subprocess
    import tempfile

    from weft.cli import emu_files

    with tempfile.TemporaryDirectory(prefix="weft-emu-") as folder:
        files = emu_files.asked_for(asked, Path(folder))
        places = {name: file.place for name, file in files.items()}
        if summary:
            places.setdefault("report", Path(folder, "report.json"))
        request = Request(**{**asked, **places})
        with _PassedOn() as pass_to:
            try:
                # Signals are as they would be for a program that this process became: a limit of
                # the size of files is told by whoever writes one.
                child = subprocess.Popen(
                    command,
                    env=surroundings(request),
                    preexec_fn=pass_to.restore,
                    restore_signals=False,
                )
            except OSError as error:
                raise RunError(f"{command[0]} cannot be executed: {error.strerror}") from None
            pass_to.child = child
            status = child.wait()
        report = files.get("report")
        if summary and (places["report"].is_file() if report is None else report.is_new):
            from weft.cli.emu_summary import show
            from weft.emu import read_report

            show(read_report(places["report"]))
        wrong = emu_files.written(files, status)
    for message in wrong:
        print(RunError(message).render(), file=sys.stderr)
    if status < 0:
        end_by(-status)
    return Exit.FAULT if wrong and status == 0 else status


class _PassedOn:
    """Signals that end a run are the program's: it tells where it was, and this process after it.

    Ctrl-C reaches both by itself; what others send to this process is sent on.
    """

    def __init__(self) -> None:
        import signal

        self.child: Any = None
        self._before = {
            number: signal.getsignal(number)
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        }

    def __enter__(self) -> _PassedOn:
        import signal

        signal.signal(signal.SIGINT, signal.SIG_IGN)
        for number in (signal.SIGTERM, signal.SIGHUP):
            if self._before[number] is not signal.SIG_IGN:
                signal.signal(number, self._send)
        return self

    def __exit__(self, *_: object) -> None:
        self.restore()

    def restore(self) -> None:
        import signal

        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _send(self, number: int, _: object) -> None:
        if self.child is not None:
            self.child.send_signal(number)


def end_by(number: int) -> None:
    """Ends as the program has: by the same signal."""
    import contextlib
    import signal

    with contextlib.suppress(OSError):  # SIGKILL has no other way
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
