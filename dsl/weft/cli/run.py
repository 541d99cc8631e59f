# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""weft run: an example with its host.py, or any kernel on random inputs against the reference."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from weft.cli import Exit
from weft.cli.failure import asked_for
from weft.cli.measuring import save, timed
from weft.cli.options import Sizes, Target, parse_sizes, require_sizes, split_kernel
from weft.cli.run_case import Setting, run_case

if TYPE_CHECKING:
    from weft.call import Parameter
    from weft.frontend import Outline
    from weft.hosting import Case, Host, Verdict


class Mode(str, Enum):
    """Who computes."""

    compiled = "compiled"
    interpret = "interpret"


def run(
    path: Annotated[str, typer.Argument(metavar="FILE|DIR", help="A .weft file or an example.")],
    kernel: Annotated[str | None, typer.Option(help="Which kernel or program.")] = None,
    case: Annotated[
        str | None, typer.Option("--case", "--class", help="A case of the program: its sizes.")
    ] = None,
    size: Sizes = None,
    target: Target = None,
    threads: Annotated[int | None, typer.Option(min=1, help="Threads of the call.")] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="NPZ", help="Write the outputs there.")
    ] = None,
    mode: Annotated[
        Mode | None, typer.Option(help="Compiled, or plain NumPy statement by statement.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of random inputs, without host.py.")] = 0,
    dump_dir: Annotated[
        Path | None, typer.Option(help="Every stage in numbered files there.")
    ] = None,
) -> None:
    """Run a kernel or program; exit status 0 only if its results hold."""
    from weft import driver, hosting

    source, host_file, kernel = _find(path, kernel)
    loaded = None if host_file is None else hosting.Host(host_file)
    chosen_mode = mode.value if mode else None
    options: dict[str, Any] = {} if threads is None else {"threads": threads}
    if loaded is not None and loaded.cases:
        given = parse_sizes(size)
        setting = Setting(source, loaded, target, chosen_mode, dump_dir, given, options)
        run_case(setting, case, kernel, output)
        return
    with asked_for():
        outline = driver.outline(source, kernel)
    host = loaded if _is_hosted(outline, kernel) else None
    chosen = _case(outline, case, parse_sizes(size), host is not None)
    with asked_for():
        entry = driver.compile(
            source,
            outline.name,
            target,
            mode=chosen_mode,
            on_value=None,
            dump_dir=dump_dir,
            **chosen.sizes,
        )
    require_sizes(entry)
    inputs: dict[str, Any] = host.inputs(chosen) if host else _random_inputs(entry.inputs, seed)

    outputs, seconds = timed(lambda: entry(**inputs, **options))
    named = dict(zip((p.name for p in entry.outputs), outputs, strict=True))

    shown = ", ".join(f"{name}={value}" for name, value in entry.sizes.items())
    typer.echo(f"{outline.name}{f' case {chosen}' if chosen else ''} [{shown}] on {entry.target}")
    lines = host.report(chosen, named, seconds) if host else []
    for line in (*lines, f"time {seconds:.6g} s"):
        typer.echo(line)
    verdict = _verdict(host, chosen, named, source, outline, entry.sizes, inputs, entry.target)
    if output is not None:
        save(output, named)
    if verdict is None:
        typer.echo("not checked: this is the reference itself")
        return
    for line in (*verdict.lines, "holds" if verdict.holds else "DOES NOT HOLD"):
        typer.echo(line)
    if not verdict.holds:
        raise typer.Exit(Exit.WRONG)


def _find(path: str, kernel: str | None) -> tuple[Path, Path | None, str | None]:
    """The source, its host.py where the path is an example, and the kernel named."""
    from weft.hosting import example_files

    if Path(path).is_dir():
        return (*example_files(Path(path)), kernel)
    source, named = split_kernel(path)
    return source, None, kernel or named


def _is_hosted(outline: Outline, kernel: str | None) -> bool:
    """host.py serves the program; a kernel asked for by name is run on its own."""
    return outline.is_program or kernel is None


def _case(outline: Outline, name: str | None, sizes: dict[str, int], hosted: bool) -> Case:
    """The case asked for, with its sizes; `--size` may change some of them."""
    from weft.diagnostics import close_match
    from weft.hosting import Case

    known = ", ".join(outline.cases) or "none"
    if name is None:
        if hosted and outline.cases and not sizes:
            raise typer.BadParameter(f"which one? cases: {known}", param_hint="--case")
        return Case("", sizes)
    if name not in outline.cases:
        near = close_match(name, outline.cases)
        raise typer.BadParameter(f"no case {name!r}; cases: {known}. {near}", param_hint="--case")
    return Case(name, {**outline.cases[name], **sizes})


def _random_inputs(parameters: list[Parameter], seed: int) -> dict[str, Any]:
    import numpy as np

    random = np.random.default_rng(seed)
    inputs = {}
    values: Any
    for parameter in parameters:
        kind = parameter.dtype.kind
        if kind in "ib":
            values = random.integers(0, 2 if kind == "b" else 10, parameter.shape)
        elif kind == "c":
            values = random.random(parameter.shape) + 1j * random.random(parameter.shape) - 0.5
        else:
            values = random.random(parameter.shape) - 0.5
        inputs[parameter.name] = np.asarray(values).astype(parameter.dtype)
    return inputs


def _verdict(
    host: Host | None,
    case: Case,
    outputs: dict[str, Any],
    source: Path,
    outline: Outline,
    sizes: dict[str, Any],
    inputs: dict[str, Any],
    target: str,
) -> Verdict | None:
    from weft import driver
    from weft.hosting import compare

    if host is not None:
        return host.check(case, outputs)
    if target == "interpret":
        return None
    reference = driver.compile(source, outline.name, mode="interpret", **sizes)
    expected = reference(**inputs)
    expected = expected if isinstance(expected, tuple) else (expected,)
    return compare(outputs, dict(zip(outputs, expected, strict=True)))
