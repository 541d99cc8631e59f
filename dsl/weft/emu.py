# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs made by weft-swcc, run on the emulated SW26010.

Such a program carries the emulator with it and runs by itself; this passes on what is asked for,
in the environment, and reads the report.

    done = weft.emu.run(["./stream", "1024"], ldm_stack=True)
    done.status, done.output, done.report["cycles"]
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from weft.diagnostics import RunError

LIBRARY = "libweft_sw26010.so"
SCHEMA = "weft-emu-report"
SCHEMA_VERSION = 1


@dataclass(frozen=True)
class Request:
    """What is asked of a run; each field is a variable of the environment for the program."""

    functional: bool = False
    """No timing: as fast as it goes."""
    strict: bool = False
    """A race ends the run."""
    ldm_stack: bool = False
    """Arrays of slave functions lie in LDM: bsub's -b."""
    report: Path | None = None
    trace: Path | None = None
    trace_from: int | None = None
    """Cycle from which on the trace has events."""
    trace_limit: int | None = None
    """Megabytes."""
    konata: str | None = None
    """FUNCTION:CPE."""
    konata_file: Path | None = None
    konata_from: int | None = None
    konata_limit: int | None = None
    """Instructions."""
    cpes: int | None = None
    host_stack: int | None = None
    """Megabytes, as the next three."""
    share_size: int | None = None
    priv_size: int | None = None
    cross_size: int | None = None
    machine: Path | None = None
    """Another table of the machine."""

    def environment(self) -> dict[str, str]:
        """The variables that say it; what is not asked for has none."""
        said = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if value is None or value is False:
                continue
            name = "WEFT_SW26010_MACHINE" if field.name == "machine" else _variable(field.name)
            said[name] = "1" if value is True else str(value)
        return said


def _variable(name: str) -> str:
    return f"WEFT_EMU_{name.upper()}"


# What a run takes from its own request alone, not from the surroundings.
VARIABLES = tuple(_variable(f.name) for f in fields(Request) if f.name != "machine")


@dataclass(frozen=True)
class Run:
    """A run that has ended, whatever its status."""

    status: int
    """The program's exit status; 3 if a fault of the emulated machine ended it, -N for signal N."""
    output: bytes
    """What it wrote to standard output."""
    errors: bytes
    """What it and the emulator wrote to standard error."""
    report: dict[str, Any]
    """docs/emulator.md has the schema; empty if the program was killed."""


def native_file(name: str) -> Path:
    """A part of the emulator: the library, or bin/weft-swcc."""
    from importlib.util import find_spec

    native = find_spec("weft.native._compiler")
    if native is not None and native.origin is not None:
        path = Path(native.origin).parent / name
        if path.is_file():
            return path
    raise RunError(
        f"{name} is not installed",
        help="this Weft has no native part; in a working tree, run make setup",
    )


def require_program(word: str) -> str:
    """The file to execute; RunError if it is none that weft-swcc has made."""
    path = Path(word)
    if os.sep not in word and not path.is_file():
        raise RunError(
            f"no such program: {word or repr(word)}",
            help="programs are not searched for: name it with its path",
        )
    if not path.exists():
        raise RunError(f"no such program: {word}")
    if path.is_dir():
        raise RunError(f"{word} is a folder; a program is expected")
    if not os.access(path, os.X_OK):
        raise RunError(f"{word} cannot be executed: it lacks the permission")
    if not _needs_emulator(path):
        raise RunError(
            f"{word} was not made for the emulator",
            expected="a program linked by weft-swcc -hybrid",
            found=_kind(path),
            help="compile it with weft-swcc -host, -slave and -hybrid",
        )
    return word if os.sep in word else f"{os.curdir}{os.sep}{word}"


def _needs_emulator(path: Path) -> bool:
    import mmap

    with path.open("rb") as file:
        if file.read(4) != b"\x7fELF":
            return False
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            return content.find(LIBRARY.encode() + b"\0") >= 0


