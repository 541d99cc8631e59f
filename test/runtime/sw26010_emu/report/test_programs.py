# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of weft-swcc: every cycle of every core is accounted for, and all views agree."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import kanata
from emulating import compiled
from pftrace import Trace
from weft import emu

HOST = """
#include <athread.h>
#include <stdio.h>
extern SLAVE_FUN(ring)(double *);
static double x[64 * 256] __attribute__((aligned(128)));
int main(void) {
  for (int i = 0; i < 64 * 256; ++i)
    x[i] = i % 7;
  athread_init();
  for (int turn = 0; turn < 2; ++turn) {
    athread_spawn(ring, x);
    athread_join();
  }
  athread_halt();
  printf("%g\\n", x[5]);
  return 0;
}
"""
# Reads a part, adds what its row sends, writes it back; on the way a global load and a sync.
SLAVE = """
#include <slave.h>
#include <simd.h>
__thread_local double part[256];
__thread_local volatile unsigned long got, put;
void ring(double *x) {
  int me = athread_get_id(-1), row = me / 8, column = me % 8;
  double *own = x + 256 * me;
  doublev4 sum;
  double *scratch = (double *)ldm_malloc(512);
  got = put = 0;
  athread_get(PE_MODE, own, part, sizeof part, (void *)&got, 0, 0, 0);
  while (got != 1)
    ;
  for (int i = 0; i < 256; i += 4) {
    doublev4 v;
    simd_load(v, part + i);
    v = v * 1.5 + 2.0;
    simd_store(v, part + i);
  }
  simd_load(sum, part);
  for (int turn = 0; turn < 3; ++turn) {
    simd_putr(sum, (column + 1) % 8);
    sum += simd_getr(sum);
  }
  simd_store(sum, part);
  scratch[0] = x[0];
  athread_syn(ARRAY_SCOPE, 0xffff);
  part[1] += scratch[0] * 0;
  athread_put(PE_MODE, part, own, sizeof part, (void *)&put, 0, 0);
  while (put != 1)
    ;
  ldm_free(scratch, 512);
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(tmp_path_factory.mktemp("views"), HOST, SLAVE)


@pytest.fixture(scope="module")
def views(program: Path) -> tuple[dict[str, Any], Trace, list[kanata.Line]]:
    trace, log = program.parent / "t.pftrace", program.parent / "log.kanata"
    done = emu.run([program], ldm_stack=True, trace=trace, konata="ring:9", konata_file=log)
    assert done.status == 0, done.errors
    return done.report, Trace(trace), kanata.read(log)


Views = tuple[dict[str, Any], Trace, list[kanata.Line]]


def test_time_is_accounted_for_to_the_cycle(views: Views) -> None:
    report, _, _ = views
    assert len(report["cores"]) == 65
    assert {core["core"]: core["unaccounted"] for core in report["cores"]} == dict.fromkeys(
        range(65), 0
    )


def test_what_was_done_is_counted(views: Views) -> None:
    counts = views[0]["cores"][9]["counters"]
    expected = {
        "dma_gets": 2,
        "dma_puts": 2,
        "dma_get_bytes": 2 * 2048,
        "dma_put_lines": 2 * 16,
        "row_sent": 6,
        "row_received": 6,
        "gld": 2,
        "syncs": 2 * 2,  # rows, then columns
    }
    assert {name: counts[name] for name in expected} == expected
    # 64 fused operations of four lanes and three sums of four in each of the two spawns, and what
    # the last line does.
    assert counts["flops"] in range(2 * (64 * 8 + 3 * 4), 2 * (64 * 8 + 3 * 4 + 2) + 1)
    for waited in ("dma_wait", "gld_stall", "sync_wait", "dma_issue", "icache_stall"):
        assert counts[waited] > 0


def test_ldm_in_use(views: Views) -> None:
    ldm = views[0]["cores"][9]["ldm"]
    assert ldm["ldm_malloc"] == 512
    assert ldm["thread_local"] >= 2048 + 16
    variables = {one["name"]: one["bytes"] for one in views[0]["ldm_variables"]}
    assert variables["part"] == 2048
    assert all(variables.values()), "marks of the linker are no variables"
    assert ldm["high_water"] == sum(ldm.values()) - ldm["high_water"]


def test_the_trace_agrees_with_the_report(views: Views) -> None:
    report, trace, _ = views
    counts = report["cores"][9]["counters"]
    slices = trace.one("CPEs", "CPE 09 (row 1, column 1)").slices
    waits = sum(one.arguments["cycles"] for one in slices if one.name == "DMA wait")
    assert waits == counts["dma_wait"]
    transfers = [
        one
        for lane in trace.tracks[trace.root, "DMA engine", "CPE 09 (row 1, column 1)"]
        for one in lane.slices
    ]
    assert sorted(one.name for one in transfers) == ["get", "get", "put", "put"]
    messages = [
        one for lane in trace.tracks[trace.root, "row buses", "row 1"] for one in lane.slices
    ]
    assert len(messages) == 8 * counts["row_sent"]
    begun, ended = trace.arrows()
    assert begun == ended
    wholes = [one for one in slices if one.depth == 0]
    assert [one.name for one in wholes] == ["ring", "ring"]
    assert sum(one.arguments["cycles"] for one in wholes) == report["cores"][9]["active"]


def test_pipelines_agree_with_the_report(views: Views) -> None:
    report, _, lines = views
    counts = report["cores"][9]["counters"]
    instructions = [line for line in lines if not line.label.startswith("--")]
    pipes = [int(line.detail.split("pipe ")[1][0]) for line in instructions]
    assert pipes.count(0) == counts["pipe0_issued"]
    assert pipes.count(1) == counts["pipe1_issued"]
    # A pipe issues one instruction a cycle.
    issued = [(pipe, line.stage("I")[0]) for pipe, line in zip(pipes, instructions, strict=True)]
    assert len(set(issued)) == len(issued)
    assert sum("vmad" in line.label or "vmas" in line.label for line in lines) >= 2 * 64
    waits = {line.label for line in lines if line.label.startswith("--")}
    assert "-- dma_wait --" in waits


def test_functional_mode_gives_the_same_results(program: Path) -> None:
    timed, functional = emu.run([program]), emu.run([program], functional=True)
    assert timed.output == functional.output
    assert (timed.report["modelled"]["timing"], functional.report["modelled"]["timing"]) == (
        True,
        False,
    )
