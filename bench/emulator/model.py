# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The emulator's model of main memory beside what was measured.

measured.csv has the measurements; dma_driver.cpp runs the model alone, in the measured protocol.
"""

from __future__ import annotations

import csv
import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

try:
    import tomllib
except ModuleNotFoundError:
    import tomli as tomllib

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
EMULATOR = ROOT / "runtime" / "sw26010_emu"
MACHINE = ROOT / "targets" / "sw26010" / "machine.toml"
MODEL = ("DmaController.cpp", "DmaCost.cpp", "DmaRecentLines.cpp")
CPES = 64
TILES = 20  # gets of a tile in a spawn

# Arrays read, arrays written, and what the loop of a CPE costs for 32 bytes of each. The figures do
# not matter much: while one CPE computes, the others keep the memory busy.
# What one kernel alone does: gets, puts.
ALONE = {"get": (1, 0, 0), "put": (0, 1, 0)}
KERNELS = {"copy": (1, 1, 4), "scale": (1, 1, 6), "add": (2, 1, 6), "triad": (2, 1, 8)}
TURN_CYCLES = 100  # of a CPE around the loop: reply words, addresses, polling
SKEW = 3  # cycles between the first requests of two CPEs
# What no model without the memory's address map explains: named as outliers.
READ_OUTLIERS = (80, 224, 336, 448)


class Row(NamedTuple):
    """One measurement: useful bytes of a DMA in blocks with gaps (0, 0: contiguous), and GB/s."""

    table: str
    kernel: str
    bytes: int
    block: int
    gap: int
    gbs: float

    @property
    def goal(self) -> float | None:
        """The relative error that is allowed; None for outliers and for what sets a parameter."""
        if self.table == "contiguous":
            return 0.10 if self.bytes >= 256 else 0.20
        if self.table == "strided":
            return 0.15 if self.block > 32 else None
        if self.table == "read":
            return 0.15 if self.block not in READ_OUTLIERS else None
        return None

    @property
    def name(self) -> str:
        if self.table == "strided":
            return f"strided {self.kernel}, {self.block} B blocks, {self.gap} B gaps"
        if self.table == "read":
            return f"strided get, {self.block} B blocks"
        if self.table == "tile":
            return f"tile of all CPEs, {self.block} B blocks, {self.bytes} B"
        if self.table == "alone":
            return f"{self.kernel}s only, {self.bytes} B"
        return f"{self.table} {self.kernel}, {self.bytes} B"


def measured(table: str = "measured.csv") -> list[Row]:
    """measured.csv, which the model is fitted to, or held_out.csv, which it is not."""
    with (HERE / table).open(encoding="utf-8") as file:
        lines = (line for line in file if not line.startswith("#"))
        return [
            Row(r["table"], r["kernel"], int(r["bytes"]), int(r["block"]), int(r["gap"]),
                float(r["gbs"]))
            for r in csv.DictReader(lines)
        ]  # fmt: skip


def quantities() -> dict[str, float]:
    """What machine.toml says of main memory, by name such as dma.latency."""
    table = tomllib.loads(MACHINE.read_text(encoding="utf-8"))
    return {
        f"{section}.{key}": entry["value"]
        for section in ("clock", "spawn", "dma", "gld")
        for key, entry in table[section].items()
    }


def build(folder: Path) -> Path:
    """Compiles the driver with the emulator's own sources."""
    compiler = os.environ.get("CXX") or next(filter(None, map(shutil.which, ("c++", "g++"))))
    program = folder / "dma_driver"
    sources = [HERE / "dma_driver.cpp", *(EMULATOR / name for name in MODEL)]
    command = [compiler, "-std=c++20", "-O2", "-I", EMULATOR, *sources, "-o", program]
    subprocess.run(command, check=True)
    return program


class Driver:
    """The compiled model, waiting for commands. Close it, or use it in a `with`."""

    def __init__(self, program: Path, values: Mapping[str, float] | None = None) -> None:
        self._process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.set(quantities() if values is None else values)

    def __enter__(self) -> Driver:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()

    def set(self, values: Mapping[str, float]) -> None:
        for name, value in values.items():
            self.tell(f"set {name} {float(value)!r}")

    def tell(self, command: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(command + "\n")

    def ask(self, command: str) -> list[str]:
        """The words of a command's one line of answer."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self.tell(command)
        self._process.stdin.flush()
        words = self._process.stdout.readline().split()
        if not words or words[0] == "error":
            raise RuntimeError(f"dma_driver: {command}: {' '.join(words)}")
        return words

    def lines(self, command: str) -> list[list[str]]:
        """The lines of an answer that ends in a line `end ...`, with that line."""
        found = [self.ask(command)]
        assert self._process.stdout is not None
        while found[-1][0] != "end":
            found.append(self._process.stdout.readline().split())
        return found

    def stream(
        self,
        gets: int,
        puts: int,
        size: int,
        block: int = 0,
        gap: int = 0,
        *,
        times: int = 8,
        cores: int = CPES,
        compute: int = 0,
        skew: int = SKEW,
        same: bool = False,
    ) -> dict[str, int]:
        """Each core `times` times: gets, wait, compute, puts, wait. See dma_driver.cpp; `host`
        is nanoseconds of this processor."""
        words = self.ask(
            f"stream {gets} {puts} {size} {block} {gap} {times} {cores} {compute} {skew}"
            + " same" * same
        )
        names = ("cycles", "lines", "turnarounds", "busy", "host")
        return dict(zip(names, map(int, words), strict=True))


def rate(driver: Driver, row: Row, hertz: float) -> float:
    """The model's GB/s in the protocol of the row's table."""
    if row.table == "tile":
        run = driver.stream(
            1, 0, row.bytes, row.block, row.gap, times=TILES, compute=TURN_CYCLES, same=True
        )
        values = quantities()
        cycles = run["cycles"] + values["spawn.start"] + values["spawn.join"]
        return row.bytes * TILES * CPES * hertz / cycles / 1e9
    if row.table == "single":
        times = 256
        cycles = int(driver.ask(f"singles {times} {CPES}")[0])
        return row.bytes * times * CPES * hertz / cycles / 1e9
    gets, puts, vector = (KERNELS | ALONE).get(row.kernel, (1, 0, 0))
    # Long enough that beginning and end do not count.
    times = 64 if row.bytes < 2048 else 8
    cores = 1 if row.table == "broadcast" else CPES
    compute = TURN_CYCLES + vector * -(-row.bytes // 32)
    run = driver.stream(
        gets, puts, row.bytes, row.block, row.gap, times=times, cores=cores, compute=compute
    )
    return (gets + puts) * row.bytes * times * cores * hertz / run["cycles"] / 1e9


def compare(driver: Driver, rows: list[Row], values: Mapping[str, float]) -> list[float]:
    return [rate(driver, row, values["clock.hz"]) for row in rows]


def spread(errors: list[float]) -> Any:
    """Mean absolute and largest relative error."""
    sizes = [abs(e) for e in errors]
    return sum(sizes) / len(sizes), max(sizes)
