# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--verify-each-numerically: the IR is run after each pass and held against the reference.

The interpreter (dsl/dialect/Interpreter.h) runs it on random inputs; the reference evaluation of
the typed program says what must come out. Where inputs are indices, it is run with some out of
range too: the same fault must come out. The first pass after which it does not is named, with the
IR before and after it and a script that shows the difference again.
"""

from __future__ import annotations

import io
import shlex
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import TYPE_CHECKING, Any

from weft import artifacts, events
from weft.diagnostics import CompilerBug, RunError

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np

    from weft.semantics import typed

# What an interpreter can do in two minutes a pass; what takes more is refused, never passed over.
MAX_ELEMENTS = 1 << 20
MAX_STEPS = 1_000_000_000
# Rounding errors grow with the length of sums and transforms: about as their logarithm, which this
# is multiplied by.
ROOM = 64

SCRIPT = """\
#!/bin/sh
# Runs the pass again, then the IR before and after it on the same inputs. WEFT names another weft.
cd "$(dirname "$0")" || exit
{run}for ir in before.mlir {after}; do
  echo "$ir:"
  "${{WEFT:-weft}}" interp "$ir" --entry {entry}{inputs}
done
"""


@dataclass
class Verifier(artifacts.Dump):
    """A dump that runs the IR of every stage that it is shown; `inner` is the dump for the user."""

    inner: artifacts.Dump = field(default_factory=lambda: artifacts.Dump(None))
    folder: Path | None = None
    seed: int = 0
    _subjects: list[_Subject] = field(default_factory=list)
    _before: str = ""

    @property
    def wanted(self) -> bool:
        return True

    def typed(self, modules: Sequence[typed.Module]) -> None:
        self.inner.typed(modules)
        self._subjects = [subject for module in modules for subject in _subjects(module, self.seed)]

    def stage(self, name: str, text: str) -> None:
        self.inner.stage(name, text)
        if name == artifacts.LOWERED:
            self._before = ""
            self._verify("lowering", "", text)

    def after_pass(self, flag: str, text: str) -> None:
        self.inner.after_pass(flag, text)
        self._verify(f"the pass {flag}", flag, text)

    def _verify(self, stage: str, flag: str, text: str) -> None:
        start = time.perf_counter()
        if text == self._before:
            told = "nothing changed"
        else:
            told = f"largest error {self._compare_all(stage, flag, text):.1e} of the bound"
            faults = sum(subject.fault is not None for subject in self._subjects)
            if faults:
                told += f", {faults} wrong indices refused"
            self._before = text
        spent = time.perf_counter() - start
        events.tell("verify", events.NOBODY, f"after {stage}: {told}", spent, level=2)

    def _compare_all(self, stage: str, flag: str, text: str) -> float:
        return max(self._compare(subject, stage, flag, text) for subject in self._subjects)

    def _compare(self, subject: _Subject, stage: str, flag: str, text: str) -> float:
        """The largest error of a stage that is right, in bounds; raises for one that is not."""
        worst = 0.0
        # Loops that say they are independent give the same results backwards.
        for backwards in (False, True) if "weft.independent" in text else (False,):
            found = _run(subject, stage, text, backwards)
            if isinstance(found, str):
                raise self._fault(subject, stage, flag, text, found)
            for name, array in found.items():
                difference = subject.judge(name, array)
                worst = max(worst, difference.error)
                if not difference.holds:
                    how = " when independent loops run backwards" if backwards else ""
                    raise self._fault(subject, stage, flag, text, f"{difference.shown}{how}")
        return worst

    def _fault(self, subject: _Subject, stage: str, flag: str, text: str, what: str) -> CompilerBug:
        entry = shlex.quote(subject.module.entry.name)
        names = [f"input-{value.name}.npy" for value in subject.module.entry.inputs]
        run = f"--pass-pipeline='builtin.module({flag})' before.mlir -o again.mlir"
        files: dict[str, str | bytes] = {
            "after.mlir": text,
            "message.txt": what + "\n",
            "replay.sh": SCRIPT.format(
                run=f'"${{WEFT:-weft}}" opt {run} || exit\n' if flag else "",
                after="again.mlir" if flag else "",
                entry=entry,
                inputs="".join(f" --input {shlex.quote(name)}" for name in names),
            ),
        }
        files["before.mlir"] = self._before or text
        for name, array in zip(names, subject.inputs.values(), strict=True):
            files[name] = _npy(array)
        for name, array in subject.expected.items():
            files[f"expected-{name}.npy"] = _npy(array)
        folder = artifacts.keep_reproducer(files)
        changed = "changed the result" if flag else "does not mean what the program means"
        return CompilerBug(
            f"{stage} {changed}: {what}",
            stage="numerical verification",
            reproducer=f"{folder} (before.mlir, after.mlir)",
            replay=f"sh {folder / 'replay.sh'}",
        )


@dataclass
class _Subject:
    """One kernel: inputs, what must come out, and how far off each output may be.

    Or the fault that must come out, by its code; then there is nothing else to expect.
    """

    module: typed.Module
    inputs: dict[str, np.ndarray]
    expected: dict[str, np.ndarray] = field(default_factory=dict)
    bounds: dict[str, float] = field(default_factory=dict)
    fault: int | None = None

    def judge(self, name: str, found: np.ndarray) -> _Difference:
        import numpy as np

        wanted = self.expected[name]
        if wanted.dtype.kind in "ib":
            errors = (found != wanted).astype(float)
            bound = 0.5
        else:
            bound = self.bounds[name]
            with np.errstate(all="ignore"):
                same = (found == wanted) | (np.isnan(found) & np.isnan(wanted))
                errors = np.where(same, 0.0, np.abs(found - wanted))
            # NaN or infinity where there should be none.
            errors = np.where(np.isfinite(errors), errors, np.inf)
        error = float(errors.max())
        wrong = errors > bound
        first, worst = (
            [int(n) for n in np.unravel_index(int(np.argmax(of)), wanted.shape)]
            for of in (wrong, errors)
        )
        span = dict(self.module.entry.outputs)[name].span
        at = tuple(first)
        return _Difference(
            holds=error <= bound,
            error=error / bound if bound else float(error > 0),
            shown=f"{span}: {name}{first or ''} is {found[at]}, expected {wanted[at]}"
            f" ({int(np.count_nonzero(wrong))} of {wanted.size} elements wrong,"
            f" largest error {error:.2e} at {worst or name}, bound {bound:.2e})",
        )


@dataclass(frozen=True)
class _Difference:
    holds: bool
    error: float
    shown: str


def _run(subject: _Subject, stage: str, text: str, backwards: bool) -> dict[str, np.ndarray] | str:
    """The outputs by name, none where the fault is found that is expected; or what is wrong."""
    from weft.native import _compiler

    entry = subject.module.entry
    try:
        module = _compiler.Module(text)
        found = module.interpret(
            entry.name,
            list(subject.inputs.values()),
            max_steps=MAX_STEPS,
            reverse_independent=backwards,
        )
    except _compiler.CheckFailed as failed:
        if failed.code == subject.fault:
            return {}
        return f"{failed}, where the reference {_told(subject)}"
    except _compiler.IrError as error:
        first = error.messages[0]
        if "stopped here after" in first.text:
            raise _too_big(f"more than {MAX_STEPS} operations after {stage}") from None
        place = f"{first.file}:{first.line}:{first.column}: " if first.line else ""
        return place + "\n".join(
            m.text for m in error.messages if "see current operation" not in m.text
        )
    if subject.fault is not None:
        return f"the kernel returned without a fault, where the reference {_told(subject)}"
    return {
        name: _as_wanted(array, subject.expected[name])
        for (name, _), array in zip(entry.outputs, found, strict=True)
    }


def _told(subject: _Subject) -> str:
    """What the reference finds."""
    from weft.semantics import faults

    for fault in faults.listed(subject.module):
        if fault.code == subject.fault:
            return f"returns {fault.code}: {fault.message}, {fault.expected} expected"
    return "finds no fault"


def _as_wanted(found: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Complex again, where the IR has pairs of reals."""
    if found.dtype == wanted.dtype and found.shape == wanted.shape:
        return found
    assert found.shape == (*wanted.shape, 2), (found.shape, wanted.shape)
    joined: np.ndarray = found.view(wanted.dtype)[..., 0]
    return joined


