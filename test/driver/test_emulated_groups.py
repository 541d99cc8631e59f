# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pipes between emulated groups: nobody waits for one that has ended."""

from __future__ import annotations

import threading
from pathlib import Path

from weft.emulated_groups import _Pipe


def test_a_group_that_opens_its_pipes_too_late_is_let_go(tmp_path: Path) -> None:
    """The others had ended, and their pipes been closed: it waited for a partner for ever."""
    pipe = _Pipe(tmp_path, 0, threading.Event())
    pipe.close()

    def late() -> None:
        with pipe.up.open("wb", buffering=0), pipe.down.open("rb", buffering=0) as down:
            assert down.read(1) == b""
        done.set()

    done = threading.Event()
    group = threading.Thread(target=late, daemon=True)
    group.start()
    group.join(0.2)
    assert not done.is_set()
    for _ in range(100):
        pipe.let_go()
        group.join(0.05)
    assert done.is_set()
