# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From source to callable kernels, to libraries and to what is known of them.

How a request becomes an entry of the cache, stage by stage: building.py.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from weft import (
    artifacts,
    building,
    cache,
    events,
    fixing,
    frontend,
    pipeline,
    toolchain,
)
from weft import machine as machines
from weft.compiled import Callee, Compiled, Shapes
from weft.diagnostics import RunError, close_match
from weft.execution import Kernel
from weft.parts import Fixed
from weft.requests import (
    Request,
    all_sizes,
    as_sizes,
    check_options,
    checked_sizes,
    refuse_number,
    replayable,
    shell_command,
)
from weft.sources import read_source, scheduled

if TYPE_CHECKING:
    from weft.interpreted import Interpreted, OnValue
    from weft.machine import Machine
    from weft.notes import Note


def compile(  # noqa: A001 - weft.compile is its name
    source: str | os.PathLike[str],
    kernel: str | None = None,
    target: str | None = None,
    *,
    mode: str | None = None,
    schedule: str | os.PathLike[str] | None = None,
    on_value: OnValue | None = None,
    dump_dir: str | os.PathLike[str] | None = None,
    verify_each: bool = False,
    without: Sequence[str] = (),
    sizes: Mapping[str, int] | None = None,
    **named: int,
) -> Kernel:
    """A kernel that is called with NumPy arrays.

    Where all sizes are given it is compiled now, or taken from the cache; else at the first call
    with arrays of each new set of shapes.

    Args:
        source: The program's text, or the path of a `.weft` file.
        kernel: Which kernel or program; not needed where the source has only one kernel, or one
            program.
        target: `avx512`, `avx2`, `portable`, by default the first that this CPU runs; or
            `sw26010`, which is emulated.
        mode: `compiled`, or `interpret`: the source is evaluated statement by statement in plain
            NumPy, and the kernel's `values` hold every named value of the last call. Where it is
            not given, WEFT_INTERPRET=1 in the environment means `interpret`.
        schedule: Schedules beside the source, as `weft tune` writes them: their text, or the path
            of a `.weft` file. They replace the source's own for the same kernel and target.
        on_value: With `interpret`, called as `on_value(name, array, line)` as each value is made.
        dump_dir: A folder that receives every stage in numbered files.
        verify_each: Run the IR after each pass on random inputs; the first pass that changes the
            result is a CompilerBug.
        without: Passes that are left out, to see what each does: `["vectorize-complex"]`. Those
            that others need cannot be.
        sizes: Sizes by their names, as `{"target": 8}`: also those that are called as one of the
            arguments above.
        **named: The sizes, as `N=1000`: integers from 1 to 2^48. Those not given are taken from
            the shapes of the arguments.

    Raises:
        SourceError: The program breaks a rule of the language.
        RunError: The file cannot be read, or has no such kernel or size; there is no such target,
            or no C compiler.
        CompilerBug: Weft failed on a program that is right.
    """
    for name, given in (
        *(("kernel", kernel), ("target", target), ("mode", mode), ("schedule", schedule)),
        *(("on_value", on_value), ("dump_dir", dump_dir), ("verify_each", verify_each)),
        ("without", without),
    ):
        refuse_number(name, given)
    mode = _mode(mode, on_value)
    check_options(dump_dir, verify_each, without)
    for name, word in (("kernel", kernel), ("target", target)):
        if word is not None and not isinstance(word, str):
            raise RunError(
                f"the {name} is no name",
                argument=name,
                expected="a string",
                found=repr(word),
                help=as_sizes(word),
            )
    text, path = read_source(source if schedule is None else scheduled(source, schedule))
    request = Request(text, path, kernel, checked_sizes(all_sizes(sizes, named)))
    folder = Path(dump_dir) if dump_dir is not None else None
    if mode == "interpret":
        return _interpreted_kernel(request, on_value, artifacts.Dump(folder))
    machine = machines.load(target or toolchain.default_target())
    if without:
        pipeline.steps(machine.name, without)
        machine = replace(machine, without=tuple(without))
    dump = artifacts.Dump(folder)
    if verify_each:
        from weft import verification

        dump = verification.Verifier(inner=dump)
    return _kernel(request, machine, dump)


