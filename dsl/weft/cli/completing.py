# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the shell offers on Tab: kernels of a file, sizes, cases, targets, passes.

Sources are read with patterns rather than parsed: an answer comes at once, and also for a program
that is being written. Where nothing is offered, shells offer files.
"""

from __future__ import annotations

import os
import re
from collections.abc import MutableMapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

DEFINITION = re.compile(r"^(kernel|program)\s+(\w+)\s*(?:\[([^\]]*)\])?", re.MULTILINE)
CASE = re.compile(r"^\s+case\s+(\w+)\s*:", re.MULTILINE)
# Characters at which bash takes words apart.
BREAKS = ":="


@dataclass(frozen=True)
class Definition:
    """A kernel or program as far as its first line shows it."""

    name: str
    sizes: tuple[str, ...]
    cases: tuple[str, ...]


def definitions(path: Path) -> list[Definition]:
    """Those of a source file, or of the only one in an example's folder."""
    try:
        files = list(path.glob("*.weft")) if path.is_dir() else [path]
        text = "\n".join(file.read_text(encoding="utf-8") for file in files)
    except (OSError, UnicodeDecodeError):
        return []
    heads = list(DEFINITION.finditer(text))
    ends = [head.start() for head in heads[1:]] + [len(text)]
    return [
        Definition(
            head[2],
            tuple(part.partition(":")[0].strip() for part in (head[3] or "").split(",") if part),
            tuple(CASE.findall(text, head.end(), end)),
        )
        for head, end in zip(heads, ends, strict=True)
    ]


def _words() -> list[str]:
    """The words on the line: an option that lacks its value keeps typer from parsing them."""
    bash = os.environ.get("COMP_WORDS")
    if bash is not None:
        return bash.split("\n")
    return os.environ.get("_TYPER_COMPLETE_ARGS", "").split()


def _asked() -> list[Definition]:
    """The kernels that the words so far leave open."""
    words = _words()
    named = [after for word, after in pairwise(words) if word == "--kernel"]
    for word in words[2:]:
        for text, name in ((word, ""), word.rpartition(":")[::2]):
            path = Path(text)
            if text and (path.is_dir() or path.suffix == ".weft") and (found := definitions(path)):
                return [one for one in found if one.name in (name, *named)] or found
    return []


def sources(incomplete: str) -> list[str]:
    """`FILE:KERNEL` once the file is there; its name is what shells complete themselves."""
    file, colon, start = incomplete.rpartition(":")
    if not colon and incomplete.endswith(".weft"):
        file, start = incomplete, ""
    names = [one.name for one in definitions(Path(file))] if file else []
    found = [f"{file}:{name}" for name in names if name.startswith(start)]
    return found if colon or not found else [incomplete, *found]


def kernels(incomplete: str) -> list[str]:
    return [one.name for one in _asked() if one.name.startswith(incomplete)]


def sizes(incomplete: str) -> list[str]:
    """`NAME=`; the number is the user's."""
    names = dict.fromkeys(name for one in _asked() for name in one.sizes)
    return [f"{name}=" for name in names if name.startswith(incomplete)]


def cases(incomplete: str) -> list[str]:
    names = dict.fromkeys(name for one in _asked() for name in one.cases)
    return [name for name in names if name.startswith(incomplete)]


def targets(incomplete: str) -> list[str]:
    from weft.machine import target_names

    return [name for name in target_names() if name.startswith(incomplete)]


def passes(incomplete: str) -> list[str]:
    from weft import pipeline

    flags = dict.fromkeys(step.flag for steps in pipeline.STEPS.values() for step in steps)
    return [flag for flag in flags if flag.startswith(incomplete)]


def kinds(incomplete: str) -> list[str]:
    """The last of several kinds with commas between."""
    before, comma, last = incomplete.rpartition(",")
    known = ("ir", "c", "asm", "so", *([] if comma else ["lib"]))
    return [f"{before}{comma}{kind}" for kind in known if kind.startswith(last)]


def suites(incomplete: str) -> list[str]:
    here = Path.cwd()
    folders = (folder / "bench" for folder in (here, *here.parents))
    bench = next((folder for folder in folders if folder.is_dir()), here)
    names = sorted(path.parent.name for path in bench.glob("*/bench.py"))
    return [name for name in names if name.startswith(incomplete)]


def rejoin(environment: MutableMapping[str, str]) -> str:
    """Puts words together again that bash took apart, such as `fft.weft : four`.

    Returns what bash has of the word already, up to the last of the characters that it breaks
    words at: it wants only what follows.
    """
    words = environment.get("COMP_WORDS", "").split("\n")
    current = int(environment.get("COMP_CWORD", "0"))
    joined: list[str] = []
    now = 0
    for number, word in enumerate(words):
        is_break = word != "" and set(word) <= set(BREAKS)
        follows_break = bool(joined) and number > 0 and joined[-1][-1:] in tuple(BREAKS)
        was_break = number > 0 and set(words[number - 1]) <= set(BREAKS) and words[number - 1] != ""
        if joined and (is_break or (follows_break and was_break)):
            joined[-1] += word
        else:
            joined.append(word)
        if number <= current:
            now = len(joined) - 1
    if current >= len(words):
        now = len(joined)
    environment["COMP_WORDS"] = "\n".join(joined)
    environment["COMP_CWORD"] = str(now)
    word = joined[now] if now < len(joined) else ""
    return word[: max(word.rfind(mark) for mark in BREAKS) + 1]


def answer_bash(arguments: list[str]) -> int:
    """The completions that typer finds, without what bash has already."""
    import contextlib
    import io

    from weft.cli.app import run_app

    prefix = rejoin(os.environ)
    found = io.StringIO()
    with contextlib.redirect_stdout(found):
        status = run_app(arguments)
    for line in found.getvalue().splitlines():
        print(line.removeprefix(prefix))
    return status
