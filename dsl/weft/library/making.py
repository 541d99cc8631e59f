# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A library from the C of its kernels: all of its files, in one folder of the cache."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from weft import backend, events, toolchain
from weft.library import calls, finding, header, names
from weft.machine import Machine
from weft.toolchain import Compiler


@dataclass(frozen=True)
class Library:
    """What is asked for: the library's name, and the command that makes it, for its header."""

    name: str
    command: str

    def files(self) -> list[str]:
        return list(finding.places(self.name))

    def make(
        self,
        c: str,
        known: Mapping[str, Any],
        compiler: Compiler,
        machine: Machine,
        openmp: bool,
        work: Path,
        subject: events.Subject,
    ) -> dict[str, Any]:
        """Its files in `work`; what was done, for the report."""
        functions = names.functions(self.name, known["kernels"])
        texts = {
            f"{self.name}.h": header.text(self.name, machine, self.command, functions),
            f"{self.name}Config.cmake": finding.cmake(self.name),
            f"{self.name}.pc": finding.pkg_config(self.name, machine.name),
        }
        for name, text in texts.items():
            (work / name).write_text(text, encoding="utf-8")
        done = backend.link_library(
            toolchain.LibraryParts(
                self.name, calls.labels(functions) + c, calls.text(self.name, machine, functions)
            ),
            compiler,
            machine,
            openmp,
            work,
            subject,
        )
        return {**done, "library": self.name, "symbols": [f.symbol for f in functions]}
