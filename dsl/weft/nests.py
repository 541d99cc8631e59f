# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a run of a core group took, nest by nest.

The emitted C numbers the nests of each function of the cores in comments (targets/common/Cores.cpp)
and the emulator's report counts by lines of that C: a line belongs to the last nest begun above it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

_FUNCTION = re.compile(r"/\* (?P<kernel>\w+)(?:, .*)?: what each core does\. \*/")
_NEST = re.compile(
    r" +/\* (?:(?P<file>.+):(?P<line>\d+):(?P<column>\d+), )?"
    r"nest (?P<nest>\d+)(?:: (?P<kind>\w+))? \*/"
)
SLAVE = "kernel_slave.c"
_PLACE = re.compile(r" +/\* (?P<file>.+):(?P<line>\d+):\d+ \*/")
# What a core's cycles went to, in words: each of the emulator's counters of part `time`.
PARTS = {
    "computing": ("scheduled", "library"),
    "operands": ("data_stall",),
    "instructions": ("icache_stall",),
    "dma": ("dma_wait", "dma_issue", "ldm_busy"),
    "messages": ("getr_empty", "getc_empty", "put_full", "message"),
    "sync": ("sync_wait",),
    "main_memory": ("gld_stall", "gst_stall", "atomic_stall"),
    "other": ("spin_wait",),
}
_PART_OF = {counter: part for part, counters in PARTS.items() for counter in counters}
_TOLD = {
    "computing": "computing",
    "operands": "waiting for operands",
    "instructions": "for instructions",
    "dma": "for DMA",
    "messages": "for messages",
    "sync": "for other cores",
    "main_memory": "for single words of main memory",
    "other": "for other things",
}
_LONGEST = 60
# What takes less than one in so many cycles is told together.
_SMALL = 200


class _Whole(NamedTuple):
    """What the shares are of."""

    cores: int
    longest: int  # cycles of the core that was active longest

    @property
    def cycles(self) -> int:
        """Of all cores, those that had ended before included."""
        return self.cores * self.longest


def marks(c: str, sources: Mapping[str, str]) -> list[dict[str, Any]]:
    """The nests of the cores' C in its order, and as nest 0 what each function begins with.

    Args:
        c: The C that the cores run.
        sources: The text of each source, by the file's name as places have it.
    """
    found: list[dict[str, Any]] = []
    kernel = ""
    for number, text in enumerate(c.splitlines(), 1):
        if begin := _FUNCTION.fullmatch(text):
            kernel = begin["kernel"]
            found.append({"kernel": kernel, "nest": 0, "kind": "begin", "c_line": number})
        elif nest := _NEST.fullmatch(text):
            entry: dict[str, Any] = {
                "kernel": kernel,
                "nest": int(nest["nest"]),
                "kind": nest["kind"] or "loop",
            }
            if nest["file"] is not None:
                entry["file"], entry["line"] = nest["file"], int(nest["line"])
                entry["column"] = int(nest["column"])
                entry["statement"] = _statement(sources.get(nest["file"], ""), entry["line"])
            found.append({**entry, "c_line": number})
        elif found and (place := _PLACE.fullmatch(text)):
            # Of a statement that is done in the nest of another one.
            own, other = found[-1], f"{place['file']}:{place['line']}"
            if own["nest"] and other != f"{own.get('file')}:{own.get('line')}":
                own["fused"] = list(dict.fromkeys([*own.get("fused", ()), other]))
    of_statement: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for one in found:
        if one["nest"]:
            of_statement.setdefault(_statement_of(one), []).append(one)
    for entries in of_statement.values():
        for part, one in enumerate(entries, 1):
            one["part"], one["parts"] = part, len(entries)
    return found


def _statement_of(entry: Mapping[str, Any]) -> tuple[Any, ...]:
    return entry["kernel"], entry.get("file"), entry.get("line")


def _statement(source: str, line: int) -> str:
    """The line of a source, without its comment."""
    lines = source.splitlines()
    text = lines[line - 1].split("#")[0].strip() if line <= len(lines) else ""
    return text if len(text) <= _LONGEST else text[: _LONGEST - 4].rstrip() + " ..."


