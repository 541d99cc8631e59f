# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a name that is not there is answered with: a near one, what stands for it here, or all."""

from __future__ import annotations

import pytest

from weft.diagnostics import SourceError
from weft.semantics import checker
from weft.syntax.parser import parse


@pytest.mark.parametrize(
    ("expression", "expected", "help_text"),
    [
        ("x * weigth", "", "did you mean 'weight'?"),
        ("x * WEIGHT", "", "did you mean 'weight'?"),
        ("x * np", "", "functions have no module here: exp(x)"),
        ("where(True, x, x)", "", "a comparison that holds: 1 == 1"),
        ("x * PI", "", "it is pi"),
        ("x * qqq", "one of n, weight, x, y", ""),
    ],
)
def test_unknown_name(expression: str, expected: str, help_text: str) -> None:
    text = f"kernel f[n: size](x: f64[n], weight: f64[n]) -> (y: f64[n]):\n    y = {expression}\n"
    with pytest.raises(SourceError) as caught:
        checker.check(parse(text, "f.weft"))
    (found,) = caught.value.diagnostics
    assert (found.rule, found.expected, found.help) == ("W101", expected, help_text)
