# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sizes in messages: read as the language does, they have the value that stands beside them."""

from __future__ import annotations

import pytest

from weft.semantics.sizes import Size, atom, size

H, TWO, FOUR = atom("h", 7), size(2), size(4)


@pytest.mark.parametrize(
    ("found", "shown"),
    [
        (H.floordiv(FOUR) * FOUR + FOUR, "4*(h//4)+4"),
        ((H * FOUR).floordiv(FOUR) + FOUR, "(4*h)//4+4"),
        (H.mod(size(3)) * TWO, "2*(h%3)"),
        (H.floordiv(FOUR) * H.floordiv(FOUR), "(h//4)*(h//4)"),
        (H - H.floordiv(FOUR), "h-h//4"),
        (-H.floordiv(FOUR), "-(h//4)"),
        (H.floordiv(FOUR), "h//4"),
        (H * H - TWO * H, "h*h-2*h"),
    ],
)
def test_brackets_where_the_order_decides(found: Size, shown: str) -> None:
    assert str(found) == shown
    assert eval(shown, {"h": 7}) == found.value


def test_the_smaller_and_the_larger() -> None:
    n, m = atom("n", 7), atom("m", 4)
    assert (str(n.smaller(m)), n.smaller(m).value) == ("min(n, m)", 4)
    assert (str(n.larger(m) + TWO), n.larger(m).value) == ("max(n, m)+2", 7)
    assert str(n.smaller(n - size(1))) == "n-1"
    assert str(n.larger(n - size(1))) == "n"
    assert atom("n", None).smaller(m).value is None
    assert size(3).smaller(size(5)) == size(3)
