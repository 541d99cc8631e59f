# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Nests of the cores' C as they are found in it, and as people are told of them."""

from __future__ import annotations

from typing import Any

from weft import nests

SOURCE = """\
kernel k(x: f64[8]) -> (y: f64[8]):
    a = x + 1  # one more
    y = a * 2
"""
C = """\
static inline void weft_wait(void) {
}

/* k, a.weft:2:5: what each core does. */
void k_cores(struct k_cores *given) {
  weft_begin();
  /* a.weft:2:5, nest 1 */
  for (;;) {
    one();
    /* a.weft:3:5 */
    two();
  }
  /* a.weft:2:5, nest 2: exchange */
  three();
  /* b.weft:7:5, nest 3 */
  four();
}
"""


def line(number: int, file: str = "kernel_slave.c", **counters: int) -> dict[str, Any]:
    groups = [{"cores": [0, 64], "counters": counters}]
    return {"file": file, "line": number, "function": "k_cores", "groups": groups}


def run_of(*lines: dict[str, Any], idle: int = 0) -> dict[str, Any]:
    run: dict[str, Any] = {"lines": list(lines), "machine": {"cpes": 64}}
    run["nests"] = nests.by_nest(run, nests.marks(C, {"a.weft": SOURCE}))
    active = sum(nest["cycles"] for nest in run["nests"])
    run["cores"] = [{"core": core, "active": active if core == 0 else 0} for core in range(65)]
    return run


def test_marks() -> None:
    begin, first, second, third = nests.marks(C, {"a.weft": SOURCE})
    assert begin == {"kernel": "k", "nest": 0, "kind": "begin", "c_line": 4}
    assert (first["nest"], first["kind"], first["part"], first["parts"]) == (1, "loop", 1, 2)
    assert (first["file"], first["line"], first["column"]) == ("a.weft", 2, 5)
    assert first["statement"] == "a = x + 1"
    assert first["fused"] == ["a.weft:3"]
    assert (second["kind"], second["part"], second["parts"]) == ("exchange", 2, 2)
    assert (third["line"], third["statement"], third["part"], third["parts"]) == (7, "", 1, 1)


def test_a_line_belongs_to_the_last_nest_above_it() -> None:
    run = run_of(
        line(6, scheduled=1),
        line(7, scheduled=10),
        line(11, scheduled=100, data_stall=40, flops=9),
        line(14, getr_empty=5),
        line(15, sync_wait=2),
        line(16, dma_wait=3),
    )
    spent = {nest["nest"]: nest["spent"] for nest in run["nests"]}
    assert spent == {
        0: {"computing": 1},
        1: {"computing": 70, "operands": 40},
        2: {"messages": 5},
        3: {"dma": 3, "sync": 2},
    }


def test_what_is_no_line_of_the_cores_is_kept() -> None:
    run = run_of(line(1, scheduled=4), line(7, file="other.c", dma_wait=2))
    (only,) = run["nests"]
    assert (only["kind"], only["cycles"]) == ("elsewhere", 6)


def test_told() -> None:
    told = nests.told(run_of(line(8, scheduled=600, data_stall=200), line(14, put_full=200)))
    assert told == [
        "  a.weft:2 a = x + 1: 12 cycles, 2 %",
        "    1 of 2, with a.weft:3: 9 cycles, 1 % (computing 67 %, waiting for operands 33 %)",
        "    2 of 2, exchange: 3 cycles, 0 % (for messages 100 %)",
        "  cores that had ended: 788 cycles, 98 %",
    ]


def test_small_nests_are_told_together() -> None:
    run = run_of(line(8, scheduled=3), line(14, message=2), line(16, scheduled=6400))
    told = nests.told(run)
    assert told[:2] == [
        "  a.weft:2 a = x + 1: 0 cycles, 0 %",
        "    2 others: 0 cycles, 0 % (computing 60 %, for messages 40 %)",
    ]
