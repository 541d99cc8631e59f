#!/usr/bin/env python3
"""Prints what pip must install before the package can be built and tested, one a line.

pyproject.toml is the only list. Python 3.10 has no tomllib, and this runs before pip.
Arguments: which extras, all of them by default.
"""

import ast
import re
import sys
from pathlib import Path

PYPROJECT = (Path(__file__).parent.parent / "pyproject.toml").read_text()


def array(key: str) -> list[str]:
    """The strings of the array `key = [...]`; its syntax is Python's too, comments included."""
    found = re.search(rf"^{key} = (\[.*?\])\s*$", PYPROJECT, re.MULTILINE | re.DOTALL)
    if not found:
        raise SystemExit(f"pyproject.toml: no array {key!r}")
    values: list[str] = ast.literal_eval(found.group(1))
    return [value for value in values if not value.startswith("weft[")]


extras = sys.argv[1:] or ["test", "dev", "docs"]
for requirement in [r for key in ("requires", "dependencies", *extras) for r in array(key)]:
    print(requirement)
