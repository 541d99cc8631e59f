# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""weft cache: what the kernel cache holds, and how it is emptied."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from weft.cache_folder import Item

app = typer.Typer(help="The kernel cache: list it, empty it.", no_args_is_help=True)

UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 7 * 86400}
HEAD = ("kernel", "target", "sizes", "bytes", "made", "used")


@app.command("ls")
def list_entries(
    as_json: Annotated[bool, typer.Option("--json", help="Every entry, for programs.")] = False,
) -> None:
    """The compiled kernels, the one used last first."""
    from weft import cache_folder

    allowed = cache_folder.limit()
    items = cache_folder.items()
    if as_json:
        import json

        typer.echo(json.dumps([_record(item) for item in items], indent=1))
        return
    kernels = [item for item in items if item.kind == "kernel"]
    if kernels:
        typer.echo(_table([HEAD, *map(_row, kernels)]))
    total = sum(item.bytes for item in items)
    headers = sum(item.bytes for item in items if item.kind == "headers")
    typer.echo(
        f"{len(kernels)} kernels, {amount(total)} of {amount(allowed)}"
        f" in {cache_folder.folder()}"
        + (
            f"; {amount(headers)} are headers of the C compiler, read once for all"
            if headers
            else ""
        )
    )


@app.command("clear")
def clear(
    older_than: Annotated[
        str | None,
        typer.Option(metavar="AGE", help="Only what was not used for so long: 30d, 12h, 2w."),
    ] = None,
) -> None:
    """Remove entries. Running programs keep the kernels that they have loaded."""
    from weft import cache_folder

    seconds = None if older_than is None else _seconds(older_than)
    count, freed = cache_folder.clear(seconds)
    typer.echo(f"removed {count} entries, {amount(freed)}")


def _seconds(text: str) -> float:
    unit = UNITS.get(text[-1:])
    try:
        if unit is None:
            raise ValueError
        seconds = float(text[:-1]) * unit
        if not seconds >= 0:
            raise ValueError
    except ValueError:
        raise typer.BadParameter(
            f"{text!r}: expected a number and one of {', '.join(UNITS)}, such as 30d",
            param_hint="--older-than",
        ) from None
    return seconds


def _kernels(item: Item) -> list[dict[str, Any]]:
    found = item.notes.get("kernels")
    return found if isinstance(found, list) else []


def _row(item: Item) -> tuple[str, ...]:
    kernels = _kernels(item)
    first = kernels[0] if kernels else {}
    sizes = " ".join(f"{name}={value}" for name, value in first.get("sizes", {}).items())
    more = f" and {len(kernels) - 1} more" if len(kernels) > 1 else ""
    return (
        str(first.get("name", "?")) + more,
        str(item.notes.get("target", "")),
        sizes,
        amount(item.bytes),
        age(item.created),
        age(item.used),
    )


def _record(item: Item) -> dict[str, Any]:
    kernels = [{"name": k.get("name"), "sizes": k.get("sizes")} for k in _kernels(item)]
    return {
        "kind": item.kind,
        "name": kernels[0]["name"] if kernels else item.notes.get("name"),
        "target": item.notes.get("target"),
        "sizes": kernels[0]["sizes"] if kernels else None,
        "kernels": kernels,
        "bytes": item.bytes,
        "created": item.created,
        "used": item.used,
        "key": item.place.name,
        "folder": str(item.place),
    }


def _table(rows: list[tuple[str, ...]]) -> str:
    widths = [max(len(row[i]) for row in rows) for i in range(len(HEAD))]
    lines = ["  ".join(f"{c:<{w}}" for c, w in zip(row, widths, strict=True)) for row in rows]
    return "\n".join(line.rstrip() for line in lines)


def amount(number: float) -> str:
    """`3.4 MB`, in powers of 1024."""
    for unit in ("B", "kB", "MB", "GB"):
        if number < 1024:
            return f"{number:.0f} {unit}" if unit == "B" else f"{number:.1f} {unit}"
        number /= 1024
    return f"{number:.1f} TB"


def age(then: float) -> str:
    """`5m` ago, in the largest unit that counts at least 1."""
    seconds = max(0.0, time.time() - then)
    fitting = [unit for unit, length in UNITS.items() if seconds >= length and unit != "w"]
    unit = fitting[-1] if fitting else "s"
    return f"{seconds / UNITS[unit]:.0f}{unit}"
