# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The numbered dump folder, 00-source.weft to 91-kernel.s, and reproducers of Weft's own faults.

Every file is written whole: beside its place, then renamed.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from weft.diagnostics import RunError

SOURCE = "00-source.weft"
AST = "01-ast.txt"
TYPED = "02-typed.txt"
LOWERED = "10-weft.mlir"
C_SOURCE = "90-kernel.c"
ASSEMBLY = "91-kernel.s"


@dataclass
class Dump:
    """Takes the text of each stage; writes nothing where no folder was asked for."""

    folder: Path | None
    _passes: int = field(default=0)

    @property
    def wanted(self) -> bool:
        return self.folder is not None

    def stage(self, name: str, text: str) -> None:
        if self.folder is not None:
            write_whole(self.folder / name, text)

    def after_pass(self, flag: str, text: str) -> None:
        """IR after one more pass: 20-01-factor-transform.mlir and so on, in the order they ran."""
        self._passes += 1
        self.stage(f"20-{self._passes:02d}-{flag}.mlir", text)


def write_whole(path: Path, content: str | bytes) -> None:
    """Writes a file so that nobody ever sees half of it."""
    data = content.encode() if isinstance(content, str) else content
    beside = path.with_name(f".{path.name}.{os.getpid()}-{os.urandom(4).hex()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.write_bytes(data)
        beside.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise RunError(f"cannot write {path}: {error.strerror or error}") from None


REPLAY = """\
#!/bin/sh
# Shows the fault again. WEFT names another weft than the one on PATH.
cd "$(dirname "$0")" || exit
"${{WEFT:-weft}}" {words}
"""


def replay_script(words: str) -> str:
    """`replay.sh` of a reproducer: one command of the tool, on the files beside it."""
    return REPLAY.format(words=words)


def keep_reproducer(files: Mapping[str, str]) -> Path:
    """A folder in the XDG state folder that shows a fault of Weft; one folder a fault."""
    digest = hashlib.sha256()
    for name in sorted(files):
        digest.update(f"{name}\0{files[name]}\0".encode())
    state = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    folder = Path(state) / "weft" / "bugs" / digest.hexdigest()[:12]
    for name, text in files.items():
        write_whole(folder / name, text)
    return folder
