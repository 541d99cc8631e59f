# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How threads wait: soon asleep unless the user chose; the environment stays as it was."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from weft import openmp

PROGRAM = """
import os
import numpy as np, weft

before = dict(os.environ)
kernel = weft.compile(
    "kernel f[n: size](x: f64[n, n]) -> (y: f64[n, n]):\\n    y = exp(x) + 1\\n",
    target="portable", n=300,
)
x = np.ones((300, 300))
kernel(x, threads=2)
assert dict(os.environ) == before
"""


def displayed(**variables: str) -> str:
    """What the OpenMP library read from its environment, in its own words."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "GOMP_"))}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**environment, "OMP_DISPLAY_ENV": "verbose", **variables},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    if "OMP_WAIT_POLICY" not in done.stderr:
        pytest.skip("this OpenMP library shows nothing of its environment")
    return done.stderr


def test_threads_sleep_unless_told_otherwise() -> None:
    told = displayed()
    assert "OMP_WAIT_POLICY = 'PASSIVE'" in told
    if "GOMP_SPINCOUNT" in told:
        assert f"GOMP_SPINCOUNT = '{openmp.TURNS}'" in told
        assert "GOMP_SPINCOUNT = '7'" in displayed(GOMP_SPINCOUNT="7")
    assert "OMP_WAIT_POLICY = 'ACTIVE'" in displayed(OMP_WAIT_POLICY="active")


FORKS = """
import os, signal
import numpy as np, weft

kernel = weft.compile(
    "kernel f[n: size](x: f64[n, n]) -> (y: f64[n, n]):\\n    y = exp(x) + 1\\n",
    target="portable", n=300,
)
x = np.ones((300, 300))
before = kernel(x, threads=2)
for threads in (2, 3):
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        os._exit(0 if (kernel(x, threads=threads) == before).all() else 1)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    assert (kernel(x, threads=2) == before).all()
"""


def test_a_process_that_was_forked_has_threads_of_its_own() -> None:
    """It waited for those of the process before, which it has not, for ever."""
    done = subprocess.run([sys.executable, "-c", FORKS], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0", "0"]


# Counts regions and what it is told, as if it were another OpenMP library that a program has loaded
# for all its parts.
OTHER = """
int told = 0, regions = 0, threads = 7;
int omp_get_max_threads(void) { return threads; }
void omp_set_num_threads(int n) { threads = n; told = told * 10 + n; }
int omp_get_thread_num(void) { return 0; }
int omp_get_num_threads(void) { return 1; }
void GOMP_parallel(void (*region)(void *), void *data, unsigned n, unsigned flags) {
  regions += 1;
  region(data);
}
void __kmpc_fork_call(void *place, int count, void *region, ...) { regions += 1; }
"""
BESIDE = """
import ctypes, sys
import numpy as np, weft

other = ctypes.CDLL(sys.argv[1], mode=ctypes.RTLD_GLOBAL)
kernel = weft.compile(
    "kernel f[n: size](x: f64[n, n]) -> (y: f64[n, n]):\\n    y = exp(x) + 1\\n",
    target="portable", n=300,
)
x = np.ones((300, 300))
for _ in range(2):  # looked at, and quick
    kernel(x, threads=3)
values = [ctypes.c_int.in_dll(other, name).value for name in ("told", "regions", "threads")]
print(*values)
"""


def test_threads_are_told_to_the_library_that_runs_the_regions(tmp_path: Path) -> None:
    """A kernel takes the one that is loaded for all: `threads=` was told to its own, in vain."""
    source = tmp_path / "other.c"
    source.write_text(OTHER)
    shared = tmp_path / "other.so"
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", shared, source], check=True)
    done = subprocess.run(
        [sys.executable, "-c", BESIDE, shared], capture_output=True, text=True, check=True
    )
    told, regions, threads = map(int, done.stdout.split())
    assert regions == 2
    assert (told, threads) == (3737, 7)
