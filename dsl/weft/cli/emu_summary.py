# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a run on the emulator did, as a few tables on standard error."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

from rich import box
from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from weft.amounts import seconds

MOST_LINES = 12
MOST_PHASES = 8
MPE = 64
LEAST_WIDTH = 80  # figures are whole, also where a narrower terminal breaks their lines


def show(report: Mapping[str, Any], file: IO[str] | None = None, width: int | None = None) -> None:
    """Prints the summary; without a file to standard error."""
    console = Console(file=file, stderr=file is None, width=width, highlight=False)
    if width is None:
        console.width = max(console.width, LEAST_WIDTH)
    console.print(summary(report, time_counters()))


def time_counters() -> dict[str, str]:
    """Those that add up to a core's time, and what they mean."""
    from weft.emu import counters

    return {one["name"]: one["description"] for one in counters() if one["part"] == "time"}


def summary(report: Mapping[str, Any], time: Mapping[str, str]) -> Group:
    parts: list[Any] = [Text(), _head(report)]
    if report["modelled"]["timing"]:
        tables = (
            _phases(report),
            _stalls(report, time),
            _lines(report, time, "the CPEs", range(MPE), MOST_LINES),
            _lines(report, time, "the MPE", range(MPE, MPE + 1), MOST_LINES // 2),
        )
        parts += [table for table in tables if table is not None]
    parts.append(_incidents(report))
    return Group(*parts)


def _table(title: str) -> Table:
    return Table(
        title=title,
        title_justify="left",
        title_style="italic",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        min_width=len(title),
    )


def _head(report: Mapping[str, Any]) -> Text:
    name = Path(report["program"]["path"]).name
    if not report["modelled"]["timing"]:
        return Text(f"{name}: functional, without timing")
    time = f"{report['cycles']:,} cycles, {seconds(report['seconds'])} on the machine"
    return Text(f"{name}: {time}", style="bold")


def _phases(report: Mapping[str, Any]) -> Table | None:
    """Spawned functions, the longest first, and the time that the MPE was alone."""
    functions = sorted(report["phases_by_function"], key=lambda one: -one["cycles"])
    if not functions:
        return None
    table = _table("Spawned functions")
    table.add_column("function")
    for name in ("times", "cycles", "share", "GF", "of peak", "DMA GB/s"):
        table.add_column(name, justify="right")
    # Of all CPEs, whether or not the function had them all.
    peak = report["machine"]["peak_flops"]
    for one in functions[:MOST_PHASES]:
        counts, time = one["counters"], one["seconds"] or float("inf")
        moved = counts.get("dma_get_bytes", 0) + counts.get("dma_put_bytes", 0)
        rate = counts.get("flops", 0) / time
        table.add_row(
            one["function"] or "?",
            str(one["times"]),
            f"{one['cycles']:,}",
            percent(one["cycles"], report["cycles"]),
            f"{rate / 1e9:.4g}",
            percent(rate, peak),
            f"{moved / time / 1e9:.4g}",
        )
    alone = report["cycles"] - sum(one["cycles"] for one in functions)
    if alone > 0:
        share = percent(alone, report["cycles"])
        table.add_row("the MPE alone", "", f"{alone:,}", share, "", "", "", style="dim")
    if len(functions) > MOST_PHASES:
        table.caption = f"{len(functions) - MOST_PHASES} more in the report"
    return table


def _stalls(report: Mapping[str, Any], time: Mapping[str, str]) -> Table | None:
    """Where the CPEs' time went: mean, and the core with the most of each."""
    cpes = [core for core in report["cores"] if core["core"] != MPE and core["active"]]
    if not cpes:
        return None
    total = sum(core["active"] for core in cpes)
    sums: Counter[str] = Counter()
    for core in cpes:
        sums.update({name: core["counters"].get(name, 0) for name in time})
    table = _table(f"Where the time of {len(cpes)} CPEs went")
    table.add_column("counter")
    table.add_column("share", justify="right")
    table.add_column("most", justify="right")
    table.add_column("meaning")
    for name, cycles in sums.most_common():
        if not cycles:
            continue
        most = max(cpes, key=lambda core: core["counters"].get(name, 0) / core["active"])
        share = percent(most["counters"].get(name, 0), most["active"])
        table.add_row(name, percent(cycles, total), f"{share} CPE {most['core']}", time[name])
        if name == "scheduled":
            for part in ("data_stall", "cannot_dual_issue", "branch"):
                inner = sum(core["counters"].get(part, 0) for core in cpes)
                if inner:
                    table.add_row(Text(f"  {part}", style="dim"), percent(inner, total), "", "")
    return table


def _lines(
    report: Mapping[str, Any], time: Mapping[str, str], who: str, cores: range, most: int
) -> Table | None:
    """Source lines by the time that these cores spent in them, and what they mostly waited for."""
    costs = []
    for line in report["lines"]:
        sums: Counter[str] = Counter()
        for group in line["groups"]:
            there = sum(core in cores for core in group["cores"])
            for name, amount in group["counters"].items():
                if name in time and there:
                    sums[name] += amount * there
        if sums and line["file"]:
            costs.append((sum(sums.values()), sums.most_common(1)[0][0], line))
    if not costs:
        return None
    costs.sort(key=lambda one: -one[0])
    whole = sum(cycles for cycles, _, _ in costs)
    table = _table(f"Lines in which {who} spent the most time")
    table.add_column("line", overflow="fold")
    table.add_column("function")
    table.add_column("share", justify="right")
    table.add_column("mostly")
    for cycles, mostly, line in costs[:most]:
        place = f"{Path(line['file']).name}:{line['line']}"
        table.add_row(place, line["function"], percent(cycles, whole), mostly)
    return table


def _incidents(report: Mapping[str, Any]) -> Text:
    hazards = sum(one["times"] for one in report["hazards"])
    if report["fault"] is not None:
        return Text(f"ended by a fault: {report['fault']['name']}", style="bold red")
    if hazards:
        return Text(f"{hazards} hazards: results depend on timing", style="yellow")
    return Text("no hazards", style="green")


def percent(part: float, whole: float) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"
