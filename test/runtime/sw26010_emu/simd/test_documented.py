# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/athread.md names every intrinsic, instruction and library function, and none that is not."""

from __future__ import annotations

import re
from pathlib import Path

from . import building
from .test_assembly import entries

PAGE = building.HERE.parents[3] / "docs" / "athread.md"


def names(text: str) -> set[str]:
    """Words in code, alone or called, ranges of digits filled in."""
    found: set[str] = set()
    for first, last in re.findall(r"`(\w+\d)` \.\.\. `(\w+\d)`", text):
        found |= {first[:-1] + str(digit) for digit in range(int(first[-1]), int(last[-1]) + 1)}
    for code in re.findall(r"`([^`]+)`", text):
        found |= set(re.findall(r"^(\w+)(?:\(.*\))?$", code))
    return found


def section(title: str) -> str:
    return PAGE.read_text().split(f"\n## {title}\n")[1].split("\n## ")[0]


def test_intrinsics(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text("#include <simd.h>\n")
    flags = [*building.FLAGS, "-D__sw_slave__", "-E", str(source)]
    defined = set(re.findall(r"\b(simd_\w+)\(", building.clang([*flags, "-P"]).stdout))
    defined |= set(re.findall(r"#define (simd_\w+)\(", building.clang([*flags, "-dM"]).stdout))
    assert len(defined) > 120
    assert {name for name in names(section("SIMD")) if name.startswith("simd_")} - {
        "simd_"
    } == defined


def test_instructions() -> None:
    """Those that are no intrinsic without its prefix are listed themselves."""
    listed = names(section("Inline assembly"))
    intrinsics = {name.removeprefix("simd_") for name in names(section("SIMD"))}
    intrinsics |= {"vextf", "vinsf", "vextw", "vinsw", "vshfw", "vlog3r"}
    assert {entry.name for entry in entries()} <= listed | intrinsics


def test_library() -> None:
    documented = names(section("The C library of slave code"))
    defined: set[str] = set()
    for source in building.EMULATOR.glob("Slave*.cpp"):
        text = source.read_text()
        defined |= set(re.findall(r"\bslave_([a-z]\w*)\([^;{]*\)? \{", text))
        defined |= set(re.findall(r"WEFT_SLAVE_\w+\([\w ]+, (\w+)\)", text))
        defined |= set(re.findall(r"\bslave_(\w+)##f\(", text))
    single = {name for name in defined if name.endswith("f") and name[:-1] in defined}
    others = {"sw26010", "assert", "abort", "exit", "f"}
    classes = set(re.findall(r"\| `(\w+)` \|", section("The C library of slave code")))
    assert defined - single - {"abort", "name", "namef"} <= documented
    assert documented - others - classes <= defined
