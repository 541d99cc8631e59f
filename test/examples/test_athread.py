# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The athread examples: built with the vendor's words, run, right, and as fast as they say."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from weft.cli.native_tools import tool_path

FOLDER = Path(__file__).parents[2] / "examples" / "athread"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("athread") / "athread"
    shutil.copytree(FOLDER, folder, ignore=shutil.ignore_patterns("*.o"))
    made = subprocess.run(
        ["make", f"CC={tool_path('weft-swcc')}"], cwd=folder, capture_output=True, text=True
    )
    assert made.returncode == 0, made.stdout + made.stderr
    assert "warning" not in made.stderr
    return folder


def run(folder: Path, name: str, *arguments: str, **environment: str) -> str:
    done = subprocess.run(
        [folder / name / name, *arguments],
        env={"WEFT_EMU_LDM_STACK": "1", **environment},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == "", "neither fault nor hazard"
    return done.stdout


def number(pattern: str, text: str) -> float:
    found = re.search(pattern, text)
    assert found, text
    return float(found.group(1))


# Useful MB/s as measured on the machine: bytes a transfer, Copy, Add; 10 % from 256 bytes on.
@pytest.mark.parametrize(
    ("size", "copy", "add"), [(256, 5985, 7711), (1024, 12536, 14734), (8192, 19066, 21292)]
)
def test_contiguous_stream_is_as_fast_as_measured(
    built: Path, size: int, copy: float, add: float
) -> None:
    text = run(built, "stream", str(size))
    assert "values are right" in text
    assert number(r"Copy +([\d.]+)", text) == pytest.approx(copy, rel=0.10)
    assert number(r"Add +([\d.]+)", text) == pytest.approx(add, rel=0.10)


@pytest.mark.parametrize("shape", [("24576", "128", "64"), ("3072", "24", "8"), ("40", "8", "16")])
def test_strided_stream_moves_the_right_elements(built: Path, shape: tuple[str, ...]) -> None:
    assert "values are right" in run(built, "stream", *shape)


def test_broadcast_saves_traffic(built: Path) -> None:
    text = run(built, "broadcast")
    assert "sums are right" in text
    assert number(r"([\d.]+) times faster", text) > 8


@pytest.mark.parametrize("order", ["256", "512"])
def test_transpose_over_the_mesh_is_right_and_faster(built: Path, order: str) -> None:
    text = run(built, "transpose", order)
    assert "values are right" in text
    alone = number(r"for itself +(\d+) cycles", text)
    assert number(r"over the mesh +(\d+) cycles", text) < 0.7 * alone


# The README's figures less a few per cent: at the default size, and where two blocks share k.
@pytest.mark.parametrize(("shape", "peak"), [((), 80), (("1024", "512", "1024"), 75)])
def test_dgemm_is_near_peak(built: Path, shape: tuple[str, ...], peak: float) -> None:
    text = run(built, "dgemm", *shape)
    assert "values are right" in text
    assert number(r"([\d.]+) % of the CPEs' peak", text) >= peak


# One step; fewer steps than a round, blocks that overlap at both edges; a last tile of 9 columns.
@pytest.mark.parametrize(
    "shape", [("512", "512", "26"), ("517", "513", "101"), ("512", "600", "217")]
)
def test_dgemm_of_any_size(built: Path, shape: tuple[str, ...]) -> None:
    assert "values are right" in run(built, "dgemm", *shape)


def test_dgemm_needs_no_depth_of_message_buffers(built: Path) -> None:
    text = run(
        built,
        "dgemm",
        "512",
        "512",
        "100",
        WEFT_EMU_MESH_SEND_DEPTH="1",
        WEFT_EMU_MESH_RECEIVE_DEPTH="1",
    )
    assert "values are right" in text


def test_dgemm_tells_that_cpes_are_missing(built: Path) -> None:
    done = subprocess.run(
        [built / "dgemm" / "dgemm"],
        env={"WEFT_EMU_LDM_STACK": "1", "WEFT_EMU_CPES": "32"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert "needs 64 CPEs, there are 32" in done.stderr


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        ("stream", "7"),
        ("stream", "8192 128"),
        ("stream", "8192 96 64"),
        ("stream", "8192 128 -64"),
        ("transpose", "300"),
        ("dgemm", "512 512"),
        ("dgemm", "511 512 26"),
        ("dgemm", "512 512 x"),
    ],
)
def test_wrong_sizes_are_told(built: Path, name: str, sizes: str) -> None:
    done = subprocess.run([built / name / name, *sizes.split()], capture_output=True, text=True)
    assert done.returncode == 2
    assert "usage" in done.stderr
