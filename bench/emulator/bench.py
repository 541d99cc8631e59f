# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The emulator's cycles beside what was measured on the machine, and its own speed.

Memory: each row of measured.csv, in the protocol in which it was measured. Where weft-swcc is
there, real programs run: examples/athread/stream and memory/ (reads, broadcast, gld and gst);
else, or with WEFT_BENCH_PROGRAMS=0, dma_driver.cpp runs the model alone. The ratio is the model's
rate over the machine's, the goal its largest distance from 1; outliers have none. held_out.csv is
the same for what nothing was fitted to; those records have no goal. Pictures go to build/:
emulator-memory.svg, emulator-held-out.svg, and emulator-axes.svg for what nobody has measured.

A core: core/ measures latencies and messages on the emulator, beside what is published of them.

Speed: emulated DMA traffic in a second of the host's processor; register messages; ten loops of
speed/ on CPE 0, processor time over that of the same C compiled for this computer (-O2, without
vectorizing).
"""

from __future__ import annotations

import os
import resource
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from weft import module_files

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PICTURE = ROOT / "build" / "emulator-memory.svg"
HELD_OUT = ROOT / "build" / "emulator-held-out.svg"
AXES = ROOT / "build" / "emulator-axes.svg"
LARGE = 24576
# Emulated bytes a second, and seconds a request.
GOAL_TRAFFIC = 200e6
GOAL_REQUEST = 1e-6
# Register messages that each CPE sends, and seconds for all.
MESSAGES = 100_000
GOAL_MESSAGES = 1.0
# Times as long as the same code compiled for this computer.
GOAL_SLOWER = 10
SMALL = (8, 64, 256)


model = module_files.load(HERE / "model.py")
picture = module_files.load(HERE / "picture.py")
axes = module_files.load(HERE / "axes.py")


def records() -> Iterator[dict[str, Any]]:
    with tempfile.TemporaryDirectory(prefix="weft-bench-") as name:
        folder = Path(name)
        programs = Programs.build(folder)
        with model.Driver(model.build(folder)) as driver:
            yield from _memory(driver, programs)
            yield from _held_out(driver, programs)
            AXES.write_text(picture.axes(axes.all_axes(driver)), encoding="utf-8")
            yield from _driver_speed(driver)
        if programs is not None:
            yield from _core(programs)
            yield _program_speed(programs, LARGE)
            yield _program_speed(programs, 1024, 8)
            yield _message_speed(programs)
            yield from _loops(programs, folder)


# ---- memory --------------------------------------------------------------------------------------


class Programs:
    """STREAM and the other rates, compiled by weft-swcc; each run gives all four kernels."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._streams: dict[tuple[int, int, int], dict[str, float]] = {}

    @classmethod
    def build(cls, folder: Path) -> Programs | None:
        compiler = _swcc()
        if compiler is None or os.environ.get("WEFT_BENCH_PROGRAMS") == "0":
            return None
        for name, source in (
            ("stream", ROOT / "examples" / "athread" / "stream"),
            ("memory", HERE / "memory"),
            ("core", HERE / "core"),
            ("speed", HERE / "speed"),
        ):
            objects = []
            for side, flags in (("host", ["-host"]), ("slave", ["-slave", "-msimd"])):
                objects.append(folder / f"{name}_{side}.o")
                _shell(compiler, *flags, "-c", source / f"{side}.c", "-o", objects[-1])
            _shell(compiler, "-hybrid", *objects, "-o", folder / name, "-lm")
        return cls(folder)

    def run(self, name: str, *words: object, ldm_stack: bool = False) -> str:
        """`ldm_stack` is bsub's -b."""
        return _shell(*(["env", "WEFT_EMU_LDM_STACK=1"] * ldm_stack), self._folder / name, *words)

    def rate(self, row: Any) -> float:
        """GB/s, as the program prints them."""
        if row.table in ("contiguous", "strided"):
            return self.stream(row.bytes, row.block, row.gap)[row.kernel]
        words = {
            "read": ["reads", row.block, row.gap],
            "alone": [f"{row.kernel}s", row.bytes, model.CPES],
            "tile": ["tiles", row.block, row.gap, row.bytes],
            "broadcast": ["broadcast", row.bytes],
            "single": ["singles"],
        }[row.table]
        return float(self.run("memory", *words).split()[-2]) / 1000

    def stream(self, size: int, block: int, gap: int) -> dict[str, float]:
        asked = (size, block, gap)
        if asked not in self._streams:
            words = [size, block, gap] if block else [size]
            lines = self.run("stream", *words).splitlines()
            found = (line.split() for line in lines if "MB/s" in line)
            self._streams[asked] = {w[0].lower(): float(w[1]) / 1000 for w in found}
        return self._streams[asked]


