# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Options that several verbs share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from weft.cli import completing

if TYPE_CHECKING:
    from weft.execution import Kernel
    from weft.frontend import Outline


def _target(name: str | None) -> str | None:
    if name is None:
        return None
    from weft.diagnostics import close_match
    from weft.machine import target_names

    known = target_names()
    if name not in known:
        near = close_match(name, known)
        told = f"no target {name!r}; known: {', '.join(known)}{near and f'; {near}'}"
        raise typer.BadParameter(told, param_hint="--target")
    return name


Target = Annotated[
    str | None,
    typer.Option(
        help="Default: avx512 or avx2 where this CPU has it, else portable.",
        callback=_target,
        autocompletion=completing.targets,
        show_default=False,
    ),
]


def whole(least: int, most: int) -> Callable[[Any], int]:
    """What reads a whole number from the command line, and tells which ones there are."""

    def read(value: Any) -> int:
        try:
            number = int(str(value))
        except ValueError:
            number = least - 1
        if not least <= number <= most:
            raise typer.BadParameter(f"{value}: expected a whole number from {least} to {most}")
        return number

    return read


def a_path(value: Any) -> Path:
    """What reads a file or a folder from the command line: "" is none, not this folder."""
    if str(value) == "":
        raise typer.BadParameter("'' names no file or folder")
    return Path(value)


def _threads(value: Any) -> int:
    from weft.toolchain import MAX_THREADS

    return whole(1, MAX_THREADS)(value)


Threads = Annotated[
    int | None, typer.Option(parser=_threads, metavar="N", help="Threads of the call.")
]
SCHEDULE = "--schedule"
KernelName = Annotated[
    list[str] | None,
    typer.Option(
        "--kernel",
        metavar="NAME",
        help="Which kernel or program; of several, the program where there is one.",
        show_default=False,
        autocompletion=completing.kernels,
    ),
]
CaseName = Annotated[
    str | None,
    typer.Option(
        "--case",
        "--class",
        help="A case of the program: its sizes.",
        autocompletion=completing.cases,
    ),
]
Sizes = Annotated[
    list[str] | None,
    typer.Option(
        "--size",
        "-D",
        metavar="NAME=N",
        help="A size of the kernel; N=8,M=4 or repeated.",
        autocompletion=completing.sizes,
    ),
]


Schedules = Annotated[
    Path | None,
    typer.Option(
        SCHEDULE,
        parser=a_path,
        metavar="FILE",
        help="Schedules beside the source, as weft tune writes them; they replace its own.",
        show_default=False,
    ),
]
Without = Annotated[
    list[str] | None,
    typer.Option(
        "--without",
        metavar="PASS",
        help="Leave a pass out, to see what it does; repeated for several.",
        show_default=False,
        autocompletion=completing.passes,
    ),
]
VerifyEach = Annotated[
    bool,
    typer.Option(
        "--verify-each-numerically",
        help="Run the IR after each pass; name the first one that changes the result.",
    ),
]


Groups = Annotated[
    int | None,
    typer.Option(
        parser=whole(1, 65536),
        metavar="N",
        help="How many groups run a program over groups; 1 where it is not given.",
        show_default=False,
    ),
]


def require_threads(threads: int | None, target: str | None) -> None:
    """Told before anything is compiled."""
    if threads in (None, 1) or target is None:
        return
    from weft import machine

    if machine.load(target).is_core_group:
        raise typer.BadParameter(
            f"{threads}: threads are this machine's, and a kernel for {target} runs on the cores of"
            " the emulated core group; leave it out",
            param_hint="--threads",
        )


def require_part(kernel: Kernel, run_groups: int | None) -> None:
    """Of a kernel whose sizes are known."""
    if run_groups is None:
        return
    from weft.execution import part_expected

    groups = int(kernel.report.get("groups") or 1)
    expected = part_expected(kernel.target, groups)
    if not expected:
        emulated = kernel.target == "sw26010"
        why = f"{kernel.name} has one group" if emulated else f"{kernel.target} runs all groups"
        told = f"{why}; only of several groups on the emulator a part is run: leave it out"
        raise typer.BadParameter(told, param_hint="--run-groups")
    if run_groups > groups:
        raise typer.BadParameter(
            f"{run_groups} of {groups} groups: expected {expected}", param_hint="--run-groups"
        )


@contextmanager
def verification_told() -> Iterator[None]:
    """Within it, what --verify-each-numerically finds goes to standard error, a line a pass."""
    from weft import events

    class Told:
        def begin(self, name: str, subject: events.Subject, detail: str) -> None: ...

        def event(self, event: events.Event) -> None:
            if event.name == "verify":
                typer.echo(f"verified {event.detail} ({event.seconds:.2f} s)", err=True)

    with events.listening(Told()):
        yield


