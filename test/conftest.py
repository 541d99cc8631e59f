# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What all tests share: folders of their own, targets, the nightly switch."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from weft import machine, toolchain


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--nightly", action="store_true", help="run the exhaustive sweeps too")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--nightly"):
        return
    skip = pytest.mark.skip(reason="an exhaustive sweep: make nightly")
    for item in items:
        if item.get_closest_marker("nightly"):
            item.add_marker(skip)


@pytest.fixture(scope="session", autouse=True)
def interrupts_arrive() -> None:
    """What tests start can be interrupted, as on a terminal: a shell that starts a job in the
    background has it, and all that it starts, ignore Ctrl-C."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def own_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Cache, state and data away from the user's: every run compiles what it tests, by the
    target's own numbers, whatever CPU it runs on."""
    base = tmp_path_factory.mktemp("weft")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WEFT_CACHE_DIR", str(base / "cache"))
        patch.setenv("XDG_STATE_HOME", str(base / "state"))
        patch.setenv("XDG_DATA_HOME", str(base / "data"))
        patch.setenv("WEFT_NO_OVERLAY", "1")
        yield base


def runnable(name: str) -> bool:
    """Whether this CPU runs the target's code."""
    return toolchain.cpu_supports(machine.load(name))


def skip_unless_runnable(needed: machine.Machine) -> None:
    """Ends a test here, by name, on a CPU that lacks what the machine asks for."""
    if missing := toolchain.missing_cpu_flags(needed):
        pytest.skip(f"target {needed.name}: this CPU has no {', '.join(missing)}")


@pytest.fixture(scope="session", autouse=True)
def only_compiled() -> Iterator[None]:
    """What this CPU cannot run is compiled; where it would be called, the test is skipped."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("weft.compiled.require_cpu", skip_unless_runnable)
        yield


@pytest.fixture(params=["portable", "avx2", "avx512"])
def target(request: pytest.FixtureRequest) -> str:
    """Each CPU target in turn."""
    name: str = request.param
    return name
