# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exact orders: small problems whose least interval is known, and a kernel's own loops."""

from __future__ import annotations

import builtins
import importlib.util
import json
import tempfile
from pathlib import Path
from typing import Any

import pytest

from weft import exact, explanation
from weft.cli import main
from weft.diagnostics import RunError

needs_solver = pytest.mark.skipif(
    importlib.util.find_spec("ortools") is None, reason="weft[solver] is not installed"
)

KERNELS = Path(__file__).parents[1] / "cli" / "explain" / "kernels.weft"


def node(pipe: int, *before: tuple[int, int, int], readers: Any = (), **more: int) -> Any:
    """One of a cycle, by default without a value."""
    return {
        "pipe": pipe,
        "busy": 1,
        "divides": 0,
        "joins_at": -1,
        "in_register": bool(readers),
        "before": list(before),
        "readers": list(readers),
        **more,
    }


def problem(*nodes: Any, cycles: int, bound: int = 3, **more: int) -> dict[str, Any]:
    return {
        "name": "a loop",
        "place": "k.weft:1:1",
        "cycles": cycles,
        "bound": bound,
        "registers": 20,
        "entries": 1,
        "most_turns": 4,
        "pointers": 0,
        "nodes": list(nodes),
        **more,
    }


def chain(registers: int = 20) -> dict[str, Any]:
    """A load, a product, a store: 4 and 7 cycles from one to the next."""
    return problem(
        node(1, readers=[[1, 0]]),
        node(0, (0, 4, 0), readers=[[2, 0]]),
        node(1, (1, 7, 0)),
        cycles=12,
        registers=registers,
    )


@needs_solver
def test_turns_that_overlap() -> None:
    """Load, store and branch share a pipe: 3 at least; but values wait 7 cycles, and no longer
    than a turn."""
    assert exact.distance(chain()) == exact.Distance("a loop", "k.weft:1:1", 12, 7, True, 1)


@needs_solver
def test_registers_decide() -> None:
    """The loaded value waits for 4 cycles and the product for 7. One register would hold both in
    turns of 11, but then load and store meet on a pipe: 12."""
    assert exact.distance(chain(registers=2)).least == 7
    assert exact.distance(chain(registers=1)).least == 12
    assert exact.has_order(chain(registers=1), 11)[0] is False
    assert exact.has_order(chain(registers=1), 12)[0] is True


@needs_solver
def test_an_order_without_a_better_one() -> None:
    found = exact.distance({**chain(), "cycles": 7})
    assert found.is_optimal
    assert found.least == 7


@needs_solver
def test_the_divider_and_what_is_carried() -> None:
    divides = problem(node(0, divides=5), node(0, divides=5), cycles=20)
    assert exact.distance(divides).least == 10
    carried = problem(node(0, (0, 9, 1), readers=[[0, 1]]), cycles=20)
    assert exact.distance(carried).least == 9


@needs_solver
def test_halves_that_are_joined() -> None:
    """Two on pipe 0, each joined on it a cycle after: four of a turn's slots, and a count."""
    joined = problem(node(0, joins_at=1), node(0, joins_at=1), cycles=9)
    assert exact.distance(joined).least == 4


@needs_solver
def test_a_limit_that_tells_nothing() -> None:
    """What is not known is no proof: the bound stays."""
    many = problem(
        *(node(n % 2, *([(n - 2, 7, 0)] if n > 1 else []), readers=[[n + 2, 0]] * (n < 58))
          for n in range(60)),
        cycles=60,
        bound=31,
        registers=12,
    )  # fmt: skip
    found = exact.distance(many, limit=1e-6)
    assert (found.exists, found.is_optimal) == (False, False)
    assert 31 <= found.least < 60


@needs_solver
def test_problems_alike_are_solved_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "problems"
    lines = [chain(), {**chain(), "name": "another", "entries": 5}]
    file.write_text("".join(json.dumps(one) + "\n" for one in lines))
    solved = []
    distance = exact.distance
    monkeypatch.setattr(
        exact, "distance", lambda one, limit: solved.append(one) or distance(one, limit)
    )
    assert [(one.name, one.entries) for one in exact.distances(file)] == [
        ("a loop", 1),
        ("another", 5),
    ]
    assert len(solved) == 1


TRIAD = """kernel triad[n: size](x: f64[n], y: f64[n]) -> (z: f64[n]):
    z = x + 3*y
"""


@needs_solver
def test_a_loop_of_a_kernel(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What the pass tells of it, and what the solver does."""
    file = tmp_path / "triad.weft"
    file.write_text(TRIAD)
    words = ["explain", str(file), "--target", "sw26010", "-D", "n=65536", "--exact"]
    assert main(words) == 0
    shown = capsys.readouterr().out
    told = explanation.explain(file, "triad", "sw26010", {"n": 65536}, True)
    (order,) = told["orders"]
    (note,) = (
        note
        for note in told["notes"]
        if note["pass"] == "schedule-dual-issue" and note["outcome"] == "decided"
    )
    assert order["cycles"] == note["numbers"]["cycles"]
    assert note["numbers"]["bound"] <= order["least"] <= order["cycles"]
    line = f"  triad.weft:2:5  the loop over 'i0': {order['cycles']} cycles a turn; "
    assert line in shown.partition("Orders of loops, by a solver\n")[2]
    assert "orders" not in explanation.explain(file, "triad", "sw26010", {"n": 65536})


@needs_solver
def test_a_kernel_without_ordered_loops(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["explain", f"{KERNELS}:matmul", "--target", "portable", "-D", "n=8,m=8,k=8"]
    assert main([*words, "--exact"]) == 0
    assert "no loop is ordered" in capsys.readouterr().out


def test_without_the_solver(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    imported = builtins.__import__

    def missing(name: str, *more: Any, **named: Any) -> Any:
        if name.startswith("ortools"):
            raise ImportError(name)
        return imported(name, *more, **named)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(RunError, match="a solver that is not installed"):
        exact.require()
    words = ["explain", f"{KERNELS}:matmul", "--target", "sw26010", "-D", "n=8,m=8,k=8"]
    assert main([*words, "--exact"]) != 0
    assert "pip install 'weft[solver]'" in capsys.readouterr().err


@needs_solver
def test_a_folder_with_a_space(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "a b"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    words = ["explain", f"{KERNELS}:matmul", "--target", "sw26010", "-D", "n=8,m=8,k=8"]
    assert main([*words, "--exact"]) == 0
