# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Going on from any stage of a dump folder: the same C and the same code come out.

    00-source.weft       every stage, with the kernel, sizes and target of 00-command.txt beside it
    10-weft.mlir         all passes, emission, the C compiler
    20-<nn>-<pass>.mlir  the passes after number nn, emission, the C compiler
    90-kernel.c          the C compiler
    91-kernel.s          assembler and linker

A stage may have been edited. Nothing of it comes from the cache or goes there.
"""

from __future__ import annotations

import re
import shlex
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from weft import artifacts, backend, events, pipeline, probe, toolchain
from weft import machine as machines
from weft.diagnostics import RunError, SourceError
from weft.machine import Machine

if TYPE_CHECKING:
    from weft.native._compiler import Message

OPTION = "--from"
TARGET_IN_IR = re.compile(r'weft\.target = \{[^}]*\bname = "([^"]+)"')
TARGET_IN_C = re.compile(r"/\* C for (\S+), made by Weft")
AFTER_PASS = re.compile(r"20-(\d+)-(.+)\.mlir")
SHOWN_ONLY = (artifacts.AST, artifacts.TYPED, artifacts.COMMAND, artifacts.NOTES)


@dataclass(frozen=True)
class Command:
    """What 00-command.txt says: the request that the dump came from."""

    file: str = ""
    kernel: str = ""
    target: str = ""
    sizes: dict[str, int] = field(default_factory=dict)
    text: str = ""


@dataclass(frozen=True)
class Replayed:
    """What came out, by kind: c, asm, so."""

    name: str
    target: str
    outputs: dict[str, str | bytes]


class WrongIr(SourceError):
    """A stage that is no IR, or breaks its rules: what MLIR says, at places in the file."""

    def __init__(self, stage: Path, messages: Sequence[Message]) -> None:
        # MLIR adds the op in full as a note; and what it read has no name.
        told = [m for m in messages if "see current operation" not in m.text]
        placed = [(m, str(stage) if m.file in ("", "-") else m.file) for m in told]
        self.lines = [
            f"{file}:{m.line}:{m.column}: {m.severity}: {m.text}"
            if m.line
            else f"{stage}: {m.severity}: {m.text}"
            for m, file in placed
        ]
        super().__init__([])
        if placed:
            first, self.path = placed[0]
            self.message, self.line, self.column = first.text, first.line, first.column

    def render(self) -> str:
        return "\n".join(self.lines)


def command_of(stage: Path) -> Command:
    """The command beside a stage; an empty one where there is none."""
    try:
        text = (stage.parent / artifacts.COMMAND).read_text(encoding="utf-8").strip()
        words = shlex.split(text)
    except (OSError, ValueError):
        return Command()
    found: dict[str, str] = {}
    sizes = {}
    for word, following in zip(words, [*words[1:], ""], strict=True):
        if word.startswith("--target="):
            found["target"] = word.partition("=")[2]
        elif word == "--size":
            name, _, value = following.partition("=")
            sizes[name] = int(value)
        elif ":" in word:
            found["file"], _, found["kernel"] = word.rpartition(":")
    return Command(**found, sizes=sizes, text=text)


def is_source(stage: Path) -> bool:
    return stage.suffix == ".weft"


def resume(stage: Path, target: str | None, dump: artifacts.Dump) -> Replayed:
    """From IR, C or assembly to the shared object."""
    if stage.name in SHOWN_ONLY:
        raise RunError(
            f"{stage} only shows a stage", argument=OPTION, expected=f"{artifacts.SOURCE} beside it"
        )
    if stage.suffix not in (".mlir", ".c", ".s"):
        raise RunError(
            f"{stage} is no stage of a dump",
            argument=OPTION,
            expected=".weft, .mlir, .c or .s",
            found=stage.suffix or "no suffix",
        )
    text = text_of(stage)
    machine = machines.load(_target(stage, text, target))
    command = command_of(stage)
    subject = events.Subject(
        command.kernel or stage.stem, machine.name, tuple(command.sizes.items())
    )
    if stage.suffix == ".mlir":
        dump.passes = done = _passes_done(stage, machine)
        module = backend.run_passes(text, machine, dump, subject, done)
        banner = command.text or f"weft compile {OPTION} {stage.name}"
        emitted = backend.emit(module, text, machine, banner, subject)
        text = emitted.c
        dump.stage(artifacts.C_SOURCE, text)
        if machine.is_core_group:
            dump.stage(artifacts.SLAVE_SOURCE, emitted.slave)
            outputs: dict[str, str | bytes] = {"c": text, "slave.c": emitted.slave}
            return Replayed(subject.kernel, machine.name, outputs)
    elif machine.is_core_group:
        raise RunError(
            f"{stage.name} is one of two files of a program for {machine.name}",
            argument=OPTION,
            expected="a stage before emission",
            help="weft-swcc compiles C for the core group",
        )
    outputs = _compiled(text, machine, subject, assembly=stage.suffix == ".s")
    if "asm" in outputs:
        dump.stage(artifacts.ASSEMBLY, str(outputs["asm"]))
    return Replayed(subject.kernel, machine.name, outputs)


def text_of(stage: Path) -> str:
    """Of IR only such as MLIR reads."""
    try:
        text = stage.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RunError(f"cannot read {stage}: {error}", argument=OPTION) from None
    if stage.suffix == ".mlir":
        from weft.native import _compiler

        try:
            _compiler.Module(text)
        except _compiler.IrError as error:
            raise WrongIr(stage, error.messages) from None
    return text


def _target(stage: Path, text: str, asked: str | None) -> str:
    """The target that the stage was made for; another one cannot be asked for any more."""
    found = (TARGET_IN_IR if stage.suffix == ".mlir" else TARGET_IN_C).search(text)
    made_for = found[1] if found else command_of(stage).target
    if made_for and asked and made_for != asked:
        raise RunError(
            f"{stage} was made for the target {made_for!r}",
            argument=OPTION,
            found=f"--target {asked}",
            help=f"compile the source for {asked!r}; the stages differ from the first pass on",
        )
    if not made_for and not asked:
        raise RunError(f"{stage} names no target", argument=OPTION, help="give --target")
    return made_for or str(asked)


def _passes_done(stage: Path, machine: Machine) -> int:
    """By the name of the file: how much of the pipeline lies behind it."""
    named = AFTER_PASS.fullmatch(stage.name)
    if named is None:
        return 0
    flags = [step.flag for step in pipeline.steps(machine.name, machine.without)]
    number = int(named[1])
    if not 1 <= number <= len(flags) or flags[number - 1] != named[2]:
        found = flags[number - 1] if 1 <= number <= len(flags) else "none"
        raise RunError(
            f"{stage.name} is no stage of this Weft's pipeline for {machine.name}",
            argument=OPTION,
            expected=f"pass {number} to be {found}",
            help="weft opt runs any list of passes",
        )
    return number


def _compiled(
    text: str, machine: Machine, subject: events.Subject, assembly: bool
) -> dict[str, str | bytes]:
    compiler = toolchain.find_compiler()
    openmp = probe.has_openmp(compiler)
    work = Path(tempfile.mkdtemp(prefix="weft-replay-"))
    try:
        if assembly:
            (work / "kernel.s").write_text(text, encoding="utf-8")
            _assemble(compiler, machine, work, openmp, subject)
            return {"asm": text, "so": (work / "kernel.so").read_bytes()}
        backend.compile_c(text, compiler, machine, openmp, work, subject)
        code = (work / "kernel.s").read_text(encoding="utf-8")
        return {"c": text, "asm": code, "so": (work / "kernel.so").read_bytes()}
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _assemble(
    compiler: toolchain.Compiler,
    machine: Machine,
    work: Path,
    openmp: bool,
    subject: events.Subject,
) -> None:
    try:
        toolchain.compile_c(compiler, machine, work / "kernel.s", openmp, subject)
    except toolchain.RefusedC as error:
        # Weft did not write it in this form: somebody has edited it.
        raise RunError(
            f"{compiler.version} refused the assembly", found=error.output.strip()[:2000]
        ) from None
