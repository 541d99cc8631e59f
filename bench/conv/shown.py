# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The measured convolutions as a table and as a picture, for bench/report.py."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from weft import module_files

HERE = Path(__file__).resolve().parent
svg = module_files.load(HERE.parent / "svg.py")
OWN, PREPARED, WHOLE = "own layout", "filters prepared", "all in the call"
DIRECT = "Weft direct"
SUMS = ("whole", "geometric mean")

# A row of the table or the picture: by (threads, terms) the record.
Row = dict[tuple[int, str], dict[str, Any]]


def rows(measured: dict[str, Any]) -> dict[str, Row]:
    """By case; the direct sum beside `auto` has the terms DIRECT."""
    found: dict[str, Row] = {}
    for record in measured["records"]:
        threads, terms = record["metric"].split(", ")[1:3]
        terms = DIRECT if record["peer"] == DIRECT else terms
        found.setdefault(record["case"], {})[int(threads.split()[0]), terms] = record
    return found


def of_peak(record: dict[str, Any]) -> float:
    match = re.search(r"([\d.]+) of peak", record["metric"])
    assert match is not None
    return float(match[1])


def table(measured: dict[str, Any]) -> str:
    """The sums first; a ratio in bold reaches its goal."""
    found = rows(measured)
    parts = []
    for words, chosen in (
        ("network", [case for case in found if case.endswith(SUMS)]),
        ("layer, C x H x W x K", [case for case in found if not case.endswith(SUMS)]),
    ):
        head = (
            f"| {words} | Weft GFlop/s | of peak | best peer | its | Weft is | prepared | whole |"
        )
        line = "|---|--:|--:|---|--:|--:|--:|--:|"
        if not words.startswith("network"):
            head, line = head + " its direct sum |", line + "--:|"
        parts += ["", f"{head} 2 threads: of peak | Weft is |", f"{line}--:|--:|"]
        for case in chosen:
            parts.append(_line(case, found[case]))
    about = [measured["cpu"], measured["compiler"], measured["date"]]
    return "\n".join([*parts, "", f"{'; '.join(about)}.", ""])


def _line(case: str, row: Row) -> str:
    def ratio(threads: int, terms: str) -> str:
        record = row.get((threads, terms))
        if record is None:
            return ""
        text = f"{record['ratio']:.2f}"
        return f"**{text}**" if record["met"] else text

    first, second = row.get((1, OWN)), row.get((2, OWN))
    cells = [case]
    if first is None:
        cells += [""] * 4
    else:
        cells += [f"{first['value']:.0f}", f"{of_peak(first):.2f}"]
        cells += [first["peer"], f"{first['peer_value']:.0f}"]
    cells += [ratio(1, terms) for terms in (OWN, PREPARED, WHOLE)]
    if not case.endswith(SUMS):
        cells.append(ratio(1, DIRECT))
    cells += [f"{of_peak(second):.2f}" if second else "", ratio(2, OWN)]
    return "| " + " | ".join(cells) + " |"


# ---- the picture ---------------------------------------------------------------------------------

WIDTH, LEFT, RIGHT, TOP, STEP = 880, 275, 30, 92, 17


def picture(measured: dict[str, Any]) -> str:
    """One thread, multiples of the peak: a line from the best peer to Weft, a row a layer."""
    found = {
        case: (of_peak(row[1, OWN]), of_peak(row[1, OWN]) / row[1, OWN]["ratio"])
        for case, row in rows(measured).items()
        if not case.endswith(SUMS) and (1, OWN) in row
    }
    groups: dict[str, list[str]] = {}
    for case in found:
        network, *_, images = case.split(" ")
        groups.setdefault(f"{network}, {'1 image' if images == 'N=1' else 'many'}", []).append(case)
    height = TOP + sum(len(cases) * STEP + 34 for cases in groups.values()) + 30
    most = max((max(pair) for pair in found.values()), default=1.0) * 1.03
    scale = (WIDTH - LEFT - RIGHT) / most
    about = f"{measured['cpu']}; {measured['compiler']}; {measured['date']}"
    spoken = "; ".join(f"{case}: Weft {a:.2f}, best peer {b:.2f}" for case, (a, b) in found.items())
    size = f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
    title = "Convolutions on one core: direct operations, as a multiple of the measured peak"
    note = "filters prepared; the best peer in its own layout, Weft in its fastest; more is better"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-labelledby="t">',
        svg.element("title", svg.escape(f"{title}. {spoken}"), id="t"),
        svg.element("style", svg.STYLE),
        svg.element(
            "rect", x=0.5, y=0.5, width=WIDTH - 1, height=height - 1, rx=8, **{"class": "card"}
        ),
        svg.words(24, 32, title, "title"),
        svg.words(24, 54, note, "small"),
        _dot(WIDTH - 230, 50, "ours"),
        svg.words(WIDTH - 220, 54, "Weft", "own"),
        _dot(WIDTH - 150, 50, "peer"),
        svg.words(WIDTH - 140, 54, "best peer"),
        svg.words(24, height - 14, about, "small"),
    ]
    for tenth in range(int(most * 2) + 1):
        at = LEFT + tenth / 2 * scale
        ends = {"x1": f"{at:.1f}", "x2": f"{at:.1f}", "y1": TOP - 8, "y2": height - 32}
        parts.append(svg.element("line", **ends, **{"class": "line"}))
        parts.append(svg.words(at, TOP - 14, f"{tenth / 2:g}", "small", text_anchor="middle"))
    y = TOP
    for group, cases in groups.items():
        parts.append(svg.words(24, y + 14, group, "case"))
        y += 20
        for case in cases:
            ours, theirs = (LEFT + value * scale for value in found[case])
            _, *shape, images = case.split(" ")
            label = " ".join(shape) + ("" if images == "N=1" else f", {images[2:]}")
            parts.append(svg.words(LEFT - 10, y + 11, label, "small", text_anchor="end"))
            ends = {"x1": f"{theirs:.1f}", "x2": f"{ours:.1f}", "y1": y + 7, "y2": y + 7}
            parts.append(svg.element("line", **ends, **{"class": "line"}, stroke_width=3))
            parts += [_dot(theirs, y + 7, "peer"), _dot(ours, y + 7, "ours")]
            y += STEP
        y += 14
    return "\n".join([*parts, "</svg>"]) + "\n"


def _dot(x: float, y: float, kind: str) -> str:
    found: str = svg.element("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=4.5, **{"class": kind})
    return found
