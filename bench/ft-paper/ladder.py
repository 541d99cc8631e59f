# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The rungs of the FT paper's ladder as passes, and what all scales have in common: programs of the
management core, and a picture of speedups."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType

import numpy as np

from weft import emu
from weft.diagnostics import RunError

# A rung and the passes that it adds, in the order of the paper's figures 9 to 11. Before the first
# one all of them are off; `eliminate-transposes` is the transfer that reads where a value comes
# from, `insert-exchanges` all register communication, that of runs in memory included.
RUNGS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("CPEs", ("insert-transfers",)),
    ("vectors", ("vectorize-complex",)),
    ("data transfer", ("eliminate-transposes",)),
    ("overlap", ("overlap",)),
    ("register communication", ("insert-exchanges",)),
    ("other", ("unroll", "schedule-dual-issue")),
)
# What CPEs do without DMA, where someone has the patience for it.
WORD_BY_WORD = ("CPEs, word by word", ())


def rungs(word_by_word: bool = False) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each rung and the passes that it is without."""
    all_rungs = ((WORD_BY_WORD,) if word_by_word else ()) + RUNGS
    for number, (rung, _) in enumerate(all_rungs):
        yield rung, tuple(flag for _, flags in all_rungs[number + 1 :] for flag in flags)


def on_mpe(source: Path, *words: object) -> str:
    """What a program of the management core prints."""
    with tempfile.TemporaryDirectory(prefix="weft-bench-") as name:
        program = Path(name) / "serial"
        compiler = emu.native_file("bin/weft-swcc")
        _output(compiler, "-host", "-O3", "-c", source, "-o", program.with_suffix(".o"))
        _output(compiler, "-hybrid", program.with_suffix(".o"), "-o", program, "-lm")
        return _output(program, *words)


def _output(*words: object) -> str:
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if done.returncode != 0:
        raise RunError(f"{Path(str(words[0])).name} failed", found=done.stderr.strip())
    return done.stdout


def draw(
    drawing: ModuleType,
    path: Path,
    title: str,
    names: Sequence[str],
    speedups: Mapping[str, Sequence[float]],
    published: float,
) -> None:
    """Speedups over the management core, of each scheme a bar a rung."""
    figure = drawing.new_figure(9, 4.5)
    if figure is None:
        return
    axes = figure.subplots()
    width = 0.38
    for number, (scheme, found) in enumerate(speedups.items()):
        places = np.arange(len(names) + 1) + (number - 0.5) * width
        bars = axes.bar(places, [1.0, *found], width, label=scheme)
        axes.bar_label(bars, fmt="%.3g", fontsize=8)
    axes.axhline(published, color="black", linewidth=0.8, linestyle="--")
    axes.annotate(f"published {published:g}", (-0.45, published * 1.06), fontsize=8)
    axes.set_yscale("log")
    axes.margins(y=0.12)
    labels = [name.replace(", ", ",\n").replace(" ", "\n", 1) for name in ("MPE", *names)]
    axes.set_xticks(range(len(labels)), labels, fontsize=8)
    axes.set_ylabel("speedup over the MPE")
    axes.set_title(title)
    axes.legend(title="transforms", fontsize=8, loc="upper left", bbox_to_anchor=(0.0, 0.62))
    drawing.save(figure, path)
