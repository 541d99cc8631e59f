# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NPB FT over groups: the field of the example beside it, cut into planes of z, and its checksums.

Every group ends with the checksums of the whole field; all of them are compared.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from weft import module_files
from weft.hosting import Case, Verdict

FT = module_files.load(Path(__file__).parent.parent / "ft" / "host.py")


def inputs(case: Case) -> dict[str, np.ndarray]:
    """The groups in front: `u[g]` is the slab of group g."""
    groups, nz, ny, nx = (case.sizes[name] for name in ("G", "nz", "ny", "nx"))
    return {"u": FT.field((nz, ny, nx)).reshape(groups, nz // groups, ny, nx)}


def check(case: Case, outputs: dict[str, np.ndarray]) -> Verdict:
    """NPB's rule, for the sums of every group."""
    whole = Case(str(case), {name: size for name, size in case.sizes.items() if name != "G"})
    verdicts: list[Verdict] = [FT.check(whole, {"sums": sums}) for sums in outputs["sums"]]
    different = [group for group, verdict in enumerate(verdicts) if verdict.holds is False]
    if different:
        first = verdicts[different[0]]
        return Verdict(False, [*first.lines, f"wrong in the groups {different}"])
    return verdicts[0]


def report(case: Case, outputs: dict[str, np.ndarray], seconds: float) -> list[str]:
    """The rate of all groups together."""
    del outputs
    return [f"{FT.operations(case.sizes) / seconds * 1e-6:.1f} Mop/s"]
