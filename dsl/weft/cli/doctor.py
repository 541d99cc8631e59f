# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""weft doctor: is everything here that Weft needs; what to do about what is not."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from weft.cli import Exit

HUGE_PAGES = Path("/sys/kernel/mm/transparent_hugepage/enabled")
LOWEST_PYTHON = (3, 10)
REPORT = "what fails above may be the reason; else report it, with weft doctor --json"


class State(str, Enum):
    """What a finding means for the user."""

    ok = "ok"
    note = "note"  # usable, but slower or with less than it could be
    fail = "fail"  # not usable


@dataclass(frozen=True)
class Finding:
    name: str
    state: State
    found: str
    help: str = ""


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Check the installation; exit status 0 only if kernels can be compiled and run."""
    from weft import __version__

    findings = []
    for finding in examine():
        findings.append(finding)
        if not as_json:
            typer.echo(_line(finding))
    usable = all(finding.state is not State.fail for finding in findings)
    if as_json:
        import json

        record = {"weft": __version__, "usable": usable, "checks": [asdict(f) for f in findings]}
        typer.echo(json.dumps(record, indent=1))
    else:
        typer.echo(f"weft {__version__} is {'usable' if usable else 'NOT usable'}")
    if not usable:
        raise typer.Exit(Exit.FAULT)


def examine() -> Iterator[Finding]:
    """One finding after the other: what comes early explains what fails later."""
    for name, check in CHECKS.items():
        yield _guarded(name, check)


def _guarded(name: str, check: Callable[[], tuple[State, str, str]]) -> Finding:
    from weft.diagnostics import RunError, WeftError

    try:
        return Finding(name, *check())
    except RunError as error:
        told = error.found.partition("\n")[0]
        found = "; ".join(part for part in (error.message, told) if part)
        wanted = f"give {error.expected}" if error.expected else REPORT
        return Finding(name, State.fail, found, error.help or wanted)
    except WeftError as error:
        return Finding(name, State.fail, error.render().partition("\n")[0], REPORT)
    except Exception as error:
        return Finding(name, State.fail, f"{type(error).__name__}: {error}", REPORT)


def _line(finding: Finding) -> str:
    lines = [f"{finding.state.value:<5}{finding.name:<12}{finding.found}"]
    if finding.help:
        lines.append(f"{'':<17}to do: {finding.help}")
    return "\n".join(lines)


def _python() -> tuple[State, str, str]:
    found = f"{platform.python_version()} at {sys.executable}"
    if sys.version_info < LOWEST_PYTHON:
        return State.fail, found, "install Python 3.10 or newer"
    return State.ok, found, ""


def _numpy() -> tuple[State, str, str]:
    try:
        import numpy as np
    except ImportError as error:
        return State.fail, str(error), "pip install numpy"
    return State.ok, np.__version__, ""


def _native() -> tuple[State, str, str]:
    import re
    import subprocess

    from weft.cli.native_tools import tool_path

    try:
        from weft.native import _compiler
    except ImportError as error:
        return State.fail, str(error), "install Weft's wheel again; in a working tree: make setup"
    shown = subprocess.run(
        [str(tool_path("weft-opt")), "--version"], capture_output=True, text=True, check=False
    )
    version = re.search(r"LLVM version (\S+)", shown.stdout)
    passes = len(_compiler.passes())
    found = f"{passes} passes of Weft, MLIR {version[1] if version else 'of unknown version'}"
    return State.ok, found, ""


def _compiler() -> tuple[State, str, str]:
    from weft import toolchain

    compiler = toolchain.find_compiler()
    found = f"{compiler.version} at {compiler.path}"
    answer = _compiled("int answer(void);\nint answer(void) { return 42; }\n", openmp=False)
    if answer != 42:
        return State.fail, f"{found}: a program gave {answer}", "name another with WEFT_CC"
    return State.ok, f"{found}, compiles and runs", ""


def _openmp() -> tuple[State, str, str]:
    from weft import toolchain

    if not toolchain.has_openmp(toolchain.find_compiler()):
        advice = "install its OpenMP library (libgomp1, libomp-dev), or set WEFT_CC to gcc"
        return State.note, "not there: kernels run on one thread", advice
    threads = _compiled(
        "#include <omp.h>\nint answer(void);\nint answer(void) {\n  int n = 0;\n"
        "#pragma omp parallel reduction(+ : n)\n  n += 1;\n  return n;\n}\n",
        openmp=True,
    )
    limit = os.environ.get("OMP_NUM_THREADS")
    why = f" (OMP_NUM_THREADS={limit})" if limit else ""
    return State.ok, f"works, {threads} threads{why} on {os.cpu_count()} processors", ""


def _compiled(text: str, openmp: bool) -> int:
    """What `answer()` of a C program returns, through the way that kernels take."""
    import ctypes
    import tempfile

    from weft import machine, toolchain

    with tempfile.TemporaryDirectory(prefix="weft-doctor-") as folder:
        source = Path(folder, "answer.c")
        source.write_text(text, encoding="utf-8")
        try:
            compiler = toolchain.find_compiler()
            toolchain.compile_c(compiler, machine.load("portable"), source, openmp)
        except toolchain.RefusedC as error:
            from weft.diagnostics import RunError

            raise RunError(
                "it does not compile a small program",
                found=error.output.strip()[:500],
                help="apt-get install gcc libc6-dev, or name another compiler with WEFT_CC",
            ) from None
        return int(ctypes.CDLL(str(source.with_suffix(".so"))).answer())


def _isa() -> tuple[State, str, str]:
    from weft import machine, toolchain

    target = toolchain.default_target()
    wide = sorted(flag for flag in toolchain.cpu_flags() if flag.startswith("avx512"))
    found = f"default target {target}; the CPU has {', '.join(wide) or 'no AVX-512'}"
    missing = toolchain.missing_cpu_flags(machine.load("avx512"))
    if missing:
        return State.note, f"{found}; avx512 needs {', '.join(missing)}", ""
    return State.ok, found, ""


def _tables() -> tuple[State, str, str]:
    """Which numbers the cost model uses, of those that this CPU can run."""
    from weft import cpu, machine, toolchain

    target = toolchain.default_target()
    used = machine.overlays(target)
    own = machine.calibration_file(target)
    found = f"of {target} as they come with Weft"
    if used:
        found = f"of {target} with {', '.join(map(str, used))}"
    elif own.is_file():
        return State.note, f"{found}: WEFT_NO_OVERLAY=1 leaves {own} out", ""
    machine.load(target)
    if own.is_file() or "dft_stage_cycles" not in machine.plain(target).values:
        return State.ok, found, ""
    return State.ok, f"{found}, not calibrated on {cpu.model()} (weft tune --calibrate)", ""


def _cache() -> tuple[State, str, str]:
    from weft import cache_folder
    from weft.cli.cache import amount

    allowed = cache_folder.limit()
    with cache_folder.workspace() as work:
        (work / "probe").write_bytes(b"x")
    items = cache_folder.items()
    used = sum(item.bytes for item in items)
    found = f"{cache_folder.folder()}, writable, {amount(used)} of {amount(allowed)}"
    return State.ok, found, ""


def _huge_pages() -> tuple[State, str, str]:
    try:
        setting = HUGE_PAGES.read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError):
        return State.note, "this kernel does not say", ""
    chosen = setting.partition("[")[2].partition("]")[0]
    if chosen in ("always", "madvise"):
        return State.ok, f"transparent_hugepage is {chosen}", ""
    advice = f"as root: echo madvise > {HUGE_PAGES}; large kernels are faster then"
    return State.note, f"transparent_hugepage is {chosen or setting.strip()}", advice


def _kernel() -> tuple[State, str, str]:
    """Everything together: a kernel from its source to right numbers."""
    import numpy as np

    from weft import driver
    from weft.artifacts import Dump

    source = "kernel probe[n: size](x: c128[n]) -> (y: c128[n]):\n    y = dft(x, axis=0)\n"
    kernel = driver.compile_watched(source, None, None, Dump(None, fresh=True), {"n": 16})
    x = np.arange(16) * (1 - 2j)
    if not np.allclose(kernel(x), np.fft.fft(x)):
        return State.fail, f"wrong results for {kernel.target}", "weft cache clear, then again"
    return State.ok, f"compiled, run and compared with NumPy for {kernel.target}", ""


def _extras() -> tuple[State, str, str]:
    """Optional dependencies, by the names that pip knows them by."""
    from importlib import metadata

    try:
        about = metadata.metadata("weft")
        requires = metadata.requires("weft") or []
    except metadata.PackageNotFoundError:
        return State.note, "Weft was not installed by pip: unknown", ""
    parts, lacking = [], []
    for extra in about.get_all("Provides-Extra") or []:
        missing = [name for name in _named_by(extra, requires) if not _is_installed(name)]
        parts.append(f"{extra} {'is there' if not missing else 'lacks ' + ', '.join(missing)}")
        lacking += [extra] * bool(missing)
    advice = f"only if you want them: pip install 'weft[{','.join(lacking)}]'" if lacking else ""
    return State.ok, "; ".join(parts) or "none exist", advice


def _named_by(extra: str, requires: list[str]) -> list[str]:
    import re

    mark = re.compile(rf"extra == ['\"]{re.escape(extra)}['\"]")
    marked = [line for line in requires if mark.search(line)]
    names = [re.split(r"[\s\[<>=!~;(]", line, maxsplit=1)[0] for line in marked]
    return [name for name in names if name != "weft"]


def _is_installed(name: str) -> bool:
    from importlib import metadata

    try:
        metadata.distribution(name)
    except metadata.PackageNotFoundError:
        return False
    return True


CHECKS: dict[str, Callable[[], tuple[State, str, str]]] = {
    "python": _python,
    "numpy": _numpy,
    "native": _native,
    "compiler": _compiler,
    "openmp": _openmp,
    "isa": _isa,
    "tables": _tables,
    "cache": _cache,
    "huge pages": _huge_pages,
    "kernel": _kernel,
    "extras": _extras,
}
