# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The ladder as a table beside the report's own, for bench/report.py."""

from __future__ import annotations

from typing import Any

# GFlop/s that the report has, on 28 cores, for the whole of realworld.conf; by the rung that comes
# nearest. The first is what it started from.
PUBLISHED = {
    "loops as they are written": (0.22, "as given"),
    "vectors of 128 bits": (12.9, "128 bits, loops interchanged (3.05 without vectors)"),
    "2 threads": (57, "threads; 61 without memset"),
    "vectors of 256 bits": (97, "256 bits, threads; 106 by another compiler"),
    "F(4x4) in four steps": (2236, "four steps, 36 products, MKL"),
}


def table(measured: dict[str, Any]) -> str:
    lines = [
        "| rung | said by | GFlop/s | × loops in C | the report | × its start |",
        "|---|---|--:|--:|---|--:|",
    ]
    start = PUBLISHED["loops as they are written"][0]
    for record in measured["records"]:
        cells = [record["case"], record["metric"], f"{record['value']:.3g}"]
        cells.append(f"{record['ratio']:.1f}")
        rate, words = PUBLISHED.get(record["case"], (None, ""))
        cells += ["", ""] if rate is None else [f"{rate}: {words}", f"{rate / start:.0f}"]
        lines.append("| " + " | ".join(cells) + " |")
    about = [measured["cpu"], measured["compiler"], measured["date"]]
    return "\n".join(["", *lines, "", f"{'; '.join(about)}.", ""])
