# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""weft compile: a kernel to IR, C, assembly or a shared object, from its source or any stage; or
several to a library for C programs.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from weft.cli import completing
from weft.cli.failure import asked_for
from weft.cli.options import (
    SCHEDULE,
    CaseName,
    KernelName,
    Schedules,
    Sizes,
    Target,
    VerifyEach,
    a_path,
    one_kernel,
    parse_sizes,
    require_folder,
    require_sizes,
    sizes_of_case,
    split_kernel,
    verification_told,
    with_schedule,
)

if TYPE_CHECKING:
    from weft.artifacts import Dump
    from weft.cli.watching import Watch
    from weft.execution import Kernel

SUFFIX = {"ir": ".mlir", "c": ".c", "asm": ".s", "so": ".so"}
SLAVE = "slave.c"  # beside the C of a core group's management core
LIBRARY = "lib"
WATCHING = "What is shown on standard error"


def compile_file(
    file: Annotated[
        str | None,
        typer.Argument(
            metavar="FILE[:KERNEL]", help="A .weft file.", autocompletion=completing.sources
        ),
    ] = None,
    kernel: KernelName = None,
    case: CaseName = None,
    size: Sizes = None,
    target: Target = None,
    schedule: Schedules = None,
    emit: Annotated[
        str,
        typer.Option(
            metavar="KINDS",
            help="Which outputs: ir, c, asm, so, with commas between; or lib: a library for C and"
            " C++, of KERNEL,KERNEL at each set of sizes.",
            autocompletion=completing.kinds,
        ),
    ] = "c",
    output: Annotated[
        str, typer.Option("-o", "--output", metavar="DIR", help="Where to; - is standard output.")
    ] = ".",
    name: Annotated[
        str | None,
        typer.Option(help="Of the library; by default that of the file.", show_default=False),
    ] = None,
    dump_dir: Annotated[
        Path | None,
        typer.Option(parser=a_path, metavar="DIR", help="Every stage in numbered files there."),
    ] = None,
    from_stage: Annotated[
        Path | None,
        typer.Option(
            "--from", parser=a_path, metavar="STAGEFILE", help="Go on from a file of a dump."
        ),
    ] = None,
    timing: Annotated[
        bool, typer.Option("--timing", help="Time of stages and passes.", rich_help_panel=WATCHING)
    ] = False,
    print_ir_after_all: Annotated[
        bool,
        typer.Option("--print-ir-after-all", help="IR after every pass.", rich_help_panel=WATCHING),
    ] = False,
    print_ir_after_change: Annotated[
        bool,
        typer.Option(
            "--print-ir-after-change",
            help="IR after passes that changed it.",
            rich_help_panel=WATCHING,
        ),
    ] = False,
    print_ir_after: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PASS",
            help="IR after that pass.",
            rich_help_panel=WATCHING,
            autocompletion=completing.passes,
        ),
    ] = None,
    verify_each: VerifyEach = False,
) -> None:
    """Compile a kernel; its sizes must all be given."""
    kinds = _kinds(emit, output)
    if output != "-":
        require_folder(output, "-o")
    if dump_dir is not None:
        require_folder(dump_dir, "--dump-dir")
    passes = _passes(print_ir_after or [])
    as_library = kinds == [LIBRARY]
    if name is not None and not as_library:
        raise typer.BadParameter("only a library has one: --emit=lib", param_hint="--name")
    sizes = {} if as_library else parse_sizes(size)
    if (file is None) == (from_stage is None):
        told = "either a .weft file, or a stage of a dump with --from"
        raise typer.BadParameter(told, param_hint="FILE")

    if verify_each and from_stage is not None:
        told = "a stage has no program that says what it should compute; give the .weft file"
        raise typer.BadParameter(told, param_hint="--verify-each-numerically")

    if from_stage is not None and as_library:
        told = "a library is made from a .weft file: a stage does not say what its arguments are"
        raise typer.BadParameter(told, param_hint="--emit")

    if schedule is not None and (as_library or from_stage is not None):
        told = "a library and a stage have the schedules of their source: write it there"
        raise typer.BadParameter(told, param_hint=SCHEDULE)

    if as_library and (kernel is not None or case is not None):
        told = "a library is asked for as FILE:KERNEL,KERNEL, each at the sizes of each --size"
        raise typer.BadParameter(told, param_hint="--case" if kernel is None else "--kernel")

    if from_stage is not None and (kernel is not None or case is not None):
        told = "a stage is one kernel at its sizes; give the .weft file"
        raise typer.BadParameter(told, param_hint="--case" if kernel is None else "--kernel")

    from weft import artifacts, events, verification
    from weft.cli import library
    from weft.cli.progress import Progress
    from weft.cli.watching import Timing, Watch

    watch = Watch(
        dump_dir,
        fresh=timing,
        after_all=print_ir_after_all,
        after_change=print_ir_after_change,
        after=passes,
    )
    times = Timing()
    with ExitStack() as stack:
        stack.enter_context(Progress().listening())
        if timing:
            stack.enter_context(events.listening(times))
        if file is not None:
            path, named = split_kernel(file)
            chosen = one_kernel(kernel, named)
            dump = verification.Verifier(inner=watch) if verify_each else watch
            stack.enter_context(verification_told())
            if as_library:
                with asked_for():
                    asked = library.Asked(path, chosen, target, name, size or [])
                    files = library.files(asked, dump)
            else:
                with asked_for():
                    source = with_schedule(path, schedule)
                files = _named(*_from_source(source, chosen, target, sizes, dump, kinds, case))
        else:
            assert from_stage is not None
            files = _named(*_from_stage(from_stage, target, sizes, watch, kinds))
    if timing:
        print(times.table(), file=sys.stderr)
    if output == "-":
        for content in files.values():
            typer.echo(content, nl=False)
        return
    placed = {Path(output) / place: content for place, content in files.items()}
    artifacts.write_all(placed)
    for written in placed:
        typer.echo(str(written))


