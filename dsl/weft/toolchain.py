# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The C compiler: found, identified, asked; and what the CPU at hand can run.

Emitted C must compile. Where it does not, the fault is Weft's and the reproducer is kept; a missing
compiler is the user's to mend. One call makes assembly, a second assembles and links that same
assembly, so that the `.s` shown is what runs.
"""

from __future__ import annotations

import os
import shlex
import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from weft import events, headers
from weft.diagnostics import RunError
from weft.machine import Machine

CANDIDATES = ("gcc", "clang", "cc")
OPENMP_FLAG = "-fopenmp"
MAX_THREADS = 1024  # of one call


@dataclass(frozen=True)
class Compiler:
    """A C compiler as found on this machine."""

    path: str
    version: str  # the first line of --version
    identity: str  # changes whenever the generated code might
    is_gcc: bool = False


class RefusedC(Exception):
    """The compiler does not accept emitted C; the driver makes a CompilerBug of it."""

    def __init__(self, compiler: Compiler, command: list[str], output: str) -> None:
        super().__init__(f"{compiler.version} refused the C that Weft emitted")
        self.command = command
        self.output = output


def find_compiler() -> Compiler:
    """WEFT_CC, then CC, then gcc, clang, cc. A compiler named by the user must exist."""
    for variable in ("WEFT_CC", "CC"):
        named = os.environ.get(variable)
        if named:
            path = shutil.which(named)
            if path is None:
                raise RunError(
                    f"no C compiler: {variable} names {named!r}, which is not an executable",
                    help=f"unset {variable}, or give the path of gcc or clang",
                )
            return _identify(path, Path(path).stat().st_mtime_ns)
    for name in CANDIDATES:
        path = shutil.which(name)
        if path is not None:
            return _identify(path, Path(path).stat().st_mtime_ns)
    raise RunError(
        "no C compiler found",
        expected="gcc or clang on PATH",
        found="none of " + ", ".join(CANDIDATES),
        help="apt-get install gcc, or set WEFT_CC to a compiler's path",
    )


@cache
def _identify(path: str, _modified: int) -> Compiler:
    status, output = _run([path, "--version"])
    version = output.splitlines()[0].strip() if output else ""
    if status != 0 or not version:
        raise RunError(
            f"{path} --version failed",
            found=version or f"exit status {status}",
            help="set WEFT_CC to the path of gcc or clang",
        )
    size = Path(path).resolve().stat().st_size
    identity = f"{Path(path).resolve()} {size} {version}"
    # Whatever name it goes by, `cc` mostly.
    return Compiler(path, version, identity, is_gcc="Free Software Foundation" in output)


def has_openmp(compiler: Compiler) -> bool:
    """Whether a shared object with OpenMP can be made and linked. Takes the compiler's time."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="weft-") as folder:
        source = Path(folder, "probe.c")
        source.write_text(
            "#include <omp.h>\n"
            "int probe(void);\n"
            "int probe(void) { return omp_get_max_threads(); }\n"
        )
        command = [compiler.path, OPENMP_FLAG, "-fPIC", "-shared", str(source)]
        status, _ = _run([*command, "-o", str(Path(folder, "probe.so"))])
        return status == 0


def openmp_library(compiler: Compiler) -> Path | None:
    """The library that the compiler links for OpenMP, where it says so."""
    for name in ("libgomp.so", "libomp.so"):
        status, output = _run([compiler.path, f"-print-file-name={name}"])
        path = Path(output.strip())
        if status == 0 and path.is_absolute() and path.exists():
            return path.resolve()
    return None


def target_flags(machine: Machine, compiler: Compiler) -> list[str]:
    """What belongs to the target; part of the cache key."""
    return [*machine.c_flags, *(machine.gcc_flags if compiler.is_gcc else ())]


def compile_c(
    compiler: Compiler,
    machine: Machine,
    source: Path,
    openmp: bool,
    subject: events.Subject = events.NOBODY,
) -> dict[str, object]:
    """source.c -> source.s -> source.so, beside it. Returns what was done, for the report.

    A source that is assembly already is only assembled and linked.
    """
    flags = [
        *target_flags(machine, compiler),
        "-fPIC",
        "-fvisibility=default",
        f"-I{machine.folder}",
        OPENMP_FLAG if openmp else "-Wno-unknown-pragmas",
    ]
    assembly, shared = source.with_suffix(".s"), source.with_suffix(".so")
    if source != assembly:
        known = headers.precompiled(compiler.path, compiler.identity, flags, source, subject)
        command = [compiler.path, *flags, "-S", source.name, "-o", assembly.name]
        # What is wrong with the headers is no fault of the source: it stands for itself.
        if not known or not _done([*command, *known], source, subject):
            _must(compiler, command, source, subject)
    _must(
        compiler,
        [compiler.path, *flags, "-shared", assembly.name, "-o", shared.name, "-lm"],
        source,
        subject,
    )
    return {"compiler": compiler.version, "flags": flags, "openmp": openmp}


def _done(command: Sequence[str], source: Path, subject: events.Subject) -> bool:
    """Whether the compiler takes it, in the source's folder."""
    with events.timed("cc", subject, shlex.join(command)):
        return _run(command, cwd=source.parent)[0] == 0


def _must(
    compiler: Compiler, command: Sequence[str], source: Path, subject: events.Subject
) -> None:
    with events.timed("cc", subject, shlex.join(command)):
        status, output = _run(command, cwd=source.parent)
        if status != 0:
            raise _fault(compiler, command, status, output, source)


