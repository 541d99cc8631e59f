#!/usr/bin/env python3
"""Checks the documents: every relative link leads to a file, every pass and target is described."""

from __future__ import annotations

import re
import subprocess
import sys
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


def faults() -> list[str]:
    found = []
    for document in documents():
        for number, line in enumerate(document.read_text(encoding="utf-8").splitlines(), 1):
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