def _named(contents: dict[str, str | bytes], stem: str) -> dict[Path, str | bytes]:
    suffixes = {**SUFFIX, SLAVE: f"_{SLAVE}"}
    return {Path(f"{stem}{suffixes[kind]}"): content for kind, content in contents.items()}


def _kinds(emit: str, output: str) -> list[str]:
    kinds = [kind.strip() for kind in emit.split(",")]
    for kind in kinds:
        if kind not in SUFFIX and kind != LIBRARY:
            raise typer.BadParameter(
                f"{kind!r}: expected some of {', '.join(SUFFIX)}, or {LIBRARY}", param_hint="--emit"
            )
    if LIBRARY in kinds and len(kinds) > 1:
        raise typer.BadParameter(f"{LIBRARY} stands alone", param_hint="--emit")
    if output == "-" and (len(kinds) > 1 or kinds[0] in ("so", LIBRARY)):
        raise typer.BadParameter("standard output takes one text: ir, c or asm", param_hint="-o")
    return kinds


def _passes(asked: list[str]) -> list[str]:
    from weft import pipeline
    from weft.diagnostics import close_match

    known = list(dict.fromkeys(step.flag for steps in pipeline.STEPS.values() for step in steps))
    for flag in asked:
        if flag not in known:
            near = close_match(flag, known)
            raise typer.BadParameter(
                f"no pass {flag!r}; there are {', '.join(known)}. {near}".strip(),
                param_hint="--print-ir-after",
            )
    return asked


def _from_source(
    path: Path | str,
    name: str | None,
    target: str | None,
    sizes: dict[str, int],
    dump: Dump,
    kinds: list[str],
    case: str | None = None,
    shown_as: str | None = None,
) -> tuple[dict[str, str | bytes], str]:
    from weft import driver

    cases: Iterable[str] = ()
    with asked_for():
        if shown_as is None:
            outline = driver.outline(path, name)
            cases = outline.cases
            if case is not None:
                sizes = sizes_of_case(outline, case, sizes)
        kernel = driver.compile_watched(path, name, target, dump, sizes, name=shown_as)
    require_sizes(kernel, cases)
    if "so" in kinds and "so" not in kernel.asm:
        told = f"a kernel for {kernel.target} is a program of the emulator: expected ir, c or asm"
        raise typer.BadParameter(told, param_hint="--emit")
    contents = {kind: _content(kernel, kind) for kind in kinds}
    if "c" in kinds and SLAVE in kernel.asm:
        contents[SLAVE] = kernel.asm[SLAVE]
    return contents, kernel.name


def _content(kernel: Kernel, kind: str) -> str | bytes:
    if kind == "ir":
        return kernel.ir["lowered"]
    content: str | bytes = kernel.asm["s" if kind == "asm" else kind]
    return content


def _from_stage(
    stage: Path, target: str | None, sizes: dict[str, int], watch: Watch, kinds: list[str]
) -> tuple[dict[str, str | bytes], str]:
    """Any file of a dump folder. What comes before the stage cannot be asked for any more."""
    from weft import replay

    if not stage.is_file():
        told = "is no file" if stage.exists() else "is not there"
        if stage.is_dir():
            told = "is a folder; a file of it is expected"
        raise typer.BadParameter(f"{stage} {told}", param_hint="--from")
    if replay.is_source(stage):
        known = replay.command_of(stage)
        return _from_source(
            stage,
            known.kernel or None,
            target or known.target or None,
            {**known.sizes, **sizes},
            watch,
            kinds,
            shown_as=known.file or None,
        )
    if sizes:
        raise typer.BadParameter(f"{stage} has its sizes already", param_hint="--size")
    with asked_for():
        if watch.after_change and stage.suffix == ".mlir":
            watch.start_from(replay.text_of(stage))
        done = replay.resume(stage, target, watch)
    for kind in kinds:
        if kind not in done.outputs:
            raise typer.BadParameter(
                f"{kind!r} lies before {stage.name}: expected some of {', '.join(done.outputs)}",
                param_hint="--emit",
            )
    if "c" in kinds and SLAVE in done.outputs:
        kinds = [*kinds, SLAVE]
    return {kind: done.outputs[kind] for kind in kinds}, done.name