def _subjects(module: typed.Module, seed: int) -> Iterator[_Subject]:
    """One that runs to the end, and those with an index below or above its range."""
    import numpy as np

    _require_small(module)
    # Indices may be computed from integers, which are made smaller until all are in range.
    for integers in (10, 2, 1):
        inputs = random_inputs(module, np.random.default_rng(seed), integers)
        whole = _subject(module, inputs, seed)
        if whole.fault is None:
            break
    yield whole
    for name, below in _index_limits(module).items():
        for wrong, place in ((-1, 0), (below, -1)):
            indices = inputs[name].copy()
            if wrong > np.iinfo(indices.dtype).max:
                continue
            indices.flat[place] = wrong
            yield _subject(module, {**inputs, name: indices}, seed)


def _evaluated(module: typed.Module, inputs: dict[str, np.ndarray]) -> dict[str, np.ndarray] | int:
    """The outputs that the reference finds, or the code of a fault."""
    from weft.semantics import faults, reference

    try:
        return reference.evaluate(module, inputs)
    except RunError as error:
        for fault in faults.listed(module):
            if fault.message == error.message:
                return fault.code
        raise


def _subject(module: typed.Module, inputs: dict[str, np.ndarray], seed: int) -> _Subject:
    import numpy as np

    from weft.semantics import reference

    expected = _evaluated(module, inputs)
    if isinstance(expected, int):
        return _Subject(module, inputs, fault=expected)
    noise = np.random.default_rng(seed + 1)
    blurred = reference.evaluate(
        module,
        {name: _blurred(array, noise) for name, array in inputs.items()},
        blur=lambda array: _blurred(array, noise),
    )
    extra, elements = _winograd_error(module), _elements(module)
    bounds = {
        name: _bound(array, blurred[name], extra, elements) for name, array in expected.items()
    }
    return _Subject(module, inputs, expected, bounds)


