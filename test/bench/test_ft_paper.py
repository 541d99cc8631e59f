# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The ladder of the FT paper: its baseline computes FT, every rung gives the same checksum."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import weft
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
        for rung, without in bench.ladder.rungs(word_by_word=True)
        if rung in ("CPEs, word by word", "CPEs", "other")
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
    bench._draw({"ours": [1.5, 3.0, 4.0, 4.0, 4.0, 50.0, 61.0]})
    texts = texts_of(tmp_path / "ladder.svg")
    assert {"published 66.9", "ours", "1", "1.5", "3", "4", "50", "61", "overlap"} <= texts


def test_rungs_add_passes(bench: Any) -> None:
    """Each is without what the next ones add; with the last one nothing is left out."""
    rungs = list(bench.ladder.rungs())
    assert [rung for rung, _ in rungs] == [rung for rung, _ in bench.ladder.RUNGS]
    assert rungs[-1][1] == ()
    for (_, before), (_, after), (_, added) in zip(
        rungs, rungs[1:], bench.ladder.RUNGS[1:], strict=False
    ):
        assert before == added + after


def test_the_baseline_of_slabs(bench: Any) -> None:
    """With all ranks held it is NPB's problem; a rank has the time that it has among others."""
    n, ranks, steps = 16, 4, 3
    k = np.fft.fftfreq(n, 1 / n)
    squares = k[:, None, None] ** 2 + k[:, None] ** 2 + k**2
    field = np.fft.fftn(bench.field(n) * np.exp(-4e-6 * np.pi**2 * squares * steps))
    j = np.arange(1, 1025)
    expected = complex(field[5 * j % n, 3 * j % n, j % n].sum() / field.size)
    source = bench.HERE / "slab.c"

    def run(*words: int) -> tuple[float, complex]:
        found = bench.ladder.on_mpe(source, *words).split()
        return float(found[0]), complex(float(found[1]), float(found[2]))

    whole, found = run(n, ranks, ranks, n // ranks, steps)
    assert found == pytest.approx(expected, rel=1e-12)
    alone, _ = run(n, ranks, 1, n // ranks, steps)
    assert alone == pytest.approx(whole, rel=0.1)
    # Planes that no cache holds, and the checksum is little beside them.
    (whole, _), (sampled, _) = (run(128, 16, 1, rows, 1) for rows in (8, 4))
    assert 2 * sampled == pytest.approx(whole, rel=0.05)


def test_a_slab_from_some_of_its_planes(bench: Any) -> None:
    """The time of a sample is taken as often as there are samples; the network's messages are those
    of the whole, beside computing where the program has them there."""
    slabs = bench.slabs
    network = slabs.Network.of_machine()
    half, all_of_it = (
        slabs.on_cores(slabs.Scale(64, groups, 4, 1, 1, 1, 1), network, (), None)
        for groups in (8, 16)
    )
    assert half.computing == pytest.approx(2 * all_of_it.computing, rel=1e-12)
    scale = slabs.Scale(64, 8, 8, 1, 1, 1, 1)
    sums = network.exchange_seconds(16, 8)
    taken = network.exchange_seconds(64**3 * 16 // 8**2, 8)
    serially = slabs.on_cores(scale, network, ("overlap",), None)
    assert serially.whole == pytest.approx(serially.computing + taken + sums, rel=1e-12)
    beside = slabs.on_cores(scale, network, (), None)
    together = network.overlapped_seconds(taken, beside.computing)
    assert beside.whole == pytest.approx(together + sums, rel=1e-12)


def test_what_was_measured_is_kept(
    bench: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For another run of the same scale, and no other."""
    monkeypatch.setenv("WEFT_BENCH_FT_PAPER_FILE", str(tmp_path / "rungs.jsonl"))
    slabs = bench.slabs
    made = slabs.Iteration(1.5, 2.5, {("line 3", "DMA"): 0.25})
    first = slabs.Kept(slabs.SCALES[0])
    assert first.seconds("baseline", lambda: 7.0) == 7.0
    assert first.iteration("ours: CPEs", lambda: made) == made
    again, other = (slabs.Kept(scale) for scale in slabs.SCALES)
    assert again.seconds("baseline", lambda: 8.0) == 7.0
    assert again.iteration("ours: CPEs", lambda: None) == made
    assert other.seconds("baseline", lambda: 8.0) == 8.0


@pytest.mark.parametrize("number", [0, 1])
def test_the_papers_schedules(bench: Any, number: int) -> None:
    """Stages of radix 2 of the scale's own points, and nothing that the program does not name."""
    scale = bench.slabs.SCALES[number]
    stages = scale.points.bit_length() - 1
    factors = [line for line in scale.schedule.splitlines() if "factor" in line]
    assert {line.partition(" into ")[2] for line in factors} == {", ".join(["2"] * stages)}
    smaller = scale.schedule.replace(", 2" * (stages - 1), ", 2" * 3)
    kernel = weft.compile(
        bench.slabs.GROUPS,
        "ft",
        target="sw26010",
        schedule=smaller,
        **dict.fromkeys(("nx", "ny", "nz"), 16),
        G=2,
        niter=2,
    )
    assert len(kernel.report["schedule"]["ft"]) == len(factors) + 2


def test_the_picture_of_slabs(bench: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench.slabs, "ROOT", tmp_path)
    (tmp_path / "build").mkdir()
    bench.slabs.draw(bench.slabs.SCALES[1], {"paper": [2.0, 3, 4, 5, 6, 7]})
    texts = texts_of(tmp_path / "build" / "ft-paper-2048.svg")
    assert {"published 46.58", "paper", "MPE", "7"} <= texts
    assert any("one of 256 groups run, 1 of 8 planes" in text for text in texts)


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
