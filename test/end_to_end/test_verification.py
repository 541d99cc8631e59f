# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every construct of the language keeps its meaning after every pass: the IR of each stage is run.

No C is compiled here. A pass that is wrong is named by this test, and by
`weft compile --verify-each-numerically`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from end_to_end.test_language import KERNELS
from weft import artifacts, backend, frontend, machine, verification

MORE = {
    "batched_transforms": (
        (
            "kernel k[B: size, N: size](x: c64[B, N]) -> (y: c64[B, N]):\n"
            "    y = dft(x, axis=1, sign=+1, norm=inverse)\n"
        ),
        {"B": 9, "N": 60},
    ),
    "prime_length": (
        "kernel k[N: size](x: c128[N, 5]) -> (y: c128[N, 5]):\n    y = dft(x, axis=0)\n",
        {"N": 37},
    ),
    "twice_a_prime_length": (
        "kernel k[N: size](x: c128[5, N]) -> (y: c128[5, N]):\n    y = idft(x, axis=1)\n",
        {"N": 74},
    ),
    "padded_prime_length": (
        "kernel k[N: size](x: c128[N, 5]) -> (y: c128[N, 5]):\n    y = dft(x, axis=0)\n",
        {"N": 83},
    ),
    "four_step": (
        (
            "kernel k[R: size, C: size](x: c128[R, C]) -> (y: c128[C, R]):\n"
            "    a = dft(x, axis=0)\n    b = a * twiddle(R, C)\n    y = transpose(dft(b, axis=1))\n"
        ),
        {"R": 16, "C": 24},
    ),
    "gather": (
        "kernel k(x: f64[12, 5], i: i64[7]) -> (y: f64[7, 5]):\n    y = gather(x, i) * 2\n",
        {},
    ),
    "scatter": (
        (
            "kernel k(b: f32[4, 9], i: i32[6], v: f32[6, 9]) -> (y: f32[4, 9]):\n"
            "    y = scatter(b, i, v, op=add)\n"
        ),
        {},
    ),
    "program": (
        (
            "kernel half[N: size](x: c128[N]) -> (y: c128[N]):\n    y = x / 2\n"
            "program k[N: size, T: size](u: c128[N]) -> (sums: c128[T]):\n"
            "    carry v = dft(u, axis=0)\n"
            "    for t in 0:T:\n        carry v = half(v)\n"
            "        sums[t] = sum(v[i] for i in 0:N)\n"
        ),
        {"N": 16, "T": 3},
    ),
}


def verify(
    text: str, sizes: dict[str, int], target: str, tmp_path: Path, kernel: str = "k"
) -> list[str]:
    """The dumps of the stages, all of them verified."""
    verifier = verification.Verifier(inner=artifacts.Dump(tmp_path))
    modules = frontend.instantiate([frontend.Job(text, "k.weft", kernel, sizes)], verifier)
    verifier.typed(modules)
    chosen = machine.load(target)
    lowered = frontend.lower(modules, chosen.attribute(), text)
    verifier.stage(artifacts.LOWERED, lowered)
    backend.run_passes(lowered, chosen, verifier)
    return sorted(path.name for path in tmp_path.glob("20-*.mlir"))


@pytest.mark.parametrize("target", machine.target_names())
@pytest.mark.parametrize("name", [*KERNELS, *MORE])
def test_every_stage_means_what_the_program_means(name: str, target: str, tmp_path: Path) -> None:
    text, sizes = {**KERNELS, **MORE}[name]
    stages = verify(text, sizes, target, tmp_path)
    assert stages[-1].endswith("check-emittable.mlir")
