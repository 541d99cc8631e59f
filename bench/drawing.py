# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pictures of measurements: where matplotlib is there, SVG whose words are text."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def new_figure(width: float, height: float) -> Figure | None:
    """One of so many inches, or nothing without matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return None
    return Figure(figsize=(width, height), layout="constrained")


def save(figure: Figure, path: Path) -> None:
    """As SVG; equal figures become equal files."""
    import matplotlib

    path.parent.mkdir(exist_ok=True)
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "weft"}):
        figure.savefig(path, metadata={"Date": None})
