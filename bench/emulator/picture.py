# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The model of main memory, drawn: beside the measurements, and where there are none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from math import ceil, floor, log2
from typing import Any

WIDTH, HEIGHT = 400, 300
LEFT, TOP, BOTTOM = 44, 72, 100
LETTER = 6.2  # of small text, on average
STYLE = """
  .card { fill: #ffffff; stroke: #d0d7de }
  text { font: 13px system-ui, "Segoe UI", Roboto, "DejaVu Sans", Arial, sans-serif; fill: #1f2328 }
  .title { font-size: 15px; font-weight: 600 }
  .small { font-size: 11px; fill: #59636e }
  .line { stroke: #d0d7de; stroke-width: 1 }
  .model { fill: none; stroke-width: 2 }
  .model.c1 { stroke-dasharray: 7 3 }
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
    text = "Main memory, 64 CPEs, GB/s: model (lines), measured (dots), measured outliers (rings)"
    return _sheet(text, parts)


def held_out(rows: Sequence[Any], rates: Sequence[float]) -> str:
    """What nothing was fitted to; rings: measured."""
    got = dict(zip(rows, rates, strict=True))
    reads = [row for row in rows if row.table == "read"]
    alone = {f"{k}s": [r for r in rows if r.table == "alone" and r.kernel == k]
             for k in ("get", "put")}  # fmt: skip
    tiles = {f"blocks of {b} B": [r for r in rows if r.table == "tile" and r.block == b]
             for b in (128, 256)}  # fmt: skip
    parts = [
        _diagram("Strided gets (swGEMM)", "bytes of a block", {"get": reads}, got, _block, 38.0),
        _diagram("Gets or puts only (swDNN)", "bytes of a DMA", alone, got, _bytes, 38.0),
        _diagram("One tile for all CPEs (swDNN)", "bytes of a DMA", tiles, got, _bytes, 38.0),
    ]
    text = "Held out of the fit, 64 CPEs, GB/s: model (lines), measured (dots and rings)"
    return _sheet(text, parts)


def axes(found: Sequence[Any]) -> str:
    """Curves of axes.py, three in a row."""
    parts = [_frame(axis.title, axis.below, axis.curves, axis.logarithmic) for axis in found]
    return _sheet("The model where nobody has measured, GB/s", parts)


def _block(row: Any) -> int:
    return int(row.block)


def _bytes(row: Any) -> int:
    return int(row.bytes)


def _sheet(text: str, parts: Sequence[str]) -> str:
    columns = min(len(parts), 3)
    lines = -(-len(parts) // columns)
    width = WIDTH * columns + 20
    height = TOP + lines * (HEIGHT + BOTTOM)
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-labelledby="t">',
        f'<title id="t">{escape(text)}</title>',
        f"<style>{STYLE}</style>",
        f'<rect class="card" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8"/>',
        f'<text class="title" x="20" y="28">{escape(text)}</text>',
    ]
    for i, part in enumerate(parts):
        across, down = i % columns * WIDTH, i // columns * (HEIGHT + BOTTOM)
        out.append(f'<g transform="translate({across} {down})">{part}</g>')
    return "\n".join([*out, "</svg>"]) + "\n"


def _diagram(
    title: str,
    below: str,
    series: dict[str, list[Any]],
    got: dict[Any, float],
    place: Callable[[Any], int],
    top: float = 27.0,
) -> str:
    curves = {name: [(place(r), got[r]) for r in rows] for name, rows in series.items()}
    at = {row: row.gbs for rows in series.values() for row in rows}
    parts = [_frame(title, below, curves, top=top)]
    places = [p for points in curves.values() for p, _ in points]
    for i, rows in enumerate(series.values()):
        for row in rows:
            kind = f"outlier c{i}" if row.goal is None else f"c{i}"
            x, y = _x(place(row), places), _y(at[row], top)
            parts.append(
                f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="3.5">'
                f"<title>{escape(row.name)}: {row.gbs:g} measured, {got[row]:.3g} modelled</title>"
                "</circle>"
            )
    return "".join(parts)


def _x(value: float, places: Sequence[float], logarithmic: bool = True) -> float:
    first, last = min(places), max(places)
    share = (value - first) / (last - first)
    if logarithmic:
        share = (log2(value) - log2(first)) / (log2(last) - log2(first))
    return LEFT + share * (WIDTH - LEFT - 20)


def _y(gbs: float, top: float) -> float:
    return TOP + HEIGHT * (1 - gbs / top)


def _frame(
    title: str,
    below: str,
    curves: dict[str, list[tuple[int, float]]],
    logarithmic: bool = True,
    top: float = 27.0,
) -> str:
    """A diagram of lines: axes, names, curves."""
    places = [at for points in curves.values() for at, _ in points]
    parts = [f'<text x="{LEFT}" y="{TOP - 12}">{escape(title)}</text>']
    for gbs in range(0, int(top), 5):
        level, right = f"{_y(gbs, top):.1f}", WIDTH - 20
        ends = f'x1="{LEFT}" x2="{right}" y1="{level}" y2="{level}"'
        parts.append(f'<line class="line" {ends}/>')
        label = f'x="{LEFT - 8}" y="{_y(gbs, top) + 4:.1f}" text-anchor="end"'
        parts.append(f'<text class="small" {label}>{gbs}</text>')
    first, last = min(places), max(places)
    if logarithmic:
        step = 2 if log2(last / first) > 5 else 1
        marks = [2**e for e in range(ceil(log2(first)), floor(log2(last)) + 1, step)]
    else:
        marks = list(range(-(-first // 128) * 128, last + 1, 128))
    for mark in marks:
        parts.append(
            f'<text class="small" x="{_x(mark, places, logarithmic):.1f}" y="{TOP + HEIGHT + 18}" '
            f'text-anchor="middle">{mark}</text>'
        )
    parts.append(f'<text class="small" x="{LEFT}" y="{TOP + HEIGHT + 35}">{escape(below)}</text>')
    at = float(LEFT)
    for i, (name, points) in enumerate(curves.items()):
        line = " ".join(f"{_x(x, places, logarithmic):.1f},{_y(y, top):.1f}" for x, y in points)
        parts.append(f'<polyline class="model c{i}" points="{line}"/>')
        parts.append(
            f'<line class="model c{i}" x1="{at:.0f}" x2="{at + 16:.0f}" '
            f'y1="{TOP + HEIGHT + 52}" y2="{TOP + HEIGHT + 52}"/>'
            f'<text class="small" x="{at + 20:.0f}" y="{TOP + HEIGHT + 56}">{escape(name)}</text>'
        )
        at += 34 + LETTER * len(name)
    return "".join(parts)
