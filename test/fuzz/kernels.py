# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random well-typed kernels: a signature, a chain of statements, outputs with their tolerances."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from fuzz import operations
from fuzz.scopes import Extent, Points, Shape, Value, Whole, reduced
from fuzz.terms import (
    COMPLEX,
    EPSILON,
    INTEGERS,
    REALS,
    TYPES,
    Expressions,
    Retry,
    Term,
)


@dataclass
class Program:
    """A source and how to judge it."""

    seed: int
    text: str
    kernel: str
    sizes: dict[str, int]
    inputs: dict[str, bool]
    """Whether an input holds small integers."""
    errors: dict[str, float]
    """How far each output may be from the reference."""


@dataclass
class Maker:
    """One kernel in the making."""

    pick: random.Random
    name: str = "k"
    helpers: list[Helper] = field(default_factory=list)
    values: list[Value] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    sizes: dict[str, int] = field(default_factory=dict)
    inputs: dict[str, bool] = field(default_factory=dict)
    made: int = 0

    # ------------------------------------------------------------------------------ signature

    def extent(self) -> Extent:
        chance = self.pick.random()
        if chance < 0.08:
            return Extent("1", 1)
        if chance < 0.25:
            value = self.pick.choice([2, 3, 4, 6, 8, 16])
            return Extent(str(value), value)
        name = self.pick.choice(list(self.sizes))
        return Extent(name, self.sizes[name])

    def signature(self) -> str:
        pick = self.pick
        # Blocks and panels of products begin beyond the usual extents.
        most = 2 if (large := pick.random() < 0.07) else 3
        for name in pick.choice(["N", "NM", "NM", "NMK"]):
            usual = [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 16, 17]
            usual = [3, 17, 50, 64, 67, 96, 100, 129] if large else usual
            self.sizes[name] = pick.choice([*usual, *usual, 20, 24, 31, 33, 40])
        kinds = list(TYPES)
        parameters = []
        shapes: list[Shape] = []
        for number in range(pick.choice([2, 3, 3, 4])):
            shape = tuple(
                self.extent() for _ in range(min(most, pick.choice([0, 1, 1, 2, 2, 2, 3])))
            )
            if shapes and pick.random() < 0.5:
                shape = pick.choice(shapes)
            shapes.append(shape)
            kind = pick.choice([k for k in kinds for _ in range(1 if k == "bool" else 3)])
            name = f"x{number}"
            whole = kind in (*INTEGERS, "bool") or pick.random() < 0.3
            bound = 1.0 if kind == "bool" else 4.0 if whole else 2.0
            value = Value(name, kind, shape, bound * (1.5 if kind in COMPLEX else 1), 0.0, whole)
            self.values.append(value)
            self.inputs[name] = whole
            parameters.append(f"{name}: {_type(value)}")
        # Every size is found from an argument.
        for size in self.sizes:
            if not any(e.text == size for v in self.values for e in v.shape):
                name = f"s{size}"
                extent = Extent(size, self.sizes[size])
                self.values.append(Value(name, "f64", (extent,), 2.0, 0.0, False))
                self.inputs[name] = False
                parameters.append(f"{name}: f64[{size}]")
        names = ", ".join(f"{size}: size" for size in self.sizes)
        return f"{self.name}[{names}]({', '.join(parameters)})"

    def fresh(self) -> str:
        self.made += 1
        return f"t{self.made}"

    def keep(self, name: str, term: Term, shape: Shape) -> Value:
        value = Value(name, term.kind, shape, term.bound, term.error, term.whole)
        self.values.append(value)
        return value

    def shape(self) -> Shape:
        """Of an existing value mostly, that there be leaves; sometimes a part of one."""
        shape = self.pick.choice([v.shape for v in self.values])
        if shape and self.pick.random() < 0.15:
            at = self.pick.randrange(len(shape))
            least = max(1, shape[at].value // 2)
            value = self.pick.randrange(least, shape[at].value + 1)
            shape = (*shape[:at], Extent(str(value), value), *shape[at + 1 :])
        return shape

    def kind(self) -> str:
        return self.pick.choice([*REALS, *REALS, *COMPLEX, *COMPLEX, *INTEGERS, "bool"])

    # ----------------------------------------------------------------------------- statements

    def statement(self) -> None:
        """Some statement that is possible here."""
        for _ in range(20):
            lines, values, made = len(self.lines), len(self.values), self.made
            try:
                self.pick.choice(_STATEMENTS)(self)
                return
            except Retry:
                del self.lines[lines:], self.values[values:]
                self.made = made

    def whole(self) -> None:
        shape = self.shape()
        term = Expressions(self.pick, Whole(self, shape)).term(
            self.kind(), self.pick.randrange(1, 5)
        )
        name = self.fresh()
        self.lines.append(f"{name} = {term.text}")
        self.keep(name, term, shape)

    def by_index(self) -> None:
        """Index notation, ranges given; a permuted or shifted read is as likely as a plain one."""
        shape = self.shape()
        if not shape:
            raise Retry
        names = [f"i{number}" for number in range(len(shape))]
        points = Points(self, {n: (0, e.value) for n, e in zip(names, shape, strict=True)})
        term = Expressions(self.pick, points).term(self.kind(), self.pick.randrange(1, 4))
        target = self.fresh()
        items = [f"{n} in 0:{e.text}" for n, e in zip(names, shape, strict=True)]
        self.lines.append(f"{target}[{', '.join(items)}] = {term.text}")
        self.keep(target, term, shape)

    def by_parts(self) -> None:
        """A tensor given by two or three disjoint parts of its first dimension."""
        shape = self.shape()
        if not shape or shape[0].value < 2:
            raise Retry
        kind, target, cut = self.kind(), self.fresh(), self.pick.randrange(1, shape[0].value)
        parts = []
        for low, high in ((0, cut), (cut, shape[0].value)):
            names = [f"i{number}" for number in range(len(shape))]
            ranges = [(low, high), *((0, e.value) for e in shape[1:])]
            points = Points(self, dict(zip(names, ranges, strict=True)))
            term = Expressions(self.pick, points).term(kind, 2)
            items = [f"{n} in {a}:{b}" for n, (a, b) in zip(names, ranges, strict=True)]
            self.lines.append(f"{target}[{', '.join(items)}] = {term.text}")
            parts.append(term)
        self.keep(target, _either(parts), shape)

    def by_loop(self) -> None:
        """An element loop with a local name, whole or by even and odd elements."""
        shape = self.shape()
        if not shape:
            raise Retry
        kind, target = self.kind(), self.fresh()
        names = [f"i{number}" for number in range(len(shape))]
        halves = shape[-1].value % 2 == 0 and self.pick.random() < 0.6
        extents = [e.text for e in shape]
        ranges = [(0, e.value) for e in shape]
        if halves:
            ranges[-1] = (0, shape[-1].value // 2)
            extents[-1] = str(shape[-1].value // 2)
        opening = [f"{n} in 0:{e}" for n, e in zip(names, extents, strict=True)]
        nested = self.pick.random() < 0.5
        body = []
        points = Points(self, dict(zip(names, ranges, strict=True)))
        for _ in range(self.pick.choice([0, 1, 2])):
            local = Expressions(self.pick, points).term(self.pick.choice([*REALS, *COMPLEX]), 2)
            name = self.fresh()
            body.append(f"{name} = {local.text}")
            points.locals.append(Term(name, local.kind, local.bound, local.error, local.whole))
        ends = [f"2*{names[-1]}", f"2*{names[-1]} + 1"] if halves else [names[-1]]
        if not halves and self.pick.random() < 0.3:
            ends = [f"{shape[-1].text} - 1 - {names[-1]}"]
        parts = []
        for end in ends:
            term = Expressions(self.pick, points).term(kind, 2)
            body.append(f"{target}[{', '.join([*names[:-1], end])}] = {term.text}")
            parts.append(term)
        if nested:
            for depth, clause in enumerate(opening):
                self.lines.append("    " * depth + f"for {clause}:")
            pad = "    " * len(opening)
        else:
            self.lines.append(f"for {', '.join(opening)}:")
            pad = "    "
        self.lines += [pad + line for line in body]
        self.keep(target, _either(parts), shape)

    def transform(self) -> None:
        fitting = [v for v in self.values if v.kind in COMPLEX and v.shape]
        if not fitting:
            raise Retry
        value, pick = self.pick.choice(fitting), self.pick
        axes = pick.sample(range(len(value.shape)), pick.randrange(1, min(2, len(value.shape)) + 1))
        count = math.prod(value.shape[a].value for a in axes)
        name = pick.choice(["dft", "dft", "idft"])
        words = [f"axis={axes[0]}" if len(axes) == 1 else f"axes=[{', '.join(map(str, axes))}]"]
        if pick.random() < 0.3:
            words.append(f"sign={pick.choice(['+1', '-1'])}")
        norm = pick.choice([None, None, "none", "ortho", "inverse"])
        if norm is not None:
            words.append(f"norm={norm}")
        norm = norm or ("inverse" if name == "idft" else "none")
        scale = {"none": 1.0, "ortho": 1 / math.sqrt(count), "inverse": 1 / count}[norm]
        bound = value.bound * count * scale
        error = value.error * count * scale + 16 * EPSILON[value.kind] * bound * (
            1 + math.log2(count)
        )
        target = self.fresh()
        term = Term(target, value.kind, bound, error).judged()
        self.lines.append(f"{target} = {name}({value.name}, {', '.join(words)})")
        self.keep(target, term, value.shape)

    def moved(self) -> None:
        """transpose and reshape."""
        pick = self.pick
        value = pick.choice([v for v in self.values if v.shape] or self.values)
        target = self.fresh()
        if pick.random() < 0.5 and value.shape:
            order = list(range(len(value.shape)))
            pick.shuffle(order)
            self.lines.append(f"{target} = transpose({value.name}, {order})")
            shape = tuple(value.shape[a] for a in order)
        else:
            if value.shape and pick.random() < 0.5:
                shape = (Extent("*".join(e.text for e in value.shape), value.count),)
            else:
                shape = _factored(pick, value.count)
            listed = ", ".join(e.text for e in shape)
            self.lines.append(f"{target} = reshape({value.name}, [{listed}])")
        self.keep(target, value.at(target), shape)

    def twiddled(self) -> None:
        fitting = [v for v in self.values if v.kind in COMPLEX and len(v.shape) == 2]
        if not fitting:
            raise Retry
        value = self.pick.choice(fitting)
        rows, columns = (e.text for e in value.shape)
        target = self.fresh()
        sign = self.pick.choice(["", ", sign=+1"])
        error = value.error + 4 * EPSILON[value.kind] * value.bound
        self.lines.append(f"{target} = {value.name} * twiddle({rows}, {columns}{sign})")
        self.keep(target, Term(target, value.kind, value.bound, error), value.shape)

    def tabled(self) -> None:
        """A const table of the compiler, met by a value."""
        fitting = [v for v in self.values if v.kind in (*REALS, *COMPLEX) and v.shape]
        if not fitting:
            raise Retry
        value, pick = self.pick.choice(fitting), self.pick
        last = value.shape[-1]
        table, target = self.fresh(), self.fresh()
        bodies = [f"cos(2*pi*k/{last.text})", f"where(k < {last.text}//2, 1, k - 3)", "k**2 + 1"]
        bodies += ["exp(2j*pi*k/7)"] if value.kind in COMPLEX else []
        self.lines.append(f"const {table}[k in 0:{last.text}] = {pick.choice(bodies)}")
        most = max(3.0, last.value**2 + 1.0)
        error = value.error * most + 4 * EPSILON[value.kind] * value.bound * most
        term = Term(target, value.kind, value.bound * most, error).judged()
        self.lines.append(f"{target} = {value.name} * {table}")
        self.keep(target, term, value.shape)

    def reduced(self) -> None:
        fitting = [v for v in self.values if v.kind != "bool" and v.shape]
        if not fitting:
            raise Retry
        value, pick = self.pick.choice(fitting), self.pick
        axes = sorted(pick.sample(range(len(value.shape)), pick.randrange(1, len(value.shape) + 1)))
        count = math.prod(value.shape[a].value for a in axes)
        words = f", axes={axes}" if len(axes) < len(value.shape) or pick.random() < 0.3 else ""
        term = reduced(pick, value.at(value.name), count, lambda op: f"{op}({value.name}{words})")
        target = self.fresh()
        self.lines.append(f"{target} = {term.text}")
        self.keep(target, term, tuple(e for a, e in enumerate(value.shape) if a not in axes))

    def called(self) -> None:
        """A kernel written beside this one, on a value that it takes."""
        if not self.helpers:
            raise Retry
        helper = self.pick.choice(self.helpers)
        fitting = [
            v
            for v in self.values
            if v.kind == helper.kind
            and len(v.shape) == helper.rank
            and all(e.value <= 64 for e in v.shape)
        ]
        if not fitting:
            raise Retry
        value = self.pick.choice(fitting)
        target = self.fresh()
        term = helper.judge(value).judged()
        self.lines.append(f"{target} = {helper.name}({value.name})")
        self.keep(target, term, value.shape)

    def results(self) -> list[Value]:
        """Values that nothing else reads, lest work be dead; an input where there is none."""
        text = "\n".join(self.lines)
        made = [v for v in self.values if v.name not in self.inputs]
        last = [v for v in made if len(re.findall(rf"\b{v.name}\b", text)) == 1]
        return (last or self.values[-1:])[-4:]


@dataclass(frozen=True)
class Helper:
    """A kernel of one tensor that keeps its shape, with what it does to bounds."""

    name: str
    kind: str
    rank: int
    text: str

    def judge(self, value: Value) -> Term:
        if self.kind in INTEGERS:
            return Term("", self.kind, value.bound * 2 + 1, 0.0, True)
        bound = value.bound * 2.5 + 1
        extra = 32 * EPSILON[self.kind] * bound * (1 + math.log2(value.count + 1))
        return Term("", self.kind, bound, value.error * 2.5 + extra)


def _helper(pick: random.Random, number: int) -> Helper:
    kind = pick.choice([*REALS, *COMPLEX, *INTEGERS])
    rank = pick.choice([1, 2, 2])
    letters = ["P", "Q"][:rank]
    shape = ", ".join(letters)
    sizes = ", ".join(f"{letter}: size" for letter in letters)
    bodies = ["    y = a * 2 + 1\n", "    u = a - 1\n    y = u + a\n"]
    bodies.append(
        "    y[i, j] = a[i, j] + a[P - 1 - i, j]\n"
        if rank == 2
        else "    y[i] = a[i] + a[P - 1 - i]\n"
    )
    if kind not in INTEGERS:
        bodies.append("    y = 0.5 * a + a / 4\n")
    if kind in COMPLEX:
        bodies.append("    y = conj(idft(a, axis=0))\n")
        bodies.append("    y = dft(a, axis=0, norm=inverse) * 2j\n")
    text = f"kernel h{number}[{sizes}](a: {kind}[{shape}]) -> (y: {kind}[{shape}]):\n"
    return Helper(f"h{number}", kind, rank, text + pick.choice(bodies))


def _either(parts: list[Term]) -> Term:
    """What holds for all of them."""
    return Term(
        "",
        parts[0].kind,
        max(t.bound for t in parts),
        max(t.error for t in parts),
        all(t.whole for t in parts),
    )


def _factored(pick: random.Random, count: int) -> Shape:
    factors = [d for d in range(1, count + 1) if count % d == 0]
    one = pick.choice(factors)
    rest = pick.choice([d for d in factors if (count // one) % d == 0])
    values = [one, rest, count // one // rest][: pick.choice([2, 3])]
    if math.prod(values) != count:
        values = [one, count // one]
    return tuple(Extent(str(value), value) for value in values)


def _type(value: Value) -> str:
    shape = ", ".join(e.text for e in value.shape)
    return f"{value.kind}[{shape}]" if shape else value.kind


_STATEMENTS: list[Callable[[Maker], None]] = [
    *([Maker.whole] * 4 + [Maker.by_index] * 3 + [Maker.transform] * 2),
    *(Maker.by_parts, Maker.by_loop, Maker.by_loop, Maker.moved, Maker.moved, Maker.reduced),
    *(Maker.twiddled, Maker.tabled, Maker.called, *operations.ALL),
]


def generate(pick: random.Random, seed: int = 0) -> Program:
    """A program; the same choices give the same one."""
    helpers = [_helper(pick, number) for number in range(pick.choice([0, 1, 2]))]
    maker = Maker(pick, helpers=helpers)
    signature = maker.signature()
    for _ in range(pick.randrange(1, 6)):
        maker.statement()
    declared, errors = [], {}
    for number, value in enumerate(maker.results()):
        declared.append(f"y{number}: {_type(value)}")
        maker.lines.append(f"y{number} = {value.name}")
        errors[f"y{number}"] = value.error
    text = "".join(helper.text for helper in helpers)
    text += f"kernel {signature} -> ({', '.join(declared)}):\n"
    text += "".join(f"    {line}\n" for line in maker.lines)
    return Program(seed, text, "k", dict(maker.sizes), dict(maker.inputs), errors)


def of_seed(seed: int) -> Program:
    return generate(random.Random(seed), seed)
