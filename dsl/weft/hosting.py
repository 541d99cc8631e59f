# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An example's host.py: where the inputs come from and whether the outputs hold.

    inputs(case) -> dict of arrays by the program's input names
    check(case, outputs) -> Verdict or bool
    report(case, outputs, seconds) -> str or lines to print          (optional)

`case` is a `Case`: the name, with the sizes that the program gives it. Printing and checking belong
to the host; the language has neither.

Cases may be the host's own, each of several runs, such as the layers of a network:

    CASES = names of the cases
    runs(name, kernel) -> a Case a run, with its kernel and sizes; `kernel` is the one asked for, or
                          None
    summary(runs, seconds) -> str or lines to print after all runs   (optional)

Then inputs, check and report are called for each run.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from weft import module_files
from weft.diagnostics import RunError

if TYPE_CHECKING:
    import numpy as np


class Case(str):
    """The name of a case, as a string, with its sizes."""

    sizes: dict[str, int]
    """Every size of the program by its name."""
    kernel: str
    """The kernel of a host's own case; else empty."""

    def __new__(cls, name: str, sizes: Mapping[str, int], kernel: str = "") -> Case:
        case = super().__new__(cls, name)
        case.sizes = dict(sizes)
        case.kernel = kernel
        return case


@dataclass(frozen=True)
class Verdict:
    """What a host says of the outputs."""

    holds: bool | None
    """Whether they are right; None where nothing is known to compare with."""
    lines: list[str] = field(default_factory=list)
    """What is printed: why."""


def compare(outputs: Mapping[str, Any], expected: Mapping[str, Any]) -> Verdict:
    """Against the reference: integers exactly, others within a bound on the largest element."""
    import numpy as np

    holds, lines = True, []
    for name, reference in expected.items():
        found, wanted = np.asarray(outputs[name]), np.asarray(reference)
        if found.dtype.kind in "ib":
            wrong = int(np.count_nonzero(found != wanted))
            holds &= wrong == 0
            lines.append(f"{name}: {wrong} of {found.size} elements differ from the reference")
            continue
        same_nan = bool(np.array_equal(np.isnan(found), np.isnan(wanted)))
        finite = np.isfinite(wanted) & np.isfinite(found)
        same_infinite = bool(np.array_equal(found[~finite], wanted[~finite], equal_nan=True))
        scale = float(np.abs(wanted[finite]).max(initial=0.0)) or 1.0
        error = float(np.abs(found[finite] - wanted[finite]).max(initial=0.0)) / scale
        # Rounding grows with the logarithm of a transform's length; 64 leaves room for chains.
        bound = 64 * float(np.finfo(found.dtype).eps) * float(np.log2(found.size + 2))
        holds &= same_nan and same_infinite and error <= bound
        lines.append(f"{name}: largest error {error:.2e} of the largest element, bound {bound:.2e}")
        if not (same_nan and same_infinite):
            lines.append(f"{name}: NaN or infinite elements differ from the reference")
    return Verdict(holds, lines)


class Host:
    """A loaded host.py. What goes wrong in it is shown with its own lines, not Weft's."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._module = self._guarded("loading", module_files.load, path)
        for name in ("inputs", "check"):
            if not callable(getattr(self._module, name, None)):
                raise RunError(
                    f"{path}: no function {name!r}",
                    expected="inputs(case) and check(case, outputs)",
                )

    @property
    def cases(self) -> tuple[str, ...]:
        """Cases of its own, whose `runs` it knows."""
        own = callable(getattr(self._module, "runs", None))
        return tuple(getattr(self._module, "CASES", ())) if own else ()

    def runs(self, name: str, kernel: str | None) -> list[Case]:
        found = list(self._guarded("runs", self._module.runs, name, kernel))
        if not found or not all(isinstance(run, Case) and run.kernel for run in found):
            raise RunError(
                f"{self.path}: runs({name!r}) gave no runs",
                expected="at least one Case(name, sizes, kernel)",
                found=repr(found)[:80],
            )
        return found

    def summary(self, runs: Sequence[Case], seconds: Sequence[float]) -> list[str]:
        function = getattr(self._module, "summary", None)
        return [] if function is None else self._lines("summary", function, runs, seconds)

    def inputs(self, case: Case) -> dict[str, np.ndarray]:
        found = self._guarded("inputs", self._module.inputs, case)
        if not isinstance(found, Mapping):
            raise RunError(
                f"{self.path}: inputs({str(case)!r}) gave no arrays by name",
                expected="a dict",
                found=type(found).__name__,
            )
        return dict(found)

    def check(self, case: Case, outputs: Mapping[str, Any]) -> Verdict:
        found = self._guarded("check", self._module.check, case, outputs)
        if isinstance(found, Verdict):
            return found
        # A host that forgets its `return` must not pass.
        if found is None:
            raise RunError(f"{self.path}: check({str(case)!r}) gave no verdict", found="None")
        return Verdict(bool(found))

    def report(self, case: Case, outputs: Mapping[str, Any], seconds: float) -> list[str]:
        function = getattr(self._module, "report", None)
        if function is None:
            return []
        return self._lines("report", function, case, outputs, seconds)

    def _lines(self, what: str, function: Callable[..., Any], *arguments: Any) -> list[str]:
        found = self._guarded(what, function, *arguments)
        return found.splitlines() if isinstance(found, str) else [str(line) for line in found or ()]

    def _guarded(self, what: str, function: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return function(*arguments)
        except RunError:
            raise
        except Exception as error:
            frames = traceback.extract_tb(error.__traceback__)
            own = [frame for frame in frames if frame.filename == str(self.path)]
            place = f"{self.path}:{own[-1].lineno}" if own else str(self.path)
            raise RunError(
                f"{place}: {what} failed: {type(error).__name__}: {error}",
                found=(own[-1].line or "") if own else "",
            ) from error


def example_files(folder: Path) -> tuple[Path, Path | None]:
    """The one .weft file of an example folder, and its host.py where there is one."""
    sources = sorted(folder.glob("*.weft"))
    if len(sources) != 1:
        raise RunError(
            f"{folder}: not an example",
            expected="exactly one .weft file",
            found=_listed(path.name for path in sources),
            help="name the file",
            argument="path",
        )
    host = folder / "host.py"
    return sources[0], host if host.is_file() else None


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"
