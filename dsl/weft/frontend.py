# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stages 1 to 3 as the driver uses them: text and sizes in, typed modules and IR text out.

Imports the stages only when called, so that a kernel from the cache needs none of them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from weft import artifacts
from weft.diagnostics import CompilerBug, RunError, WeftError, close_match
from weft.parts import Fixed

if TYPE_CHECKING:
    from weft.native._compiler import Emitted
    from weft.semantics import typed
    from weft.semantics.checker import Checked
    from weft.syntax import ast

Result = TypeVar("Result")

# The parser keeps state while it reads a text, and the recursion limit is the process's.
_ONE_AT_A_TIME = threading.RLock()


@dataclass(frozen=True)
class Outline:
    """What is known of a kernel before its sizes are. `missing` sizes come from the arguments."""

    name: str
    is_program: bool
    inputs: tuple[str, ...]
    missing: tuple[str, ...]
    cases: Mapping[str, Mapping[str, int]]
    groups: str = ""
    """The size that is the number of groups, of a kernel over groups."""

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "is_program": self.is_program,
            "inputs": list(self.inputs),
            "missing": list(self.missing),
            "cases": {name: dict(sizes) for name, sizes in self.cases.items()},
            "groups": self.groups,
        }

    @staticmethod
    def from_json(entry: Mapping[str, Any]) -> Outline:
        return Outline(
            entry["name"],
            entry["is_program"],
            tuple(entry["inputs"]),
            tuple(entry["missing"]),
            entry["cases"],
            entry["groups"],
        )


@dataclass(frozen=True)
class Job:
    """One kernel to instantiate; sizes not given are solved from the shapes of its arguments."""

    text: str
    path: str
    kernel: str | None
    sizes: Mapping[str, int]
    shapes: tuple[tuple[int, ...], ...] | None = None


def decode(data: bytes, path: str) -> str:
    """The text of a source file; SourceError where it is none."""
    from weft.syntax import source

    return source.decode(data, path)


def outline(text: str, path: str, kernel: str | None, sizes: Mapping[str, int]) -> Outline:
    """Stages 1 and 2 as far as they do not depend on sizes."""
    checked = _checked(text, path)
    names = _guarded("semantics", text, path, checked.names)
    name = _choose(names, kernel, path)
    signature = names[name]
    known = [str(size) for size in signature.sizes]
    for size in sizes:
        if size not in known:
            raise RunError(
                f"{name} has no size {size!r}",
                argument=size,
                expected=", ".join(known) or "no sizes",
                help=close_match(size, known),
            )
    return Outline(
        name,
        signature.is_program,
        tuple(signature.inputs),
        tuple(size for size in known if size not in sizes),
        signature.cases,
        signature.groups,
    )


def _choose(names: Mapping[str, Any], kernel: str | None, path: str) -> str:
    """The kernel named; without a name the only one, or the only program."""
    listed = ", ".join(names) or "no kernels"
    if kernel is not None:
        if kernel in names:
            return kernel
        raise RunError(
            f"{path} has no kernel {kernel!r}",
            argument="kernel",
            expected=listed,
            help=close_match(kernel, names),
        )
    programs = [name for name, signature in names.items() if signature.is_program]
    for candidates in (list(names), programs):
        if len(candidates) == 1:
            return candidates[0]
    raise RunError(
        f"{path}: which kernel?",
        argument="kernel",
        expected="the name of one of several kernels" if names else "a kernel or a program",
        found=listed,
        help=f"for example kernel={next(iter(names))!r}, or FILE:{next(iter(names))} in the shell"
        if names
        else "",
    )


def instantiate(
    jobs: Sequence[Job], dump: artifacts.Dump, target: str | None = None
) -> list[typed.Module]:
    """Stages 1 and 2: a typed module a job, their kernels' names unique over all of them.

    The schedules on `target` act; without one, none does.
    """
    modules = []
    for number, job in enumerate(jobs):
        module = _instance(job, dump, target)
        modules.append(_renamed(module, f"_{number + 1}") if len(jobs) > 1 else module)
    if dump.wanted:
        dump.stage(artifacts.TYPED, "\n".join(_shown(module) for module in modules))
    return modules


def _instance(job: Job, dump: artifacts.Dump, target: str | None) -> typed.Module:
    from weft.semantics import checker

    dump.stage(artifacts.SOURCE, job.text)
    if dump.wanted:
        dump.stage(artifacts.AST, _shown(_parsed(job.text, job.path)))
    checked = _checked(job.text, job.path)
    found = outline(job.text, job.path, job.kernel, job.sizes)
    sizes = dict(job.sizes)
    if job.shapes is not None:
        shapes = dict(zip(found.inputs, job.shapes, strict=True))
        solve = checker.solve_sizes
        solved = _guarded(
            "semantics", job.text, job.path, solve, checked, found.name, shapes, sizes
        )
        sizes.update(solved)
    elif found.missing:
        raise RunError(
            f"{found.name}: sizes are missing",
            expected=", ".join(found.missing),
            help="give them, or compile this kernel alone and call it",
        )
    return _guarded(
        "semantics", job.text, job.path, checker.instantiate, checked, found.name, sizes, target
    )


