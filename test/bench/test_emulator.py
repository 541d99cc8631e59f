# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The emulator's benchmark compares what was measured with what the model says."""

from __future__ import annotations

import re
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

BENCH = Path(__file__).parents[2] / "bench" / "emulator" / "bench.py"


@pytest.fixture(scope="module")
def bench() -> Any:
    spec = spec_from_file_location("weft_bench_emulator", BENCH)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_records_of_the_model_alone(
    bench: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WEFT_BENCH_PROGRAMS", "0")
    monkeypatch.setattr(bench, "PICTURE", tmp_path / "p.svg")
    rows = [row for row in bench.model.measured() if row.bytes >= 8192 and row.block >= 448]
    rows += [row for row in bench.model.measured() if row.table == "contiguous"]
    monkeypatch.setattr(bench.model, "measured", lambda: rows)
    found = list(bench.records())
    memory = [record for record in found if record["unit"] == "GB/s"]
    assert [record["case"] for record in memory] == [row.name for row in rows]
    assert all(r["ratio"] == pytest.approx(r["value"] / r["peer_value"]) for r in memory)
    assert {r["case"] for r in memory if r["goal"] is None} == {"strided get, 448 B blocks"}
    assert all(r["met"] is (abs(r["ratio"] - 1) <= r["goal"]) for r in memory if r["goal"])
    assert sum("speed" in record["metric"] for record in found) == 4
    ElementTree.parse(tmp_path / "p.svg")


def test_goals_are_those_of_the_measurements(bench: Any) -> None:
    row = bench.model.Row
    assert row("contiguous", "copy", 128, 0, 0, 1.0).goal == 0.2
    assert row("contiguous", "copy", 256, 0, 0, 1.0).goal == 0.1
    assert row("strided", "copy", 24576, 32, 8, 1.0).goal is None
    assert row("strided", "copy", 24576, 64, 8, 1.0).goal == 0.15
    assert row("read", "get", 24528, 336, 336, 1.0).goal is None


def test_the_picture_has_every_row(bench: Any) -> None:
    rows = bench.model.measured()
    drawn = [row for row in rows if row.table in ("contiguous", "strided", "read")]
    text = bench.picture.memory(rows, [row.gbs for row in rows])
    places = re.findall(r'<circle class="([^"]*)"', text)
    assert len(places) == len(drawn)
    assert sum("outlier" in kind for kind in places) == sum(row.goal is None for row in drawn)


def test_a_program_that_fails_stops_the_benchmark(bench: Any, tmp_path: Path) -> None:
    program = tmp_path / "stream"
    program.write_text("#!/bin/sh\necho values are WRONG; exit 1\n")
    program.chmod(0o755)
    with pytest.raises(bench.subprocess.CalledProcessError):
        bench.Programs(tmp_path).stream(8192, 0, 0)


def test_rates_of_a_program_are_read_once(bench: Any, tmp_path: Path) -> None:
    program = tmp_path / "stream"
    program.write_text(
        "#!/bin/sh\necho run >> runs\necho 8192 bytes a transfer, 64 transfers a core\n"
        "echo 'Copy     19306.9 MB/s    3475.9 us'\necho 'Triad     21010.8 MB/s   4791.0 us'\n"
    )
    program.chmod(0o755)
    programs = bench.Programs(tmp_path)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        for _ in range(2):
            assert programs.stream(8192, 0, 0) == pytest.approx({"copy": 19.3069, "triad": 21.0108})
    assert (tmp_path / "runs").read_text() == "run\n"
