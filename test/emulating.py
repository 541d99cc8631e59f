# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs for the emulator, compiled in a test: with weft-swcc, or by hand against its runtime."""

from __future__ import annotations

import subprocess
from pathlib import Path

from weft import emu

RUNTIME = Path(__file__).resolve().parent.parent / "runtime" / "sw26010_emu"
# What athread.h's macros make of calls, for programs that are written against the runtime.
BY_HAND = """
#include "Abi.h"
#ifdef __cplusplus
extern "C" {
#endif
int athread_init(void);
int __real_athread_spawn(void *function, void *argument);
int athread_join(void);
int athread_halt(void);
#ifdef __cplusplus
}
#endif
"""


def _checked(*command: object) -> None:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def by_hand(folder: Path, source: str, name: str = "program", *, cxx: bool = False) -> Path:
    """A program whose CPE code is charged by hand: its counts are known exactly."""
    native = emu.native_file(emu.LIBRARY).parent
    text = folder / f"{name}.{'cpp' if cxx else 'c'}"
    text.write_text(BY_HAND + source)
    program = folder / name
    compiler = ["clang++-22", "-std=c++20"] if cxx else ["clang-22"]
    _checked(
        *compiler, "-O1", "-no-pie", "-I", RUNTIME, text, native / "weft_start.o",
        "-Wl,--wrap=main", "-o", program, "-L", native, "-lweft_sw26010", f"-Wl,-rpath,{native}",
    )  # fmt: skip
    return program


def compiled(folder: Path, host: str, slave: str, name: str = "program") -> Path:
    """A program as a user makes it."""
    swcc = emu.native_file("bin/weft-swcc")
    host_file, slave_file = folder / f"{name}_host.c", folder / f"{name}_slave.c"
    host_file.write_text(host)
    slave_file.write_text(slave)
    _checked(swcc, "-host", "-c", host_file, "-o", folder / "host.o")
    _checked(swcc, "-slave", "-msimd", "-c", slave_file, "-o", folder / "slave.o")
    program = folder / name
    _checked(swcc, "-hybrid", folder / "host.o", folder / "slave.o", "-o", program)
    return program


# Two lines of a kernel: what an execution costs each of them is in the tables, and the schedule
# that pipeline views show. CPE k runs it 10 + k times.
KERNEL = """
#include <stdlib.h>
static const WeftLineCost costs[] = {
    {.line = 10, .cycles = 5, .pipe0 = 3, .pipe1 = 3, .single_issue = 1, .data_stall = 1,
     .ldm_accesses = 2, .flops = 16},
    {.line = 11, .cycles = 3, .pipe0 = 1, .pipe1 = 1, .spills = 1, .branch = 2},
};
static const WeftInstruction schedule[] = {
    {"vldd $32,0($16)", 10, 0, 4, 1},
    {"vmad $32,$33,$34,$34", 10, 4, 7, 0},
    {"addl $16,32,$16", 10, 4, 1, 1},
    {"bne $1,.L2", 11, 5, 1, 1},
};
static WeftSegment segment __attribute__((section("weft_segments"), used)) = {
    "kernel", "kernel.c", costs, 2, 8, 32, 0, schedule, 4, NULL, 0, {{0}}};

void run_segment(WeftCore *core) {
  if (segment.tally[core->index].stamp != core->fetched)
    weft_sw_fetch(core, &segment);
  core->now += segment.cycles;
  segment.tally[core->index].count += 1;
}
void slave_kernel(void *unused) {
  WeftCore *core = weft_sw_current;
  for (uint64_t turn = 0; turn < 10 + core->index; ++turn)
    run_segment(core);
}
"""
MAIN = """
int main(int argc, char **argv) {
  athread_init();
  for (int turn = 0; turn < 3; ++turn) {
    __real_athread_spawn(slave_kernel, 0);
    athread_join();
  }
  athread_halt();
  return argc > 1 ? atoi(argv[1]) : 0;
}
"""
