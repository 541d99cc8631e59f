# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The choices of algorithms as a table, for bench/report.py."""

from __future__ import annotations

from typing import Any


def table(measured: dict[str, Any]) -> str:
    """One row a layer: the choice, its rate, and how many times those of the others it reaches."""
    *records, whole = measured["records"]
    lines = [
        "| layer | the model's choice | GFlop/s | × direct | the fastest | × fastest |",
        "|---|---|--:|--:|---|--:|",
    ]
    for direct, best in zip(records[::2], records[1::2], strict=True):
        mark = "" if direct["met"] else "**"
        cells = [
            direct["case"],
            direct["metric"].split(", ", 1)[1],
            f"{direct['value']:.0f}",
            f"{mark}{direct['ratio']:.2f}{mark}",
            best["peer"],
            f"{best['ratio']:.2f}",
        ]
        lines.append("| " + " | ".join(cells) + " |")
    mean = whole["metric"].rsplit(" ", 1)[1]
    about = [
        f"{whole['value']} {whole['unit']} no slower than the direct sum",
        f"{mean} of the fastest on average (geometric mean)",
        *(measured[key] for key in ("cpu", "compiler", "date")),
    ]
    return "\n".join(["", *lines, "", f"{'; '.join(about)}.", ""])
