# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pass list: names that exist, in the order of Passes.td."""

from __future__ import annotations

import pytest

from weft import machine, pipeline
from weft.native import _compiler

OWN = [flag for flag, _ in _compiler.passes()]


@pytest.mark.parametrize("target", machine.target_names())
def test_each_pass_of_ours_runs_once_in_declared_order(target: str) -> None:
    ran = [step.flag for step in pipeline.steps(target) if step.flag in OWN]
    assert ran == OWN


@pytest.mark.parametrize("target", machine.target_names())
def test_each_step_has_its_reason(target: str) -> None:
    assert all(len(step.reason.split()) > 3 for step in pipeline.steps(target))


@pytest.mark.parametrize("target", machine.target_names())
def test_pipeline_parses_and_leaves_an_empty_module_alone(target: str) -> None:
    attribute = machine.load(target).attribute()
    module = _compiler.Module(f"module attributes {{weft.target = {attribute}}} {{}}")
    module.run(pipeline.text(target))
    assert "func" not in module.text()
