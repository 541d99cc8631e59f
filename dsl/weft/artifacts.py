# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The numbered dump folder, 00-command.txt to 91-kernel.s, and reproducers of Weft's own faults.

Every file is written whole: beside its place, then renamed.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from weft.diagnostics import RunError

if TYPE_CHECKING:
    from weft.semantics import typed

SOURCE = "00-source.weft"
COMMAND = "00-command.txt"
AST = "01-ast.txt"
TYPED = "02-typed.txt"
LOWERED = "10-weft.mlir"
NOTES = "80-notes.txt"
C_SOURCE = "90-kernel.c"
SLAVE_SOURCE = "90-kernel_slave.c"
ASSEMBLY = "91-kernel.s"


@dataclass
class Dump:
    """Takes the text of each stage; writes nothing where no folder was asked for.

    `fresh` asks for a build even where the cache has the kernel. `passes` have run already.
    """

    folder: Path | None
    fresh: bool = False
    passes: int = 0

    @property
    def wanted(self) -> bool:
        """Whether somebody looks at the texts; they are made only then."""
        return self.folder is not None

    @property
    def builds(self) -> bool:
        return self.fresh or self.wanted

    def typed(self, modules: Sequence[typed.Module]) -> None:
        """The programs whose stages follow."""

    def stage(self, name: str, text: str) -> None:
        if self.folder is not None:
            write_whole(self.folder / name, text)

    def after_pass(self, flag: str, text: str) -> None:
        """IR after one more pass: 20-01-factor-transform.mlir and so on, in the order they ran."""
        self.passes += 1
        self.stage(f"20-{self.passes:02d}-{flag}.mlir", text)


def write_whole(path: Path, content: str | bytes) -> None:
    """Writes a file so that nobody ever sees half of it."""
    write_all({path: content})


def write_all(contents: Mapping[Path, str | bytes]) -> None:
    """Writes files so that nobody sees half of one, and none is there unless all could be written.

    What is not a regular file, such as /dev/null or a pipe, is written to and stays what it is.
    """
    beside: dict[Path, Path] = {}
    path = Path()
    try:
        for path, content in contents.items():
            data = content.encode() if isinstance(content, str) else content
            _make_folder(path.parent)
            # Through a link to the file it stands for: the link stays.
            place = Path(os.path.realpath(path))
            if is_written_through(path):
                with path.open("ab") as out:
                    out.write(data)
                continue
            beside[place] = place.with_name(f".{place.name}.{os.getpid()}-{os.urandom(4).hex()}")
            beside[place].write_bytes(data)
            if place.is_dir():
                raise IsADirectoryError(errno.EISDIR, "it is a folder")
        for path, temporary in beside.items():
            temporary.replace(path)
    except OSError as error:
        for temporary in beside.values():
            with contextlib.suppress(OSError):
                temporary.unlink()
        raise RunError(
            f"cannot write {path}: {error.strerror or error}",
            help=f"choose a folder in which files can be made: {path.parent} is none"
            if error.errno in NO_PLACE
            else "",
        ) from None


def is_written_through(path: Path) -> bool:
    """Whether it is a device, a pipe or an open file: those are written to, and never replaced."""
    if not path.exists() or path.is_dir():
        return False
    # /dev/stdout is a file where it was sent to one, which keeps what it has.
    is_open = str(path).startswith(("/dev/std", "/dev/fd/", "/proc/"))
    return is_open or not path.is_file()


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise NotADirectoryError(errno.ENOTDIR, f"{first_file(folder)} is no folder") from None


def first_file(folder: Path) -> Path | None:
    """What stands in the way of a folder: the first part of its path that is something else."""
    for part in (*reversed(folder.parents), folder):
        if part.exists() and not part.is_dir():
            return part
    return None


def require_writable(path: Path) -> None:
    """RunError where a file cannot be written there, before long work is done for nothing."""
    if path.is_dir():
        raise RunError(f"cannot write {path}: it is a folder", argument="path")
    blocking = first_file(path.parent)
    if blocking is not None:
        raise RunError(f"cannot write {path}: {blocking} is no folder", argument="path")
    existing = next(folder for folder in path.absolute().parents if folder.exists())
    if not os.access(path if path.exists() else existing, os.W_OK):
        read_only = os.statvfs(existing).f_flag & os.ST_RDONLY
        told = os.strerror(errno.EROFS if read_only else errno.EACCES)
        raise RunError(f"cannot write {path}: {told}")


# What an attempt says where no file can be, whatever it has in it.
NO_PLACE = (errno.ENOENT, errno.EACCES, errno.EPERM, errno.EROFS)
SCRIPT = "replay.sh"
REPLAY = """\
#!/bin/sh
# Shows the fault again. WEFT names another weft than the one on PATH.
cd "$(dirname "$0")" || exit
"${{WEFT:-weft}}" {words}
"""


def replay_script(words: str) -> str:
    """`replay.sh` of a reproducer: one command of the tool, on the files beside it."""
    return REPLAY.format(words=words)


def keep_reproducer(files: Mapping[str, str | bytes]) -> Path:
    """A folder in the XDG state folder that shows a fault of Weft; one folder a fault."""
    digest = hashlib.sha256()
    for name in sorted(files):
        content = files[name]
        digest.update(name.encode() + b"\0")
        digest.update(content.encode() if isinstance(content, str) else content)
        digest.update(b"\0")
    state = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    folder = Path(state) / "weft" / "bugs" / digest.hexdigest()[:12]
    try:
        write_all({folder / name: text for name, text in files.items()})
    except RunError:
        # The fault must be told even where nothing can be written at home.
        import tempfile

        folder = Path(tempfile.mkdtemp(prefix="weft-bug-"))
        write_all({folder / name: text for name, text in files.items()})
    return folder