def by_nest(
    run: Mapping[str, Any], marks: Sequence[Mapping[str, Any]], core: int | None = None
) -> list[dict[str, Any]]:
    """Cycles of the cores by nest, all cores together or one of them; they add up to `active`.

    Each entry is a mark with `cycles` and by what they went to, `spent`; nests that never ran are
    left out. What is no line of the cores' functions comes last, as a nest of kind `elsewhere`.
    """
    begins = [mark["c_line"] for mark in marks]
    cpes = run["machine"]["cpes"]
    spent: list[dict[str, int]] = [{} for _ in range(len(marks) + 1)]
    for line in run["lines"]:
        own = line["file"] == SLAVE
        at = bisect_right(begins, line["line"]) - 1 if own else -1
        for group in line["groups"]:
            # The management core comes behind them.
            cores = [one for one in group["cores"] if one < cpes and core in (None, one)]
            counters = dict(group["counters"])
            # The others are within it.
            counters["scheduled"] = counters.get("scheduled", 0) - counters.get("data_stall", 0)
            for counter, value in counters.items():
                part = _PART_OF.get(counter)
                if part and value and cores:
                    spent[at][part] = spent[at].get(part, 0) + value * len(cores)
    nests = [*marks, {"nest": 0, "kind": "elsewhere"}]
    return [
        {**mark, "cycles": sum(parts.values()), "spent": {p: parts[p] for p in PARTS if p in parts}}
        for mark, parts in zip(nests, spent, strict=True)
        if parts
    ]


def told(run: Mapping[str, Any]) -> list[str]:
    """Lines for people: each statement in the order of the C, its nests under it."""
    nests = run["nests"]
    cpes = run["machine"]["cpes"]
    active = [entry["active"] for entry in run["cores"] if entry["core"] < cpes]
    whole = _Whole(cpes, max(active, default=0))
    statements: dict[tuple[Any, ...], list[Mapping[str, Any]]] = {}
    rest: list[Mapping[str, Any]] = []
    for nest in nests:
        if nest["nest"]:
            statements.setdefault(_statement_of(nest), []).append(nest)
        else:
            rest.append(nest)
    lines = []
    for (_, file, line), parts in statements.items():
        place = f"{file}:{line} " if file else ""
        head = f"{place}{parts[0].get('statement', '')}".strip() or "without a place"
        if len(parts) == 1 and parts[0]["parts"] == 1:
            lines.append(f"  {head}{_kind(parts[0])}: {_shares(parts, whole)}")
            continue
        lines.append(f"  {head}: {_share(parts, whole)}")
        small = [nest for nest in parts if _SMALL * nest["cycles"] < whole.cycles]
        for nest in parts:
            if len(small) > 1 and nest in small:
                continue
            shares = _shares([nest], whole)
            lines.append(f"    {nest['part']} of {nest['parts']}{_kind(nest)}: {shares}")
        if len(small) > 1:
            lines.append(f"    {len(small)} others: {_shares(small, whole)}")
    if rest and _SMALL * sum(nest["cycles"] for nest in rest) > whole.cycles:
        lines.append(f"  before the first: {_shares(rest, whole)}")
    if _SMALL * (idle := whole.cycles - sum(active)) > whole.cycles:
        lines.append(f"  cores that had ended: {_share([{'cycles': idle}], whole)}")
    return lines


def _kind(nest: Mapping[str, Any]) -> str:
    kind = "" if nest["kind"] == "loop" else f", {nest['kind']}"
    return kind + (f", with {', '.join(nest['fused'])}" if "fused" in nest else "")


def _share(nests: Sequence[Mapping[str, Any]], whole: _Whole) -> str:
    cycles = sum(nest["cycles"] for nest in nests)
    return f"{cycles / whole.cores:.0f} cycles, {100 * cycles / max(whole.cycles, 1):.0f} %"


def _shares(nests: Sequence[Mapping[str, Any]], whole: _Whole) -> str:
    cycles = sum(nest["cycles"] for nest in nests)
    words = []
    for part, word in _TOLD.items():
        spent = sum(nest["spent"].get(part, 0) for nest in nests)
        if 50 * spent >= cycles:
            words.append(f"{word} {100 * spent / cycles:.0f} %")
    return f"{_share(nests, whole)} ({', '.join(words)})"
