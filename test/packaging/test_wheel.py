# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the wheel holds. Runs where make check has built one."""

from __future__ import annotations

import os
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

WHEEL = os.environ.get("WEFT_WHEEL")
pytestmark = pytest.mark.skipif(not WHEEL, reason="no wheel: WEFT_WHEEL is set by make check")


@pytest.fixture(scope="module")
def names() -> list[str]:
    assert WHEEL is not None
    with zipfile.ZipFile(WHEEL) as wheel:
        return wheel.namelist()


def test_only_weft_lands_at_the_top_level(names: list[str]) -> None:
    top = {name.split("/")[0] for name in names}
    assert {name for name in top if not name.endswith(".dist-info")} == {"weft"}


@pytest.mark.parametrize(
    "name",
    [
        "weft/py.typed",
        "weft/syntax/grammar.lark",
        "weft/native/bin/weft-opt",
        "weft/native/bin/weft-translate",
        "weft/native/bin/weft-interp",
        "weft/native/_compiler.pyi",
        "weft/targets/portable/machine.toml",
        "weft/targets/avx512/machine.toml",
    ],
)
def test_wheel_has(names: list[str], name: str) -> None:
    assert name in names


def test_wheel_has_the_native_modules_and_no_sources_of_them(names: list[str]) -> None:
    native = sorted(name.split("/")[-1].split(".")[0] for name in names if name.endswith(".so"))
    assert native == ["WeftSwcc", "_call", "_compiler", "libweft_sw26010"]
    assert not [name for name in names if name.endswith((".cpp", ".td", ".a", ".pyc"))]


def test_metadata() -> None:
    assert WHEEL is not None
    with zipfile.ZipFile(WHEEL) as wheel:
        info = next(n for n in wheel.namelist() if n.endswith(".dist-info/METADATA"))
        metadata = Parser().parsestr(wheel.read(info).decode())
        assert metadata["License-Expression"] == "Apache-2.0 WITH LLVM-exception"
        assert metadata["Requires-Python"] == ">=3.10"
        assert any(n.endswith("/LICENSE") for n in wheel.namelist())
        scripts = wheel.read(info.replace("METADATA", "entry_points.txt")).decode()
    for script in ("weft", "weft-opt", "weft-translate", "weft-interp"):
        assert f"{script} = weft." in scripts


def test_tests_run_from_the_installed_wheel() -> None:
    import weft

    assert "site-packages" in Path(weft.__file__).parts, "make check must test the wheel"