def compile_watched(
    source: str | os.PathLike[str],
    kernel: str | None,
    target: str | None,
    dump: artifacts.Dump,
    sizes: Mapping[str, int],
    *,
    name: str | None = None,
) -> Kernel:
    """As `compile`, with every stage shown to `dump`; `name` is the file's name in messages."""
    text, path = read_source(source)
    machine = machines.load(target or toolchain.default_target())
    return _kernel(Request(text, name or path, kernel, checked_sizes(sizes)), machine, dump)


def _mode(given: str | None, on_value: OnValue | None) -> str:
    """`compiled` or `interpret`: as given, else as the environment says."""
    if given not in (None, "compiled", "interpret"):
        raise RunError(
            f"no mode {given!r}",
            argument="mode",
            expected="compiled or interpret",
            help=close_match(str(given), ("compiled", "interpret")),
        )
    mode = given
    if mode is None:
        asked = os.environ.get("WEFT_INTERPRET", "")
        if asked not in ("", "0", "1"):
            raise RunError("WEFT_INTERPRET is not understood", expected="0 or 1", found=asked)
        mode = "interpret" if asked == "1" else "compiled"
    if on_value is not None and not callable(on_value):
        raise RunError(
            "on_value is no function", argument="on_value", expected="on_value(name, array, line)"
        )
    if on_value is not None and mode != "interpret":
        raise RunError(
            "on_value needs mode='interpret'",
            argument="on_value",
            help="compiled code has no names; weft.compile(..., mode='interpret', on_value=...)",
        )
    return mode


def _restored(
    text: str,
    path: str,
    kernel: str | None,
    target: str,
    sizes: tuple[tuple[str, int], ...],
    on_value: OnValue | None = None,
) -> Kernel:
    """A kernel out of a pickle, here: from this machine's cache, or compiled."""
    request = Request(text, path, kernel, sizes)
    if target == "interpret":
        return _interpreted_kernel(request, on_value, artifacts.Dump(None))
    return _kernel(request, machines.load(target), artifacts.Dump(None))


def _origin(
    request: Request, target: str, *more: Any
) -> tuple[Callable[..., Kernel], tuple[Any, ...]]:
    return _restored, (request.text, request.path, request.kernel, target, request.sizes, *more)


def outline(source: str | os.PathLike[str], kernel: str | None = None) -> frontend.Outline:
    """Name, inputs, sizes and cases of a kernel, without compiling it."""
    text, path = read_source(source)
    return building.outline(Request(text, path, kernel, ()))


@dataclass(frozen=True)
class Examined:
    """A kernel as it was compiled to C: what is reported of it, and why it is as it is."""

    report: dict[str, Any]
    notes: list[Note]
    machine: Machine


def examine(
    source: str | os.PathLike[str],
    kernel: str | None,
    target: str | None,
    sizes: Mapping[str, int],
    settings: Mapping[str, str] | None = None,
) -> Examined:
    """Stages 1 to 5 up to the C; nothing is taken from the cache or put there. `settings` are those
    of passes, as `backend.run_passes` takes them."""
    from weft import backend, notes

    text, path = read_source(source)
    machine = machines.load(target or toolchain.default_target())
    request = Request(text, path, kernel, checked_sizes(sizes))
    dump = artifacts.Dump(None)
    subject = events.Subject(kernel or "", machine.name, request.sizes)
    with replayable(request, machine.name), events.timed("stage", subject, "front end"):
        modules = frontend.instantiate([request.job()], dump, machine.name)
    with replayable(request, machine.name), events.timed("stage", subject, "lowering"):
        lowered = frontend.lower(modules, machine.attribute(), text)
    module = backend.run_passes(
        lowered, machine, dump, subject, explain=True, settings=settings, modules=modules
    )
    command = shell_command([request], machine, modules)
    emitted = backend.emit(module, lowered, machine, command, subject)
    flags = [step.flag for step in pipeline.steps(machine.name, machine.without)]
    report = frontend.notes(modules, emitted)["kernels"][0]
    return Examined(report, notes.collected(module.notes, flags), machine)


