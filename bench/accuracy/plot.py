# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The errors that `weft bench accuracy` has kept, as a picture.

    bench/accuracy/plot.py errors.jsonl errors.svg

Against the length: Weft's error and the least of the libraries', in units of the last place (2^-53
or 2^-24); what is beyond the goal is red.
"""

from __future__ import annotations

import json
import math
import sys
from html import escape
from pathlib import Path
from typing import Any

GOAL = 1.5
TOP = 70
UNITS = {"c128": 2.0**-53, "c64": 2.0**-24}
WIDTH, HEIGHT, MARGIN, GAP = 860, 300, 50, 100
STYLE = """
  .card { fill: #ffffff; stroke: #d0d7de }
  text { font: 13px system-ui, "Segoe UI", Roboto, "DejaVu Sans", Arial, sans-serif; fill: #1f2328 }
  .title { font-size: 16px; font-weight: 600 }
  .small { font-size: 12px; fill: #59636e }
  .axis { stroke: #d0d7de }
  .peer { fill: #8c959f }
  .weft { fill: #0969da }
  .beyond { fill: #cf222e }
"""


def points(entries: list[dict[str, Any]], kind: str) -> list[tuple[int, float, float]]:
    """(length, Weft's error, the best library's), in units of the last place."""
    found = []
    for entry in entries:
        if entry["kind"] != kind:
            continue
        for errors in entry["errors"].values():
            best = min(error for name, error in errors.items() if name != "Weft")
            found.append((entry["n"], errors["Weft"] / UNITS[kind], best / UNITS[kind]))
    return sorted(found)


def draw(entries: list[dict[str, Any]]) -> str:
    parts = []
    for number, kind in enumerate(UNITS):
        parts.append(_panel(points(entries, kind), kind, number * (HEIGHT + GAP) + TOP))
    height = len(UNITS) * (HEIGHT + GAP) + TOP - MARGIN
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">\n'
        f"<title>Errors of transforms against their length</title>\n<style>{STYLE}</style>\n"
        f'<rect class="card" width="{WIDTH}" height="{height}" rx="6"/>\n' + "".join(parts)
    ) + "</svg>\n"


def _panel(found: list[tuple[int, float, float]], kind: str, top: int) -> str:
    most = 1.05 * max((max(ours, best) for _, ours, best in found), default=1.0) or 1.0
    longest = max(1.0, math.log2(max((n for n, _, _ in found), default=2)))

    def x(n: int) -> float:
        return MARGIN + (WIDTH - 2 * MARGIN) * math.log2(n) / longest

    def y(error: float) -> float:
        return top + HEIGHT - (HEIGHT - 20) * error / most

    beyond = sum(ours > GOAL * best for _, ours, best in found)
    title = f"{kind}: relative error of transforms, in units of 2^{math.log2(UNITS[kind]):.0f}"
    legend = (
        f"against the points of a line; Weft blue, the least of the libraries grey; red: beyond "
        f"{GOAL} times that, {beyond} of {len(found)}"
    )
    lines = [
        f'<text class="title" x="{MARGIN}" y="{top - 28}">{escape(title)}</text>\n',
        f'<text class="small" x="{MARGIN}" y="{top - 10}">{escape(legend)}</text>\n',
    ]
    for power in range(0, int(longest) + 1, 2):
        at = x(1 << power)
        lines.append(
            f'<line class="axis" x1="{at:.1f}" x2="{at:.1f}" y1="{top}" y2="{top + HEIGHT}"/>'
            f'<text x="{at:.1f}" y="{top + HEIGHT + 16}" text-anchor="middle">{1 << power}</text>\n'
        )
    for error in range(int(most) + 1):
        at = y(error)
        lines.append(
            f'<line class="axis" x1="{MARGIN}" x2="{WIDTH - MARGIN}" y1="{at:.1f}" y2="{at:.1f}"/>'
            f'<text x="{MARGIN - 8}" y="{at + 4:.1f}" text-anchor="end">{error}</text>\n'
        )
    for n, ours, best in found:
        style = "weft" if ours <= GOAL * best else "beyond"
        lines.append(
            f'<circle class="peer" cx="{x(n):.1f}" cy="{y(best):.1f}" r="1.6"/>'
            f'<circle class="{style}" cx="{x(n):.1f}" cy="{y(ours):.1f}" r="1.6"/>\n'
        )
    return "".join(lines)


def main() -> None:
    source, picture = map(Path, sys.argv[1:])
    lines = source.read_text(encoding="utf-8").splitlines()
    picture.write_text(draw([json.loads(line) for line in lines]), encoding="utf-8")


if __name__ == "__main__":
    main()
