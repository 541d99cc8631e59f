# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a schedule can choose for a kernel: knobs, each with its directives, the likely ones first.

A knob's first choice is the model's own. What is not given a name, or is decided in the source, has
no knob; `left` says so.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from weft import frontend
from weft.artifacts import Dump

if TYPE_CHECKING:
    from weft.machine import Machine
    from weft.native._compiler import TransformChoices
    from weft.semantics import typed
    from weft.syntax import ast

Point: TypeAlias = tuple[int, ...]
"""For each knob the number of its choice."""

ORDERS = 40  # of radices for one transform, by the model's ranking
UNROLLED = (1, 2, 4, 8)
# Directives of one word, by what they choose.
WORDED = {
    "complex": "how vectors hold complex numbers",
    "order": "what instructions are ordered by",
}
# A knob without a ranking comes in after as many choices of those that have one.
UNRANKED_AFTER = 3


@dataclass(frozen=True)
class Knob:
    """One thing to choose: a directive of a kernel's schedule, or none where it is empty."""

    kernel: str
    subject: str
    """For people: `the transform a, 64 points`."""
    about: str
    """What the directives begin with: `factor a`."""
    choices: tuple[str, ...]
    costs: tuple[float, ...] = ()
    """Of the choices by the model; empty where it does not rank them."""


@dataclass(frozen=True)
class Space:
    """All schedules of a kernel that can be tried on a target."""

    kernel: str
    target: str
    knobs: tuple[Knob, ...]
    kept: Mapping[str, tuple[str, ...]]
    """By kernel, directives of the source's own schedules that no knob is about."""
    left: tuple[str, ...] = ()
    """What is not tuned, and why."""

    @property
    def model(self) -> Point:
        """What the cost model chooses."""
        return (0,) * len(self.knobs)

    def ranked(self, most: int) -> Space:
        """Only the knobs that the model ranks, each with its likeliest choices."""
        knobs = (
            replace(knob, choices=knob.choices[:most], costs=knob.costs[:most])
            for knob in self.knobs
            if knob.costs
        )
        return replace(self, knobs=tuple(knobs))

    def directives(self, point: Point) -> dict[str, list[str]]:
        """By kernel, in the order in which a schedule has them."""
        said = defaultdict(list, {kernel: list(lines) for kernel, lines in self.kept.items()})
        for knob, choice in zip(self.knobs, point, strict=True):
            if knob.choices[choice]:
                said[knob.kernel].append(knob.choices[choice])
        return {kernel: lines for kernel, lines in said.items() if lines}

    def text(self, point: Point) -> str:
        """The schedules, as a person writes them; empty where there is nothing to say."""
        return "\n".join(
            f"schedule {kernel} on {self.target}:\n" + "".join(f"    {line}\n" for line in lines)
            for kernel, lines in self.directives(point).items()
        )

    def told(self, point: Point) -> str:
        """The same in one line."""
        said = self.directives(point)
        several = len(said) > 1
        return "; ".join(
            f"{kernel + ': ' if several else ''}{line}"
            for kernel, lines in said.items()
            for line in lines
        )

    def order(self, point: Point) -> tuple[float, ...]:
        """Sorts points by how likely the model thinks them."""
        ranks = [
            choice + (0 if knob.costs or choice == 0 else UNRANKED_AFTER)
            for knob, choice in zip(self.knobs, point, strict=True)
        ]
        return (sum(ranks), *ranks)


def of(job: frontend.Job, machine: Machine) -> Space:
    """The space of a kernel, its sizes all given. Schedules of its source do not act here."""
    modules = frontend.instantiate([job], Dump(None))
    (module,) = modules
    lowered = frontend.lower(modules, machine.attribute(), job.text)
    entry = module.entry.source_name
    sources = {kernel.name: kernel.source_name for kernel in module.kernels}
    definitions = frontend.kernels_in(job.text, job.path)
    named = {kernel: dict(_named(definitions[kernel].body)) for kernel in sources.values()}
    own = {
        kernel: lines
        for (kernel, target), lines in frontend.directives_in(job.text, job.path).items()
        if target == machine.name and kernel in named
    }
    left: list[str] = []
    knobs = [
        *_transforms(lowered, sources, named, left),
        *_as_the_source_says(
            [
                *_convolutions(module, named, left),
                _unrolled(entry),
                *_of_words(entry, machine.name, "complex<" in lowered),
                *_shared_lines(entry, lowered, machine),
            ],
            own,
        ),
    ]
    return Space(entry, machine.name, tuple(knobs), _kept(own, knobs), tuple(left))


def _named(body: Sequence[ast.Statement]) -> Iterator[tuple[str, ast.Call]]:
    """Calls that are given a name as a whole: only of these a schedule can speak."""
    from weft.syntax import ast

    for statement in body:
        if isinstance(statement, ast.For):
            yield from _named(statement.body)
        elif isinstance(statement, ast.CarryAssign) and isinstance(statement.value, ast.Call):
            yield statement.name.name, statement.value
        elif (
            isinstance(statement, ast.Assign)
            and isinstance(statement.value, ast.Call)
            and len(statement.targets) == 1
            and statement.targets[0].items is None
        ):
            yield statement.targets[0].name.name, statement.value


