# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Traces, read back with Perfetto's own classes: tracks, nesting, arrows, curves, limits."""

from __future__ import annotations

from pathlib import Path

import pytest

from emulating import KERNEL, MAIN, by_hand, compiled
from pftrace import Slice, Trace
from weft import emu

NS = 1e9 / 1.45e9

# CPE k: a span within the kernel's, a message to CPE 0, a transfer; then CPE 0 draws a curve.
EVENTS = """
#include "Trace.h"
using namespace weft::emu;
static const WeftSite site = {"kernel", "kernel.c", 42, 7};
static std::uint64_t arrow = 0;
extern "C" void slave_kernel(void *) {
  WeftCore *core = weft_sw_current;
  const int self = static_cast<int>(core->index);
  trace::begin(trace::core(self), core->now, "DMA wait", &site, {{"bytes", 256}});
  core->now += 100;
  trace::end(trace::core(self), core->now);
  if (self == 1) {
    arrow = trace::newFlow();
    trace::span(trace::core(1), core->now, core->now + 4, "put", &site, {{"to", 0}},
                {arrow, trace::Flow::Begins});
    trace::span(trace::rowBus(0), core->now, core->now + 10, "message", &site);
    trace::span(trace::rowBus(0), core->now + 5, core->now + 15, "message", &site);
    trace::span(trace::rowBus(0), core->now + 10, core->now + 20, "message", &site);
    trace::span(trace::dma(1), core->now, core->now + 1000, "get", &site, {{"bytes", 4096}});
  }
  if (self == 2)
    trace::instant(trace::core(2), core->now + 11, "got", &site, {}, {arrow, trace::Flow::Ends});
  trace::curve(trace::Curve::LdmUse, self, core->now, 1024 + 8 * self);
  trace::curve(trace::Curve::DmaInFlight, 0, core->now, self);
  core->now += 1000;
}
int main() {
  athread_init();
  __real_athread_spawn(reinterpret_cast<void *>(slave_kernel), nullptr);
  athread_join();
  athread_halt();
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return by_hand(tmp_path_factory.mktemp("trace"), EVENTS, cxx=True)


@pytest.fixture(scope="module")
def trace(program: Path) -> Trace:
    path = program.parent / "t.pftrace"
    done = emu.run([program], trace=path)
    assert (done.status, done.errors) == (0, b"")
    assert not Path(f"{path}.partial").exists()
    return Trace(path)


def cpe(trace: Trace, index: int) -> list[Slice]:
    return trace.one("CPEs", f"CPE {index:02} (row {index // 8}, column {index % 8})").slices


def test_tracks_are_named_grouped_and_ordered(trace: Trace) -> None:
    assert trace.root == "program"
    groups = {track.name: track for track in trace.by_id.values() if len(track.path) == 2}
    order = sorted(groups.values(), key=lambda track: track.rank)
    assert [t.name for t in order] == ["MPE", "CPEs", "DMA engine", "row buses", "column buses"]
    cpes = [track for track in trace.by_id.values() if track.parent is groups["CPEs"]]
    assert len(cpes) == 64
    by_rank = sorted(cpes, key=lambda track: track.rank)
    assert by_rank == sorted(cpes, key=lambda track: track.name)
    assert by_rank[9].name == "CPE 09 (row 1, column 1)"


def test_spans_nest_and_tell_cycle_and_place(trace: Trace) -> None:
    for index in range(64):
        whole, wait = cpe(trace, index)[:2]
        assert (whole.name, whole.depth) == ("kernel", 0)
        assert (wait.name, wait.depth) == ("DMA wait", 1)
        assert wait.arguments["bytes"] == 256
        assert wait.arguments["cycles"] == 100
        assert wait.arguments["cycle"] == whole.arguments["cycle"]
        assert wait.arguments["at"] == "kernel.c:42"
        assert wait.source == ("kernel.c", "kernel", 42)
        assert wait.begin == int(wait.arguments["cycle"] * NS)
        assert whole.arguments["cycles"] == 1100


def test_the_mpe_spawns_and_joins(trace: Trace) -> None:
    spawn, join = trace.one("MPE").slices
    assert (spawn.name, join.name) == ("spawn", "join")
    assert all(cpe(trace, index)[0].ends == spawn.begins for index in range(64))


def test_arrows_begin_and_end(trace: Trace) -> None:
    put = next(one for one in cpe(trace, 1) if one.name == "put")
    got = next(one for one in cpe(trace, 2) if one.name == "got")
    assert put.begins == got.ends
    assert len(put.begins) == 1
    assert got.end is None
    begun, ended = trace.arrows()
    assert begun == ended


def test_what_overlaps_lies_below_each_other(trace: Trace) -> None:
    lanes = trace.tracks[trace.root, "row buses", "row 0"]
    first = lanes[0].slices[0].arguments["cycle"]
    begins = [[one.arguments["cycle"] - first for one in lane.slices] for lane in lanes]
    assert begins == [[0, 10], [5]]
    (transfer,) = trace.one("DMA engine", "CPE 01 (row 0, column 1)").slices
    assert (transfer.name, transfer.arguments["cycles"]) == ("get", 1000)


def test_curves(trace: Trace) -> None:
    for index in range(64):
        name = f"CPE {index:02} (row {index // 8}, column {index % 8})"
        use = trace.one("CPEs", name, "LDM in use").values
        # Before and after, what the runtime itself says: the system's own variables.
        assert [value for _, value in use] == [32, 1024 + 8 * index, 32]
    under_way = trace.one("DMA engine", "transfers under way").values
    assert [value for _, value in under_way] == list(range(64))


def test_without_a_request_nothing_is_written(program: Path, tmp_path: Path) -> None:
    before = set(program.parent.iterdir())
    assert emu.run([program]).status == 0
    assert set(program.parent.iterdir()) == before


def test_what_is_open_ends_with_a_fault(tmp_path: Path) -> None:
    faulty = EVENTS.replace("athread_join();", "").replace("core->now += 1000;", "")
    path = tmp_path / "t.pftrace"
    done = emu.run([by_hand(tmp_path, faulty, cxx=True)], trace=path)
    assert done.status == 3
    assert [one.name for one in Trace(path).one("MPE").slices] == ["spawn"]


def test_recording_begins_where_asked(program: Path, trace: Trace, tmp_path: Path) -> None:
    path = tmp_path / "t.pftrace"
    start = cpe(trace, 0)[0].arguments["cycle"]
    emu.run([program], trace=path, trace_from=start + 1)
    later = Trace(path)
    assert cpe(later, 0) == []
    assert [one.name for one in cpe(later, 1)] == ["put"]
    assert [one.name for one in later.one("MPE").slices] == []
    assert len(later.one("DMA engine", "transfers under way").values) == 64


# A million spans on each of two tracks; the most memory that was used, in KiB, is printed.
MANY = """
#include "Trace.h"
#include <cstdio>
using namespace weft::emu;
static const WeftSite site = {"kernel", "kernel.c", 42, 7};
extern "C" void slave_kernel(void *) {
  WeftCore *core = weft_sw_current;
  const int self = static_cast<int>(core->index);
  for (int turn = 0; turn < 1000000 && self < 2; ++turn) {
    trace::span(trace::core(self), core->now, core->now + 4, "put", &site, {{"to", 0}});
    core->now += 5;
  }
}
int main() {
  athread_init();
  __real_athread_spawn(reinterpret_cast<void *>(slave_kernel), nullptr);
  athread_join();
  athread_halt();
  char line[256];
  long most = 0;
  std::FILE *status = std::fopen("/proc/self/status", "r");
  while (std::fgets(line, sizeof line, status) && !std::sscanf(line, "VmHWM: %ld", &most)) {
  }
  std::printf("%ld\\n", most);
}
"""


def test_a_limit_ends_the_recording_not_the_run(tmp_path: Path) -> None:
    program = by_hand(tmp_path, MANY, cxx=True)
    path = tmp_path / "t.pftrace"
    done = emu.run([program], trace=path, trace_limit=1)
    assert done.status == 0
    assert b"note: the trace ends at cycle" in done.errors
    assert done.errors.count(b"note") == 1
    assert 1 << 20 <= path.stat().st_size < (1 << 20) + 4096
    assert done.report == emu.run([program]).report
    Trace(path)


def test_memory_does_not_grow_with_the_trace(tmp_path: Path) -> None:
    program = by_hand(tmp_path, MANY, cxx=True)
    path = tmp_path / "t.pftrace"
    used = int(emu.run([program], trace=path).output) - int(emu.run([program]).output)
    assert path.stat().st_size > 100 << 20
    assert used < 8 << 10  # KiB


@pytest.mark.parametrize("variable", ["trace_from", "trace_limit"])
def test_numbers_are_checked(program: Path, tmp_path: Path, variable: str) -> None:
    done = emu.run([program], trace=tmp_path / "t", **{variable: "many"})
    assert done.status == 2
    assert b"expected a whole number" in done.errors
    assert not list(tmp_path.iterdir())


def test_kernels_of_a_program_are_spans(tmp_path: Path) -> None:
    path = tmp_path / "t.pftrace"
    emu.run([by_hand(tmp_path, KERNEL + MAIN)], trace=path)
    trace = Trace(path)
    for index in (0, 63):
        slices = cpe(trace, index)
        assert [one.name for one in slices] == ["kernel"] * 3
        assert {one.arguments["cycles"] for one in slices} == {8 * (10 + index)}


TRANSFERS_HOST = """
#include <athread.h>
extern SLAVE_FUN(f)(double *);
static double memory[4096];
int main(void) {
  athread_init();
  athread_spawn(f, memory);
  athread_join();
  athread_halt();
  return 0;
}
"""
# CPE 0 waits in a loop of its own for two at once, CPE 1 by dma_wait, CPE 2 at a barrier; CPE 3
# looks when all is over, and CPE 4 never.
TRANSFERS_SLAVE = """
#include <dma.h>
#include <slave.h>
__thread_local double block[256];
__thread_local volatile int reply;
void f(double *memory) {
  int i;
  reply = 0;
  if (_MYID > 4)
    return;
  athread_get(PE_MODE, memory, block, 1024, (void *)&reply, 0, 0, 0);
  if (_MYID == 0) {
    athread_get(PE_MODE, memory + 128, block + 128, 1024, (void *)&reply, 0, 0, 0);
    while (reply != 2)
      ;
  }
  if (_MYID == 1)
    dma_wait(&reply, 1);
  if (_MYID == 2)
    dma_barrier();
  if (_MYID > 2)
    for (i = 0; i < 1000; i++)
      memory[_MYID + 1000] += 1;
  if (_MYID == 3 && reply == 1)
    memory[0] = 1;
}
"""


def test_an_arrow_leads_from_a_transfer_to_who_waits_for_it(tmp_path: Path) -> None:
    path = tmp_path / "t.pftrace"
    done = emu.run([compiled(tmp_path, TRANSFERS_HOST, TRANSFERS_SLAVE)], trace=path)
    assert done.status == 0
    trace = Trace(path)
    # CPE 0's loop looks up at each of the two.
    seen = {0: ["DMA wait"] * 2, 1: ["DMA wait"], 2: ["DMA barrier"], 3: ["reply"], 4: []}
    for index in range(5):
        name = f"CPE {index:02} (row {index // 8}, column {index % 8})"
        lanes = trace.tracks[trace.root, "DMA engine", name]
        moved = [one for lane in lanes for one in lane.slices]
        given = [one for one in cpe(trace, index) if one.name == "DMA get"]
        assert len(moved) == len(given) == (2 if index == 0 else 1)
        # From the request by the transfer ...
        assert sorted(one.begins for one in given) == sorted(one.begins for one in moved)
        assert all(len(one.begins) == 1 for one in moved)
        # ... to the wait that has seen it.
        ends = [one for one in cpe(trace, index) if one.ends and one.name != "f"]
        assert [one.name for one in ends] == seen[index]
        for wait in ends:
            arrived = [one for one in moved if set(one.begins) & set(wait.ends)]
            assert arrived
            # None ends before the transfer does.
            assert all((wait.end or wait.begin) >= (one.end or 0) for one in arrived)
        if ends:
            told = [flow for wait in ends for flow in wait.ends]
            assert sorted(told) == sorted(flow for one in moved for flow in one.begins)
