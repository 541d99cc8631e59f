# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The whole flow, source to callable kernel; `_build` has one line a stage.

A request that was compiled before is answered from the cache, without the front end, the native
module or a C compiler's run.
"""

from __future__ import annotations

import operator
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from weft import __version__, artifacts, cache, frontend, pipeline, toolchain
from weft import machine as machines
from weft.diagnostics import CompilerBug, RunError
from weft.execution import Callee, Compiled, Kernel, Shapes
from weft.referenced import Referenced

if TYPE_CHECKING:
    from weft.machine import Machine
    from weft.native._compiler import Emitted
    from weft.native._compiler import Module as NativeModule
    from weft.semantics import typed

FILES = ["kernel.c", "kernel.s", "kernel.so"]


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
        }


def compile(  # noqa: A001 - weft.compile is its name
    source: str | os.PathLike[str],
    kernel: str | None = None,
    target: str | None = None,
    *,
    mode: str = "compiled",
    dump_dir: str | os.PathLike[str] | None = None,
    **sizes: int,
) -> Kernel:
    """A kernel that is called with NumPy arrays.

    `source` is a program's text, or the path of a `.weft` file. `kernel` may be left out where
    there is only one kernel or one program. `target` is `avx512` where this CPU has it, else
    `portable`. Sizes not given are taken from the arguments at the call. `mode="reference"` runs
    the plain NumPy evaluation instead of compiled code. `dump_dir` receives every stage in
    numbered files.
    """
    if mode not in ("compiled", "reference"):
        raise RunError(f"no mode {mode!r}", argument="mode", expected="compiled or reference")
    for name, word in (("kernel", kernel), ("target", target)):
        if word is not None and not isinstance(word, str):
            raise RunError(
                f"the {name} is no name", argument=name, expected="a string", found=repr(word)
            )
    text, path = read_source(source)
    request = Request(text, path, kernel, _sizes(sizes))
    if mode == "reference":
        return _reference_kernel(request)
    machine = machines.load(target or toolchain.default_target())
    folder = Path(dump_dir) if dump_dir is not None else None
    return _kernel(request, machine, folder)


def outline(source: str | os.PathLike[str], kernel: str | None = None) -> frontend.Outline:
    """Name, inputs, sizes and cases of a kernel, without compiling it."""
    text, path = read_source(source)
    return _outline(Request(text, path, kernel, ()))


def compile_many(
    requests: Sequence[tuple[str | os.PathLike[str], str | None, Mapping[str, int]]],
    target: str | None = None,
) -> list[Kernel]:
    """Several kernels, all sizes given, in one C file and one shared object."""
    machine = machines.load(target or toolchain.default_target())
    wanted = []
    for source, kernel, sizes in requests:
        text, path = read_source(source)
        wanted.append(Request(text, path, kernel, _sizes(sizes)))
    if not wanted:
        return []
    entry = _entry(wanted, machine, None)
    return [
        _loaded(Compiled(entry.folder, entry.notes, machine, index), machine, request)
        for index, request in enumerate(wanted)
    ]


def _sizes(given: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
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
            )
    return tuple(sorted(sizes.items()))


def read_source(source: str | os.PathLike[str]) -> tuple[str, str]:
    """Text and display name of a program given as text or as the path of a .weft file."""
    if not isinstance(source, (str, os.PathLike)):
        raise RunError(
            "the source is no program",
            argument="source",
            expected="its text, or the path of a .weft file",
            found=type(source).__name__,
        )
    if isinstance(source, str) and ("\n" in source or not source.endswith(".weft")):
        return source, "<source>"
    path = Path(source)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise RunError(f"cannot read {path}: {error.strerror}") from None
    except ValueError as error:
        raise RunError(f"cannot read {str(path)!r}: {error}") from None
    return frontend.decode(data, str(path)), str(path)


def _kernel(request: Request, machine: Machine, dump_dir: Path | None) -> Kernel:
    """Compiled at once where the sizes are all known, else at the first call with each shape."""
    found = _outline(request)
    if not found.missing:
        entry = _entry([request], machine, dump_dir)
        return _loaded(Compiled(entry.folder, entry.notes, machine), machine, request)

    def specialise(shapes: Shapes) -> Compiled:
        entry = _entry([replace(request, shapes=shapes)], machine, dump_dir)
        return Compiled(entry.folder, entry.notes, machine)

    return Kernel(
        found.name,
        machine.name,
        found.inputs,
        specialise=specialise,
        missing_sizes=found.missing,
        trace=lambda compiled: _trace(request, machine, compiled),
    )


def _reference_kernel(request: Request) -> Kernel:
    """The same interface over the reference evaluation; nothing is compiled or cached."""
    found = frontend.outline(request.text, request.path, request.kernel, dict(request.sizes))

    def evaluate(shapes: Shapes | None) -> Referenced:
        job = _as_job(replace(request, shapes=shapes))
        return Referenced(frontend.instantiate([job], artifacts.Dump(None))[0])

    if found.missing:
        return Kernel(
            found.name,
            "reference",
            found.inputs,
            specialise=evaluate,
            missing_sizes=found.missing,
        )
    return Kernel(found.name, "reference", found.inputs, compiled=evaluate(None))


def _loaded(compiled: Compiled, machine: Machine, request: Request) -> Kernel:
    return Kernel(
        compiled.report["name"],
        machine.name,
        [parameter["name"] for parameter in compiled.report["inputs"]],
        compiled=compiled,
        trace=lambda compiled: _trace(request, machine, compiled),
    )


def _outline(request: Request) -> frontend.Outline:
    """What is known of the kernel asked for before its sizes are; kept in the cache."""
    key = cache.key_of({"outline": request.key()})
    entry = cache.find(key)
    if entry is not None:
        return frontend.Outline.from_json(entry.notes)
    found = frontend.outline(request.text, request.path, request.kernel, dict(request.sizes))
    with cache.workspace() as work:
        cache.publish(key, work, [], found.to_json())
    return found


def _entry(requests: Sequence[Request], machine: Machine, dump_dir: Path | None) -> cache.Entry:
    """From the cache, or built and published. A dump needs the stages, hence a build."""
    compiler = toolchain.find_compiler()
    key = cache.key_of(
        {
            "requests": [request.key() for request in requests],
            "target": machine.name,
            "machine": machine.digest,
            "pipeline": pipeline.text(machine.name),
            "compiler": compiler.identity,
            "flags": machine.c_flags,
        }
    )
    entry = cache.find(key) if dump_dir is None else None
    if entry is not None:
        return entry
    with cache.workspace() as work:
        notes = _build(requests, machine, compiler, work, artifacts.Dump(dump_dir))
        return cache.publish(key, work, FILES, notes)


def _build(
    requests: Sequence[Request],
    machine: Machine,
    compiler: toolchain.Compiler,
    work: Path,
    dump: artifacts.Dump,
) -> dict[str, Any]:
    """Source to shared object in `work`; what is to be known of it."""
    modules = frontend.instantiate([_as_job(request) for request in requests], dump)
    command = _command(requests, machine, modules)
    lowered = frontend.lower(modules, machine.attribute(), requests[0].text)
    dump.stage(artifacts.LOWERED, lowered)
    module = run_passes(lowered, machine, dump)
    emitted = _emit(module, lowered, machine, command)
    dump.stage(artifacts.C_SOURCE, emitted.c)
    built = _compile_c(emitted.c, compiler, machine, work)
    dump.stage(artifacts.ASSEMBLY, (work / "kernel.s").read_text(encoding="utf-8"))
    known = {"version": __version__, "target": machine.name, "command": command}
    return {**known, **built, **frontend.notes(modules, emitted)}


def run_passes(lowered: str, machine: Machine, dump: artifacts.Dump) -> NativeModule:
    """Stage 4, on text."""
    from weft.native import _compiler

    on_pass = None
    if dump.wanted:

        def on_pass(flag: str, text: Any) -> None:
            dump.after_pass(flag, text())

    try:
        module = _compiler.Module(lowered)
        module.run(pipeline.flags(machine.name), on_pass)
    except _compiler.IrError as error:
        raise _pass_bug(error, "passes", lowered, machine) from None
    return module


def _emit(module: NativeModule, lowered: str, machine: Machine, command: str) -> Emitted:
    from weft.native import _compiler

    try:
        return module.emit(command)
    except _compiler.IrError as error:
        raise _pass_bug(error, "emission", lowered, machine) from None


def _pass_bug(error: Any, stage: str, lowered: str, machine: Machine) -> CompilerBug:
    """IR of a checked program that fails later is Weft's fault; IR and replay are kept."""
    replay = f"weft opt --pass-pipeline='{pipeline.text(machine.name)}' {artifacts.LOWERED}"
    lines = [
        f"{m.file}:{m.line}:{m.column}: {m.severity}: {m.text}" if m.line else m.text
        for m in error.messages
    ]
    folder = artifacts.keep_reproducer(
        {
            artifacts.LOWERED: lowered,
            "message.txt": "\n".join(lines) + "\n",
            "replay.sh": replay + "\n",
        }
    )
    # MLIR adds the op in full as a note: that is for the file.
    told = [line for line in lines if "see current operation" not in line]
    return CompilerBug(
        "\n".join(told) or str(error),
        stage=stage,
        reproducer=f"{folder}\n   replay: cd {folder} && {replay}",
    )


