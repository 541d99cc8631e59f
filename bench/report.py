# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What docs/ says about speed, from measurements that are kept beside it.

    bench/report.py --measure ft generic   runs the suites and keeps docs/measured/SUITE.json
    bench/report.py                        writes docs/assets/*.svg, the tables of performance.md
    bench/report.py --check                only compares

Measuring again on the same machine and Weft keeps the better of two values of a contestant: what
disturbs a run makes it slower, never faster.
"""

from __future__ import annotations

import argparse
import datetime
import json
import platform
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from weft import module_files

ROOT = Path(__file__).resolve().parent.parent
MEASURED = ROOT / "docs" / "measured"
ASSETS = ROOT / "docs" / "assets"
PAGE = ROOT / "docs" / "performance.md"

svg = module_files.load(ROOT / "bench" / "svg.py")
conv = module_files.load(ROOT / "bench" / "conv" / "shown.py")
errors = module_files.load(ROOT / "bench" / "conv-accuracy" / "shown.py")
ladder = module_files.load(ROOT / "bench" / "winograd" / "shown.py")
choice = module_files.load(ROOT / "bench" / "choice" / "shown.py")
element, words = svg.element, svg.words


# ---- measuring -----------------------------------------------------------------------------------


def measure(suite: str) -> None:
    with tempfile.TemporaryDirectory(prefix="weft-report-") as folder:
        file = Path(folder) / "records.json"
        # A goal that is not met is status 1, and the records are there.
        subprocess.run(
            [Path(sys.executable).with_name("weft"), "bench", suite, "--json", file], cwd=ROOT
        )
        records = json.loads(file.read_text(encoding="utf-8"))
    kept = MEASURED / f"{suite}.json"
    about = {"suite": suite, **machine()}
    if kept.exists():
        before = json.loads(kept.read_text(encoding="utf-8"))
        if all(before[key] == about[key] for key in ("cpu", "compiler", "weft", "date")):
            records = [better(a, b) for a, b in zip(before["records"], records, strict=True)]
    for record in records:
        for key in ("value", "peer_value", "ratio"):
            if isinstance(record[key], float):
                record[key] = float(f"{record[key]:.4g}")
    kept.parent.mkdir(exist_ok=True)
    kept.write_text(json.dumps({**about, "records": records}, indent=1) + "\n", encoding="utf-8")


def better(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Each contestant's best of two runs of a suite; rates are better when larger, times not."""
    assert (one["case"], one["peer"]) == (other["case"], other["peer"])
    best = max if one["unit"].endswith("/s") else min
    found = dict(other)
    for key in ("value", "peer_value"):
        if one[key] is not None and other[key] is not None:
            found[key] = best(one[key], other[key])
    if found["peer_value"]:
        ratio = found["value"] / found["peer_value"]
        found["ratio"] = ratio if best is max else 1 / ratio
        if found["goal"] is not None:
            found["met"] = found["ratio"] >= found["goal"]
    return found


def machine() -> dict[str, str]:
    from weft import __version__, toolchain

    info = Path("/proc/cpuinfo").read_text(encoding="utf-8")

    def entry(name: str) -> str:
        found = re.search(rf"^{name}\s*: (.*)$", info, re.MULTILINE)
        return found[1] if found else "?"

    identity = toolchain.find_compiler().identity.splitlines()[0]
    name = re.sub(r"\((R|TM)\)", "", entry("model name")).replace(" Processor", "")
    return {
        "cpu": f"{name}, family {entry('cpu family')} model {entry('model')}",
        "compiler": re.sub(r".*\b(gcc|clang)\b.* (\d[\d.]*)$", r"\1 \2", identity),
        "system": f"{platform.system()} {platform.machine()}",
        "weft": __version__,
        "date": datetime.date.today().isoformat(),
    }


# ---- the picture ---------------------------------------------------------------------------------

WIDTH, TOP, LEFT, RIGHT, BAR, GAP = 760, 100, 268, 72, 18, 24
LABELS = {
    "scipy.fft": "NumPy with scipy.fft",
    "radix-2 Stockham in C -O3": "C -O3, radix 2, line by line",
    "radix-2 Stockham in C -O3, 32 lines at a time": "C -O3, radix 2, 32 lines",
}


def ft_picture(measured: dict[str, Any]) -> str:
    """Bars: the rate of Weft and of its peers, a group a class."""
    cases: dict[str, list[tuple[str, float]]] = {}
    for record in measured["records"]:
        rows = cases.setdefault(record["case"], [("Weft", record["value"])])
        rows.append((LABELS.get(record["peer"], record["peer"]), record["peer_value"]))
    largest = max(value for rows in cases.values() for _, value in rows)
    scale = (WIDTH - LEFT - RIGHT) / largest
    height = TOP + sum(len(rows) * GAP + 22 for rows in cases.values()) + 34
    note = (
        "rate in Gop/s by NPB's own count, more is better; best of interleaved runs, all verified"
    )
    about = f"{measured['cpu']}; {measured['compiler']}; {measured['date']}"
    size = f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-labelledby="t">',
        element("title", svg.escape(ft_words(cases)), id="t"),
        element("style", svg.STYLE),
        element(
            "rect", x=0.5, y=0.5, width=WIDTH - 1, height=height - 1, rx=8, **{"class": "card"}
        ),
        words(24, 36, "NPB FT on one thread", "title"),
        words(24, 58, note, "small"),
        words(24, height - 18, about, "small"),
    ]
    for value in range(0, int(largest) + 1, 5000 if largest > 12000 else 2500):
        x = LEFT + value * scale
        ends = {"x1": f"{x:.1f}", "x2": f"{x:.1f}", "y1": TOP - 8, "y2": height - 46}
        parts.append(element("line", **ends, **{"class": "line"}))
        parts.append(words(x, TOP - 14, f"{value / 1000:g}", "small", text_anchor="middle"))
    y = TOP
    for case, rows in cases.items():
        parts.append(words(24, y + 14, f"class {case}", "case"))
        parts.append(words(92, y + 14, sizes_of(case), "small"))
        ours = rows[0][1]
        for name, value in sorted(rows, key=lambda row: -row[1]):
            end = LEFT + value * scale
            own = name == "Weft"
            place = {"x": LEFT, "y": y, "width": f"{end - LEFT:.1f}", "height": BAR, "rx": 2}
            parts.append(words(LEFT - 10, y + 14, name, "own" if own else "", text_anchor="end"))
            parts.append(element("rect", **place, **{"class": "ours" if own else "peer"}))
            parts.append(words(end + 7, y + 14, f"{value / 1000:.1f}", "own" if own else ""))
            if not own:
                parts.append(
                    words(end + 44, y + 14, f"Weft is {ours / value:.1f}× as fast", "small")
                )
            y += GAP
        y += 22
    return "\n".join([*parts, "</svg>"]) + "\n"


def sizes_of(case: str) -> str:
    sizes = json.loads((ROOT / "examples/ft/expected.json").read_text("utf-8"))["cases"][case]
    return " × ".join(str(sizes[name]) for name in ("nx", "ny", "nz"))


def ft_words(cases: dict[str, list[tuple[str, float]]]) -> str:
    """The picture for those who cannot see it."""
    said = []
    for case, rows in cases.items():
        values = ", ".join(f"{name} {value / 1000:.1f}" for name, value in rows)
        said.append(f"class {case}: {values}")
    return "NPB FT, one thread, Gop/s. " + "; ".join(said)


# ---- the tables ----------------------------------------------------------------------------------


def table(measured: dict[str, Any]) -> str:
    records = measured["records"]
    whats = {record["metric"] or "" for record in records}
    # What is the same in all rows is said once.
    differ = len(whats) > 1
    what, dash = ("what | ", "---|") if differ else ("", "")
    lines = [
        f"| case | {what}Weft | unit | peer | the peer's | Weft is |",
        f"|---|{dash}--:|---|---|--:|--:|",
    ]
    for record in records:
        peer = record["peer"] or ""
        peers = shown(record["peer_value"]) if record["peer"] else ""
        ratio = f"{record['ratio']:.2f}×" if record["ratio"] is not None else ""
        cells = [record["case"], *([record["metric"]] if differ else [])]
        cells += [shown(record["value"]), record["unit"], peer, peers, ratio]
        lines.append("| " + " | ".join(cells) + " |")
    about = [*([] if differ else whats), measured["cpu"], measured["compiler"], measured["date"]]
    return "\n".join(["", *lines, "", f"{'; '.join(filter(None, about))}.", ""])


def side_by_side(measured: dict[str, Any]) -> str:
    """One row a case: for each target Weft's rate and, for each peer, how many times the peer's."""
    rows: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for record in measured["records"]:
        target = record["metric"].split(", ")[1]
        rows.setdefault(record["case"], {}).setdefault(target, []).append(record)
    targets = sorted({target for row in rows.values() for target in row})
    head, line = "| case |", "|---|"
    for target in targets:
        head += f" {target} GB/s | × C | × fast-math |"
        line += "--:|--:|--:|"
    lines = [head, line]
    for case, row in rows.items():
        cells = [case]
        for target in targets:
            first, fast = row[target][:2]
            mark = "**" if first["met"] is False else ""
            cells += [shown(first["value"]), f"{mark}{first['ratio']:.2f}{mark}"]
            cells.append(f"{fast['ratio']:.2f}")
        lines.append("| " + " | ".join(cells) + " |")
    about = [measured["cpu"], measured["compiler"], measured["date"]]
    return "\n".join(["", *lines, "", f"{'; '.join(about)}.", ""])


def against_best(measured: dict[str, Any]) -> str:
    """One row a case: Weft and the best of the peers, the first of the case's records."""
    lines = [
        "| case | Weft GFlop/s | % of peak | best peer | its | Weft is | goal |",
        "|---|--:|--:|---|--:|--:|--:|",
    ]
    seen = set()
    for record in measured["records"]:
        if record["case"] in seen:
            continue
        seen.add(record["case"])
        peak = re.search(r"(\d+) % of peak", record["metric"])
        ratio = f"{record['ratio']:.2f}×" if record["ratio"] is not None else ""
        cells = [record["case"], shown(record["value"]), peak[1] if peak else ""]
        cells += [record["peer"] or "", shown(record["peer_value"]) if record["peer"] else ""]
        cells += [f"**{ratio}**" if record["met"] else ratio, shown(record["goal"] or "")]
        lines.append("| " + " | ".join(cells) + " |")
    about = [measured["cpu"], measured["compiler"], measured["date"]]
    return "\n".join(["", *lines, "", f"{'; '.join(about)}.", ""])


#: How a suite's measurements are shown, where not as one row a record.
TABLES = {
    "generic": side_by_side,
    "fft": against_best,
    "filters": against_best,
    "conv": conv.table,
    "conv-accuracy": errors.table,
    "winograd": ladder.table,
    "choice": choice.table,
}

#: A suite's picture, docs/assets/SUITE.svg.
PICTURES = {"ft": ft_picture, "conv": conv.picture}


def shown(value: Any) -> str:
    if not isinstance(value, float):
        return str(value)
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def documents() -> dict[Path, str]:
    """Every file that this program writes, as it should be."""
    page = PAGE.read_text(encoding="utf-8")
    for file in sorted(MEASURED.glob("*.json")):
        measured = json.loads(file.read_text(encoding="utf-8"))
        begin, end = f"<!-- measured: {file.stem} -->", f"<!-- end of {file.stem} -->"
        if page.count(begin) != 1 or page.count(end) != 1:
            raise SystemExit(f"{PAGE.relative_to(ROOT)}: once each: {begin} {end}")
        before, rest = page.split(begin)
        content = TABLES.get(file.stem, table)(measured)
        page = f"{before}{begin}\n{content}\n{end}{rest.split(end)[1]}"
    found = {PAGE: page}
    for suite, draw in PICTURES.items():
        measured = json.loads((MEASURED / f"{suite}.json").read_text(encoding="utf-8"))
        found[ASSETS / f"{suite}.svg"] = draw(measured)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--measure", nargs="+", metavar="SUITE", default=[])
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    for suite in given.measure:
        measure(suite)
    old = []
    for path, text in documents().items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            old.append(str(path.relative_to(ROOT)))
            if not given.check:
                path.write_text(text, encoding="utf-8")
    if given.check and old:
        print(f"older than docs/measured/: {', '.join(old)}; bench/report.py writes them")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