def parse_sizes(given: list[str] | None) -> dict[str, Any]:
    """`["N=8", "M=4,K=2"]` as a dict."""
    sizes: dict[str, Any] = {}
    for text in given or []:
        for part in text.split(","):
            name, equals, value = part.partition("=")
            name = name.strip()
            if not equals or not name.isidentifier():
                raise typer.BadParameter(f"{part!r}: expected NAME=N", param_hint="--size")
            try:
                number = int(value)
            except ValueError:
                raise typer.BadParameter(
                    f"{part!r}: {value!r} is not an integer", param_hint="--size"
                ) from None
            if sizes.setdefault(name, number) != number:
                raise typer.BadParameter(f"{name} given twice", param_hint="--size")
    return sizes


def split_kernel(text: str) -> tuple[Path, str | None]:
    """`FILE[:KERNEL]`; the file must exist."""
    file, name = text, None
    if text and not Path(text).exists() and ":" in text:
        file, _, name = text.rpartition(":")
        if file and not name:
            raise typer.BadParameter(
                f"{text!r}: a kernel's name is missing after the colon", param_hint="FILE"
            )
    if not file:
        raise typer.BadParameter(f"{text!r} names no file", param_hint="FILE")
    path = Path(file)
    if not path.exists():
        raise typer.BadParameter(f"no such file: {path}", param_hint="FILE")
    if path.is_dir():
        raise typer.BadParameter(f"{path} is a folder; a .weft file is expected", param_hint="FILE")
    return path, name


def one_kernel(asked: Sequence[str] | None, named: str | None) -> str | None:
    """The kernel of `--kernel` and of FILE:KERNEL; different names are refused."""
    names = list(dict.fromkeys([*([named] if named else []), *(asked or [])]))
    if len(names) > 1:
        raise typer.BadParameter(f"given twice: {', '.join(names)}", param_hint="--kernel")
    return names[0] if names else None


def with_schedule(source: Path, schedule: Path | None) -> Path | str:
    """The program with the schedules of another file, where one is given."""
    if schedule is None:
        return source
    # A pipe, as of <(...), and /dev/null can be read as well.
    if schedule.is_dir() or not schedule.exists():
        told = "is a folder" if schedule.is_dir() else "is not there"
        raise typer.BadParameter(
            f"{schedule} {told}; a .weft file is expected", param_hint=SCHEDULE
        )
    from weft.sources import scheduled

    return scheduled(source, schedule)


def require_folder(path: Path | str, option: str) -> None:
    """Told before anything is compiled."""
    from weft.artifacts import first_file

    if path == "":
        raise typer.BadParameter("a folder is missing; this one is '.'", param_hint=option)
    path = Path(path)
    if path.suffix in (".c", ".s", ".so", ".h", ".mlir") and not path.exists():
        raise typer.BadParameter(
            f"{path} has the name of a file; a folder is expected, in which files have the names of"
            f" kernels: {option} {path.parent}",
            param_hint=option,
        )
    blocking = first_file(path)
    if blocking is not None:
        raise typer.BadParameter(f"{blocking} is a file; a folder is expected", param_hint=option)


def require_sizes(kernel: Kernel, cases: Iterable[str] = ()) -> None:
    """A command has no arguments to take sizes from."""
    require_given(kernel.name, kernel.missing_sizes, cases)


def require_given(kernel: str, missing: Sequence[str], cases: Iterable[str] = ()) -> None:
    """`cases` are those of a program, one of which would give its sizes."""
    if missing:
        example = " ".join(f"--size {name}=64" for name in missing)
        case = next(iter(cases), None)
        if case is not None:
            example = f"--case {case}, or {example}"
        raise typer.BadParameter(
            f"{kernel} needs {', '.join(missing)}: for example {example}", param_hint="--size"
        )


def groups_as_size(
    outline: Outline, groups: int | None, sizes: Mapping[str, int]
) -> dict[str, int]:
    """The number of groups under the name that the program gives it; 1 where nobody gives one."""
    if not outline.groups:
        if groups is not None:
            raise typer.BadParameter(
                f"{outline.name} is no program over groups: it has no parameter [G: groups]",
                param_hint="--groups",
            )
        return {}
    named = sizes.get(outline.groups)
    if groups is not None and named not in (None, groups):
        raise typer.BadParameter(
            f"{outline.groups} given twice: {groups} and {named}", param_hint="--groups"
        )
    return {outline.groups: groups if named is None and groups is not None else named or 1}


def sizes_of_case(outline: Outline, name: str, sizes: dict[str, int]) -> dict[str, int]:
    """Those of a program's case; `--size` may change some of them."""
    from weft.diagnostics import close_match

    if name not in outline.cases:
        known, near = ", ".join(outline.cases) or "none", close_match(name, outline.cases)
        message = f"no case {name!r}; cases: {known}{near and f'; {near}'}"
        raise typer.BadParameter(message, param_hint="--case")
    return {**outline.cases[name], **sizes}
