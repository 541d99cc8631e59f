# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The errors of convolutions as a table, for bench/report.py."""

from __future__ import annotations

from typing import Any


def table(measured: dict[str, Any]) -> str:
    """For each data: largest error, error in the L2 norm, and the first over the best peer's."""
    rows: dict[tuple[str, str, str], dict[str, list[dict[str, Any]]]] = {}
    for record in measured["records"]:
        head, data, algorithm = record["case"].split(", ")
        kind, channels, _ = head.split()
        rows.setdefault((kind, channels, algorithm), {}).setdefault(data, []).append(record)
    kinds = list(next(iter(rows.values())))
    heads = [f"{data}: largest | L2 | × peer" for data in kinds]
    lines = [
        f"| type | channels | algorithm | {' | '.join(heads)} |",
        "|---|--:|---|" + "--:|--:|--:|" * len(kinds),
    ]
    for key, by_data in rows.items():
        cells = list(key)
        for data in kinds:
            largest, norm = by_data[data]
            ratio = largest["ratio"]
            mark = "**" if largest["met"] is False else ""
            cells += [f"{largest['value']:.1e}", f"{norm['value']:.1e}"]
            cells.append("" if ratio is None else f"{mark}{ratio:.2f}{mark}")
        lines.append("| " + " | ".join(cells) + " |")
    about = [measured["cpu"], measured["compiler"], measured["date"]]
    return "\n".join(["", *lines, "", f"{'; '.join(about)}.", ""])
