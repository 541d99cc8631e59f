# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each operation of simd.h computes what the specification says, lane by lane."""

from __future__ import annotations

import ctypes
from pathlib import Path

import numpy as np
import pytest

from . import building
from .meanings import Operation, shuffled, words_shuffled
from .specification import OPERATIONS


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    functions = "".join(building.function(i, op) for i, op in enumerate(OPERATIONS))
    return building.library(
        tmp_path_factory.mktemp("operations"), "#include <simd.h>\n" + functions
    )


@pytest.mark.parametrize(
    ("index", "operation"),
    list(enumerate(OPERATIONS)),
    ids=[f"{op.call}-{op.operands}" for op in OPERATIONS],
)
def test_operation(loaded: ctypes.CDLL, index: int, operation: Operation) -> None:
    random = np.random.default_rng(index)
    operands = [building.values(kind, random) for kind in operation.operands]
    found = building.run(loaded, index, operation, operands)
    with np.errstate(all="ignore"):
        expected = operation.meaning(*operands)
    building.assert_same(operation, operands, found, expected)


@pytest.mark.parametrize("constant", [True, False], ids=["literal", "variable"])
@pytest.mark.parametrize("kind", ["d", "s"])
def test_every_mask_of_vshff(tmp_path: Path, kind: str, constant: bool) -> None:
    """All 256, as a literal and as a value that only the run knows."""
    operations = [
        Operation(
            f"simd_vshff(a, b, {mask if constant else f'masks[{mask}]'})",
            kind * 2,
            kind,
            shuffled(mask),
            moves=True,
        )
        for mask in range(256)
    ]
    masks = f"volatile int masks[256] = {{{', '.join(map(str, range(256)))}}};\n"
    text = "".join(building.function(i, op) for i, op in enumerate(operations))
    loaded = building.library(tmp_path, "#include <simd.h>\n" + masks + text)
    random = np.random.default_rng(26010)
    operands = [building.values(kind, random)[:8] for _ in "ab"]
    for index, operation in enumerate(operations):
        found = building.run(loaded, index, operation, operands)
        building.assert_same(operation, operands, found, operation.meaning(*operands))


def test_masks_of_vshff_on_words(tmp_path: Path) -> None:
    random = np.random.default_rng(8)
    masks = [int(mask) for mask in random.integers(0, 1 << 31, 200)]
    operations = [
        Operation(f"simd_vshff(a, b, {mask})", "ww", "w", words_shuffled(mask)) for mask in masks
    ]
    text = "".join(building.function(i, op) for i, op in enumerate(operations))
    loaded = building.library(tmp_path, "#include <simd.h>\n" + text)
    operands = [building.values("w", random)[:8] for _ in "ab"]
    for index, operation in enumerate(operations):
        found = building.run(loaded, index, operation, operands)
        building.assert_same(operation, operands, found, operation.meaning(*operands))


def test_slave_code_names_the_instructions(tmp_path: Path) -> None:
    """What has an instruction of its own is a call of its marker, and nothing else is."""
    text = "#include <simd.h>\n" + "".join(
        building.function(i, op) for i, op in enumerate(OPERATIONS)
    )
    source = tmp_path / "slave.c"
    source.write_text(text)
    done = building.clang(
        ["-O1", *building.FLAGS, "-D__sw_slave__", "-S", "-emit-llvm", str(source), "-o", "-"]
    )
    assert done.returncode == 0, done.stderr[:4000]
    bodies = {
        part.split("(", 1)[0]: part.split("\n}", 1)[0]
        for part in done.stdout.split("\ndefine dso_local void @")
    }
    for index, operation in enumerate(OPERATIONS):
        body = bodies[f"f{index}"]
        called = {
            line.split("@__weft_sw_")[1].split("(")[0]
            for line in body.split("\n")
            if "@__weft_sw_" in line
        }
        expected = {operation.instruction} if operation.instruction else set()
        assert called == expected, f"{operation.call} of {operation.operands}"
