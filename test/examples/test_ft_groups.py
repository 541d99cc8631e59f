# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NPB FT over groups: NPB's checksums from slabs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from weft import driver, hosting
from weft.cli.app import app
from weft.hosting import Case

FOLDER = Path(__file__).parents[2] / "examples" / "ft_groups"
SIZES = {"nz": 64, "ny": 64, "nx": 64, "niter": 6}


@pytest.mark.parametrize("groups", [1, 2, 4])
def test_reference_evaluation_has_npbs_checksums(groups: int) -> None:
    source, host_file = hosting.example_files(FOLDER)
    assert host_file is not None
    host = hosting.Host(host_file)
    case = Case("S", {**SIZES, "G": groups})
    kernel = driver.compile(source, "ft", mode="interpret", **case.sizes)
    sums = kernel(**host.inputs(case))
    assert sums.shape == (groups, 6)
    assert host.check(case, {"sums": sums}).holds is True
    # One group with other sums than the rest is not right.
    wrong = np.array(sums)
    wrong[groups - 1, 3] *= 1 + 1e-9
    verdict = host.check(case, {"sums": wrong})
    assert verdict.holds is False
    assert verdict.lines[-1] == f"wrong in the groups [{groups - 1}]"


def test_groups_that_do_not_share_out_the_planes_are_refused() -> None:
    words = ["run", str(FOLDER), "--case", "S", "--groups", "3", "--mode", "interpret"]
    result = CliRunner().invoke(app, words)
    assert result.exit_code != 0
    assert "W626" in str(result.exception) + result.output


def test_a_plain_program_has_no_groups() -> None:
    words = ["run", str(FOLDER.parent / "ft"), "--case", "S", "--groups", "2"]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 2
    assert "no program over groups" in result.output
