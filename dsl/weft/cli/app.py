# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""All verbs together."""

from __future__ import annotations

from collections.abc import Sequence

import typer

from weft import __version__
from weft.cli import Exit, bench, cache, compile, opt, run

app = typer.Typer(
    name="weft",
    help="FFT and convolution kernels from one source to readable many-core C.",
    epilog="Exit status: 0 done, 1 wrong program or failed check, 2 usage, 3 run-time fault, "
    "70 fault of Weft.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("compile")(compile.compile_file)
app.command("run")(run.run)
app.command("opt", context_settings=opt.CONTEXT)(opt.opt)
app.command("bench")(bench.bench)
app.add_typer(cache.app, name="cache")


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
    """The exit status of the verb; usage errors are told by typer and are status 2."""
    try:
        app(list(arguments), prog_name="weft")
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else Exit.OK
    return Exit.OK
