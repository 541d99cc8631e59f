# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What collectives mean: the values of all groups in, one value a group out, in plain NumPy."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import numpy as np

from weft.semantics import typed
from weft.semantics.reference_scalars import SCATTER


def alltoall(node: typed.Alltoall, sources: Sequence[np.ndarray]) -> list[np.ndarray]:
    parts = [np.split(source, len(sources), axis=node.split) for source in sources]
    return [
        np.concatenate([sent[group] for sent in parts], axis=node.concat)
        for group in range(len(sources))
    ]


def allgather(node: typed.Allgather, sources: Sequence[np.ndarray]) -> list[np.ndarray]:
    whole = np.concatenate(sources, axis=node.axis)
    return [whole] * len(sources)


def allreduce(node: typed.Allreduce, sources: Sequence[np.ndarray]) -> list[np.ndarray]:
    """In the order of the groups, each step rounded."""
    combined = reduce(SCATTER[node.op], sources)
    return [combined] * len(sources)


def own(node: typed.Own, sources: Sequence[np.ndarray]) -> list[np.ndarray]:
    return [
        np.split(source, len(sources), axis=node.axis)[group]
        for group, source in enumerate(sources)
    ]
