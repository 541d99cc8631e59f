# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The emulator's benchmark compares what was measured with what the model says."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from weft import module_files

ROOT = Path(__file__).parents[2]
BENCH = ROOT / "bench" / "emulator" / "bench.py"
ASSETS = ROOT / "docs" / "assets"


@pytest.fixture(scope="module")
def bench() -> Any:
    return module_files.load(BENCH)


def test_records_of_the_model_alone(
    bench: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WEFT_BENCH_PROGRAMS", "0")
    for name in ("PICTURE", "HELD_OUT", "AXES"):
        monkeypatch.setattr(bench, name, tmp_path / f"{name}.svg")
    rows = [row for row in bench.model.measured() if row.bytes >= 8192 and row.block >= 448]
    rows += [row for row in bench.model.measured() if row.table == "contiguous"]
    unseen = [
        row
        for row in bench.model.measured("held_out.csv")
        if row.block % 448 == 0 or row.table == "tile"
    ]
    tables = {"measured.csv": rows, "held_out.csv": unseen}
    monkeypatch.setattr(bench.model, "measured", lambda table="measured.csv": tables[table])
    found = list(bench.records())
    held_out = [record for record in found if record["metric"].startswith("held out")]
    assert [record["case"] for record in held_out] == [row.name for row in unseen]
    assert all(record["goal"] is None for record in held_out)
    memory = [r for r in found if r["unit"] == "GB/s" and r not in held_out]
    assert [record["case"] for record in memory] == [row.name for row in rows]
    assert all(r["ratio"] == pytest.approx(r["value"] / r["peer_value"]) for r in memory)
    assert {r["case"] for r in memory if r["goal"] is None} == {"strided get, 448 B blocks"}
    assert all(r["met"] is (abs(r["ratio"] - 1) <= r["goal"]) for r in memory if r["goal"])
    assert sum("speed" in record["metric"] for record in found) == 4
    assert len(list(tmp_path.glob("*.svg"))) == 3
    for drawing in tmp_path.glob("*.svg"):
        ElementTree.parse(drawing)
    # Emulated, and so the same on every machine; legends and titles of two rows once met in it.
    shown = (ASSETS / "emulator-axes.svg").read_text(encoding="utf-8")
    assert (tmp_path / "AXES.svg").read_text(encoding="utf-8") == shown


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
    shown = (ASSETS / "emulator-memory.svg").read_text(encoding="utf-8")
    assert re.findall(r'viewBox="[^"]*"', text) == re.findall(r'viewBox="[^"]*"', shown)
    places = re.findall(r'<circle class="([^"]*)"', text)
    assert len(places) == len(drawn)
    assert sum("outlier" in kind for kind in places) == sum(row.goal is None for row in drawn)


def test_no_measurement_is_both_fitted_and_held_out(bench: Any) -> None:
    fitted, held_out = (
        {(row.table, row.kernel, row.bytes, row.block) for row in bench.model.measured(table)}
        for table in ("measured.csv", "held_out.csv")
    )
    assert held_out
    assert not fitted & held_out


def test_curves_are_physical(bench: Any, tmp_path: Path) -> None:
    """Never faster than the pins; more CPEs, or more at once, are never slower."""
    with bench.model.Driver(bench.model.build(tmp_path)) as driver:
        found = bench.axes.all_axes(driver)
        more = [bench.axes.over_cores(driver), bench.axes.over_outstanding(driver)]
        less = bench.axes.over_computing(driver)
    for axis in found:
        assert all(0 < y < 34.1 for points in axis.curves.values() for _, y in points)
    for axis in more:
        for points in axis.curves.values():
            assert all(b > 0.99 * a for (_, a), (_, b) in pairwise(points))
    for points in less.curves.values():
        assert all(b < 1.01 * a for (_, a), (_, b) in pairwise(points))


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