def run_commands(
    steps: Sequence[Sequence[Sequence[str]]], work: Path, subject: events.Subject = events.NOBODY
) -> None:
    """Compilers that are Weft's own, in a folder; RefusedC where one refuses.

    The commands of a step need nothing of one another: they run side by side.
    """
    from concurrent.futures import ThreadPoolExecutor

    def timed(command: Sequence[str]) -> tuple[int, str, float]:
        start = time.perf_counter()
        return (*_run(command, cwd=work), time.perf_counter() - start)

    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for step in steps:
            for command, done in zip(step, list(pool.map(timed, step)), strict=True):
                status, output, seconds = done
                if status != 0:
                    compiler = Compiler(command[0], "weft-swcc", "")
                    raise _fault(compiler, command, status, output, work)
                events.tell("cc", subject, shlex.join(command), seconds)


@dataclass(frozen=True)
class LibraryParts:
    """The C of a library: kernels for the target, and what programs call, for any CPU."""

    name: str
    kernels: str
    calls: str


# Only what calls.c marks is seen from outside.
LIBRARY_FLAGS = ("-fPIC", "-fvisibility=hidden")
CALLS_FLAGS = ("-std=c11", "-O2", "-Wall", "-Wextra", "-Werror")


def link_library(
    compiler: Compiler,
    machine: Machine,
    parts: LibraryParts,
    work: Path,
    openmp: bool,
    subject: events.Subject = events.NOBODY,
) -> dict[str, object]:
    """lib<name>.so in `work`, where its header lies already. Returns what was done."""
    shared = f"lib{parts.name}.so"
    sources = {"kernels.c": parts.kernels, "calls.c": parts.calls}
    for name, text in sources.items():
        (work / name).write_text(text, encoding="utf-8")
    with_openmp = [OPENMP_FLAG] if openmp else ["-Wno-unknown-pragmas"]
    flags = [
        *target_flags(machine, compiler),
        *LIBRARY_FLAGS,
        f"-I{machine.folder}",
        *with_openmp,
    ]
    objects = [str(Path(name).with_suffix(".o")) for name in sources]
    linking = ["-shared", f"-Wl,-soname,{shared}", "-Wl,--as-needed", *with_openmp[: int(openmp)]]
    commands = [
        [compiler.path, *flags, "-c", "kernels.c", "-o", "kernels.o"],
        [compiler.path, *CALLS_FLAGS, *LIBRARY_FLAGS, "-c", "calls.c", "-o", "calls.o"],
        [compiler.path, *linking, *objects, "-o", shared, "-lm"],
    ]
    for command in commands:
        with events.timed("cc", subject, shlex.join(command)):
            status, output = _run(command, cwd=work)
            if status != 0:
                raise _fault(compiler, command, status, output, work / "kernels.c")
    return {"compiler": compiler.version, "flags": flags, "openmp": openmp}


def _fault(
    compiler: Compiler, command: Sequence[str], status: int, output: str, source: Path
) -> Exception:
    """Emitted C was not accepted: a fault of Weft, unless the compiler itself was stopped."""
    if status < 0:
        return RunError(
            f"the C compiler {compiler.path} was stopped by signal {-status}",
            found=output.strip()[-500:] or "no output",
            help="this is usually a lack of memory; free some and compile again",
        )
    if "No space left on device" in output:
        return RunError(
            "no space left for the C compiler's output", help=f"free space under {source.parent}"
        )
    return RefusedC(compiler, list(command), output)


def _run(command: Sequence[str], cwd: Path | None = None) -> tuple[int, str]:
    """Exit status (negative: signal) and all output."""
    import subprocess

    environment = {**os.environ, "LC_ALL": "C"}
    done = subprocess.run(
        list(command),
        cwd=cwd,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return done.returncode, done.stdout.decode("utf-8", "replace")


# ---- the CPU at hand -----------------------------------------------------------------------------


@cache
def cpu_flags() -> frozenset[str]:
    """What the kernel reports of the first CPU; empty where it reports nothing in this form."""
    try:
        with Path("/proc/cpuinfo").open(encoding="utf-8", errors="replace") as lines:
            for line in lines:
                if line.startswith("flags"):
                    return frozenset(line.partition(":")[2].split())
    except OSError:
        pass
    return frozenset()


def missing_cpu_flags(machine: Machine) -> list[str]:
    """What the target needs and this CPU has not; empty means that the target's code runs here."""
    return [flag for flag in machine.cpu_flags if flag not in cpu_flags()]


def cpu_supports(machine: Machine) -> bool:
    return not missing_cpu_flags(machine)


def require_cpu(machine: Machine) -> None:
    """RunError, naming `portable`, where this CPU cannot run the target's code."""
    missing = missing_cpu_flags(machine)
    if missing:
        raise RunError(
            f"this CPU cannot run code for the target {machine.name!r}",
            expected="a CPU with " + ", ".join(machine.cpu_flags),
            found="one without " + ", ".join(missing),
            help="use the target 'portable', which runs anywhere",
        )


def default_target() -> str:
    """The widest vectors that the CPU has: avx512, avx2, else portable."""
    from weft import machine

    for name in ("avx512", "avx2"):
        if name in machine.target_names() and cpu_supports(machine.load(name)):
            return name
    return "portable"
