# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Python files that belong to no package: hosts of examples, benchmarks and their parts."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType


def load(path: Path) -> ModuleType:
    """The file as a module of its own, run anew at each call; FileNotFoundError where there is
    none, and whatever it raises."""
    from importlib.util import module_from_spec, spec_from_file_location

    spec = spec_from_file_location(f"weft_file_{path.parent.name}_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    # Dataclasses look the module of their class up.
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
