# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Instructions that were not in the cache, by line and function: figures computed by hand.

The table's [cpe.icache]: 16 KB, lines of 128 bytes (32 instructions), four of them a set; functions
begin at multiples of 16 bytes, in the order in which they are written here.
"""

from __future__ import annotations

from typing import Any

import pytest

from emulating import compiled
from weft import emu

MISS = 120
HOST = """
#include <athread.h>
extern SLAVE_FUN(work)(long);
int main(void) {
  long turn;
  athread_init();
  for (turn = 0; turn < 2; ++turn) {
    athread_spawn(work, turn);
    athread_join();
  }
  athread_halt();
  return 0;
}
"""
# `cold` lies at 0: 2 x 1024 instructions and the return, 8196 bytes; `left` from 8208 to 20500,
# `right` from 20512 to 32804, `work` from 32816 on. In lines: 0 to 64, 64 to 160, 160 to 256, 256
# and perhaps 257.
SLAVE = """
#include <slave.h>
#define R4(x) x x x x
#define R16(x) R4(R4(x))
#define R64(x) R4(R16(x))
#define NOPS R64(R16(__asm__ volatile("nop");))
__attribute__((noinline)) void cold(void) {
  NOPS
  NOPS
}
__attribute__((noinline)) void left(void) { NOPS NOPS NOPS }
__attribute__((noinline)) void right(void) { NOPS NOPS NOPS }
void work(long spawn) {
  if (spawn) {
    left();
    right();
    left();
    right();
  } else if (_MYID >= 8) {
    cold();
    cold();
  }
}
"""


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    done = emu.run([compiled(tmp_path_factory.mktemp("instructions"), HOST, SLAVE)])
    assert done.status == 0, done.errors
    return done.report


def misses(report: dict[str, Any], function: str, core: int) -> list[int]:
    """Of each line of `function` that missed on `core`, in the order of the lines."""
    counts = []
    for line in sorted(report["lines"], key=lambda one: one["line"]):
        for group in line["groups"]:
            if line["function"] == function and core in group["cores"]:
                many = group["counters"].get("icache_misses", 0)
                assert group["counters"].get("icache_stall", 0) == MISS * many
                counts += [many] if many else []
    return counts


@pytest.mark.parametrize("core", range(8, 64, 11))
def test_straight_code_is_fetched_once(report: dict[str, Any], core: int) -> None:
    # 4096 bytes are 32 lines; the return begins another. The second call finds them all.
    assert misses(report, "cold", core) == [32, 32, 1]


@pytest.mark.parametrize("core", range(7))
def test_what_a_core_has_not_run_it_has_not_fetched(report: dict[str, Any], core: int) -> None:
    assert misses(report, "cold", core) == []


@pytest.mark.parametrize("core", range(0, 64, 7))
def test_functions_that_do_not_fit_together_are_fetched_each_time(
    report: dict[str, Any], core: int
) -> None:
    # 97 lines each and 193 of both, where 128 fit: in each set a line is gone before it is called
    # again. But `left` ends in line 160, where `right` begins, and `right` ends in 256, from where
    # `work` has just called it. Line 64 is the return of `cold`: who ran that has it once.
    (left,), (right,) = misses(report, "left", core), misses(report, "right", core)
    assert left == 2 * 97 - (core >= 8)
    assert right == 2 * 95


def test_functions_and_all_are_sums(report: dict[str, Any]) -> None:
    of = {one["function"]: one["counters"] for one in report["functions"]}
    assert of["cold"]["icache_misses"] == 56 * 65
    assert of["left"]["icache_misses"] == 64 * 2 * 97 - 56
    assert of["right"]["icache_misses"] == 64 * 2 * 95
    for counters in (*(of[name] for name in ("cold", "left", "right", "work")), report["counters"]):
        assert counters["icache_stall"] == MISS * counters["icache_misses"]
    assert report["counters"]["icache_misses"] == sum(
        counters.get("icache_misses", 0) for counters in of.values()
    )
    assert {core["unaccounted"] for core in report["cores"]} == {0}
