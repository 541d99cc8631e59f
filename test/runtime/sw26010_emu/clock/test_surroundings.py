# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Same program, same cycles, whatever the host does: reports compared byte by byte."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from emulating import compiled
from weft import emu

# Blocks of many sizes, a vector on the heap that lies anywhere, messages, syncs, atomics, gld and
# gst, transfers that contend, memory of the C library; what is printed depends on cycles.
HOST = """
#include <athread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <locale.h>
#include <time.h>
extern SLAVE_FUN(f)(double **);
int main(void) {
  double *blocks[65];
  unsigned long i, sum = 0;
  char text[64];
  setlocale(LC_ALL, "");
  for (i = 0; i < 65; i++) {
    blocks[i] = (double *)malloc(8192 + 1000 * i);
    memset(blocks[i], 0, 8192);
    snprintf(text, sizeof text, "%lu", i);
    sum += strlen(strdup(text));
  }
  athread_init();
  for (i = 0; i < 3; i++) {
    athread_spawn(f, blocks);
    athread_join();
    printf("%d: %g at time %lu\\n", (int)i, blocks[64][i], (unsigned long)clock());
  }
  athread_halt();
  return (int)sum % 100;
}
"""
SLAVE = """
#include <simd.h>
#include <slave.h>
__thread_local double part[512];
__thread_local volatile int reply;
void f(double **blocks) {
  int i, turn;
  for (turn = 0; turn < 4; turn++) {
    doublev4 v = (double)_MYID;
    reply = 0;
    athread_get(PE_MODE, blocks[(_MYID * 7 + turn) % 64], part, 4096, (void *)&reply, 0, 8, 32);
    while (reply != 1)
      ;
    for (i = 0; i < 512; i++)
      part[i] += i;
    simd_putr(v, (_COL + 1) % 8);
    v = simd_getr(v);
    simd_store(v, part);
    blocks[_MYID][700 + turn] += part[0];
    faaw((int *)(blocks[64] + 8));
    athread_syn(ARRAY_SCOPE, 0xffff);
  }
  if (_MYID == 0)
    blocks[64][0] += part[3];
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(tmp_path_factory.mktemp("surroundings"), HOST, SLAVE)


def report_of(command: list[str | Path], folder: Path, **how: object) -> tuple[bytes, list[str]]:
    """What the program prints, and its report but for the program's own path."""
    path = folder / "report.json"
    path.unlink(missing_ok=True)
    surroundings = {**os.environ, "WEFT_EMU_REPORT": str(path), "WEFT_EMU_LDM_STACK": "1"}
    surroundings.update(how.pop("more", {}))  # type: ignore[call-overload]
    out = folder / "out"
    with out.open("wb") as file:
        done = subprocess.run(
            [str(word) for word in command],
            env=surroundings,
            stdout=how.pop("stdout", file),
            stderr=subprocess.PIPE,
            check=False,
            **how,  # type: ignore[call-overload]
        )
    assert (done.returncode, done.stderr) == (20, b"")
    lines = path.read_text().splitlines()
    return done.stdout or out.read_bytes(), [line for line in lines if '"path"' not in line]


@pytest.fixture(scope="module")
def usual(program: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, list[str]]:
    told = report_of([program], tmp_path_factory.mktemp("usual"))
    assert told[0].count(b"at time") == 3
    assert sum('"cycles"' in line for line in told[1]) > 3
    return told


@pytest.mark.parametrize(
    "way",
    ["again", "long environment", "none", "elsewhere", "temporary", "locale", "closed", "pipe",
     "busy", "addresses", "renamed", "allocator", "limits"],
)  # fmt: skip
def test_nothing_of_the_host_moves_a_cycle(
    program: Path, usual: tuple[bytes, list[str]], tmp_path: Path, way: str
) -> None:
    load: subprocess.Popen[bytes] | None = None
    command: list[str | Path] = [program]
    how: dict[str, object] = {}
    if way == "long environment":
        how["more"] = {f"VARIABLE_{n}": "x" * 1000 for n in range(50)}
    elif way == "none":
        kept = f"WEFT_EMU_REPORT={tmp_path / 'report.json'}"
        command = ["env", "-i", kept, "WEFT_EMU_LDM_STACK=1", f"PATH={os.environ['PATH']}", program]
    elif way == "elsewhere":
        how["cwd"] = "/"
    elif way == "temporary":
        how["more"] = {"TMPDIR": str(tmp_path / "not there"), "HOME": "/nowhere"}
    elif way == "locale":
        how["more"] = {"LC_ALL": "C.UTF-8", "LANG": "de_DE.UTF-8", "TZ": "Asia/Shanghai"}
    elif way == "closed":
        command = ["sh", "-c", 'exec "$0" <&-', program]
    elif way == "pipe":
        how["stdout"] = subprocess.PIPE
    elif way == "busy":
        # The machine's time is not the host's: it shares a processor with a loop, at low priority.
        load = subprocess.Popen(
            ["timeout", "20", "taskset", "-c", "0", "sh", "-c", "while :; do :; done"]
        )
        command = ["nice", "-n", "15", "taskset", "-c", "0", program]
    elif way == "addresses":
        command = ["setarch", "-R", program]
    elif way == "renamed":
        copy = tmp_path / ("a" * 200)
        shutil.copy(program, copy)
        command = [copy]
    elif way == "allocator":
        how["more"] = {"MALLOC_ARENA_MAX": "1", "MALLOC_PERTURB_": "165", "LD_BIND_NOW": "1"}
    elif way == "limits":
        command = ["sh", "-c", 'ulimit -s 1024; ulimit -n 64; exec "$0"', program]
    try:
        assert report_of(command, tmp_path, **how) == usual
    finally:
        if load is not None:
            load.terminate()  # which it passes on
            load.wait()


def test_results_need_no_timing(program: Path) -> None:
    timed = emu.run([program], ldm_stack=True)
    untimed = emu.run([program], ldm_stack=True, functional=True)
    results = [
        [line.partition(b" at time")[0] for line in run.output.splitlines()]
        for run in (timed, untimed)
    ]
    assert results[0] == results[1]
    assert timed.status == untimed.status


def test_what_is_empty_or_zero_asks_for_nothing(
    program: Path, usual: tuple[bytes, list[str]], tmp_path: Path
) -> None:
    names = ["WEFT_EMU_FUNCTIONAL", "WEFT_EMU_STRICT", "WEFT_EMU_MESH_SEND_DEPTH", "WEFT_EMU_CPES"]
    assert report_of([program], tmp_path, more=dict.fromkeys(names, "")) == usual
    assert report_of([program], tmp_path, more=dict.fromkeys(names[:2], "0")) == usual
    done = subprocess.run(
        [program], env={**os.environ, "WEFT_EMU_FUNCTIONAL": "yes"}, capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "WEFT_EMU_FUNCTIONAL is 'yes'; expected a whole number from 0 to 1" in done.stderr
