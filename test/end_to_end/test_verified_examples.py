# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--verify-each-numerically has nothing to say of the kernels of the examples and of the bench.

Small sizes with rests every time, the sizes of class S in the nightly sweeps.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from end_to_end.test_verification import verify
from weft import machine
from weft.cli.completing import definitions

ROOT = Path(__file__).parents[2]
FT = "examples/ft/ft.weft"
WINOGRAD = "examples/winograd/winograd.weft"
GENERIC = "bench/generic/generic.weft"
SIZES = {
    FT: {"nz": 8, "ny": 12, "nx": 16, "niter": 2, "li": 4, "lk": 2},
    WINOGRAD: {"N": 2, "C": 3, "K": 5, "H": 11, "W": 9},
    GENERIC: {"n": 13, "m": 22, "k": 7},
}
# A class or layer of the example; the whole of FT, with its six steps, would take a quarter of an
# hour here.
LARGE = {
    FT: {"nz": 64, "ny": 64, "nx": 64, "niter": 1},
    WINOGRAD: {"N": 2, "C": 10, "K": 10, "H": 50, "W": 50},
}


def cases(sizes: dict[str, dict[str, int]]) -> list[tuple[str, str, dict[str, int]]]:
    return [
        (file, kernel.name, {size: sizes[file][size] for size in kernel.sizes})
        for file in sizes
        for kernel in definitions(ROOT / file)
        if set(kernel.sizes) <= set(sizes[file])
    ]


@pytest.mark.parametrize("target", machine.target_names())
@pytest.mark.parametrize(
    ("file", "kernel", "sizes"), cases(SIZES), ids=lambda value: value if type(value) is str else ""
)
def test_no_pass_is_accused(
    file: str, kernel: str, sizes: dict[str, int], target: str, tmp_path: Path
) -> None:
    text = (ROOT / file).read_text(encoding="utf-8")
    assert verify(text, sizes, target, tmp_path, kernel)[-1].endswith("check-emittable.mlir")


@pytest.mark.nightly
@pytest.mark.parametrize("target", machine.target_names())
@pytest.mark.parametrize(
    ("file", "kernel", "sizes"), cases(LARGE), ids=lambda value: value if type(value) is str else ""
)
def test_no_pass_is_accused_at_the_sizes_of_an_example(
    file: str, kernel: str, sizes: dict[str, int], target: str, tmp_path: Path
) -> None:
    text = (ROOT / file).read_text(encoding="utf-8")
    assert verify(text, sizes, target, tmp_path, kernel)[-1].endswith("check-emittable.mlir")