def _kind(path: Path) -> str:
    with path.open("rb") as file:
        start = file.read(4)
    if start == b"\x7fELF":
        return "a program of the host alone"
    return "a script" if start[:2] == b"#!" else "no program"


def surroundings(request: Request) -> dict[str, str]:
    """The whole environment of the run."""
    kept = {key: value for key, value in os.environ.items() if key not in VARIABLES}
    return {**kept, **request.environment()}


def read_report(path: Path) -> dict[str, Any]:
    """A report that a run has written."""
    import json

    try:
        report = json.loads(path.read_bytes())
    except OSError as error:
        raise RunError(f"cannot read {path}: {error.strerror}") from None
    except ValueError as error:
        raise RunError(f"{path}: not a report: {error}") from None
    if not isinstance(report, dict) or report.get("schema") != SCHEMA:
        raise RunError(f"{path}: not a report of the emulator")
    if report["version"] != SCHEMA_VERSION:
        raise RunError(
            f"{path}: a report of another version",
            expected=str(SCHEMA_VERSION),
            found=str(report["version"]),
        )
    return report


Moment = tuple[int, int] | None


def moment(place: Path | None) -> Moment:
    """Another one for each file that is made; none for what is no file."""
    if place is None or not place.is_file():
        return None
    about = place.stat()
    return about.st_ino, about.st_mtime_ns


def run(
    command: Sequence[str | os.PathLike[str]],
    *,
    stdin: bytes = b"",
    environment: Mapping[str, str] | None = None,
    timeout: float | None = None,
    **asked: Any,
) -> Run:
    """Runs a program to its end and returns what it did. `asked` are fields of `Request`."""
    import subprocess
    import tempfile

    program, *arguments = (os.fspath(word) for word in command)
    with tempfile.TemporaryDirectory(prefix="weft-emu-") as folder:
        request = Request(**{"report": Path(folder, "report.json"), **asked})
        written = request.report
        before = moment(written)
        done = subprocess.run(
            [require_program(program), *arguments],
            input=stdin,
            capture_output=True,
            env={**surroundings(request), **(environment or {})},
            timeout=timeout,
            check=False,
        )
        # One that an earlier run has left is not this one's: a new one takes its place.
        is_new = moment(written) not in (None, before)
        report = read_report(written) if written is not None and is_new else {}
    return Run(done.returncode, done.stdout, done.stderr, report)


def counters() -> list[dict[str, str]]:
    """The counters of reports in their order: name, unit, part and description of each."""
    import ctypes
    import json

    library = ctypes.CDLL(str(native_file(LIBRARY)))
    library.weft_emu_counters.restype = ctypes.c_char_p
    told: list[dict[str, str]] = json.loads(library.weft_emu_counters())
    return told


@dataclass(frozen=True)
class Parameter:
    """A number of the machine's table."""

    name: str
    value: Any
    unit: str
    source: str
    confidence: str


def machine_file() -> Path:
    """The table in force without a request for another."""
    from weft.machine import targets_folder

    named = os.environ.get("WEFT_SW26010_MACHINE")
    return Path(named) if named else targets_folder() / "sw26010" / "machine.toml"


def parameters(path: Path | None = None) -> list[Parameter]:
    """All numbers of the machine, in the order of its table."""
    import sys

    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    path = path or machine_file()
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise RunError(f"cannot read {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RunError(f"{path}: not a TOML file: {error}") from None
    return list(_parameters(table, ""))


def _parameters(table: Mapping[str, Any], prefix: str) -> Sequence[Parameter]:
    found: list[Parameter] = []
    for key, entry in table.items():
        if not isinstance(entry, dict):
            continue
        if "value" in entry:
            words = {field: str(entry.get(field, "")) for field in ("unit", "source", "confidence")}
            found.append(Parameter(prefix + key, entry["value"], **words))
        else:
            found.extend(_parameters(entry, f"{prefix}{key}."))
    return found
