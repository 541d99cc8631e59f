# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pictures and tables of docs/ are what bench/report.py makes of the kept measurements."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from weft import module_files


@pytest.fixture(scope="module")
def report() -> Any:
    path = Path(__file__).parents[2] / "bench" / "report.py"
    return module_files.load(path)


@pytest.fixture
def measured(report: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((report.MEASURED / "ft.json").read_text("utf-8"))
    return found


def test_documents_show_what_was_measured(report: Any) -> None:
    for path, text in report.documents().items():
        assert path.read_text("utf-8") == text, f"{path.name}: .venv/bin/python bench/report.py"


def test_another_measurement_is_another_picture_and_table(
    report: Any, measured: dict[str, Any]
) -> None:
    changed = copy.deepcopy(measured)
    changed["records"][0]["peer_value"] *= 1.5
    assert report.ft_picture(changed) != report.ft_picture(measured)
    assert report.table(changed) != report.table(measured)


def test_bars_are_as_long_as_their_values(report: Any, measured: dict[str, Any]) -> None:
    picture = ElementTree.fromstring(report.ft_picture(measured))
    space = {"": "http://www.w3.org/2000/svg"}
    bars = {"ours": [], "peer": []}
    for bar in picture.findall("rect", space):
        if bar.get("class") in bars:
            bars[bar.get("class")].append(float(bar.get("width")))
    values = {record["case"]: record["value"] for record in measured["records"]}
    assert len(bars["peer"]) == len(measured["records"])
    scale = max(bars["ours"]) / max(values.values())
    assert bars["ours"] == pytest.approx([value * scale for value in values.values()], abs=0.1)


@pytest.mark.parametrize(
    ("unit", "value", "peer_value", "ratio"), [("Mop/s", 8, 3, 8 / 3), ("s", 6, 2, 1 / 3)]
)
def test_the_better_of_two_runs(
    report: Any, unit: str, value: float, peer_value: float, ratio: float
) -> None:
    first = {"case": "A", "peer": "p", "unit": unit, "value": 8, "peer_value": 2, "goal": 2.5}
    second = {**first, "value": 6, "peer_value": 3}
    best = report.better(first, second)
    assert (best["value"], best["peer_value"]) == (value, peer_value)
    assert best["ratio"] == pytest.approx(ratio)
    assert best["met"] is (best["ratio"] >= 2.5)
