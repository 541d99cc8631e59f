# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What somebody wants compiled: a kernel of a source at some sizes, and the words that say so."""

from __future__ import annotations

import operator
import os
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from weft import artifacts, frontend
from weft.compiled import Shapes
from weft.diagnostics import CompilerBug, RunError, close_match
from weft.parts import Fixed

if TYPE_CHECKING:
    from weft.library.making import Library
    from weft.machine import Machine
    from weft.semantics import typed


@dataclass(frozen=True)
class Request:
    """One kernel that somebody wants: a source, a name or None for the only one, and sizes.

    Sizes not given are solved from `shapes`, those of the arguments at a call.
    """

    text: str
    path: str
    kernel: str | None
    sizes: tuple[tuple[str, int], ...]
    shapes: Shapes | None = None
    fixed: Fixed | None = None

    @property
    def file(self) -> str:
        """Without folders: what is emitted must not depend on where the source lies."""
        return Path(self.path).name

    def key(self) -> dict[str, object]:
        return {
            "source": self.text,
            "file": self.file,
            "kernel": self.kernel,
            "sizes": self.sizes,
            "shapes": self.shapes,
            **({"fixed": [self.fixed.part, *self.fixed.names]} if self.fixed else {}),
        }

    def job(self) -> frontend.Job:
        return frontend.Job(self.text, self.path, self.kernel, dict(self.sizes), self.shapes)


# What weft.compile takes by name besides sizes; what is written wrong arrives as a size.
OPTIONS = {
    "kernel": "a name",
    "target": "a name",
    "mode": "compiled or interpret",
    "schedule": "a text, or the path of a file",
    "on_value": "on_value(name, array, line)",
    "dump_dir": "the path of a folder",
    "verify_each": "True or False",
    "without": "a list of passes",
    "sizes": "numbers by their names: {'n': 8}",
}


def _is_integer(given: object) -> bool:
    try:
        operator.index(given)  # type: ignore[arg-type]
    except TypeError:
        return False
    return True


def refuse_number(option: str, given: object) -> None:
    """A number is none of the options': it is a size that is called as one of them."""
    if isinstance(given, bool) or not _is_integer(given):
        return
    raise RunError(
        f"{option}= belongs to weft.compile itself, and takes no number",
        argument=option,
        expected=OPTIONS[option],
        found=repr(given),
        help=f"a size of that name is given as sizes={{{option!r}: {given!r}}}"
        if option not in ("kernel", "schedule")  # reserved words
        else "",
    )


def check_options(dump_dir: object, verify_each: object, without: object) -> None:
    """Those of another kind than they are to be; a number is refused before."""
    wrong = {
        # "" would be the current folder.
        "dump_dir": dump_dir is not None
        and (dump_dir == "" or not isinstance(dump_dir, str | os.PathLike)),
        "verify_each": not isinstance(verify_each, bool),
        "without": not isinstance(without, list | tuple | set | frozenset),
    }
    for option, given in (
        ("dump_dir", dump_dir),
        ("verify_each", verify_each),
        ("without", without),
    ):
        if wrong[option]:
            raise RunError(
                f"{option} is {OPTIONS[option]}",
                argument=option,
                found=repr(given),
                help=f"without=[{given!r}]"
                if isinstance(given, str) and option == "without"
                else "",
            )


def all_sizes(sizes: object, named: Mapping[str, int]) -> Mapping[str, int]:
    """Those in `sizes=` and those by themselves; none in both."""
    if sizes is None:
        return named
    refuse_number("sizes", sizes)
    if not isinstance(sizes, Mapping) or not all(isinstance(name, str) for name in sizes):
        raise RunError(
            "sizes are numbers by their names",
            argument="sizes",
            expected="{'n': 8}",
            found=repr(sizes) if isinstance(sizes, Mapping) else type(sizes).__name__,
        )
    twice = next((name for name in named if name in sizes), None)
    if twice is not None:
        raise RunError(
            f"the size {twice!r} is given twice",
            argument=twice,
            expected=f"{twice}= or sizes=",
            found=f"{named[twice]!r} and {sizes[twice]!r}",
        )
    return {**sizes, **named}


def checked_sizes(given: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    """Sizes as plain integers, NumPy's included; in the order of their names."""
    sizes = {}
    for name, value in given.items():
        try:
            sizes[name] = -1 if isinstance(value, bool) else operator.index(value)
        except TypeError:
            sizes[name] = -1
        if not 1 <= sizes[name] <= 1 << 48:
            raise RunError(
                f"the size {name!r} is no extent",
                argument=name,
                expected="an integer from 1 to 2^48",
                found=repr(value),
                help="the sizes of a case are given themselves, as n=64"
                if name == "case"
                else close_match(name, OPTIONS),
            )
    return tuple(sorted(sizes.items()))


def as_sizes(given: object) -> str:
    """How sizes that stand in another place are given."""
    if not isinstance(given, Mapping) or not given:
        return ""
    named = ", ".join(f"{name}={value!r}" for name, value in given.items())
    return f"sizes are given by their names: {named}, or sizes={given!r}"


@contextmanager
def replayable(request: Request, target: str) -> Iterator[None]:
    """A fault of Weft in stages 1 to 3 gets the command that shows it again."""
    try:
        yield
    except CompilerBug as bug:
        if bug.replay or not bug.reproducer:
            raise
        sizes = "".join(f" --size {name}={value}" for name, value in request.sizes)
        asked = f" --target={target}" if target else ""
        folder = Path(bug.reproducer)
        command = f"weft compile {_named(request.file, request.kernel or '')}{asked}{sizes}\n"
        words = f"compile --from {artifacts.SOURCE} --emit c -o -"
        artifacts.write_whole(folder / artifacts.COMMAND, command)
        artifacts.write_whole(folder / artifacts.SCRIPT, artifacts.replay_script(words))
        raise CompilerBug(
            bug.message,
            stage=bug.stage,
            reproducer=bug.reproducer,
            replay=f"sh {folder / artifacts.SCRIPT}",
        ) from bug.__cause__


def _named(file: str, kernel: str) -> str:
    """FILE:KERNEL as a shell takes it; a program that is no file stays as it is shown."""
    word = f"{file}:{kernel}"
    return word if file == "<source>" else shlex.quote(word)


def shell_command(
    requests: Sequence[Request],
    machine: Machine,
    modules: list[typed.Module],
    library: Library | None = None,
) -> str:
    """The shell command that makes the same C; it goes into the C, so it names no folder."""
    first = requests[0]
    entry = modules[0].entry
    sizes = "".join(f" --size {name}={value}" for name, value in entry.sizes)
    named = _named(first.file, entry.source_name)
    command = f"weft compile {named} --target={machine.name}{sizes}"
    if library is not None:
        command = library.command
    elif first.fixed:
        command += f"  # {first.fixed.part}, of fixed {', '.join(first.fixed.names)}"
    elif len(requests) > 1:
        command += f" and {len(requests) - 1} more kernels"
    # What the source's schedule adds, as a comment of the shell.
    acting: dict[str, list[str]] = {}
    for name, said in (found for m in modules for found in frontend.schedules(m).items()):
        # More of it acts where the kernel is not within another one.
        acting[name] = max(acting.get(name, []), said, key=len)
    shown = ", ".join(f"{name}: {'; '.join(said)}" for name, said in acting.items())
    return f"{command}{', ' if first.fixed else '  # '}schedule of {shown}" if shown else command
