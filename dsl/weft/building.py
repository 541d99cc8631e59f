# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A request as an entry of the cache: found there, or built; `_build` has one line a stage.

What was compiled before is answered from the cache, without the front end, the native module or a
C compiler's run.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from weft import __version__, artifacts, cache, events, frontend, nests, pipeline, probe, toolchain
from weft.compiled import Callee
from weft.diagnostics import RunError
from weft.requests import Request, replayable, shell_command

if TYPE_CHECKING:
    from weft.library.making import Library
    from weft.machine import Machine

FILES = ["kernel.c", "kernel.s", "kernel.so"]


def files_of(machine: Machine) -> list[str]:
    """What a compiled kernel consists of."""
    if machine.is_core_group:
        from weft import emulated

        return emulated.FILES
    return FILES


def outline(request: Request) -> frontend.Outline:
    """What is known of the kernel asked for before its sizes are; kept in the cache."""
    key = cache.key_of({"outline": request.key()})
    entry = cache.find(key)
    if entry is None:
        with cache.building(key):
            entry = cache.find(key)
            if entry is None:
                return _outlined(request, key)
    return frontend.Outline.from_json(entry.notes)


def _outlined(request: Request, key: str) -> frontend.Outline:
    subject = events.Subject(request.kernel or "")
    with replayable(request, ""), events.timed("stage", subject, "outline"):
        found = frontend.outline(request.text, request.path, request.kernel, dict(request.sizes))
    with cache.workspace() as work:
        cache.publish(key, work, [], found.to_json(), kind="outline")
    return found


def entry_of(
    requests: Sequence[Request],
    machine: Machine,
    dump: artifacts.Dump,
    subject: events.Subject,
    library: Library | None = None,
) -> cache.Entry:
    """From the cache, or built and published. A dump needs the stages, hence a build."""
    start = time.perf_counter()
    compiler = toolchain.find_compiler()
    openmp = probe.has_openmp(compiler)
    key = cache.key_of(
        {
            "requests": [request.key() for request in requests],
            "target": machine.name,
            "machine": machine.digest,
            "pipeline": pipeline.text(machine.name, machine.without),
            "compiler": compiler.identity,
            "openmp": openmp,
            "flags": toolchain.target_flags(machine, compiler),
            **({"library": [library.name, library.command]} if library else {}),
        }
    )
    told = f"entry={key[:12]}"
    entry = None if dump.builds else cache.find(key)
    if entry is None:
        events.tell("cache_miss", subject, told, time.perf_counter() - start)
        with cache.building(key):
            # Another process may have built it meanwhile.
            entry = None if dump.builds else cache.find(key)
            if entry is None:
                with cache.workspace() as work:
                    try:
                        known = _build(
                            requests, machine, compiler, openmp, work, dump, subject, library
                        )
                    except MemoryError as error:
                        raise RunError(
                            f"no memory left to compile {requests[0].path}: {error}",
                            help="smaller constants and fewer kernels at once need less",
                        ) from None
                    with events.timed("cache_publish", subject, told):
                        if library is None:
                            return cache.publish(key, work, files_of(machine), known)
                        return cache.publish(key, work, library.files(), known, kind="library")
    if events.active():
        found = events.Subject.of({**entry.notes, **entry.notes["kernels"][0]})
        events.tell("cache_hit", found, told, time.perf_counter() - start)
    return entry


def _build(
    requests: Sequence[Request],
    machine: Machine,
    compiler: toolchain.Compiler,
    openmp: bool,
    work: Path,
    dump: artifacts.Dump,
    subject: events.Subject,
    library: Library | None = None,
) -> dict[str, Any]:
    """Source to shared object in `work`, or to a library; what is to be known of it."""
    from weft import backend  # a kernel in the cache does without

    with replayable(requests[0], machine.name), events.timed("stage", subject, "front end"):
        modules = frontend.instantiate([r.job() for r in requests], dump, machine.name)
    dump.typed(modules)
    subject = replace(subject, sizes=modules[0].entry.sizes)
    command = shell_command(requests, machine, modules, library)
    dump.stage(artifacts.COMMAND, command + "\n")
    with replayable(requests[0], machine.name), events.timed("stage", subject, "lowering"):
        lowered = frontend.lower(modules, machine.attribute(), requests[0].text, requests[0].fixed)
    dump.stage(artifacts.LOWERED, lowered)
    module = backend.run_passes(lowered, machine, dump, subject, modules=modules)
    emitted = backend.emit(module, lowered, machine, command, subject)
    dump.stage(artifacts.C_SOURCE, emitted.c)
    known: dict[str, Any] = {
        "version": __version__,
        "target": machine.name,
        "command": command,
    }
    known.update(frontend.notes(modules, emitted, requests[0].fixed))
    if library is not None:
        made = library.make(emitted.c, known, compiler, machine, openmp, work, subject)
        return {**known, **made}
    if machine.is_core_group:
        dump.stage(artifacts.SLAVE_SOURCE, emitted.slave)
        noted = known["kernels"]
        sources = {Path(request.path).name: request.text for request in requests}
        known["nests"] = nests.marks(emitted.slave, sources)
        built = backend.compile_program(emitted, noted, machine, work, subject)
    else:
        built = backend.compile_c(emitted.c, compiler, machine, openmp, work, subject)
    dump.stage(artifacts.ASSEMBLY, (work / "kernel.s").read_text(encoding="utf-8"))
    return {**known, **built}


def trace(request: Request, machine: Machine, compiled: Callee) -> dict[str, str]:
    """The IR of a kernel stage by stage: the same stages again, without C."""
    from weft import backend

    sizes = tuple(sorted(compiled.report["sizes"].items()))
    known = replace(request, kernel=compiled.report["name"], sizes=sizes, shapes=None)
    modules = frontend.instantiate([known.job()], artifacts.Dump(None), machine.name)
    lowered = frontend.lower(modules, machine.attribute(), request.text, request.fixed)
    texts = {"lowered": lowered}

    class Trace(artifacts.Dump):
        wanted = True

        def after_pass(self, flag: str, text: str) -> None:
            # A pass that runs twice: the last one counts, in its later place.
            texts.pop(f"after:{flag}", None)
            texts[f"after:{flag}"] = text

    backend.run_passes(lowered, machine, Trace(None))
    return texts