def _elements(module: typed.Module) -> int:
    """Of inputs and outputs."""
    entry = module.entry
    values = [*entry.inputs, *(value for _, value in entry.outputs)]
    return sum(prod(entry.arranged(value)) for value in values)


def _require_small(module: typed.Module) -> None:
    elements = _elements(module)
    if elements > MAX_ELEMENTS:
        raise _too_big(f"{elements} elements of inputs and outputs")


def _too_big(what: str) -> RunError:
    return RunError(
        "too much to verify each pass numerically",
        expected=f"at most {MAX_ELEMENTS} elements of inputs and outputs, and {MAX_STEPS}"
        " operations after each pass",
        found=what,
        help="give smaller sizes: passes that are wrong are mostly wrong there too",
    )


def _blurred(array: np.ndarray, noise: np.random.Generator) -> np.ndarray:
    """Each number off by about one rounding."""
    import numpy as np

    if array.dtype.kind not in "fc":
        return array
    eps = np.finfo(array.dtype).eps
    factors = 1 + eps * noise.choice((-1.0, 1.0), array.shape)
    result: np.ndarray = (array * factors).astype(array.dtype)
    return result


def _bound(wanted: np.ndarray, blurred: np.ndarray, extra: float, elements: int) -> float:
    """How far an output may be off: by what single roundings on the way change, and some room."""
    import numpy as np

    if wanted.dtype.kind not in "fc":
        return 0.0
    with np.errstate(all="ignore"):
        moved = np.abs(blurred - wanted)
    scale = float(np.abs(wanted[np.isfinite(wanted)]).max(initial=0.0))
    change = float(moved[np.isfinite(moved)].max(initial=0.0))
    eps = float(np.finfo(wanted.dtype).eps)
    room = ROOM * float(np.log2(elements + 2))
    return room * (change + eps * scale) + extra * scale


def _winograd_error(module: typed.Module) -> float:
    """What algorithms that the compiler may choose add, relative to the largest result."""
    from weft.semantics import typed
    from weft.semantics.convolution import estimated_error

    return ROOM * sum(
        max(
            (
                estimated_error(
                    node.target.type.element,
                    t.m,
                    t.r,
                    node.g.type.shape[2:].count(t.r),
                    node.g.type.shape[1],
                )
                for t in node.transforms
            ),
            default=0.0,
        )
        for kernel in module.kernels
        for node in kernel.body
        if isinstance(node, typed.Conv)
    )


def random_inputs(
    module: typed.Module, random: np.random.Generator, integers: int = 10
) -> dict[str, np.ndarray]:
    """Reals in -1 to 1, integers from 0 and below `integers`, or what a check of indices allows."""
    import numpy as np

    limits = _index_limits(module)
    inputs = {}
    for value in module.entry.inputs:
        dtype, shape = np.dtype(value.type.element.numpy), module.entry.arranged(value)
        found: Any
        if dtype.kind == "b":
            found = random.integers(0, 2, shape)
        elif dtype.kind == "i":
            found = random.integers(0, limits.get(value.name, integers), shape)
        elif dtype.kind == "c":
            found = random.uniform(-1, 1, shape) + 1j * random.uniform(-1, 1, shape)
        else:
            found = random.uniform(-1, 1, shape)
        inputs[value.name] = np.asarray(found).astype(dtype)
    return inputs


def _index_limits(module: typed.Module) -> dict[str, int]:
    """For inputs that are indices: below which number they must be."""
    from weft.semantics import typed

    limits: dict[str, int] = {}

    def walk(body: Sequence[typed.Statement], origin: dict[int, str]) -> None:
        for node in body:
            if isinstance(node, (typed.Reshape, typed.Transpose, typed.CheckedIndices)):
                if node.source.id in origin:
                    origin[node.target.id] = origin[node.source.id]
                if isinstance(node, typed.CheckedIndices) and node.source.id in origin:
                    name = origin[node.source.id]
                    limits[name] = min(node.below, limits.get(name, node.below))
            elif isinstance(node, typed.Call):
                kernel = module.kernel(node.kernel)
                pairs = zip(kernel.inputs, node.arguments, strict=True)
                walk(kernel.body, {p.id: origin[a.id] for p, a in pairs if a.id in origin})
            elif isinstance(node, typed.For):
                walk(node.body, origin)

    entry = module.entry
    walk(entry.body, {value.id: value.name for value in entry.inputs})
    return limits


def _npy(array: np.ndarray) -> bytes:
    import numpy as np

    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    return buffer.getvalue()