def _schedules_in(text: str, path: str) -> list[ast.Schedule]:
    from weft.syntax import ast

    return [d for d in _parsed(text, path).definitions if isinstance(d, ast.Schedule)]


def kernels_in(text: str, path: str) -> dict[str, ast.Kernel]:
    """The kernels and programs of a text that has no errors."""
    return dict(_checked(text, path).kernels)


def printed_kernels(text: str, path: str) -> str:
    """The kernels and programs of a text without comments, layout and schedules."""
    from weft.syntax import ast
    from weft.syntax.printer import print_definition

    definitions = _parsed(text, path).definitions
    return "\n".join(print_definition(d) for d in definitions if not isinstance(d, ast.Schedule))


def lines_of_schedules(text: str, path: str) -> dict[tuple[int, int], tuple[str, str]]:
    """First and last line of each schedule of a text: its kernel and target."""
    return {
        (s.span.line, max([s.span.line, *(d.span.line for d in s.directives)])): (
            s.kernel.name,
            s.target.name,
        )
        for s in _schedules_in(text, path)
    }


def directives_in(text: str, path: str) -> dict[tuple[str, str], list[str]]:
    """What the schedules of a text say, by kernel and target."""
    from weft.syntax.printer import print_directive

    return {
        (s.kernel.name, s.target.name): [print_directive(d) for d in s.directives]
        for s in _schedules_in(text, path)
    }


def schedules_in(text: str, path: str) -> set[tuple[str, str]]:
    """Kernel and target of each schedule of a text that has nothing else; it may have comments."""
    from weft.syntax import ast

    if all(not line.strip() or line.lstrip().startswith("#") for line in text.splitlines()):
        return set()
    for definition in _parsed(text, path).definitions:
        if not isinstance(definition, ast.Schedule):
            raise RunError(
                f"{path}:{definition.span.line}: a file of schedules has no kernels",
                argument="schedule",
                expected="schedule KERNEL on TARGET:",
                found=f"the definition of {definition.name.name}",
            )
    return set(lines_of_schedules(text, path).values())


def schedules(module: typed.Module) -> dict[str, list[str]]:
    """The directives that made the kernels of a module what they are, by kernel."""
    return _directives(module, acting=True)


def idle_schedules(module: typed.Module) -> dict[str, list[str]]:
    """Those of the kernels that the entry calls that act only where these are compiled alone."""
    return _directives(module, acting=False)


def _directives(module: typed.Module, *, acting: bool) -> dict[str, list[str]]:
    from weft.semantics.directives import ACTS_IN_CALLERS

    found: dict[str, list[str]] = {}
    for kernel in module.kernels:
        is_entry = kernel is module.entry
        kept = [
            directive
            for directive in kernel.directives
            if (is_entry or directive.split()[0] in ACTS_IN_CALLERS) is acting
        ]
        if kept:
            found[kernel.source_name] = kept
    return found


def lower(
    modules: Sequence[typed.Module], attribute: str, text: str, fixed: Fixed | None = None
) -> str:
    """Stage 3: textual IR of all modules together, for the machine in `attribute`."""
    from weft.lowering import build_ir

    named = [replace(module, path=Path(module.path).name) for module in modules]
    return _guarded("lowering", text, modules[0].path, build_ir.lower, named, attribute, fixed)


def notes(
    modules: Sequence[typed.Module], emitted: Emitted, fixed: Fixed | None = None
) -> dict[str, Any]:
    """What a compiled kernel must know of itself, as JSON."""
    by_name = {kernel.name: kernel for kernel in emitted.kernels}
    return {"kernels": [_kernel_notes(m, by_name[m.entry.name], fixed) for m in modules]}


# What the C of a part takes and no source names, by its element's name in the IR.
_NUMPY = {"f32": "float32", "f64": "float64", "i32": "int32", "i64": "int64", "i1": "bool"}