def _compile_c(
    text: str, compiler: toolchain.Compiler, machine: Machine, work: Path
) -> dict[str, Any]:
    source = work / "kernel.c"
    source.write_text(text, encoding="utf-8")
    try:
        return toolchain.compile_c(compiler, machine, source)
    except toolchain.RefusedC as error:
        import shlex

        replay = shlex.join(error.command)
        folder = artifacts.keep_reproducer(
            {"kernel.c": text, "message.txt": error.output, "replay.sh": replay + "\n"}
        )
        raise CompilerBug(
            f"{error}\n{error.output[:2000].rstrip()}",
            stage="emission",
            reproducer=f"{folder}\n   replay: cd {folder} && {replay}",
        ) from None


def _command(requests: Sequence[Request], machine: Machine, modules: list[typed.Module]) -> str:
    """The shell command that makes the same C; it goes into the C, so it names no folder."""
    first = requests[0]
    entry = modules[0].entry
    sizes = "".join(f" --size {name}={value}" for name, value in entry.sizes)
    command = f"weft compile {first.file}:{entry.source_name} --target={machine.name}{sizes}"
    if len(requests) > 1:
        command += f" and {len(requests) - 1} more kernels"
    return command


def _as_job(request: Request) -> frontend.Job:
    return frontend.Job(
        request.text, request.path, request.kernel, dict(request.sizes), request.shapes
    )


def _trace(request: Request, machine: Machine, compiled: Callee) -> dict[str, str]:
    """The IR of a kernel stage by stage: the same stages again, without C."""
    sizes = tuple(sorted(compiled.report["sizes"].items()))
    known = replace(request, kernel=compiled.report["name"], sizes=sizes, shapes=None)
    modules = frontend.instantiate([_as_job(known)], artifacts.Dump(None))
    lowered = frontend.lower(modules, machine.attribute(), request.text)
    texts = {"lowered": lowered}

    class Trace(artifacts.Dump):
        wanted = True

        def after_pass(self, flag: str, text: str) -> None:
            # A pass that runs twice: the last one counts, in its later place.
            texts.pop(f"after:{flag}", None)
            texts[f"after:{flag}"] = text

    run_passes(lowered, machine, Trace(None))
    return texts