def _transforms(
    lowered: str,
    sources: Mapping[str, str],
    named: Mapping[str, Mapping[str, ast.Call]],
    left: list[str],
) -> Iterator[Knob]:
    from weft.native import _compiler

    found: dict[tuple[str, str], list[TransformChoices]] = defaultdict(list)
    instances: dict[tuple[str, str], set[str]] = defaultdict(set)
    for transform in _compiler.Module(lowered).transforms(ORDERS):
        key = sources[transform.function], transform.name
        found[key].append(transform)
        instances[key].add(transform.function)
    for (kernel, name), ops in found.items():
        subject = f"the transform {name or 'within an expression'} of {kernel}"
        call = named[kernel].get(name)
        if call is None or call.function.name not in ("dft", "idft"):
            left.append(f"{subject}: it has no name of its own, and a schedule speaks of names")
        elif len(ops) > len(instances[kernel, name]):
            left.append(f"{subject}: it has several axes, and a schedule speaks of one")
        elif any(op.is_given for op in ops):
            left.append(f"{subject}: radices= decides")
        elif len({op.length for op in ops}) > 1:
            left.append(f"{subject}: it is called at several lengths")
        elif len(ops[0].orders) < 2:
            left.append(f"{subject}: {ops[0].length} points have one order of radices")
        else:
            # Lines that are matrices, or convolutions, have none of the orders by themselves.
            none = any(op.chooses_none for op in ops)
            orders = tuple(f"factor {name} into {_listed(o.radices)}" for o in ops[0].orders)
            yield Knob(
                kernel,
                f"the transform {name}, {ops[0].length} points",
                f"factor {name}",
                ("", *orders) if none else orders,
                () if none else tuple(order.cost for order in ops[0].orders),
            )


def _listed(radices: Sequence[int]) -> str:
    return ", ".join(map(str, radices))


def _convolutions(
    module: typed.Module, named: Mapping[str, Mapping[str, ast.Call]], left: list[str]
) -> Iterator[Knob]:
    """Algorithms that the convolution may have by its arguments, max_error= among them."""
    ways: dict[tuple[str, str], set[tuple[str, ...]]] = defaultdict(set)
    for kernel in module.kernels:
        for node in _convolved(kernel.body):
            key = kernel.source_name, node.target.name
            if node.algorithm == "auto":
                ways[key].add(tuple(f"winograd({t.m})" for t in node.transforms))
            else:
                left.append(f"the convolution {key[1]} of {key[0]}: algorithm= decides")
    for (kernel_name, name), kinds in ways.items():
        call = named[kernel_name].get(name)
        if call is None or call.function.name != "conv" or len(kinds) > 1 or not any(kinds):
            left.append(f"the convolution {name} of {kernel_name}: there is one way to compute it")
            continue
        directives = [f"factor {name} as {way}" for way in ("direct", *next(iter(kinds)))]
        subject = f"the convolution {name}"
        yield Knob(kernel_name, subject, f"factor {name}", ("", *directives))


def _convolved(body: Sequence[Any]) -> Iterator[typed.Conv]:
    from weft.semantics import typed

    for statement in body:
        if isinstance(statement, typed.Conv):
            yield statement
        elif isinstance(statement, typed.For):
            yield from _convolved(statement.body)


def _unrolled(kernel: str) -> Knob:
    copies = tuple(f"unroll {count}" for count in UNROLLED)
    return Knob(kernel, "copies of innermost bodies", "unroll", ("", *copies))


def _of_words(kernel: str, target: str, has_complex: bool) -> Iterator[Knob]:
    """Directives of one word of a few, where the target serves them."""
    from weft.semantics.directives import FORMS, SERVED

    for name, subject in WORDED.items():
        if name in SERVED[target] and (name != "complex" or has_complex):
            choices = tuple(f"{name} {word}" for word in FORMS[name].operands.words)
            yield Knob(kernel, subject, name, ("", *choices))


def _shared_lines(entry: str, lowered: str, machine: Machine) -> Iterator[Knob]:
    """By how many cores of a row a line is shared, where it and its result fill a core's memory."""
    from weft.native import _compiler
    from weft.semantics.directives import SERVED

    if "split" not in SERVED[machine.name]:
        return
    point = 16 if "complex<f64>" in lowered else 8
    points = max((one.length for one in _compiler.Module(lowered).transforms(1)), default=0)
    if 2 * points * point > machine.values["ldm_bytes"]:
        cores = [2**n for n in range(1, machine.values["mesh_rows"].bit_length())]
        yield Knob(
            entry,
            "the cores that share a line",
            "split",
            ("", *(f"split {count}" for count in cores)),
        )


def _as_the_source_says(knobs: Sequence[Knob], own: Mapping[str, Sequence[str]]) -> Iterator[Knob]:
    """Where the source's own schedule has chosen, that comes first, and silence is no choice."""
    for knob in knobs:
        said = [line for line in own.get(knob.kernel, ()) if _about(line) == knob.about]
        others = tuple(choice for choice in knob.choices if choice and choice not in said)
        yield replace(knob, choices=(*said, *others)) if said else knob


def _kept(own: Mapping[str, Sequence[str]], knobs: Sequence[Knob]) -> dict[str, tuple[str, ...]]:
    tuned = {(knob.kernel, knob.about) for knob in knobs}
    return {
        kernel: tuple(line for line in lines if (kernel, _about(line)) not in tuned)
        for kernel, lines in own.items()
    }


def _about(directive: str) -> str:
    """`factor a` of `factor a into 8, 8`, `unroll` of `unroll 2`, `order` of `order latency`."""
    words = directive.split()
    return words[0] if words[0] in ("unroll", "split", *WORDED) else " ".join(words[:2])
