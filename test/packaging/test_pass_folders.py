# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Passes lie in dsl/passes, one file each; what they are made of lies in folders, in rows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PASSES = Path(__file__).parents[2] / "dsl" / "passes"

# Downwards: a file includes only from rows above its own, or from its own row. The passes
# themselves, outside of all folders, include from any.
ROWS = (
    "loops",
    "pipes",
    "tensors",
    "transforms",
    "transfers",
    "vectors",
    "lowering",
    "lines",
    "mesh",
    "panels",
    "reductions",
    "contractions",
    "convolutions",
)
FOR_ALL = {"Directives.h", "Notes.h", "Passes.h", "Passes.h.inc"}
# Outside of all folders: what passes are called by, and tests' own.
NO_PASSES = {"Directives", "Notes", "Pipelines", "TestPasses"}


def parts() -> list[Path]:
    return sorted(path for path in PASSES.glob("*/*") if path.suffix in {".h", ".cpp"})


def test_every_folder_has_a_row() -> None:
    assert {path.parent.name for path in parts()} == set(ROWS)
    assert [path for path in PASSES.rglob("*.*") if len(path.relative_to(PASSES).parts) > 2] == []


@pytest.mark.parametrize("path", parts(), ids=lambda path: str(path.relative_to(PASSES)))
def test_parts_include_from_rows_above(path: Path) -> None:
    own = path.parent.name
    allowed = set(ROWS[: ROWS.index(own) + 1])
    for header in re.findall(r'#include "passes/([^"]+)"', path.read_text(encoding="utf-8")):
        folder = header.rpartition("/")[0]
        assert folder in allowed if folder else header in FOR_ALL, f"{path.name}: {header}"


def test_files_outside_of_folders_are_passes() -> None:
    declared = re.findall(r"^def (\w+) : WeftPass<", (PASSES / "Passes.td").read_text(), re.M)
    assert len(declared) > 20
    found = {path.stem for path in PASSES.glob("*.cpp")} - NO_PASSES
    assert found == set(declared)
