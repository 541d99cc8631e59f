# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fits the parameters of the model of main memory to the published measurements.

    bench/emulator/fit.py                  prints the fit and, row by row, its errors
    bench/emulator/fit.py --leave-one-out  and what a row's error is when the fit has not seen it
    bench/emulator/fit.py --write          also puts the values into machine.toml

Least squares of the relative errors, each in units of its goal, among the values with which no
error is beyond its goal. A row, for leaving one out, is what was measured at one size: all four
kernels of STREAM, all gaps. dma.read_block_head is found by hand: any value from 33 to 48 gives the
same here. dma.request_line is fitted to the one broadcast.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

sys.path.insert(0, str(Path(__file__).resolve().parent))
from model import KERNELS, MACHINE, Driver, Row, build, compare, measured, quantities, rate, spread

FITTED = (
    "dma.read_line",
    "dma.write_line",
    "dma.write_block",
    "dma.write_whole",
    "dma.request_get",
    "dma.request_put",
)
MARGIN = 0.98


class Fit:
    """While 64 CPEs keep the memory busy, a rate is bytes over service; only changes of direction
    and the ends of a run take more. How much more is simulated once for each row, and then taken
    as it is: so the fit needs no simulation at each step."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        self.values = quantities()
        self.efficiency: dict[Row, float] = {}

    def bound(self, row: Row) -> float:
        """GB/s if the controller did nothing but serve."""
        gets, puts, _ = KERNELS.get(row.kernel, (1, 0, 0))
        shape = f"cost {row.bytes} {row.block} {row.gap}"
        cycles = gets * float(self.driver.ask(f"{shape} get")[0])
        cycles += puts * float(self.driver.ask(f"{shape} put")[0])
        return (gets + puts) * row.bytes * self.values["clock.hz"] / cycles / 1e9

    def anchor(self, rows: list[Row], values: dict[str, float]) -> None:
        self.driver.set(values)
        rates = compare(self.driver, rows, self.values)
        self.efficiency = {row: got / self.bound(row) for row, got in zip(rows, rates, strict=True)}

    def run(self, rows: list[Row], start: dict[str, float]) -> dict[str, float]:
        goals = np.array([row.goal for row in rows])
        measurements = np.array([row.gbs for row in rows])

        def sizes(logs: np.ndarray) -> np.ndarray:
            """Errors in units of their goals."""
            self.driver.set(dict(zip(FITTED, np.exp(logs), strict=True)))
            rates = np.array([self.efficiency[row] * self.bound(row) for row in rows])
            return (rates / measurements - 1) / goals

        def slopes(logs: np.ndarray) -> np.ndarray:
            steps = 1e-4 * np.eye(len(logs))
            return np.array([(sizes(logs + s) - sizes(logs - s)) / 2e-4 for s in steps]).T

        found = minimize(
            lambda logs: float(np.sum(sizes(logs) ** 2)),
            np.log([start[name] for name in FITTED]),
            jac=lambda logs: 2 * sizes(logs) @ slopes(logs),
            constraints=[
                {
                    "type": "ineq",
                    "fun": lambda logs, sign=sign: MARGIN - sign * sizes(logs),
                    "jac": lambda logs, sign=sign: -sign * slopes(logs),
                }
                for sign in (1, -1)
            ],
            method="SLSQP",
            options={"ftol": 1e-7, "maxiter": 100},
        )
        if not found.success:
            print(f"the fit did not end well: {found.message}", file=sys.stderr)
        return dict(zip(FITTED, map(float, np.exp(found.x)), strict=True))

    def errors(self, rows: list[Row], values: dict[str, float]) -> list[float]:
        self.driver.set(values)
        rates = compare(self.driver, rows, self.values)
        return [got / row.gbs - 1 for got, row in zip(rates, rows, strict=True)]

    def request_line(self, row: Row) -> float:
        """Bisects: a longer time between lines makes the broadcast slower."""
        low, high = 1.0, 100.0
        for _ in range(30):
            middle = (low + high) / 2
            self.driver.set({"dma.request_line": middle})
            faster = rate(self.driver, row, self.values["clock.hz"]) > row.gbs
            low, high = (middle, high) if faster else (low, middle)
        return round(low, 1)


def row_of(row: Row) -> tuple[str, int]:
    return row.table, row.bytes if row.table == "contiguous" else row.block


def leave_one_out(fit: Fit, rows: list[Row], values: dict[str, float]) -> dict[Row, float]:
    found: dict[Row, float] = {}
    for left in dict.fromkeys(map(row_of, rows)):
        seen = [row for row in rows if row_of(row) != left]
        unseen = [row for row in rows if row_of(row) == left]
        refitted = fit.run(seen, values)
        found |= dict(zip(unseen, fit.errors(unseen, refitted), strict=True))
    return found


def write(values: dict[str, float]) -> None:
    text = MACHINE.read_text(encoding="utf-8")
    for name, value in values.items():
        pattern = rf"(\[{re.escape(name)}\]\nvalue = )\S+"
        text, count = re.subn(pattern, rf"\g<1>{value:g}", text)
        if count != 1:
            raise SystemExit(f"{MACHINE}: [{name}] is not there once")
    MACHINE.write_text(text, encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--leave-one-out", action="store_true")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    rows = measured()
    goals = [row for row in rows if row.goal is not None]
    broadcast = next(row for row in rows if row.table == "broadcast")
    with (
        tempfile.TemporaryDirectory(prefix="weft-fit-") as folder,
        Driver(build(Path(folder))) as driver,
    ):
        fit = Fit(driver)
        found = {name: fit.values[name] for name in FITTED}
        for _ in range(2):
            fit.anchor(goals, found)
            found = fit.run(goals, found)
        # As the table will have them.
        values = {name: round(value, 2) for name, value in found.items()}
        fit.driver.set(values)
        values["dma.request_line"] = fit.request_line(broadcast)
        for name, value in values.items():
            print(f"{name} = {value:g}")
        unseen = leave_one_out(fit, goals, found) if given.leave_one_out else {}
        for row, error in zip(rows, fit.errors(rows, values), strict=True):
            goal = "" if row.goal is None else f"goal {row.goal:.0%}"
            if row.goal is not None and abs(error) > row.goal:
                goal += " NOT met"
            left = f"{unseen[row]:+7.1%} left out" if row in unseen else ""
            print(f"{row.name:45} {row.gbs:8.3f} GB/s {error:+7.1%} {left} {goal}")
        for table in ("contiguous", "strided", "read"):
            of = [row for row in goals if row.table == table]
            mean, largest = spread(fit.errors(of, values))
            text = f"{table}: mean error {mean:.1%}, largest {largest:.1%}"
            if unseen:
                mean, largest = spread([unseen[row] for row in of])
                text += f"; left out: mean {mean:.1%}, largest {largest:.1%}"
            print(text)
        if given.write:
            write(values)
    return 0


if __name__ == "__main__":
    sys.exit(main())
