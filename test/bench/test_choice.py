# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The layers of the benchmark of convolutions' algorithms, its records, and that a run goes on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from weft import module_files

BENCH = Path(__file__).parents[2] / "bench" / "choice" / "bench.py"


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("WEFT_BENCH_CHOICE_FILE", str(tmp_path / "choices.jsonl"))
    monkeypatch.setenv("WEFT_BENCH_TARGET", "portable")
    monkeypatch.setenv("WEFT_BENCH_SECONDS", "0")
    return module_files.load(BENCH)


def test_layers_of_all_kinds(bench: Any) -> None:
    found = list(bench.layers.chosen())
    assert found == list(bench.layers.chosen())
    assert len({layer.name for layer in found}) == len(found) == bench.layers.LAYERS
    assert {len(layer.results) for layer in found} == {1, 2, 3}
    assert {layer.layout for layer in found} == {"planes", "nhwc"}
    # Vectors that filters and channels do not fill are what the model has to count.
    assert sum(layer.k % 16 != 0 for layer in found) > 10
    assert sum(layer.c % 16 != 0 for layer in found) > 10


def test_records_and_going_on(bench: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    layer = bench.layers.Layer(1, 3, 8, 3, (10, 12), 1, "nhwc")
    monkeypatch.setattr(bench.layers, "chosen", lambda: [layer])
    first, best, whole = bench.records()
    assert first["case"] == "1 of 3x10x12+1, 8 of 3x3, nhwc"
    assert first["peer"] == "direct"
    assert first["value"] > 0
    assert best["ratio"] <= first["ratio"]
    assert whole["unit"] == "of 1"
    assert whole["met"] == first["met"]
    kept = json.loads((tmp_path / "choices.jsonl").read_text(encoding="utf-8"))
    assert set(kept["seconds"]) > {"auto", "direct", "winograd(2)"}
    monkeypatch.setattr(bench, "measure", lambda *_: pytest.fail("measured again"))
    assert list(bench.records()) == [first, best, whole]


def test_a_wrong_result_has_no_rate(bench: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    layer = bench.layers.Layer(1, 2, 8, 3, (8, 8), 0, "planes")
    text = type(layer).text

    def other(self: Any, algorithm: str) -> str:
        wrong = algorithm.startswith("winograd")
        return str(text(self, algorithm)).replace(
            "conv(x, g", "conv(x, g*2" if wrong else "conv(x, g"
        )

    monkeypatch.setattr(type(layer), "text", other)
    with pytest.raises(RuntimeError, match="winograd"):
        bench.measure(layer, "portable")
