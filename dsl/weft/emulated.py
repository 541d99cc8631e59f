# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels for a core group: a program of the emulator, made of two C files and a main function.

The program takes the number of a kernel, a file with the inputs and a file for the outputs, all
arrays one behind the other as C has them. It says on its standard output what the kernel returned
and how many cycles the management core spent in it.
"""

from __future__ import annotations

import json
import math
import shlex
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from weft import artifacts, emu, events, nests
from weft.call import Parameter
from weft.diagnostics import CompilerBug, RunError

if TYPE_CHECKING:
    import numpy as np

    from weft.machine import Machine

HOST, SLAVE, MAIN, PROGRAM = "kernel.c", nests.SLAVE, "main.c", "kernel.program"
LISTING = "kernel.s"
FILES = [HOST, SLAVE, LISTING, PROGRAM]
NO_CORES = "/* Nothing runs on the compute cores. */\n"

_HEAD = """\
/* Runs one of the kernels on arrays from a file: main KERNEL INPUTS OUTPUTS */
#include <athread.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

static void *weft_data[64];

static double weft_seconds(void) {
  struct timeval now;
  gettimeofday(&now, NULL);
  return now.tv_sec + now.tv_usec * 1e-6;
}

/* Arrays begin at a line of main memory. */
static void *weft_lines(size_t bytes) { return memalign(128, bytes ? bytes : 1); }

static int weft_transfer(FILE *file, int writes, const size_t *bytes, int from, int count) {
  for (int n = from; n < from + count; ++n)
    if (bytes[n] != (writes ? fwrite(weft_data[n], 1, bytes[n], file)
                            : fread(weft_data[n], 1, bytes[n], file)))
      return 1;
  return 0;
}
"""


def main_source(kernels: Sequence[Mapping[str, Any]]) -> str:
    """The C of the main function: `kernels` as the compiler notes them."""
    from weft import emulated_groups

    over = [int(kernel.get("groups") or 1) for kernel in kernels]
    text = _HEAD + (emulated_groups.C if max(over) > 1 else "")
    for number, kernel in enumerate(kernels):
        name, groups = kernel["c_name"], over[number]
        parameters = [Parameter.from_json(p) for p in (*kernel["inputs"], *kernel["outputs"])]
        sizes = ", ".join(str(bytes_of(p) // groups) for p in parameters) or "0"
        pointers = "".join(f"weft_data[{n}], " for n in range(len(parameters)))
        types = "".join("void *, " for _ in parameters)
        text += f"""
extern int {name}({types}void *{", const struct weft_groups *" if groups > 1 else ""});
extern size_t {name}_scratch_bytes(void);

static int weft_run_{number}(FILE *in, FILE *out, char **more) {{
  static const size_t bytes[] = {{{sizes}}};
  for (int n = 0; n < {len(parameters)}; ++n)
    if (!(weft_data[n] = weft_lines(bytes[n])))
      return 4;
  void *scratch = weft_lines({name}_scratch_bytes());
  if (!scratch)
    return 4;
  if (weft_transfer(in, 0, bytes, 0, {len(kernel["inputs"])}))
    return 5;
  {f"if (weft_join({groups}, more)) return 7;" if groups > 1 else "(void)more;"}
  athread_init();
  double start = weft_seconds();
  {"weft_since = start;" if groups > 1 else ""}
  int status = {name}({pointers}scratch{", &weft_all" if groups > 1 else ""});
  double spent = weft_seconds() - {"weft_since" if groups > 1 else "start"};
  athread_halt();
  printf("%d %.9f\\n", status, spent);
  return weft_transfer(out, 1, bytes, {len(kernel["inputs"])}, {len(kernel["outputs"])}) ? 6 : 0;
}}
"""
    runs = "".join(
        f"  if (kernel == {n}{' && argc == 7' if over[n] > 1 else ''})\n"
        f"    status = weft_run_{n}(in, out, argv + 4);\n"
        for n in range(len(kernels))
    )
    return f"""{text}
