# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What importing costs, and who may import whom."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import weft

PACKAGE = Path(weft.__file__).parent
HEAVY = {"numpy", "lark", "rich", "typer", "click", "tomllib", "weft.native._compiler"}

# Downwards: a module imports only from rows above its own, or from its own row's package.
ROWS = (
    "html",
    "diagnostics",
    "rules",
    "events",
    "syntax",
    "semantics",
    "parts",
    "lowering",
    "amounts",
    "cpu",
    "machine",
    "pipeline",
    "cache_folder",
    "cache",
    "headers",
    "toolchain",
    "emu",
    "probe",
    "artifacts",
    "notes",
    "nests",
    "call",
    "random_inputs",
    "scratch",
    "openmp",
    "network",
    "groups",
    "emulated_groups",
    "emulated",
    "compiled",
    "execution",
    "fixing",
    "interpreted",
    "frontend",
    "sources",
    "verification",
    "backend",
    "library",
    "requests",
    "building",
    "driver",
    "remembered",
    "nn",
    "fft",
    "exact",
    "explanation",
    "tuning",
    "replay",
    "module_files",
    "hosting",
    "cli",
)
# Compiled code joins all rows; the package's own file names where things live.
EVERYWHERE = ("native", "__init__")


def loaded_after(code: str) -> set[str]:
    shown = f"{code}\nimport sys\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", shown], check=True, capture_output=True, text=True)
    return set(done.stdout.split())


@pytest.mark.parametrize(
    ("code", "allowed"),
    [
        ("import weft", set()),
        ("import weft; weft.SourceError", set()),
        ("import weft.cli; weft.cli.main(['--version'])", set()),
        ("import weft.cli.app", {"typer", "click", "rich"}),
        ("import weft.machine; weft.machine.load('portable')", {"tomllib"}),
        ("import weft.driver", {"numpy"}),
        ("import weft.syntax.parser", set()),
    ],
)
def test_import_pulls_in_nothing_heavy(code: str, allowed: set[str]) -> None:
    assert loaded_after(code) & HEAVY <= allowed


CACHED = """
import numpy as np, weft
source = "kernel f[n: size](x: f64[n]) -> (y: f64[n]):\\n    y = x + 1\\n"
weft.compile(source, target="portable", n=8)(np.ones(8))
"""
FOR_A_BUILD = {"lark", "weft.backend", "weft.native._compiler", "weft.syntax", "weft.semantics"}
SELDOM = {"numpy.ma", "rich", "typer", "weft.interpreted", "weft.verification"}


def test_a_kernel_in_the_cache_loads_nothing_that_builds() -> None:
    first, second = loaded_after(CACHED), loaded_after(CACHED)
    assert first & FOR_A_BUILD == FOR_A_BUILD
    assert not (first | second) & SELDOM
    # Messages of checks at run time lie beside the semantics.
    assert not second & (FOR_A_BUILD - {"weft.semantics"})


def times_after(code: str) -> dict[str, float]:
    """Milliseconds that each module took itself, as `python -X importtime` counts."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", code], check=True, capture_output=True, text=True
    )
    rows = [line.removeprefix("import time:").split("|") for line in done.stderr.splitlines()[1:]]
    return {row[2].strip(): int(row[0]) / 1e3 for row in rows if len(row) == 3}


# Nothing of these is needed before something is compiled or called. typing alone takes longer than
# `import weft`; an editable install brings importlib's own helpers, which are allowed.
LATER = {
    *("matplotlib", "scipy", "h5py", "IPython", "hypothesis"),
    *("typing", "re", "enum", "dataclasses", "inspect", "json", "hashlib", "ctypes", "subprocess"),
    *("pathlib", "tempfile", "csv", "threading", "difflib", "logging", "argparse"),
}


def test_import_weft_brings_only_itself() -> None:
    new = set(times_after("import weft")) - set(times_after("pass"))
    assert "weft" in new
    assert not {name.partition(".")[0] for name in new} & (HEAVY | LATER)
    assert {name for name in new if name.startswith("weft.")} == set()


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def row(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_rows(path: Path) -> set[str]:
    rows = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            module = node.module or ""
            names = [f"{module}.{a.name}" for a in node.names] if module == "weft" else [module]
        rows.update(name.split(".")[1] for name in names if name.startswith("weft."))
    return {name for name in rows if not name.startswith("__")}


def test_every_module_has_a_row() -> None:
    assert {row(path) for path in modules()} - set(EVERYWHERE) <= set(ROWS)


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_come_from_rows_above(path: Path) -> None:
    own = row(path)
    if own in EVERYWHERE:
        return
    allowed = {*ROWS[: ROWS.index(own) + 1], *EVERYWHERE}
    assert imported_rows(path) <= allowed


def test_public_names_exist() -> None:
    for name in weft.__all__:
        assert getattr(weft, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'kompile'"):
        weft.kompile  # noqa: B018