def _swcc() -> Path | None:
    if given := os.environ.get("WEFT_SWCC"):
        return Path(given)
    from weft import emu
    from weft.diagnostics import RunError

    try:
        return emu.native_file("bin/weft-swcc")
    except RunError:
        return None


def _shell(*words: object) -> str:
    done = subprocess.run([str(w) for w in words], check=True, capture_output=True, text=True)
    return done.stdout


def _memory(driver: Any, programs: Programs | None) -> Iterator[dict[str, Any]]:
    hertz = model.quantities()["clock.hz"]
    rows = model.measured()
    rates = []
    for row in rows:
        rates.append(programs.rate(row) if programs else model.rate(driver, row, hertz))
        yield _rate(row, rates[-1], "program" if programs else "model alone", row.goal)
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(picture.memory(rows, rates), encoding="utf-8")


def _held_out(driver: Any, programs: Programs | None) -> Iterator[dict[str, Any]]:
    hertz = model.quantities()["clock.hz"]
    rows = model.measured("held_out.csv")
    rates = []
    for row in rows:
        rates.append(programs.rate(row) if programs else model.rate(driver, row, hertz))
        yield _rate(row, rates[-1], f"held out, {'program' if programs else 'model alone'}", None)
    HELD_OUT.write_text(picture.held_out(rows, rates), encoding="utf-8")


def _rate(row: Any, gbs: float, metric: str, goal: float | None) -> dict[str, Any]:
    ratio = gbs / row.gbs
    return {
        "suite": "emulator",
        "case": row.name,
        "metric": metric,
        "value": gbs,
        "unit": "GB/s",
        "peer": "SW26010",
        "peer_value": row.gbs,
        "ratio": ratio,
        "goal": goal,
        "met": None if goal is None else abs(ratio - 1) <= goal,
    }


# ---- a core --------------------------------------------------------------------------------------

# What is published of a core's latencies and of messages: cycles, and GB/s. Xu, Lin and Matsuoka
# 2017 (a chain, many chains, a load); Hu et al. 2021 (at most 11 cycles for a message, 637 GB/s of
# messages in all, more than 120 cycles for a gld).
PUBLISHED = {
    "vmad_chain": 7,
    "vmad_chains": 1,
    "ldm_load": 4,
    "message_near": 11,
    "message_far": 11,
    "gld": 120,
    "exchange_gbs": 637,
}


def _core(programs: Programs) -> Iterator[dict[str, Any]]:
    found = dict(line.split() for line in programs.run("core").splitlines())
    for case, text in found.items():
        value, peer = float(text), PUBLISHED.get(case)
        yield {
            "suite": "emulator",
            "case": case.replace("_", " "),
            "metric": "program",
            "value": value,
            "unit": "GB/s" if case.endswith("gbs") else "cycles",
            "peer": "SW26010" if peer else None,
            "peer_value": peer,
            "ratio": value / peer if peer else None,
            "goal": None,
            "met": None,
        }


# ---- speed ---------------------------------------------------------------------------------------