def _kernel_notes(module: typed.Module, emitted: Any, fixed: Fixed | None) -> dict[str, Any]:
    from weft.semantics import faults

    entry = module.entry
    fields = ("name", "memory", "bytes", "loaded", "stored", "read", "written")
    arrays = [{field: getattr(array, field) for field in fields} for array in emitted.arrays]
    parts = ("place", "times", "read", "written")
    passes = [{part: getattr(one, part) for part in parts} for one in emitted.passes]

    def parameter(name: str, value: typed.Value) -> dict[str, Any]:
        shape = list(entry.arranged(value))
        return {"name": name, "dtype": value.type.element.numpy, "shape": shape}

    inputs = [parameter(value.name, value) for value in entry.inputs]
    outputs = [parameter(name, value) for name, value in entry.outputs]
    if fixed is not None:
        known = {entry["name"]: entry for entry in inputs}
        known |= {entry["name"]: entry for entry in outputs}
        taken = [
            (
                one.is_output,
                known.get(one.name)
                or {"name": one.name, "dtype": _NUMPY[one.element], "shape": list(one.shape)},
            )
            for one in emitted.parameters
        ]
        inputs = [entry for is_output, entry in taken if not is_output]
        outputs = [entry for is_output, entry in taken if is_output]
    return {
        "name": entry.source_name,
        "c_name": emitted.c_name,
        "sizes": dict(entry.sizes),
        "groups": entry.groups,
        "inputs": inputs,
        "outputs": outputs,
        "scratch_bytes": emitted.scratch_bytes,
        "operations": dict(emitted.counts),
        "operations_by_type": {e: dict(kinds) for e, kinds in emitted.by_element.items()},
        "bytes": dict(emitted.bytes),
        "arrays": arrays,
        "memory_passes": passes,
        "passes_over_memory": _passes_over_memory(arrays),
        "schedule": schedules(module),
        "schedule_idle": idle_schedules(module),
        "faults": [list(fault) for fault in faults.listed(module)],
    }


def _passes_over_memory(arrays: Sequence[Mapping[str, Any]]) -> float:
    """How often the arguments' bytes pass from or to memory, each once being the least."""
    size = sum(array["bytes"] for array in arrays if array["memory"] == "argument")
    moved = sum(array["read"] + array["written"] for array in arrays)
    return moved / size if size else 0.0


@lru_cache(maxsize=8)
def _parsed(text: str, path: str) -> Any:
    from weft.syntax import parser

    return _guarded("syntax", text, path, parser.parse, text, path)


@lru_cache(maxsize=8)
def _checked(text: str, path: str) -> Checked:
    from weft.semantics import checker

    return _guarded("semantics", text, path, checker.check, _parsed(text, path))


def _guarded(
    stage: str, text: str, path: str, function: Callable[..., Result], *arguments: Any
) -> Result:
    """Whatever a stage raises without meaning to is a fault of Weft; the source is kept."""
    try:
        with _ONE_AT_A_TIME:
            return function(*arguments)
    except WeftError:
        raise
    except MemoryError as error:
        raise RunError(f"no memory left to compile {path}: {error}") from None
    except Exception as error:
        import traceback

        told = "".join(traceback.format_exception(error))
        folder = artifacts.keep_reproducer({artifacts.SOURCE: text, "traceback.txt": told})
        raise CompilerBug(
            f"{type(error).__name__}: {error} (while compiling {path})",
            stage=stage,
            reproducer=str(folder),
        ) from error


def _renamed(module: typed.Module, suffix: str) -> typed.Module:
    """The same module, each kernel's name and each call of it with `suffix`."""
    from weft.semantics import typed

    def statement(node: typed.Statement) -> typed.Statement:
        if isinstance(node, typed.Call):
            return replace(node, kernel=node.kernel + suffix)
        if isinstance(node, typed.For):
            return replace(node, body=tuple(statement(inner) for inner in node.body))
        return node

    kernels = tuple(
        replace(kernel, name=kernel.name + suffix, body=tuple(map(statement, kernel.body)))
        for kernel in module.kernels
    )
    return replace(module, kernels=kernels)


def _shown(tree: Any) -> str:
    """A tree for the eye: one node a line, indented; what several share stands once."""
    from dataclasses import fields, is_dataclass

    shown: dict[int, str] = {}

    def lines(label: str, node: Any, depth: int) -> list[str]:
        pad = "  " * depth + (f"{label}: " if label else "")
        if isinstance(node, (tuple, list)):
            if all(not is_dataclass(item) for item in node):
                return [f"{pad}{node!r}"]
            found = [pad + "["]
            for item in node:
                found += lines("", item, depth + 1)
            return [*found, "  " * depth + "]"]
        if not is_dataclass(node):
            return [f"{pad}{node!r}"]
        inner = [f for f in fields(node) if f.repr]
        small = [f for f in inner if not _is_tree(getattr(node, f.name))]
        head = ", ".join(f"{f.name}={getattr(node, f.name)}" for f in small)
        kind = type(node).__name__
        if len(small) < len(inner) and id(node) in shown:
            return [f"{pad}{kind} as {shown[id(node)]}"]
        number = ""
        if len(small) < len(inner):
            number = shown[id(node)] = f"#{len(shown) + 1}"
        found = [" ".join(filter(None, (f"{pad}{kind}", number, head)))]
        for f in inner:
            if f not in small:
                found += lines(f.name, getattr(node, f.name), depth + 1)
        return found

    def _is_tree(value: Any) -> bool:
        return is_dataclass(value) or (
            isinstance(value, (tuple, list)) and any(_is_tree(item) for item in value)
        )

    return "\n".join(lines("", tree, 0)) + "\n"
