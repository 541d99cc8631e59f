# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The ladder of a contest's report on Winograd convolutions, as schedules of one kernel.

One layer, 64x50x50x64, four images, by the operations of the direct sum. A rung is a schedule of
`layer` in ladder.weft for a target, whose vectors have 128, 256 or 512 bits, the passes that it
does without, and threads. What none of these says is not here: docs/performance.md. The peer of all
is naive.c, seven loops by gcc -O3 -march=native. All rungs run in turns; a result that is wrong has
no rate.
"""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from weft import driver, module_files, toolchain
from weft.diagnostics import RunError

HERE = Path(__file__).resolve().parent
SOURCE = (HERE / "ladder.weft").read_text(encoding="utf-8")
SIZES = {"N": 4, "C": 64, "K": 64, "H": 50, "W": 50}
TARGETS = ("portable", "avx2", "avx512")
ALLOWED = 1e-5  # of the largest result
PEER = "loops in C -O3 -march=native"

host = module_files.load(HERE.parent.parent / "examples" / "winograd" / "host.py")
racing = module_files.load(HERE.parent / "racing.py")


class Rung(NamedTuple):
    name: str
    target: str
    algorithm: str  # of `layer`; empty: the kernel `rows`
    without: tuple[str, ...] = ()
    threads: int = 1

    @property
    def schedule(self) -> str:
        if not self.algorithm:
            return ""
        return f"schedule layer on {self.target}:\n    factor y as {self.algorithm}\n"


SCALAR = ("arrange-contractions", "stream-reductions", "vectorize-complex", "unroll")
NO_PANELS = ("arrange-contractions",)
IN_STEPS = ("fuse", "join-nests", "tile-for-ldm")
RUNGS = (
    Rung("loops as they are written", "avx512", "direct", SCALAR),
    Rung("vectors of 128 bits", "portable", "direct", NO_PANELS),
    Rung("vectors of 256 bits", "avx2", "direct", NO_PANELS),
    Rung("vectors of 512 bits", "avx512", "direct", NO_PANELS),
    Rung("2 threads", "avx512", "direct", NO_PANELS, 2),
    Rung("panels in registers, 128 bits", "portable", "direct"),
    Rung("panels in registers, 256 bits", "avx2", "direct"),
    Rung("panels in registers, 512 bits", "avx512", "direct"),
    Rung("F(2, 3) along rows", "avx512", ""),
    Rung("F(2x2)", "avx512", "winograd(2)"),
    Rung("F(4x4) in four steps", "avx512", "winograd(4)", IN_STEPS),
    Rung("F(4x4), steps fused", "avx512", "winograd(4)"),
    Rung("F(4x4), steps fused, 2 threads", "avx512", "winograd(4)", (), 2),
)


def records() -> Iterator[dict[str, Any]]:
    best = toolchain.default_target()
    here = TARGETS[: TARGETS.index(best) + 1]
    rungs = [rung for rung in RUNGS if rung.target in here]
    x, g = (
        np.random.default_rng(7).uniform(-1, 1, shape).astype(np.float32)
        for shape in ((4, 64, 50, 50), (64, 64, 3, 3))
    )
    yield from climb(rungs, SIZES, x, g)


def climb(
    rungs: list[Rung], sizes: dict[str, int], x: np.ndarray, g: np.ndarray
) -> Iterator[dict[str, Any]]:
    wanted = host.direct(x, g)
    y = np.empty(wanted.shape, np.float32)
    contestants = []
    with tempfile.TemporaryDirectory(prefix="weft-bench-") as folder:
        naive = partial(_compiled(Path(folder)), *(a.ctypes.data for a in (x, g, y)))
        calls = [(PEER, partial(naive, *(sizes[name] for name in "NCKHW")), 1)]
        for rung in rungs:
            kernel = compiled(rung, sizes)
            calls.append(
                (rung.name, partial(kernel, x, g, out=y, threads=rung.threads), rung.threads)
            )
        for name, call, threads in calls:
            y[...] = 0
            call()
            error = host.relative_error(y, wanted)
            if not error <= ALLOWED:
                raise RunError(f"winograd: {name}: wrong by {error:.1e} of the largest result")
            run = partial(_repeat, call)
            contestants.append(racing.Contestant(name, run, threads, warmed=True))
        racing.race(contestants)
    flops = host.flops(sizes)
    naive_rate, *rates = (flops / one.best * 1e-9 for one in contestants)
    for rung, rate in zip(rungs, rates, strict=True):
        yield {
            "suite": "winograd",
            "case": rung.name,
            "metric": told(rung),
            "value": rate,
            "unit": "GFlop/s",
            "peer": PEER,
            "peer_value": naive_rate,
            "ratio": rate / naive_rate,
            "goal": None,
            "met": None,
        }


def compiled(rung: Rung, sizes: dict[str, int]) -> Any:
    kernel = "layer" if rung.algorithm else "rows"
    text = SOURCE + "\n" + rung.schedule
    return driver.compile(text, kernel, target=rung.target, without=rung.without, **sizes)


def told(rung: Rung) -> str:
    said = f"factor y as {rung.algorithm}" if rung.algorithm else "the kernel `rows`"
    left = f", without {', '.join(rung.without)}" if rung.without else ""
    threads = "1 thread" if rung.threads == 1 else f"{rung.threads} threads"
    return f"{rung.target}: {said}{left}, {threads}"


def _repeat(call: Any, times: int) -> None:
    for _ in range(times):
        call()


def _compiled(folder: Path) -> Any:
    library = folder / "naive.so"
    flags = ["-O3", "-march=native", "-std=c11", "-shared", "-fPIC"]
    command = [toolchain.find_compiler().path, *flags, str(HERE / "naive.c")]
    subprocess.run([*command, "-o", str(library)], check=True)
    function = ctypes.CDLL(str(library)).conv_naive
    function.argtypes = [ctypes.c_void_p] * 3 + [ctypes.c_long] * 5
    function.restype = None
    return function