def _driver_speed(driver: Any) -> Iterator[dict[str, Any]]:
    for size in SMALL:
        times = 2000
        each = _host(driver, size, times) / (2 * model.CPES * times)
        yield _speed(f"requests of {size} B, model alone", each, "s/request", GOAL_REQUEST)
    times = 200
    traffic = 2 * model.CPES * times * LARGE / _host(driver, LARGE, times)
    yield _speed(f"traffic of {LARGE} B, model alone", traffic, "B/s", GOAL_TRAFFIC)


def _host(driver: Any, size: int, times: int) -> float:
    """Seconds that a Copy takes of this processor."""
    return min(driver.stream(1, 1, size, times=times)["host"] for _ in range(3)) / 1e9


def _program_speed(programs: Programs, size: int, block: int = 0) -> dict[str, Any]:
    """STREAM's four kernels, with what the MPE does before and after; blocks have gaps as long."""
    arrays = sum(gets + puts for gets, puts, _ in model.KERNELS.values())
    moved = arrays * model.CPES * ((1 << 19) // size * size)
    words = [size, block, block] if block else [size]
    least = min(_processor_time(lambda: programs.run("stream", *words)) for _ in range(3))
    case = f"traffic of {size} B" + (f" in blocks of {block} B" if block else "")
    return _speed(f"{case}, whole program", moved / least, "B/s", GOAL_TRAFFIC)


def _message_speed(programs: Programs) -> dict[str, Any]:
    """Neighbours send to and fro: each message changes cores."""
    least = min(_processor_time(lambda: programs.run("core", MESSAGES)) for _ in range(3))
    case = f"{MESSAGES} messages of each CPE, to and fro"
    return _speed(case, least, "s/program", GOAL_MESSAGES)


def _processor_time(work: Callable[[], object]) -> float:
    """Of child processes that `work` waits for, in seconds."""
    start = resource.getrusage(resource.RUSAGE_CHILDREN)
    work()
    end = resource.getrusage(resource.RUSAGE_CHILDREN)
    return end.ru_utime - start.ru_utime + end.ru_stime - start.ru_stime


# Turns of a loop are divided by so much on the emulator, and by so much more where only its start
# and end are timed.
SHARE = 20
NO_TURNS = 1_000_000_000


def _loops(programs: Programs, folder: Path) -> Iterator[dict[str, Any]]:
    native = folder / "native"
    flags = ("-O2", "-fno-tree-vectorize", "-march=native")
    _shell("gcc", *flags, HERE / "speed" / "native.c", "-o", native, "-lm")
    for number, name in enumerate(_shell(native).splitlines()):

        def emulated(share: int, which: int = number) -> float:
            return _processor_time(lambda: programs.run("speed", which, share, ldm_stack=True))

        def natively(which: int = number) -> float:
            return _processor_time(lambda: _shell(native, which, 1))

        here = min(natively() for _ in range(3))
        rest = min(emulated(NO_TURNS) for _ in range(3))
        taken = max(min(emulated(SHARE) for _ in range(3)) - rest, 0.0) * SHARE
        # Single accesses to main memory are the model's work, no computation.
        goal = None if name == "gld" else GOAL_SLOWER
        yield {
            "suite": "emulator",
            "case": f"loop: {name}",
            "metric": "speed of the emulator",
            "value": taken,
            "unit": "s",
            "peer": "gcc -O2",
            "peer_value": here,
            "ratio": taken / here,
            "goal": goal,
            "met": None if goal is None else taken / here <= goal,
        }


def _speed(case: str, value: float, unit: str, goal: float) -> dict[str, Any]:
    return {
        "suite": "emulator",
        "case": case,
        "metric": "speed of the emulator",
        "value": value,
        "unit": unit,
        "ratio": None,
        "goal": goal,
        "met": value <= goal if unit.startswith("s/") else value >= goal,
    }
