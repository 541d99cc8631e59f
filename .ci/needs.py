#!/usr/bin/env python3
"""Prints what pip must install before the package can be built and tested, one a line.

pyproject.toml is the only list. Python 3.10 has no tomllib, and this runs before pip.
"""

import ast
import re
from pathlib import Path

PYPROJECT = (Path(__file__).parent.parent / "pyproject.toml").read_text()


def array(key: str) -> list[str]:
    """The strings of the array `key = [...]`; its syntax is Python's too, comments included."""
    found = re.search(rf"^{key} = (\[.*?\])\s*$", PYPROJECT, re.MULTILINE | re.DOTALL)
    if not found:
        raise SystemExit(f"pyproject.toml: no array {key!r}")
    values: list[str] = ast.literal_eval(found.group(1))
    return [value for value in values if not value.startswith("weft[")]


for requirement in [r for key in ("requires", "dependencies", "test", "dev") for r in array(key)]:
    print(requirement)
