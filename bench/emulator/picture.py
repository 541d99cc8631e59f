# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The model of main memory beside the measurements, drawn: three diagrams side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from math import log2
from typing import Any

WIDTH, HEIGHT = 400, 300
LEFT, TOP, BOTTOM = 44, 64, 88
STYLE = """
  .card { fill: #ffffff; stroke: #d0d7de }
  text { font: 13px system-ui, "Segoe UI", Roboto, "DejaVu Sans", Arial, sans-serif; fill: #1f2328 }
  .title { font-size: 15px; font-weight: 600 }
  .small { font-size: 11px; fill: #59636e }
  .line { stroke: #d0d7de; stroke-width: 1 }
  .model { fill: none; stroke-width: 2 }
  .outlier { fill: none; stroke-width: 1.5 }
  .c0 { stroke: #00897b } .c1 { stroke: #8250df } .c2 { stroke: #bc4c00 } .c3 { stroke: #0969da }
  circle.c0 { fill: #00897b } circle.c1 { fill: #8250df }
  circle.c2 { fill: #bc4c00 } circle.c3 { fill: #0969da }
  circle.outlier { fill: none }
"""


def memory(rows: Sequence[Any], rates: Sequence[float]) -> str:
    """Lines: the model; dots: measured; rings: measured, and outliers."""
    got = dict(zip(rows, rates, strict=True))
    stream = [row for row in rows if row.table == "contiguous"]
    strided = [row for row in rows if row.table == "strided"]
    reads = [row for row in rows if row.table == "read"]
    kernels = {k: [r for r in stream if r.kernel == k] for k in ("copy", "scale", "add", "triad")}
    gaps = {f"gaps of {g}": [r for r in strided if r.gap == g] for g in (8, 64, 512)}
    parts = [
        _diagram("STREAM, contiguous", "bytes of a DMA", kernels, got, lambda r: r.bytes),
        _diagram("STREAM Copy, strided", "bytes of a block", gaps, got, lambda r: r.block),
        _diagram("Strided gets", "bytes of a block", {"get": reads}, got, lambda r: r.block),
    ]
    width = WIDTH * len(parts) + 20
    height = TOP + HEIGHT + BOTTOM
    text = "Main memory, 64 CPEs, GB/s: model (lines), measured (dots), measured outliers (rings)"
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-labelledby="t">',
        f'<title id="t">{escape(text)}</title>',
        f"<style>{STYLE}</style>",
        f'<rect class="card" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8"/>',
        f'<text class="title" x="20" y="28">{escape(text)}</text>',
    ]
    for i, part in enumerate(parts):
        out.append(f'<g transform="translate({i * WIDTH} 0)">{part}</g>')
    return "\n".join([*out, "</svg>"]) + "\n"


def _diagram(
    title: str,
    below: str,
    series: dict[str, list[Any]],
    got: dict[Any, float],
    place: Callable[[Any], int],
) -> str:
    places = [place(row) for rows in series.values() for row in rows]
    first, last = log2(min(places)), log2(max(places))
    top = 27.0

    def x(value: int) -> float:
        return LEFT + (log2(value) - first) / (last - first) * (WIDTH - LEFT - 20)

    def y(gbs: float) -> float:
        return TOP + HEIGHT - gbs / top * HEIGHT

    parts = [f'<text x="{LEFT}" y="{TOP - 12}">{escape(title)}</text>']
    for gbs in range(0, 26, 5):
        level, right = f"{y(gbs):.1f}", WIDTH - 20
        ends = f'x1="{LEFT}" x2="{right}" y1="{level}" y2="{level}"'
        parts.append(f'<line class="line" {ends}/>')
        at = f'x="{LEFT - 8}" y="{y(gbs) + 4:.1f}" text-anchor="end"'
        parts.append(f'<text class="small" {at}>{gbs}</text>')
    exponent = int(first)
    while exponent <= last:
        parts.append(
            f'<text class="small" x="{x(2**exponent):.1f}" y="{TOP + HEIGHT + 18}" '
            f'text-anchor="middle">{2**exponent}</text>'
        )
        exponent += 2
    parts.append(f'<text class="small" x="{LEFT}" y="{TOP + HEIGHT + 38}">{escape(below)}</text>')
    for i, (name, rows) in enumerate(series.items()):
        line = " ".join(f"{x(place(r)):.1f},{y(got[r]):.1f}" for r in rows)
        parts.append(f'<polyline class="model c{i}" points="{line}"/>')
        for row in rows:
            kind = f"outlier c{i}" if row.goal is None else f"c{i}"
            parts.append(
                f'<circle class="{kind}" cx="{x(place(row)):.1f}" cy="{y(row.gbs):.1f}" r="3.5">'
                f"<title>{escape(row.name)}: {row.gbs:g} measured, {got[row]:.3g} modelled</title>"
                "</circle>"
            )
        at = LEFT + i * 84
        parts.append(
            f'<line class="model c{i}" x1="{at}" x2="{at + 16}" '
            f'y1="{TOP + HEIGHT + 62}" y2="{TOP + HEIGHT + 62}"/>'
            f'<text class="small" x="{at + 20}" y="{TOP + HEIGHT + 66}">{escape(name)}</text>'
        )
    return "".join(parts)
