# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The ladder of the FT paper: its baseline computes FT, every rung gives the same checksum."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from svg_texts import texts_of
from weft import module_files
from weft.diagnostics import RunError

BENCH = Path(__file__).parents[2] / "bench" / "ft-paper" / "bench.py"


@pytest.fixture(scope="module")
def bench() -> Any:
    return module_files.load(BENCH)


def checksum(u: np.ndarray, steps: int) -> complex:
    n = len(u)
    k = np.fft.fftfreq(n, 1 / n)
    squares = k[:, None, None] ** 2 + k[:, None] ** 2 + k**2
    v = np.fft.ifftn(u) * u.size * np.exp(-4e-6 * np.pi**2 * squares * steps)
    j = np.arange(1, 1025)
    return complex(np.fft.fftn(v)[5 * j % n, 3 * j % n, j % n].sum() / u.size)


def test_the_baseline_on_the_management_core(bench: Any) -> None:
    seconds, found = bench.serial(16, 3)
    assert found == pytest.approx(checksum(bench.field(16), 3), rel=1e-12)
    # 5 n log2 n operations at between 0.1 and 1.5 GFlop/s.
    assert 5 * 4096 * 12 / 1.5e9 < seconds < 5 * 4096 * 12 / 0.1e9


def test_rungs_become_faster_and_stay_right(bench: Any) -> None:
    n, steps = bench.POINTS, 2
    expected = checksum(bench.field(n), steps)
    seconds = [
        bench.iteration(bench.SOURCE, without, n, expected, steps)
        for rung, without in bench.RUNGS
        if rung in ("CPEs, word by word", "DMA", "unrolling")
    ]
    assert seconds[0] > 2 * seconds[1] > 4 * seconds[2]


def test_stages_of_radix_two(bench: Any) -> None:
    source = bench.radix_two(bench.SOURCE, 32)
    assert source.count("radices=[2, 2, 2, 2, 2]") == 6
    with pytest.raises(RunError, match="the program has no"):
        bench.radix_two("program ft", 32)


def test_a_wrong_checksum_stops_it(bench: Any) -> None:
    with pytest.raises(RunError, match="the checksum is wrong"):
        bench.iteration(bench.SOURCE, (), 16, 1.0 + 0j, 2)


def test_the_picture(bench: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "PICTURE", tmp_path / "ladder.svg")
    bench._draw({"ours": [1.5, 3.0, 4.0, 50.0, 61.0]})
    texts = texts_of(tmp_path / "ladder.svg")
    assert {"published 66.9", "ours", "1", "1.5", "3", "4", "50", "61", "unrolling"} <= texts


def test_the_picture_of_slabs(bench: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "SLAB_PICTURE", tmp_path / "slab.svg")
    bench._draw_slab([(89.0, 58.5), (57.0, 26.5), (54.0, 23.5), (43.5, 23.25)])
    texts = texts_of(tmp_path / "slab.svg")
    assert {"published 37", "goal 32", "89", "58.5", "43.5", "23.2", "computing"} <= texts


def test_sweeps_of_schedules(bench: Any) -> None:
    """Unrolling twice is best for radix 2, as published; a time of its own for each setting."""
    asked: list[str] = []

    def timed(source: str, without: tuple[str, ...]) -> float:
        assert without == ()
        asked.append(source.rpartition("\n    ")[2].strip() if "schedule ft" in source else "")
        return {"unroll 2": 1.0, "complex split": 0.5}.get(asked[-1], 2.0)

    found = list(bench.sweeps.of_schedules({"paper": "program"}, timed))
    assert asked == ["", *(f"unroll {n}" for n in (1, 2, 4, 8))] + [
        f"complex {form}" for form in ("split", "interleaved", "six_shuffle")
    ]
    # What beats the compiler's own choice is told.
    beaten = {record["case"]: record["met"] for record in found if record["goal"]}
    assert beaten == {
        "3D-32 paper: unroll 2, the best as published": False,
        "3D-32 paper: complex split": False,
    }


def test_a_scheduled_iteration_is_right_and_another_one(bench: Any) -> None:
    n, steps = 16, 2
    expected = checksum(bench.field(n), steps)
    times = {
        unroll: bench.iteration(
            bench.sweeps.scheduled(bench.SOURCE, f"unroll {unroll}"), (), n, expected, steps
        )
        for unroll in (1, 4)
    }
    assert times[1] != times[4]


def test_passes_that_can_be_left_out(bench: Any) -> None:
    flags = []

    def timed(source: str, without: tuple[str, ...]) -> float:
        flags.extend(without)
        return 4.0 if without else 1.0

    found = list(bench.sweeps.of_passes({"ours": "program"}, timed))
    assert {"vectorize-complex", "insert-exchanges", "unroll"} <= set(flags)
    assert not {"lower-to-loops", "check-emittable"} & set(flags)
    assert {record["ratio"] for record in found} == {0.25}


def test_longer_runs_are_faster(bench: Any) -> None:
    assert bench.sweeps.columns(16) > 1.5 * bench.sweeps.columns(2)
