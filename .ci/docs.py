#!/usr/bin/env python3
"""Checks the documents: every relative link leads to a file, every pass and target is described."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)")


def documents() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "*.md"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.splitlines()
    return [ROOT / name for name in listed if (ROOT / name).exists()]


def prose(text: str) -> Iterator[tuple[int, str]]:
    """Numbered lines without code, where brackets and parentheses mean something else."""
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced:
            yield number, re.sub(r"`[^`]*`", "", line)


def faults() -> list[str]:
    found = []
    for document in documents():
        for number, line in prose(document.read_text(encoding="utf-8")):
            for link in LINK.findall(line):
                if "://" not in link and not (document.parent / link).exists():
                    found.append(f"{document.relative_to(ROOT)}:{number}: no such file: {link}")
    pipeline = ROOT / "docs" / "pipeline.md"
    if pipeline.exists():
        text = pipeline.read_text(encoding="utf-8")
        passes = re.findall(
            r'WeftPass<"([a-z-]+)">', (ROOT / "dsl/passes/Passes.td").read_text(encoding="utf-8")
        )
        found += [
            f"docs/pipeline.md: the pass {name} is missing" for name in passes if name not in text
        ]
    return found


if __name__ == "__main__":
    problems = faults()
    print("\n".join(problems) or f"docs: {len(documents())} documents, all links lead somewhere")
    sys.exit(1 if problems else 0)
