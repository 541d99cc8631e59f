# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What transforms refuse is caught by programs that were written for NumPy or SciPy."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
import scipy.fft

from weft import fft
from weft.diagnostics import RunError

X = np.arange(24.0).reshape(4, 6)


@pytest.mark.parametrize(
    ("name", "x", "words"),
    [
        ("fft", X, {"n": 0}),
        ("fft", X, {"n": 5.0}),
        ("fft", X, {"n": "5"}),
        ("fft", X, {"axis": 2}),
        ("fft", X, {"axis": None}),
        ("fft", X, {"norm": "orto"}),
        ("fft", X, {"workers": 0}),
        ("fft", np.float64(1), {}),
        ("fft", [], {}),
        ("fft", [[1, 2], [3]], {}),
        ("irfft", X[:, :1], {}),
        ("rfft", X + 1j, {}),
        ("fft2", X[0], {}),
        ("fft2", X, {"s": (3,)}),
        ("fft2", X, {"axes": (0, 2)}),
        ("fftn", X, {"axes": (0, 0)}),
        ("rfftn", X, {"axes": ()}),
        ("dct", X, {"type": 5}),
    ],
)
def test_refusal_is_scipys_kind_of_exception_too(name: str, x: Any, words: dict[str, Any]) -> None:
    with pytest.raises(Exception) as theirs:
        getattr(scipy.fft, name)(x, **words)
    with pytest.raises(theirs.type) as own:
        getattr(fft, name)(x, **words)
    assert isinstance(own.value, RunError)


def test_result_over_a_part_of_the_signal_is_told_of_out() -> None:
    memory = np.zeros(20, complex)
    with pytest.raises(ValueError, match="out overlaps a part of the argument 'x'") as caught:
        fft.fft(memory[:10], out=memory[5:15])
    assert isinstance(caught.value, RunError)
    assert caught.value.argument == "out"


@pytest.mark.parametrize("words", [{"n": 0}, {"n": 1.5}, {"axis": 7}])
def test_refusal_survives_pickling(words: dict[str, Any]) -> None:
    with pytest.raises(RunError) as caught:
        fft.fft(X, **words)
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is type(caught.value)
    assert (str(again), again.argument) == (str(caught.value), caught.value.argument)