def compile_many(
    requests: Sequence[tuple[str | os.PathLike[str], str | None, Mapping[str, int]]],
    target: str | None = None,
) -> list[Kernel]:
    """Several kernels in one C file and one shared object: one run of the C compiler.

    Args:
        requests: For each kernel its source, its name or None, and all of its sizes.
        target: As in `compile`.

    Returns:
        The kernels, in the order of the requests.

    Raises:
        SourceError: As of `compile`.
        RunError: What is asked for is no source, name and sizes; the target cannot be had.
    """
    wanted = []
    for request in requests:
        if not isinstance(request, (tuple, list)) or len(request) != 3:
            raise RunError(
                "a request is a source, a kernel's name or None, and sizes",
                argument="requests",
                expected="(source, kernel, {'n': 8})",
                found=type(request).__name__
                if not isinstance(request, (tuple, list))
                else f"{len(request)} values",
            )
        source, kernel, sizes = request
        if not isinstance(sizes, Mapping):
            raise RunError(
                "sizes are numbers by their names",
                argument="requests",
                expected="{'n': 8}",
                found=type(sizes).__name__,
            )
        text, path = read_source(source)
        wanted.append(Request(text, path, kernel, checked_sizes(sizes)))
    if not wanted:
        return []
    if _mode(None, None) == "interpret":
        return [_interpreted_kernel(request, None, artifacts.Dump(None)) for request in wanted]
    machine = machines.load(target or toolchain.default_target())
    build = partial(
        building.entry_of, wanted, machine, artifacts.Dump(None), events.Subject("", machine.name)
    )
    entry = build()
    return [
        _loaded(_compiled(entry, machine, build, index), machine, request)
        for index, request in enumerate(wanted)
    ]


def library(
    requests: Sequence[tuple[str | os.PathLike[str], str | None, Mapping[str, int]]],
    name: str | None,
    target: str | None,
    words: Sequence[str],
    dump: artifacts.Dump,
) -> dict[Path, bytes]:
    """Several kernels as a library for C programs, from the cache if it was made before.

    Args:
        requests: As in `compile_many`; none is asked for twice.
        name: The library's; without one the name of the source file.
        target: As in `compile`.
        words: The sizes as the command line has them, for the command in the header.
        dump: Is shown every stage.

    Returns:
        The content of each file, by its place below the folder of the library.
    """
    from weft.library import finding, making, names

    wanted = []
    for source, kernel, sizes in requests:
        text, path = read_source(source)
        wanted.append(Request(text, path, kernel, checked_sizes(sizes)))
    machine = machines.load(target or toolchain.default_target())
    if machine.is_core_group:
        raise RunError(
            f"no library for the target {machine.name!r}: its kernels run on the emulator",
            argument="target",
            expected=", ".join(n for n in machines.target_names() if n != machine.name),
            help="--emit=c writes what the management core and the compute cores run",
        )
    over = next((one for one in map(building.outline, wanted) if one.groups), None)
    if over is not None:
        raise RunError(
            f"no library of {over.name!r}: it is a kernel over groups, which have to be brought"
            " together",
            argument="kernel",
            expected="kernels without a parameter of the kind groups",
            help="call it from Python; --emit=c writes it, with struct weft_groups as its last"
            " parameter",
        )
    name = names.library_name(name, wanted[0].file)
    kernels = dict.fromkeys(building.outline(request).name for request in wanted)
    command = shlex.join(
        [
            *("weft", "compile", f"{wanted[0].file}:{','.join(kernels)}"),
            *(f"--target={machine.name}", "--emit=lib", f"--name={name}", *words),
        ]
    )
    product = making.Library(name, command)
    entry = building.entry_of(wanted, machine, dump, events.Subject(name, machine.name), product)
    for _ in range(3):
        try:
            return {
                Path(place): entry.path(file).read_bytes()
                for file, place in finding.places(name).items()
            }
        except FileNotFoundError:
            # Another process has dropped the entry from the cache meanwhile.
            entry = building.entry_of(
                wanted, machine, dump, events.Subject(name, machine.name), product
            )
    raise RunError(
        "the kernel cache loses its entries before they are read",
        help="WEFT_CACHE_SIZE gives it more room",
    )


