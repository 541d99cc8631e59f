# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""weft run: an example with its host.py, or any kernel on random inputs against the reference."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from weft.cli import Exit, completing
from weft.cli.failure import asked_for
from weft.cli.measuring import called, judged, save, timed
from weft.cli.options import (
    CaseName,
    Groups,
    KernelName,
    Schedules,
    Sizes,
    Target,
    Threads,
    VerifyEach,
    Without,
    a_path,
    groups_as_size,
    one_kernel,
    parse_sizes,
    require_folder,
    require_part,
    require_sizes,
    require_threads,
    sizes_of_case,
    split_kernel,
    verification_told,
    whole,
    with_schedule,
)
from weft.cli.progress import Progress
from weft.cli.run_case import Setting, run_case

if TYPE_CHECKING:
    from weft.frontend import Outline
    from weft.hosting import Case


class Mode(str, Enum):
    """Who computes."""

    compiled = "compiled"
    interpret = "interpret"


def run(
    path: Annotated[
        str,
        typer.Argument(
            metavar="FILE|DIR",
            help="A .weft file or an example.",
            autocompletion=completing.sources,
        ),
    ],
    kernel: KernelName = None,
    case: CaseName = None,
    size: Sizes = None,
    target: Target = None,
    schedule: Schedules = None,
    threads: Threads = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", parser=a_path, metavar="NPZ", help="Write the outputs there."
        ),
    ] = None,
    mode: Annotated[
        Mode | None, typer.Option(help="Compiled, or plain NumPy statement by statement.")
    ] = None,
    seed: Annotated[
        int,
        typer.Option(
            parser=whole(0, 2**63 - 1), metavar="N", help="Of random inputs, without host.py."
        ),
    ] = 0,
    groups: Groups = None,
    run_groups: Annotated[
        int | None,
        typer.Option(
            parser=whole(1, 65536),
            metavar="N",
            help="Of the groups on the emulator so many are run, the others being like them.",
            show_default=False,
        ),
    ] = None,
    dump_dir: Annotated[
        Path | None,
        typer.Option(parser=a_path, metavar="DIR", help="Every stage in numbered files there."),
    ] = None,
    without: Without = None,
    verify_each: VerifyEach = False,
) -> None:
    """Run a kernel or program; exit status 0 only if its results hold."""
    from weft import driver, hosting
    from weft.artifacts import require_writable
    from weft.random_inputs import random_inputs

    sizes = parse_sizes(size)
    require_threads(threads, target)
    with asked_for():
        found, host_file, asked_kernel = _find(path, kernel)
        source = with_schedule(found, schedule)
        if output is not None:
            require_writable(output)
        if dump_dir is not None:
            require_folder(dump_dir, "--dump-dir")
    loaded = None if host_file is None else hosting.Host(host_file)
    options: dict[str, Any] = {} if threads is None else {"threads": threads}
    asked = mode.value if mode else None
    # Of a host's own cases the kernel is one part; with sizes of its own it is run by itself.
    alone = case is None and asked_kernel is not None and bool(sizes)
    if loaded is not None and loaded.cases and not alone:
        setting = Setting(
            source, loaded, target, asked, dump_dir, verify_each, without or (), sizes, options
        )
        run_case(setting, case, asked_kernel, output)
        return
    with asked_for():
        outline = driver.outline(source, asked_kernel)
    host = loaded if _is_hosted(outline, asked_kernel) else None
    chosen = _case(outline, case, sizes, host is not None)
    chosen.sizes.update(groups_as_size(outline, groups, chosen.sizes))
    extents: dict[str, Any] = chosen.sizes
    with Progress().listening() as progress, verification_told():
        with asked_for():
            entry = driver.compile(
                source,
                outline.name,
                target,
                mode=asked,
                dump_dir=dump_dir,
                verify_each=verify_each,
                without=without or (),
                sizes=extents,
            )
        require_sizes(entry, outline.cases)
        require_part(entry, run_groups)
        if run_groups == entry.report.get("groups"):
            run_groups = None  # all of them: a run like any other
        with progress.step("making inputs"):
            if run_groups is not None:
                # No results to compare: whatever the host would make is too large, and not needed.
                options["run_groups"] = run_groups
                some = [replace(p, shape=(run_groups, *p.shape[1:])) for p in entry.inputs]
                inputs: dict[str, Any] = random_inputs(some, seed)
            else:
                inputs = host.inputs(chosen) if host else random_inputs(entry.inputs, seed)
        shown = ", ".join(f"{name}={value}" for name, value in entry.sizes.items())
        with progress.step(f"running {outline.name} [{shown}]"):
            outputs, seconds = timed(lambda: called(entry, inputs, **options))
        named = dict(zip((p.name for p in entry.outputs), outputs, strict=True))

        emulated = entry.report.get("run")
        if emulated is not None:
            seconds = emulated["kernel_seconds"]
        case_shown = f" case {chosen}" if chosen else ""
        typer.echo(f"{outline.name}{case_shown} [{shown}] on {entry.target}")
        lines = host.report(chosen, named, seconds) if host else []
        for line in (*lines, f"time {seconds:.6g} s"):
            typer.echo(line)
        if emulated is not None:
            from weft.emulated import told

            for line in told(emulated):
                typer.echo(line)
            if "groups" in emulated:
                from weft.emulated_groups import told as groups_told

                for line in groups_told(emulated):
                    typer.echo(line)
        if run_groups is not None:
            typer.echo("not checked: the time is a projection, and the results are of no use")
            return
        with progress.step("checking"):
            verdict = judged(host, chosen, named, entry, source, inputs)
    if output is not None:
        save(output, named)
    for line in verdict.lines:
        typer.echo(line)
    if verdict.holds is None:
        typer.echo("not checked: this is the reference itself")
        return
    typer.echo("holds" if verdict.holds else "DOES NOT HOLD")
    if not verdict.holds:
        raise typer.Exit(Exit.WRONG)


def _find(path: str, kernel: list[str] | None) -> tuple[Path, Path | None, str | None]:
    """The source, its host.py where the path is an example, and the kernel named."""
    from weft.hosting import example_files

    if path and Path(path).is_dir():
        return (*example_files(Path(path)), one_kernel(kernel, None))
    source, named = split_kernel(path)
    return source, None, one_kernel(kernel, named)


def _is_hosted(outline: Outline, kernel: str | None) -> bool:
    """host.py serves the program; a kernel asked for by name is run on its own."""
    return outline.is_program or kernel is None


def _case(outline: Outline, name: str | None, sizes: dict[str, int], hosted: bool) -> Case:
    """The case asked for, with its sizes; `--size` may change some of them."""
    from weft.hosting import Case

    if name is None:
        if hosted and outline.cases and not sizes:
            known = ", ".join(outline.cases)
            raise typer.BadParameter(f"which one? cases: {known}", param_hint="--case")
        return Case("", sizes)
    return Case(name, sizes_of_case(outline, name, sizes))
