# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/machine.md from targets/sw26010/machine.toml; --check compares only."""

from __future__ import annotations

import difflib
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "dsl"))

from weft.emu import Parameter, parameters  # noqa: E402

TABLE = ROOT / "targets" / "sw26010" / "machine.toml"
PAGE = ROOT / "docs" / "machine.md"
CONFIDENCE = {
    "specification": "the makers, or who described the machine for them, say so",
    "measured": "somebody measured it and published the number, or code from which it follows",
    "conservative": "not published; chosen so that programs are rather too slow here",
    "convention": "not published; what such machines usually have",
    "fitted": "the value with which published rates come out best; see "
    "[the cycle model](cycle-model.md)",
}
COMPILER = "the compiler"  # quantities without a group: what every target has
SECTIONS = {
    COMPILER: "What the compiler is told",
    "clock": "Clock",
    "cpe": "CPE",
    "ldm": "LDM",
    "gld": "Main memory from a CPE",
    "mesh": "Register communication",
    "sync": "Synchronization",
    "dma": "DMA",
    "memory": "Main memory",
    "spawn": "Starting and joining CPEs",
    "slave": "Calls of slave code",
    "mpe": "MPE",
    "network": "Network between core groups",
}
# What each class of instructions has; a table of its own, because most sources are shared.
CLASS = ("latency", "compiler_latency", "busy", "pipe")
HEAD = """\
<!-- Generated from targets/sw26010/machine.toml by .ci/generated_machine.py: change it there. -->

# The machine's numbers

Every number that Weft, the emulator and `weft-swcc` know of the SW26010, a core group of an MPE and
64 CPEs. Times are cycles of the one clock. They stand in `targets/sw26010/machine.toml`, nowhere
else; `weft emu info` prints those in force, and `WEFT_SW26010_MACHINE` names another table. What
they do in the model, and how well it agrees with measurements: [The cycle model](cycle-model.md).

| confidence | meaning | numbers |
|---|---|--:|
"""


def number(value: object) -> str:
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def cell(text: str) -> str:
    return text.replace("|", "\\|").replace("*", "\\*")


def of_section(section: str, found: list[Parameter]) -> list[Parameter]:
    return [one for one in found if group(one) == section]


def group(one: Parameter) -> str:
    return one.name.split(".")[0] if "." in one.name else COMPILER


def plain(found: list[Parameter]) -> list[str]:
    lines = ["| quantity | value | unit | confidence | source |", "|---|--:|---|---|---|"]
    for one in found:
        words = (one.unit, one.confidence, one.source)
        rest = " | ".join(cell(word) for word in words)
        lines.append(f"| `{one.name}` | {number(one.value)} | {rest} |")
    return [*lines, ""]


def classes(found: dict[str, dict[str, Parameter]]) -> list[str]:
    """A row a class; a letter in brackets is the source, with its confidence, below."""
    sources: list[tuple[str, str]] = []

    def entry(one: Parameter) -> str:
        source = (one.confidence, one.source)
        if source not in sources:
            sources.append(source)
        return f"{number(one.value)} [{sources.index(source) + 1}]"

    lines = [
        "Cycles from issue to use, the same as the vendor's compiler takes them to be, cycles in",
        "which the pipe takes no other, and the pipe (2: either). In brackets the source, below.",
        "",
        "| class `cpe.` | `latency` | `compiler_latency` | `busy` | `pipe` |",
        "|---|--:|--:|--:|--:|",
    ]
    for name, quantities in found.items():
        row = " | ".join(entry(quantities[key]) for key in CLASS)
        lines.append(f"| `{name}` | {row} |")
    lines.append("")
    lines += [f"{n}. {word}: {cell(source)}" for n, (word, source) in enumerate(sources, 1)]
    return [*lines, ""]


def page() -> str:
    found = parameters(TABLE)
    counts = Counter(one.confidence for one in found)
    unknown = set(counts) - set(CONFIDENCE)
    if unknown:
        raise SystemExit(f"{TABLE}: no such confidence: {', '.join(sorted(unknown))}")
    lines = [HEAD + "\n".join(f"| {c} | {CONFIDENCE[c]} | {counts[c]} |" for c in CONFIDENCE), ""]
    sections = list(dict.fromkeys(group(one) for one in found))
    missing = set(sections) - set(SECTIONS)
    if missing:
        raise SystemExit(f"{Path(__file__).name}: no title for {', '.join(sorted(missing))}")
    for section, title in SECTIONS.items():
        of_class: dict[str, dict[str, Parameter]] = {}
        others = []
        for one in of_section(section, found):
            path = one.name.split(".")
            if len(path) == 3 and path[2] in CLASS and section == "cpe":
                of_class.setdefault(path[1], {})[path[2]] = one
            else:
                others.append(one)
        # A class that is not whole is shown as it is.
        for name in [name for name, quantities in of_class.items() if len(quantities) < len(CLASS)]:
            others += of_class.pop(name).values()
        lines += [f"## {title}", "", *plain(others)]
        if of_class:
            lines += ["### Instructions", "", *classes(of_class)]
    return "\n".join(lines).rstrip() + "\n"


def main() -> int:
    fresh = page()
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(fresh, encoding="utf-8")
        return 0
    committed = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    if committed == fresh:
        return 0
    difference = difflib.unified_diff(
        committed.splitlines(), fresh.splitlines(), "docs/machine.md", "generated", lineterm="", n=0
    )
    print("\n".join(list(difference)[:40]))
    print("docs/machine.md is older than the machine's table: .ci/generated_machine.py")
    return 1


if __name__ == "__main__":
    sys.exit(main())
