# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""weft explain: what the compiler chose for a kernel and why, and what the kernel does."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from weft.amounts import seconds
from weft.cli import completing
from weft.cli.failure import asked_for
from weft.cli.options import (
    CaseName,
    KernelName,
    Schedules,
    Sizes,
    Target,
    one_kernel,
    parse_sizes,
    require_given,
    sizes_of_case,
    split_kernel,
    with_schedule,
)

# In the order of a table; what a kernel has none of is left out.
KINDS = ("add", "mul", "fma", "div", "sqrt", "function", "sign", "compare", "select", "convert")


def explain(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE[:KERNEL]",
            help="A .weft file; or the number of a rule, such as W301.",
            autocompletion=completing.sources,
        ),
    ],
    kernel: KernelName = None,
    case: CaseName = None,
    size: Sizes = None,
    target: Target = None,
    schedule: Schedules = None,
    exact: Annotated[
        bool,
        typer.Option("--exact", help="How far the orders of loops are from the best (ortools)."),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Tell what each pass decided and rejected, what is computed and what moves."""
    if re.fullmatch(r"[Ww]\d+", file) and not Path(file).exists():
        typer.echo(_rule(file.upper()), nl=False)
        return
    sizes = parse_sizes(size)
    path, named = split_kernel(file)
    from weft import driver, explanation
    from weft.cli.progress import Progress

    with Progress().listening(), asked_for():
        source = with_schedule(path, schedule)
        outline = driver.outline(source, one_kernel(kernel, named))
        if case is not None:
            sizes = sizes_of_case(outline, case, sizes)
        # A size that the kernel does not have is told first.
        if all(name in outline.missing for name in sizes):
            missing = [name for name in outline.missing if name not in sizes]
            require_given(outline.name, missing, outline.cases)
        told = explanation.explain(source, outline.name, target, sizes, exact)
    if as_json:
        import json

        typer.echo(json.dumps(told, indent=1))
        return
    typer.echo(rendered(told), nl=False)


def _rule(code: str) -> str:
    """A rule of the language by its number."""
    from weft.rules import GROUPS, RULES

    if code not in RULES:
        known, near = [*RULES], [rule for rule in RULES if rule[:2] == code[:2]]
        told = f"there is no rule {code}; there are {known[0]} to {known[-1]}"
        if near:
            told += f", of {code[:2]}xx ({GROUPS[code[:2]]}) {near[0]} to {near[-1]}"
        raise typer.BadParameter(told, param_hint="FILE")
    where = f"docs/rules.md#{code.lower()} has a program that breaks it"
    return f"{code} ({GROUPS[code[:2]]}): {RULES[code]}\n{where}\n"


def rendered(told: Mapping[str, Any]) -> str:
    """The explanation for the eye."""
    sizes = ", ".join(f"{name}={value}" for name, value in told["sizes"].items())
    head = f"{told['kernel']}{f' [{sizes}]' if sizes else ''} on {told['target']}"
    parts = [head, _schedule(told), _choices(told), _orders(told), _operations(told)]
    parts += [_memory(told), _bound(told)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _schedule(told: Mapping[str, Any]) -> str:
    lines = [
        f"  {kernel}: {directive}"
        for kernel, directives in told["schedule"].items()
        for directive in directives
    ]
    if not lines:
        lines = ["  none acts here: the cost model chooses"]
    lines += [
        f"  {kernel}: {directive}: does not act within {told['kernel']}"
        for kernel, directives in told["schedule_idle"].items()
        for directive in directives
    ]
    return "\n".join(["Schedule", *lines])


def _choices(told: Mapping[str, Any]) -> str:
    from weft import notes

    made = [notes.Note.from_json(note) for note in told["notes"]]
    shown = notes.text(made).rstrip("\n") or "nothing to choose"
    return "What the passes decided and rejected\n" + _indented(shown)


def _orders(told: Mapping[str, Any]) -> str:
    """Of each loop that is ordered, how far it is from the best; nothing where nobody asked."""
    if "orders" not in told:
        return ""
    from weft import exact

    lines = []
    for one in map(exact.Distance.from_json, told["orders"]):
        if one.is_optimal:
            said = "no order takes less"
        elif one.exists:
            said = f"one of {one.least} would do, none of less"
        else:
            said = f"none takes less than {one.least}, and the solver's limit tells no more"
        lines.append(f"  {one.place}  {one.name}: {one.cycles} cycles a turn; {said}")
    return "\n".join(["Orders of loops, by a solver", *(lines or ["  no loop is ordered"])])


def _operations(told: Mapping[str, Any]) -> str:
    by_type = told["operations_by_type"]
    kinds = [kind for kind in KINDS if any(counts.get(kind) for counts in by_type.values())]
    rows = [
        [element, *(str(counts.get(kind, 0)) for kind in kinds)]
        for element, counts in by_type.items()
        if any(counts.get(kind) for kind in kinds)
    ]
    if not rows:
        return "Operations of one call\n  none: it only moves elements"
    table = _table([["", *kinds], *rows])
    flops = told["operations"].get("flops", 0)
    return f"Operations of one call\n{_indented(table)}\n  {flops} flops; a fused one counts as two"


def _memory(told: Mapping[str, Any]) -> str:
    rows = [["array", "kind", "bytes", "read", "passes", "written", "passes"]]
    for array in told["arrays"]:
        passes = {
            key: f"{array[key] / array['bytes']:.4g}" if array[key] else "-"
            for key in ("read", "written")
        }
        rows.append(
            [
                array["name"] or "(no name)",
                array["memory"],
                str(array["bytes"]),
                str(array["read"]),
                passes["read"],
                str(array["written"]),
                passes["written"],
            ]
        )
    moved = told["memory"]
    return (
        "Memory of one call: bytes beyond a cache of l3_bytes, empty at first\n"
        f"{_indented(_table(rows))}\n"
        f"  {moved['read']} bytes read, {moved['written']} written"
        f"{_passes(told['memory_passes'])}"
    )


def _passes(found: Sequence[Mapping[str, Any]]) -> str:
    """Nest by nest; nothing where all stays in the cache."""
    if not found:
        return ""
    rows = [["nest", "times", "bytes read", "written"]]
    rows += [[str(one[key]) for key in ("place", "times", "read", "written")] for one in found]
    total = sum(one["times"] for one in found)
    title = f"Passes over memory of one call: {total}, of nests that move more than l3_bytes"
    return f"\n\n{title}\n{_indented(_table(rows))}"


def _bound(told: Mapping[str, Any]) -> str:
    bound = told["bound"]
    intensity = told["flops_per_byte"]
    issued, moved = bound["vector_operations"], sum(told["memory"].values())
    lines = [
        f"  arithmetic  {seconds(bound['arithmetic_seconds'])}: {issued} vector operations",
        f"  memory      {seconds(bound['memory_seconds'])}: {moved} bytes",
        f"  together    {seconds(bound['seconds'])}, bound by {bound['by']}"
        + ("" if intensity is None else f"; {intensity:.3g} flops a byte"),
    ]
    where = "one core" if bound["cores"] == 1 else f"{bound['cores']} cores"
    return "\n".join([f"Lower bound of time on {where}", *lines])


def _indented(text: str) -> str:
    return "\n".join(f"  {line}".rstrip() for line in text.splitlines())


def _table(rows: Sequence[Sequence[str]]) -> str:
    """Names to the left, numbers to the right."""
    widths = [max(len(row[n]) for row in rows) for n in range(len(rows[0]))]
    numbers = [all(_is_number(row[n]) for row in rows[1:]) for n in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, numbers, strict=True)
        ).rstrip()
        for row in rows
    )


def _is_number(cell: str) -> bool:
    return cell == "-" or cell.replace(".", "").replace("e+", "").isdigit()
