# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The layers of a core group under what its cores and its memory allow."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from weft import module_files

drawing = module_files.load(Path(__file__).parents[1] / "drawing.py")
KINDS = {
    "direct": ("direct sum", "o", "#00897b"),
    "conv": ("F(4x4, 3x3)", "s", "#8250df"),
    "fixed": ("F(4x4, 3x3), filters prepared", "D", "#bc4c00"),
}
# What swDNN's authors publish for convolutions of one core group, GFlop/s.
PUBLISHED = (222.0, 352.0)


def draw(layers: Sequence[dict[str, Any]], memory: float, path: Path) -> None:
    """Rates over operations a byte; `memory` in GB/s. Nothing without matplotlib."""
    figure = drawing.new_figure(8.0, 5.0)
    if figure is None or not layers:
        return
    axes = figure.subplots()
    peak = layers[0]["peer_value"]
    ends = (8.0, 1.3 * max(one["intensity"] for one in layers))
    edge = peak / memory
    axes.loglog([ends[0], edge, ends[1]], [ends[0] * memory, peak, peak], color="#1f2328")
    axes.loglog([edge, min(4 * edge, ends[1])], [peak, min(4 * peak, ends[1] * memory)],
                color="#1f2328", linestyle=":")  # fmt: skip
    left, bottom = ends[0] * 1.1, ends[0] * memory * 0.85
    axes.annotate(f"peak of the cores, {peak:.0f} GFlop/s", (left, peak), va="center", fontsize=8)
    axes.annotate(f"memory, {memory:.1f} GB/s", (left, bottom), va="top", fontsize=8)
    axes.axhspan(*PUBLISHED, color="#d0d7de", alpha=0.6, label="swDNN, published", linewidth=0)
    for kind, (label, marker, color) in KINDS.items():
        ours = [one for one in layers if one["case"].startswith(kind + ":")]
        axes.plot([one["intensity"] for one in ours], [one["value"] for one in ours], marker,
                  color=color, label=label, linestyle="", markersize=5)  # fmt: skip
    chosen = [one for one in layers if one["case"].startswith("auto:")]
    axes.plot([one["intensity"] for one in chosen], [one["value"] for one in chosen], "o",
              color="#1f2328", fillstyle="none", label="chosen by the compiler",
              markersize=9)  # fmt: skip
    rates = [one["value"] for one in layers]
    axes.set_xlim(*ends)
    axes.set_ylim(0.7 * min(*rates, bottom), 2 * max(*rates, peak))
    axes.set_xlabel("operations of the direct sum for a byte of images, filters and results")
    axes.set_ylabel("GFlop/s of the direct sum")
    axes.legend(loc="lower right", fontsize=8)
    axes.set_title("Layers on one emulated core group of SW26010", fontsize=10)
    drawing.save(figure, path)
