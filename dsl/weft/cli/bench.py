# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""weft bench: a suite of bench/ against its peers, one record a case."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from weft import module_files
from weft.cli import Exit, completing
from weft.cli.failure import asked_for
from weft.cli.options import a_path

FIELDS = (
    "suite",
    "case",
    "metric",
    "value",
    "unit",
    "peer",
    "peer_value",
    "ratio",
    "goal",
    "met",
)


def bench(
    suite: Annotated[
        str,
        typer.Argument(
            help="A folder of bench/ with a bench.py.", autocompletion=completing.suites
        ),
    ],
    json_file: Annotated[
        Path | None,
        typer.Option("--json", parser=a_path, metavar="FILE", help="Write all records there."),
    ] = None,
) -> None:
    """Run a benchmark suite of this repository."""
    import json

    from weft.artifacts import require_writable, write_whole
    from weft.cli.progress import Progress

    if json_file is not None:
        with asked_for():
            require_writable(json_file)
    records: list[dict[str, Any]] = []
    with Progress(moving=False).listening() as progress:
        found = iter(_records(suite))
        while True:
            with progress.step(f"bench {suite}: case {len(records) + 1}"):
                record = next(found, None)
            if record is None:
                break
            records.append({name: record.get(name) for name in FIELDS})
            typer.echo(_line(records[-1]))
    if json_file is not None:
        write_whole(json_file, json.dumps(records, indent=1) + "\n")
    if any(record["met"] is False for record in records):
        raise typer.Exit(Exit.WRONG)


def _records(suite: str) -> Iterable[Mapping[str, Any]]:
    module = module_files.load(_bench_folder(suite) / suite / "bench.py")
    found: Iterable[Mapping[str, Any]] = module.records()
    return found


def _bench_folder(suite: str) -> Path:
    """bench/ of the repository around the current folder."""
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / "bench" / suite / "bench.py").is_file():
            return folder / "bench"
    near = next((f / "bench" for f in (here, *here.parents) if (f / "bench").is_dir()), None)
    suites = sorted(path.parent.name for path in near.glob("*/bench.py")) if near else []
    from weft.diagnostics import close_match

    near_one = close_match(suite, suites)
    way_out = near_one if suites else "run it inside of a clone of Weft's repository"
    told = f"no suite {suite!r} in bench/; there are: {', '.join(suites) or 'none'}"
    raise typer.BadParameter(f"{told}{way_out and f'; {way_out}'}", param_hint="SUITE")


def _line(record: Mapping[str, Any]) -> str:
    """`ft A: 7900 Mop/s, NPB-CPP 3100, 2.55 times (goal 2.5: met)`."""
    text = f"{record['suite']} {record['case']}: {_number(record['value'])} {record['unit']}"
    if record["metric"]:
        text += f" ({record['metric']})"
    if record["peer"]:
        text += f"; {record['peer']} {_number(record['peer_value'])}"
    if record["ratio"] is not None:
        text += f"; ratio {record['ratio']:.2f}"
    if record["goal"] is not None:
        text += f"; goal {record['goal']}: {'met' if record['met'] else 'NOT met'}"
    return text


def _number(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
