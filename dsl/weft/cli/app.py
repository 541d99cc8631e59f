# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""All verbs together."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import Any

import typer

from weft import __version__
from weft.cli import Exit, bench, cache, compile, doctor, emu, explain, opt, run, tune
from weft.cli.failure import UsageError

app = typer.Typer(
    name="weft",
    help="FFT and convolution kernels from one source to readable many-core C.",
    epilog="Exit status: 0 done, 1 wrong program or failed check, 2 usage, 3 run-time fault, "
    "70 fault of Weft, 130 interrupted, 141 reader gone.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("compile")(compile.compile_file)
app.command("run")(run.run)
app.command("explain")(explain.explain)
app.command("opt", context_settings=opt.CONTEXT)(opt.opt)
app.command("interp", context_settings=opt.CONTEXT)(opt.interp)
app.command("tune")(tune.tune)
app.command("bench")(bench.bench)
app.command("doctor")(doctor.doctor)
app.add_typer(emu.app, name="emu")
app.add_typer(cache.app, name="cache")


# What other tools call a verb, or a part of one.
ELSEWHERE = {
    "build": "weft compile",
    "lib": "weft compile --emit lib",
    "library": "weft compile --emit lib",
    "calibrate": "weft tune --calibrate",
    "check": "weft run compiles a kernel, calls it and compares the results",
    "test": "weft run compiles a kernel, calls it and compares the results",
    "verify": "weft run compiles a kernel, calls it and compares the results",
    "info": "weft doctor",
    "help": "weft --help",
    "version": "weft --version",
}


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"weft {__version__}")
        raise typer.Exit


@app.callback()
def weft(
    version: bool = typer.Option(
        False, "--version", callback=_show_version, is_eager=True, help="Print the version."
    ),
) -> None:
    del version  # its callback has done the work


def run_app(arguments: Sequence[str]) -> int:
    """The exit status of the verb. Wrong words are told like every other failure."""
    _take_shell(arguments)
    try:
        status = app(list(arguments), prog_name="weft", standalone_mode=False)
    except SystemExit as stop:
        status = stop.code
    except Exception as error:
        # Which package click's exceptions come from depends on the version of typer.
        told = getattr(error, "format_message", None)
        if told is None:
            raise
        if type(error).__name__ == "NoArgsIsHelpError":
            error.show()  # type: ignore[attr-defined]
            return Exit.USAGE
        context = getattr(error, "ctx", None)
        path = context.command_path if context is not None else _verb(arguments)
        # Newer versions of typer say what kind of Python's exceptions it was.
        words = told().replace(": Value error, ", ": ")
        raise UsageError(words, help=_way_out(path, arguments, words)) from None
    return status if isinstance(status, int) else Exit.OK


def _take_shell(arguments: Sequence[str]) -> None:
    """Has a shell that stands behind an option of completion taken, rather than the one found."""
    option, equals, _ = arguments[0].partition("=") if arguments else ("", "", "")
    follows = len(arguments) > 1 and not arguments[1].startswith("-")
    if option in ("--install-completion", "--show-completion") and (equals or follows):
        # How typer is told; it reads this when it makes its options.
        os.environ["_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION"] = "1"


def _verb(arguments: Sequence[str]) -> str:
    """The verb, or verb of a verb, that words begin with."""
    words = ["weft"]
    command: Any = typer.main.get_command(app)
    for word in arguments:
        command = getattr(command, "commands", {}).get(word)
        if command is None:
            break
        words.append(word)
    return " ".join(words)


def _way_out(path: str, arguments: Sequence[str], told: str) -> str:
    """What may have been meant by words that there are not, besides the page of all."""
    extra = re.search(r"unexpected extra argument.*\(([A-Za-z_]\w*)(=\d+)?", told)
    if extra and extra[2]:
        return f"sizes are options: --size {extra[1]}{extra[2]}; {path} --help"
    if extra and path in ("weft compile", "weft run", "weft explain", "weft tune"):
        word = extra[1]
        return (
            f"a kernel stands behind the file, FILE:{word}, a case is --case {word}; {path} --help"
        )
    if path == "weft" and arguments and arguments[0] in ELSEWHERE:
        return ELSEWHERE[arguments[0]]
    return f"{path} --help"
