# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether two strided regions of main memory meet, against the sets of their bytes."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
RUNTIME = HERE.parents[3] / "runtime" / "sw26010_emu"
Region = tuple[int, int, int, int]  # first, block, period, bytes


def random_region(source: random.Random, period: int) -> Region:
    block = source.randint(1, 12)
    if source.random() < 0.5 or period < block:
        period = block + source.randint(0, 20)
    last = source.randint(1, block)
    return 1000 + source.randint(0, 80), block, period, source.randint(0, 5) * block + last


def bytes_of(region: Region) -> set[int]:
    first, block, period, count = region
    return {first + at // block * period + at % block for at in range(count)}


def test_common_byte(tmp_path: Path) -> None:
    compiler = shutil.which("c++")
    if compiler is None:
        pytest.skip("no C++ compiler")
    driver = tmp_path / "region_driver"
    command = [compiler, "-std=c++20", "-O1", f"-I{RUNTIME}", str(HERE / "region_driver.cc")]
    subprocess.run([*command, str(RUNTIME / "DmaRegion.cpp"), "-o", str(driver)], check=True)
    source = random.Random(20100322)
    pairs = []
    for _ in range(20000):
        one = random_region(source, 0)
        pairs.append((one, random_region(source, one[2])))
    lines = "".join(" ".join(map(str, one + other)) + "\n" for one, other in pairs)
    found = subprocess.run(
        [str(driver)], input=lines, capture_output=True, text=True, check=True
    ).stdout.split()
    assert len(found) == len(pairs)
    meetings = 0
    for (one, other), answer in zip(pairs, found, strict=True):
        common = bytes_of(one) & bytes_of(other)
        meetings += bool(common)
        assert (int(answer) in common) if common else (answer == "none"), (one, other)
    assert 2000 < meetings < 18000  # both answers were tried
