# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The lengths of the tuning benchmark, its records, and that a run goes on where it stopped."""

from __future__ import annotations

import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from weft import module_files
from weft.tuning.search import Outcome, Result

BENCH = Path(__file__).parents[2] / "bench" / "tune" / "bench.py"


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("WEFT_BENCH_TUNE_FILE", str(tmp_path / "choices.jsonl"))
    monkeypatch.setenv("WEFT_BENCH_TARGET", "portable")
    return module_files.load(BENCH)


def test_two_hundred_lengths_of_all_classes(bench: Any) -> None:
    lengths = bench.lengths
    found = lengths.chosen()
    assert found == lengths.chosen()
    assert len(found) == len(set(found)) >= 200
    assert min(found) >= 8
    assert max(found) <= 4096
    counts = Counter(map(lengths.class_of, found))
    assert set(counts) == set(lengths.COUNTS)
    assert all(1 <= count <= lengths.COUNTS[name] for name, count in counts.items())
    # The first part of a run has seen nearly all of them.
    assert len(set(map(lengths.class_of, found[:40]))) >= 8


@pytest.mark.parametrize(
    ("length", "kind"),
    [
        (64, "2^k"),
        (96, "3 2^k"),
        (80, "5 2^k"),
        (112, "7 2^k"),
        (72, "odd 2^k"),
        (208, "odd 2^k"),
        (225, "odd, to 5"),
        (360, "2 3 5"),
        (143, "to 13"),
        (34, "17 to 31"),
        (2 * 37, "beyond 31"),
        (4093, "beyond 31"),
    ],
)
def test_classes(bench: Any, length: int, kind: str) -> None:
    assert bench.lengths.class_of(length) == kind
    assert math.prod(bench.lengths.factors(length)) == length


def test_measured_kept_and_not_measured_again(
    bench: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    runs: list[float] = []

    def run(self: Any, budget: float) -> Result:
        runs.append(budget)
        assert all(len(knob.choices) <= 10 for knob in self.space.knobs)
        model = self.space.model
        if not model:
            return Result(model, 1.0, None, {}, 0, "all")
        best = (1, *model[1:])
        trial = Outcome(best, 0.8, 1.0)
        return Result(best, 0.8, 0.8, {best: trial}, 0, "all", (trial,))

    monkeypatch.setattr(bench.Tuner, "run", run)
    monkeypatch.setenv("WEFT_BENCH_LENGTHS", "64 11")
    first = list(bench.records())
    assert len(runs) == 2
    assert [record["case"] for record in first] == [
        "64 lines_c128",
        "11 lines_c128",
        "all lines_c128",
    ]
    assert [record["met"] for record in first] == [False, True, False]
    assert first[0]["ratio"] == 0.8
    assert first[0]["peer_value"] == pytest.approx(first[0]["value"] / 0.8)
    assert first[2]["value"] == 1
    with (tmp_path / "choices.jsonl").open("a") as out:
        out.write('{"n": 5, "cut')
    assert list(bench.records()) == first
    assert len(runs) == 2
    monkeypatch.setenv("WEFT_BENCH_LENGTHS", "64 16")
    list(bench.records())
    assert len(runs) == 3
    kept = bench.keeping.read(tmp_path / "choices.jsonl")
    assert [entry["n"] for entry in kept] == [64, 11, 16]
    assert json.dumps(kept)


def test_a_length_is_measured_for_real(bench: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEFT_BENCH_LENGTHS", "12")
    monkeypatch.setenv("WEFT_BENCH_TRIALS", "2")
    one, whole = bench.records()
    assert one["metric"].startswith("portable, 3 2^k, 1 trials, factor y into ")
    assert 0.2 < one["ratio"] <= 1
    assert one["value"] > 0
    assert whole["unit"] == "of 1"
