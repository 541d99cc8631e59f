# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""weft emu: programs made by weft-swcc on the emulated SW26010, and what that machine is."""

from __future__ import annotations

from typing import Annotated, Any

import typer

app = typer.Typer(
    name="emu", help="Run programs of weft-swcc on the emulated SW26010.", no_args_is_help=True
)


@app.command(
    "run",
    context_settings={
        "ignore_unknown_options": True,
        "allow_extra_args": True,
        "help_option_names": [],
    },
)
def run(context: typer.Context) -> None:
    """Run a program; bsub's words are taken. Exit status and output are the program's own."""
    from weft.cli.emu_run import main

    raise typer.Exit(main(context.args))


@app.command("info")
def info(
    counters: Annotated[
        bool, typer.Option("--counters", help="The counters of reports instead.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Tell the machine's numbers, the counters, and where the emulator lies."""
    from weft import emu

    if counters:
        told: Any = emu.counters()
        rows = [["counter", "unit", "part", "meaning"], *([*one.values()] for one in told)]
    else:
        from dataclasses import asdict

        numbers = emu.parameters()
        places = {
            "library": str(emu.native_file(emu.LIBRARY)),
            "compiler": str(emu.native_file("bin/weft-swcc")),
            "machine table": str(emu.machine_file()),
        }
        told = {"places": places, "parameters": [asdict(one) for one in numbers]}
        head = ["quantity", "value", "unit", "confidence", "source"]
        rows = [head] + [
            [one.name, _number(one.value), one.unit, one.confidence, one.source] for one in numbers
        ]
    if as_json:
        import json

        typer.echo(json.dumps(told, indent=1))
        return
    if not counters:
        for name, path in places.items():
            typer.echo(f"{name:14}{path}")
        typer.echo()
    typer.echo(_table(rows))


def _number(value: object) -> str:
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def _table(rows: list[list[str]]) -> str:
    widths = [max(len(row[n]) for row in rows) for n in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )
