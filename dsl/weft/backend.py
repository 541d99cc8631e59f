# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stages 4 and 5 as the driver uses them: IR text in, C and a shared object out.

IR of a checked program that fails here is a fault of Weft: the IR, the messages and a command that
shows the fault again are kept.
"""

from __future__ import annotations

import re
import shlex
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from weft import artifacts, events, notes, pipeline, toolchain
from weft.diagnostics import CompilerBug, DirectiveError, RunError, Span

if TYPE_CHECKING:
    from weft.machine import Machine
    from weft.native._compiler import Emitted
    from weft.native._compiler import Module as NativeModule
    from weft.semantics import typed

MESSAGE = "message.txt"
# After the IR, as MLIR's own reproducers have it: weft opt FILE runs these passes.
SCHEDULE = "schedule: "  # errors of passes that are the schedule's
REPRODUCER = """

{{-#
  external_resources: {{
    mlir_reproducer: {{
      pipeline: "builtin.module({flags})",
      disable_threading: true,
      verify_each: true
    }}
  }}
#-}}
"""


def run_passes(
    ir: str,
    machine: Machine,
    dump: artifacts.Dump,
    subject: events.Subject = events.NOBODY,
    done: int = 0,
    *,
    explain: bool = False,
    settings: Mapping[str, str] | None = None,
    modules: Sequence[typed.Module] = (),
) -> NativeModule:
    """Stage 4, on text; `done` passes of the pipeline have run already.

    `modules` are what the text was made from: where a directive stands that cannot be kept.

    The module's notes are collected for a dump, or to `explain`. `settings` are options of passes,
    by flag, as weft-opt takes them.
    """
    from weft.native import _compiler

    flags = [step.flag for step in pipeline.steps(machine.name, machine.without)][done:]
    ran = 0
    last = time.perf_counter()

    def on_pass(flag: str, text: Any) -> None:
        nonlocal ran, last
        ran += 1
        if events.active(level=2):
            events.tell("pass", subject, flag, time.perf_counter() - last, level=2)
        if dump.wanted:
            dump.after_pass(flag, text())
        last = time.perf_counter()

    try:
        with events.timed("stage", subject, "passes"):
            module = _compiler.Module(ir, notes=explain or dump.wanted)
            if flags:
                given = settings or {}
                asked = (f"{f}{{{given[f]}}}" if f in given else f for f in flags)
                module.run(",".join(asked), on_pass)
    except _compiler.IrError as error:
        if "does not refer to a registered pass" in str(error):
            raise RunError(
                "the native part of this Weft is not of the same version as its Python part",
                found=str(error).partition("error: ")[2].partition("\n")[0],
                help="in a working tree: make setup; else install the wheel again",
            ) from None
        for message in error.messages:
            if message.severity == "error" and message.text.startswith(SCHEDULE):
                raise _impossible(message, modules) from None
        stage = f"the pass {flags[ran]}" if ran < len(flags) else "passes"
        replayed = ir.rstrip("\n") + REPRODUCER.format(flags=",".join(flags))
        raise _bug(error, stage, replayed, f"opt {artifacts.LOWERED}") from None
    if dump.wanted:
        dump.stage(artifacts.NOTES, notes.text(notes.collected(module.notes, flags)))
    return module


def _impossible(message: Any, modules: Sequence[typed.Module]) -> DirectiveError:
    """A directive that the pass it is an option of cannot keep: `schedule: DIRECTIVE: why; expected
    CHOICES`."""
    directive, _, why = message.text.removeprefix(SCHEDULE).partition(": ")
    found, *choices = re.split("[;:] expected ", why, maxsplit=1)
    expected = choices[0] if choices else ""
    return DirectiveError(
        f"the schedule's '{directive}' cannot be kept",
        argument=directive,
        # Not one of its kind fits: nothing to choose from.
        expected=f"no '{directive.split()[0]}' here" if expected == "none" else expected,
        found=f"{found} ({message.file}:{message.line}:{message.column})",
        help="leave it out: the cost model chooses",
        span=_standing(directive, message.line, modules),
    )


def _standing(directive: str, line: int, modules: Sequence[typed.Module]) -> Span | None:
    """Where the directive stands: of several, in the schedule of the last kernel before a line."""
    found = [
        (entry.span.line <= line, entry.span.line, span)
        for entry in (module.entry for module in modules)
        for text, span in zip(entry.directives, entry.places, strict=True)
        if text == directive
    ]
    return max(found, key=lambda entry: entry[:2])[2] if found else None


def emit(
    module: NativeModule,
    ir: str,
    machine: Machine,
    command: str,
    subject: events.Subject = events.NOBODY,
) -> Emitted:
    """Stage 5 up to the C. `ir` is what the passes were given."""
    from weft.native import _compiler

    try:
        with events.timed("stage", subject, "emission"):
            return module.emit(command)
    except _compiler.IrError as error:
        words = f"compile --from {artifacts.LOWERED} --target {machine.name} --emit c -o -"
        raise _bug(error, "emission", ir, words) from None


def _bug(error: Any, stage: str, ir: str, words: str) -> CompilerBug:
    lines = [
        f"{m.file}:{m.line}:{m.column}: {m.severity}: {m.text}" if m.line else m.text
        for m in error.messages
    ]
    folder = artifacts.keep_reproducer(
        {
            artifacts.LOWERED: ir,
            MESSAGE: "\n".join(lines) + "\n",
            artifacts.SCRIPT: artifacts.replay_script(words),
        }
    )
    # MLIR adds the op in full as a note: that is for the file.
    told = [line for line in lines if "see current operation" not in line]
    return CompilerBug(
        "\n".join(told) or str(error),
        stage=stage,
        reproducer=str(folder),
        replay=f"sh {folder / artifacts.SCRIPT}",
    )


def compile_c(
    text: str,
    compiler: toolchain.Compiler,
    machine: Machine,
    openmp: bool,
    work: Path,
    subject: events.Subject = events.NOBODY,
) -> dict[str, Any]:
    """Stage 5 from the C on: kernel.c, kernel.s and kernel.so in `work`."""
    source = work / "kernel.c"
    source.write_text(text, encoding="utf-8")
    try:
        with events.timed("stage", subject, "C compiler"):
            return toolchain.compile_c(compiler, machine, source, openmp, subject)
    except toolchain.RefusedC as error:
        words = f"compile --from {artifacts.C_SOURCE} --target {machine.name} --emit so"
        raise _refused(error, {artifacts.C_SOURCE: text}, words) from None


def compile_program(
    emitted: Emitted,
    kernels: Sequence[Mapping[str, Any]],
    machine: Machine,
    work: Path,
    subject: events.Subject = events.NOBODY,
) -> dict[str, Any]:
    """The same for a core group: a program of two C files and a main function."""
    from weft import emulated

    texts = {
        emulated.HOST: emitted.c,
        emulated.SLAVE: emitted.slave or emulated.NO_CORES,
        emulated.MAIN: emulated.main_source(kernels),
        emulated.LISTING: "",
    }
    for name, text in texts.items():
        (work / name).write_text(text, encoding="utf-8")
    commands = emulated.commands(machine, bool(emitted.slave))
    try:
        with events.timed("stage", subject, "C compiler"):
            toolchain.run_commands(commands, work, subject)
    except toolchain.RefusedC as error:
        words = f"compile --from {artifacts.LOWERED} --target {machine.name} --emit c -o -"
        raise _refused(error, texts, words) from None
    return {"compiler": "weft-swcc", "flags": list(machine.c_flags), "openmp": False}


def link_library(
    parts: toolchain.LibraryParts,
    compiler: toolchain.Compiler,
    machine: Machine,
    openmp: bool,
    work: Path,
    subject: events.Subject = events.NOBODY,
) -> dict[str, Any]:
    """The shared object of a library in `work`."""
    try:
        with events.timed("stage", subject, "C compiler"):
            return toolchain.link_library(compiler, machine, parts, work, openmp, subject)
    except toolchain.RefusedC as error:
        header = f"{parts.name}.h"
        files = {
            artifacts.C_SOURCE: parts.kernels,
            "calls.c": parts.calls,
            header: (work / header).read_text(encoding="utf-8"),
        }
        words = f"compile --from {artifacts.C_SOURCE} --target {machine.name} --emit so"
        raise _refused(error, files, words) from None


def _refused(
    error: toolchain.RefusedC, files: Mapping[str, str | bytes], words: str
) -> CompilerBug:
    folder = artifacts.keep_reproducer(
        {
            **files,
            MESSAGE: f"{shlex.join(error.command)}\n{error.output}",
            artifacts.SCRIPT: artifacts.replay_script(words),
        }
    )
    return CompilerBug(
        f"{error}\n{error.output[:2000].rstrip()}",
        stage="emission",
        reproducer=str(folder),
        replay=f"sh {folder / artifacts.SCRIPT}",
    )
