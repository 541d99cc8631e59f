# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels once more, their C under the sanitizers."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import skip_unless_runnable
from fuzz import compare, sanitized
from weft import machine

pytestmark = pytest.mark.skipif(not sanitized.available(), reason="gcc has no sanitizers here")

# A process each: a finding ends it.
SHARE = 200
FAULTS = {
    "past_the_end": ("x[4] = 1;", "heap-buffer-overflow"),
    "before_the_start": ("x[-1] = 1;", "heap-buffer-overflow"),
    "overflow": ("x[0] = n * 2147483647;", "signed integer overflow"),
    "not_aligned": ("int *p = (int *)((char *)x + n - 3); x[0] = *p + p[1];", "misaligned address"),
}
CALLED = """
import ctypes, subprocess, sys, os, numpy as np
command = [os.environ["WEFT_CC"], "-fPIC", "-shared", sys.argv[1], "-o", sys.argv[2]]
subprocess.run(command, check=True)
x = np.zeros(4, np.int32)
ctypes.CDLL(sys.argv[2]).f(ctypes.c_void_p(x.ctypes.data), 4)
print("returned")
"""


@pytest.mark.parametrize("name", FAULTS)
def test_faults_are_seen(name: str, tmp_path: Path) -> None:
    """The guard itself, on C with a fault in it."""
    statement, told = FAULTS[name]
    source = tmp_path / "f.c"
    source.write_text(f"void f(int *x, int n) {{ {statement} }}\n")
    done = sanitized.run(["-c", CALLED, str(source), str(tmp_path / "f.so")], tmp_path)
    assert done.returncode != 0
    assert told in done.stderr


def hold(target: str, first: int, count: int, folder: Path) -> None:
    skip_unless_runnable(machine.load(target))
    words = ["-m", "fuzz.compare", f"{first}:{first + count}", "--target", target]
    done = sanitized.run(words, folder)
    reproduce = f"reproduce: cd test && python -m fuzz.sanitized {' '.join(words)}"
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr[-5000:]}\n{reproduce}"
    assert f"to {first + count}: 0 wrong" in done.stderr


@pytest.mark.parametrize("target", compare.CPU_TARGETS)
def test_random_kernels(target: str, tmp_path: Path) -> None:
    hold(target, 400, 24, tmp_path)


def test_the_compiler_uses_no_memory_that_it_gave_back(tmp_path: Path) -> None:
    """What it frees by `delete` has fences here, though it is built without sanitizers."""
    done = sanitized.run(["-m", "fuzz.through", "--kernels", "600:660"], tmp_path)
    assert done.returncode == 0, done.stdout[-5000:]
    assert "60} 0 bad" in done.stdout


@pytest.mark.nightly
@pytest.mark.parametrize("target", compare.CPU_TARGETS)
@pytest.mark.parametrize("first", range(200_000, 202_000, SHARE))
def test_many_random_kernels(target: str, first: int, tmp_path: Path) -> None:
    hold(target, first, SHARE, tmp_path)
