# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `auto` takes, by the costs of docs/decisions/0062: layers that were measured, each near the
line between Winograd's algorithm and the direct sum for a reason of its own."""

from __future__ import annotations

import pytest

from weft import explanation


@pytest.mark.parametrize(
    ("images", "filters", "results", "options", "chosen"),
    [
        # The strips of few channels and many filters stay in the second cache.
        ("1, 56, 56, 8", "128, 8, 3, 3", "1, 56, 56, 128", "pad=1, layout=nhwc", "tiles of 4 by 4"),
        # Short rows of planes are turned one number by one.
        ("1, 64, 10, 10, 11", "16, 64, 3, 3, 3", "1, 16, 8, 8, 9", "pad=0", "the direct sum"),
        # Planes are copied to lanes along channels and back.
        ("4, 24, 34, 34", "20, 24, 3, 3", "4, 20, 32, 32", "pad=0", "the direct sum"),
        # Filters that leave the second cache are read twice, which sixteen images share.
        ("1, 7, 7, 512", "512, 512, 3, 3", "1, 7, 7, 512", "pad=1, layout=nhwc", "the direct sum"),
        ("16, 7, 7, 512", "512, 512, 3, 3", "16, 7, 7, 512", "pad=1, layout=nhwc", "2 by 2"),
    ],
)
def test_choice(images: str, filters: str, results: str, options: str, chosen: str) -> None:
    text = (
        f"kernel k(x: f32[{images}], u: f32[{filters}]) -> (y: f32[{results}]):\n"
        f"    y = conv(x, u, {options})\n"
    )
    notes = explanation.explain(text, "k", "avx512", {})["notes"]
    first = next(note for note in notes if note["pass"] == "factor-transform")
    assert first["outcome"] == "decided"
    assert chosen in first["what"]
