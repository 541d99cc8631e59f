# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is known of a kernel before it runs: choices, counts, traffic, and how fast it could be.

Everything is counted in the IR that the C is made from; the machine's numbers are those of its
table. The bound of time is of one core, or of all of a core group: no run on the table's machine
takes less.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from weft import __version__, driver
from weft import exact as exactness
from weft.machine import Machine

BYTES = {"f32": 4, "f64": 8}
# What keeps a floating-point pipe busy for a cycle at least.
IN_PIPES = ("add", "mul", "fma", "div", "sqrt")


def explain(
    source: str | os.PathLike[str],
    kernel: str | None = None,
    target: str | None = None,
    sizes: Mapping[str, int] | None = None,
    exact: bool = False,
) -> dict[str, Any]:
    """Stages 1 to 5 without the C compiler, and what they say. All sizes must be given.

    `exact` tells of each loop that is ordered how far it is from the best order.

    Raises:
        RunError: `exact` is asked for, and the solver is not installed.
    """
    with tempfile.TemporaryDirectory(prefix="weft-explain-") as folder:
        file = Path(folder) / "problems"
        settings = {}
        if exact:
            exactness.require()
            file.touch()
            settings["schedule-dual-issue"] = f"problems='{file}'"
        found = driver.examine(source, kernel, target, sizes or {}, settings)
        orders = [one.to_json() for one in exactness.distances(file)] if exact else None
    report, machine = found.report, found.machine
    moved = {
        "read": sum(array["read"] for array in report["arrays"]),
        "written": sum(array["written"] for array in report["arrays"]),
    }
    flops = report["operations"].get("flops", 0)
    total = moved["read"] + moved["written"]
    return {
        "weft": __version__,
        "kernel": report["name"],
        "target": machine.name,
        "sizes": report["sizes"],
        "schedule": report["schedule"],
        "schedule_idle": report["schedule_idle"],
        "notes": [note.to_json() for note in found.notes],
        "operations": report["operations"],
        "operations_by_type": report["operations_by_type"],
        "bytes": report["bytes"],
        "arrays": report["arrays"],
        "memory_passes": report["memory_passes"],
        "passes_over_memory": report["passes_over_memory"],
        "memory": moved,
        "flops_per_byte": flops / total if total else None,
        "bound": bound(report["operations_by_type"], total, machine),
        **({} if orders is None else {"orders": orders}),
    }


def bound(
    by_type: Mapping[str, Mapping[str, int]], moved: int, machine: Machine
) -> dict[str, float | str]:
    """Seconds below which one core, or a core group, cannot be, for arithmetic and memory."""
    values = machine.values
    cores = values.get("cores", 1)
    issued = sum(
        -(
            -kinds.get(kind, 0)
            // values.get("float_lanes", values["vector_bytes"] // BYTES[element])
        )
        for element, kinds in by_type.items()
        if element in BYTES
        for kind in IN_PIPES
    )
    arithmetic = issued / (cores * values["vector_pipes"] * values["clock_hz"])
    memory = moved / values["memory_bytes_per_second"]
    return {
        "cores": cores,
        "vector_operations": issued,
        "arithmetic_seconds": arithmetic,
        "memory_seconds": memory,
        "seconds": max(arithmetic, memory),
        "by": "memory" if memory > arithmetic else "arithmetic",
    }
