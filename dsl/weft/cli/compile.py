# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""weft compile: a kernel to IR, C, assembly or a shared object."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from weft.cli.failure import asked_for
from weft.cli.options import Sizes, Target, parse_sizes, split_kernel

if TYPE_CHECKING:
    from weft.execution import Kernel

SUFFIX = {"ir": ".mlir", "c": ".c", "asm": ".s", "so": ".so"}


def compile_file(
    file: Annotated[str, typer.Argument(metavar="FILE[:KERNEL]", help="A .weft file.")],
    size: Sizes = None,
    target: Target = None,
    emit: Annotated[
        str,
        typer.Option(metavar="KINDS", help="Which outputs: ir, c, asm, so, with commas between."),
    ] = "c",
    output: Annotated[
        str, typer.Option("-o", "--output", metavar="DIR", help="Where to; - is standard output.")
    ] = ".",
    dump_dir: Annotated[
        Path | None, typer.Option(help="Every stage in numbered files there.")
    ] = None,
) -> None:
    """Compile a kernel; its sizes must all be given."""
    kinds = _kinds(emit, output)
    path, name = split_kernel(file)
    from weft import artifacts, driver
    from weft.cli.options import require_sizes

    with asked_for():
        kernel = driver.compile(path, name, target, dump_dir=dump_dir, **parse_sizes(size))
    require_sizes(kernel)
    contents = {kind: _content(kernel, kind) for kind in kinds}
    if output == "-":
        typer.echo(contents[kinds[0]], nl=False)
        return
    # All are made before the first is written.
    for kind, content in contents.items():
        written = Path(output) / f"{kernel.name}{SUFFIX[kind]}"
        artifacts.write_whole(written, content)
        typer.echo(str(written))


def _kinds(emit: str, output: str) -> list[str]:
    kinds = [kind.strip() for kind in emit.split(",")]
    for kind in kinds:
        if kind not in SUFFIX:
            raise typer.BadParameter(
                f"{kind!r}: expected some of {', '.join(SUFFIX)}", param_hint="--emit"
            )
    if output == "-" and (len(kinds) > 1 or kinds == ["so"]):
        raise typer.BadParameter("standard output takes one text: ir, c or asm", param_hint="-o")
    return kinds


def _content(kernel: Kernel, kind: str) -> str | bytes:
    if kind == "ir":
        return kernel.ir["lowered"]
    content: str | bytes = kernel.asm["s" if kind == "asm" else kind]
    return content
