# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How threads wait: soon asleep unless the user chose; the environment stays as it was."""

from __future__ import annotations

import os
import subprocess
import sys

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
