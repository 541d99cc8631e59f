# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `weft compile` shows of a compilation: IR after passes, and where the time went."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field

from weft import artifacts, events


@dataclass
class Watch(artifacts.Dump):
    """A dump that also prints IR on standard error, in mlir-opt's form."""

    after_all: bool = False
    after_change: bool = False
    after: Sequence[str] = ()
    _last: str = field(default="", repr=False)

    @property
    def prints(self) -> bool:
        return self.after_all or self.after_change or bool(self.after)

    @property
    def wanted(self) -> bool:
        return self.folder is not None or self.prints

    def stage(self, name: str, text: str) -> None:
        if name == artifacts.LOWERED and self.after_change:
            self.start_from(text)
        super().stage(name, text)

    def start_from(self, ir: str) -> None:
        """What the first pass changes is seen against this, in MLIR's own spelling."""
        from weft.native import _compiler

        self._last = _compiler.Module(ir).text()

    def after_pass(self, flag: str, text: str) -> None:
        changed, self._last = text != self._last, text
        if self.after_all or flag in self.after or (self.after_change and changed):
            print(f"// -----// IR Dump After {flag} //----- //\n{text}", file=sys.stderr)
        super().after_pass(flag, text)


@dataclass
class Timing:
    """Listens to events and makes a table of them."""

    seen: list[events.Event] = field(default_factory=list)

    def begin(self, name: str, subject: events.Subject, detail: str) -> None:
        del name, subject, detail

    def event(self, event: events.Event) -> None:
        if event.seconds is not None and event.name in ("stage", "pass", "cc"):
            self.seen.append(event)

    def table(self) -> str:
        """Stages in order; passes and the C compiler's runs below the stage they belong to."""
        total = sum(event.seconds or 0 for event in self.seen if event.name == "stage")
        lines = [f"{'stage':<28}{'ms':>10}{'%':>7}"]
        inner: list[str] = []
        for event in self.seen:
            seconds = event.seconds or 0.0
            share = 100 * seconds / total if total else 0.0
            figures = f"{seconds * 1e3:>10.2f}{share:>7.1f}"
            if event.name == "stage":
                lines += [f"{event.detail:<28}{figures}", *inner]
                inner = []
            else:
                inner.append(f"{'  ' + _inner_name(event):<28}{figures}")
        return "\n".join([*lines, f"{'total':<28}{total * 1e3:>10.2f}{100:>7.1f}"])


def _inner_name(event: events.Event) -> str:
    if event.name == "pass":
        return event.detail
    return "C to assembly" if " -S " in event.detail else "assembly to shared object"