int main(int argc, char **argv) {{
  int kernel = argc >= 4 ? atoi(argv[1]) : -1, status = 2;
  FILE *in = argc >= 4 ? fopen(argv[2], "rb") : NULL, *out = in ? fopen(argv[3], "wb") : NULL;
  if (!out)
    return 2;
{runs}  return fclose(out) ? 6 : status;
}}
"""


def bytes_of(parameter: Parameter) -> int:
    return int(parameter.dtype.itemsize * math.prod(parameter.shape))


def commands(machine: Machine, slave: bool) -> list[list[list[str]]]:
    """What makes the program out of the C, in the folder of the C; the slave's listing, too: step
    by step, the commands of a step side by side.
    """
    compiler = str(emu.native_file("bin/weft-swcc"))
    flags = list(machine.c_flags)
    # What a wait or a message takes counts in the nest that calls for it, not in support.h.
    of_cores = ["-slave", "-msimd", *flags, "-gno-inline-line-tables"]
    objects = ["kernel.o", "main.o", *(["kernel_slave.o"] if slave else [])]
    made = [
        [compiler, "-host", *flags, "-c", HOST, "-o", "kernel.o"],
        [compiler, "-host", "-O2", "-c", MAIN, "-o", "main.o"],
    ]
    if slave:
        # The longest first.
        made.insert(
            0, [compiler, *of_cores, "-c", SLAVE, "-o", "kernel_slave.o", f"--listing={LISTING}"]
        )
    return [made, [[compiler, "-hybrid", *objects, "-lm", "-o", PROGRAM]]]


def run(
    program: Path,
    index: int,
    inputs: Sequence[np.ndarray],
    outputs: Sequence[np.ndarray],
    subject: events.Subject = events.NOBODY,
) -> tuple[int, dict[str, Any]]:
    """Runs a kernel of the program; what it returned, and the emulator's report of the run with
    `kernel_seconds`, the machine's own time in the kernel.

    Raises:
        RunError: The emulated machine stopped at a fault, or the program could not be run.
    """
    with (
        tempfile.TemporaryDirectory(prefix="weft-run-") as folder,
        events.timed("emulation", subject, level=2),
    ):
        given, made = Path(folder, "inputs"), Path(folder, "outputs")
        with given.open("wb") as file:
            for array in inputs:
                file.write(array.tobytes())
        done = emu.run([program, str(index), given, made])
        if done.status != 0:
            raise RunError(
                f"the emulated core group ended with status {done.status}",
                found=done.errors.decode("utf-8", "replace").strip()[-2000:] or "no message",
                help=f"{shlex.join(['weft', 'emu', 'run', str(program)])} shows it again"
                " with arguments KERNEL INPUTS OUTPUTS",
            )
        status, seconds = done.output.split()[-2:]
        content = made.read_bytes()
    start = 0
    # After a fault there are no results, and what the caller has stays.
    for array in outputs if int(status) == 0 else ():
        flat = memoryview(content)[start : start + array.nbytes]
        array.reshape(-1).view("u1")[:] = flat
        start += array.nbytes
    return int(status), {**done.report, "kernel_seconds": float(seconds)}


def hazard(folder: Path, command: str, report: Mapping[str, Any]) -> CompilerBug | None:
    """The fault of Weft that a run has shown, if any: its kernels race nowhere, so that where the
    emulator sees a hazard the results may be wrong. `folder` has the C, which `command` made.
    """
    found = report["hazards"]
    if not found:
        return None
    first = found[0]
    place = first.get("at") or {}
    at = f"{place.get('file', PROGRAM)}:{place.get('line', 0)}, core {first.get('core', 0)}"
    more = f"; {len(found) - 1} more hazards" if len(found) > 1 else ""
    names = [name for name in (HOST, SLAVE, MAIN) if (folder / name).exists()]
    files = {name: (folder / name).read_text() for name in names}
    files["hazards.json"] = json.dumps(found, indent=1) + "\n"
    files["command.txt"] = command + "\n"
    return CompilerBug(
        f"hazard {first['name']}, results may be wrong: {first['what']} ({at}){more}",
        stage="the emulated kernel",
        reproducer=str(artifacts.keep_reproducer(files)),
    )


def told(report: Mapping[str, Any]) -> list[str]:
    """What a run of the emulated core group took, as lines for people."""
    cycles = report["kernel_seconds"] * report["machine"]["clock_hz"]
    rate = report["derived"].get("gflops", 0.0)
    lines = [f"emulated: {cycles:.0f} cycles in the kernel, {rate:.1f} GFlop/s on the cores in all"]
    for phase in report["phases_by_function"]:
        counters, times = phase["counters"], phase["times"]
        cores = report["machine"]["cpes"] * phase["cycles"]
        waits = ", ".join(
            f"{word} {100 * counters[name] / cores:.0f} %"
            for name, word in (
                ("dma_wait", "waiting for DMA"),
                ("sync_wait", "for other cores"),
                ("data_stall", "for operands"),
                ("gld_wait", "for single words of main memory"),
                ("icache_stall", "for instructions"),
            )
            if counters.get(name, 0) > cores / 200
        )
        starts = "once" if times == 1 else f"{times} times"
        lines.append(
            f"  {phase['function']}: {starts}, {phase['cycles']} cycles, "
            f"{100 * phase['cycles'] / max(cycles, 1):.0f} % of the kernel"
            + (f" ({waits})" if waits else "")
        )
    if report.get("nests"):
        lines.append("by nest, the mean of the cores:")
        lines += nests.told(report)
    return lines