def _kernel(request: Request, machine: Machine, dump: artifacts.Dump) -> Kernel:
    """Compiled at once where the sizes are all known, else at the first call with each shape."""
    found = building.outline(request)
    subject = events.Subject(found.name, machine.name, request.sizes)

    def compiled(request: Request) -> Compiled:
        entry = building.entry_of([request], machine, dump, subject)
        again = partial(building.entry_of, [request], machine, artifacts.Dump(None), subject)
        return _compiled(entry, machine, again)

    if not found.missing:
        return _loaded(compiled(request), machine, request)

    def specialise(shapes: Shapes) -> Compiled:
        return compiled(replace(request, shapes=shapes))

    return Kernel(
        found.name,
        machine.name,
        found.inputs,
        specialise=specialise,
        missing_sizes=found.missing,
        trace=lambda compiled: building.trace(request, machine, compiled),
        origin=_origin(request, machine.name),
        source=request.text,
        fixer=partial(fixing.fixed, partial(_parts, request, machine)),
    )


def _interpreted_kernel(request: Request, on_value: OnValue | None, dump: artifacts.Dump) -> Kernel:
    """The same interface over the evaluation in NumPy; nothing is compiled or cached."""
    from weft.interpreted import Interpreted

    found = frontend.outline(request.text, request.path, request.kernel, dict(request.sizes))

    def evaluate(shapes: Shapes | None) -> Interpreted:
        job = replace(request, shapes=shapes).job()
        return Interpreted(frontend.instantiate([job], dump)[0], on_value)

    given: dict[str, Any] = {"specialise": evaluate, "missing_sizes": found.missing}
    if not found.missing:
        given = {"compiled": evaluate(None)}
    origin = _origin(request, "interpret", on_value)
    given["fixer"] = partial(fixing.fixed, None)
    return Kernel(
        found.name, "interpret", found.inputs, **given, origin=origin, source=request.text
    )


def _compiled(
    entry: cache.Entry, machine: Machine, build: Callable[[], cache.Entry], index: int = 0
) -> Compiled:
    return Compiled(entry.folder, entry.notes, machine, index, lambda: build().folder)


def _loaded(compiled: Compiled, machine: Machine, request: Request) -> Kernel:
    return Kernel(
        compiled.report["name"],
        machine.name,
        [parameter["name"] for parameter in compiled.report["inputs"]],
        compiled=compiled,
        trace=lambda compiled: building.trace(request, machine, compiled),
        origin=_origin(request, machine.name),
        source=request.text,
        fixer=partial(fixing.fixed, partial(_parts, request, machine)),
    )


def _parts(
    request: Request, machine: Machine, whole: Callee, names: tuple[str, ...]
) -> tuple[Kernel, Kernel]:
    """The two kernels that one with fixed inputs becomes."""
    sizes = tuple(sorted(whole.report["sizes"].items()))
    known = replace(request, kernel=whole.report["name"], sizes=sizes, shapes=None)
    prepare, run = (
        _kernel(replace(known, fixed=Fixed(part, names)), machine, artifacts.Dump(None))
        for part in ("prepare", "run")
    )
    return prepare, run
