# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pass list: names that exist, in the order of Passes.td."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from weft import machine, pipeline
from weft.cli.native_tools import tool_path
from weft.native import _compiler

OWN = [flag for flag, _ in _compiler.passes()]
DECLARATIONS = Path(__file__).parents[2] / "dsl" / "passes" / "Passes.td"


def test_own_passes_are_those_that_are_declared() -> None:
    declared = re.findall(
        r'^def \w+ : WeftPass<"([\w-]+)">', DECLARATIONS.read_text(), re.MULTILINE
    )
    assert declared == OWN


@pytest.mark.parametrize("target", machine.target_names())
def test_each_pass_of_ours_runs_once_in_declared_order(target: str) -> None:
    ran = [step.flag for step in pipeline.steps(target) if step.flag in OWN]
    assert ran == [flag for flag in OWN if flag in ran]


def test_each_pass_of_ours_runs_on_some_target() -> None:
    ran = {step.flag for name in machine.target_names() for step in pipeline.steps(name)}
    assert set(OWN) <= ran


@pytest.mark.parametrize("target", machine.target_names())
def test_each_step_has_its_reason(target: str) -> None:
    assert all(len(step.reason.split()) > 3 for step in pipeline.steps(target))


@pytest.mark.parametrize("target", machine.target_names())
def test_every_pass_runs_in_order(target: str) -> None:
    attribute = machine.load(target).attribute()
    module = _compiler.Module(f"module attributes {{weft.target = {attribute}}} {{}}")
    ran: list[str] = []
    module.run(pipeline.flags(target), lambda flag, _: ran.append(flag))
    assert ran == [step.flag for step in pipeline.steps(target)]
    assert "func." not in module.text()


@pytest.mark.parametrize("target", machine.target_names())
def test_pipeline_is_what_weft_opt_takes(target: str) -> None:
    attribute = machine.load(target).attribute()
    text = f"module attributes {{weft.target = {attribute}}} {{}}"
    done = subprocess.run(
        [tool_path("weft-opt"), f"--pass-pipeline={pipeline.text(target)}", "-"],
        input=text,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("module attributes")
