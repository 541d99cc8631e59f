# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NPB FT: the random field, the verification, the reference evaluation; fftz2 against dft."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from weft import driver, hosting, module_files
from weft.hosting import Case
from weft.semantics import checker, reference
from weft.syntax.parser import parse

FOLDER = Path(__file__).parents[2] / "examples" / "ft"
# The first states of NPB's generator from its seed.
FIRST_STATES = [
    55909509111989,
    61155031930969,
    45573031421645,
    55279057169489,
    1250169187877,
    27551538756233,
]


@pytest.fixture(scope="module")
def host() -> Any:
    return module_files.load(FOLDER / "host.py")


@pytest.fixture(scope="module")
def instance() -> Callable[..., Any]:
    source, _ = hosting.example_files(FOLDER)
    checked = checker.check(parse(source.read_text(), source.name))

    def make(name: str, case: str = "", **sizes: int) -> Any:
        given = checked.names()[name].cases[case] if case else sizes
        return checker.instantiate(checked, name, given)

    return make


def case_of(host: Any, name: str) -> Case:
    return Case(name, host._known_sizes(host.EXPECTED["cases"][name]))


def test_generator_starts_as_npbs(host: Any) -> None:
    assert host.states(6).tolist() == FIRST_STATES
    assert host.states(3, first=4).tolist() == FIRST_STATES[3:]


def test_generator_is_exact(host: Any) -> None:
    state, found = host.SEED, host.states(100_000)
    for value in found.tolist():
        state = state * host.MULTIPLIER % (1 << host.BITS)
        assert value == state


def test_field_is_one_stream(host: Any) -> None:
    """x fastest, the real part first; across the blocks in which it is made."""
    shape = (3, 5, 1 + host.BLOCK // 16)
    numbers = host.states(2 * math.prod(shape)) * 2.0**-46
    assert np.array_equal(host.field(shape).reshape(-1).view(float), numbers)
    assert numbers[0] == 0.7945219111887383


def test_cases_of_host_and_program_agree(host: Any, instance: Callable[..., Any]) -> None:
    for name, expected in host.EXPECTED["cases"].items():
        assert len(expected["checksums"]) == expected["niter"]
        assert dict(instance("ft", name).entry.sizes) == host._known_sizes(expected)


def test_operations_are_npbs_count(host: Any) -> None:
    sizes = host._known_sizes(host.EXPECTED["cases"]["A"])
    assert host.operations(sizes) == pytest.approx(7136443763.977819)


def reference_sums(host: Any) -> np.ndarray:
    return np.array([complex(*pair) for pair in host.EXPECTED["cases"]["S"]["checksums"]])


def test_check_holds_only_within_epsilon(host: Any) -> None:
    case, sums = case_of(host, "S"), reference_sums(host)
    verdict = host.check(case, {"sums": sums})
    assert verdict.holds
    assert verdict.lines[0].startswith("T =   1  checksum 5.546087004964e+02")
    for wrong in (sums * (1 + 2e-12), sums * [1, 1, 1, 1, 1, np.nan], sums[:5], sums[::-1]):
        assert not host.check(case, {"sums": wrong}).holds


def test_no_verdict_without_a_reference(host: Any) -> None:
    case = Case("S", {"nx": 32, "ny": 64, "nz": 64, "niter": 6})
    verdict = host.check(case, {"sums": reference_sums(host)})
    assert verdict.holds is None
    assert "no reference" in verdict.lines[-1]


@pytest.mark.parametrize("name", ["S", "W"])
def test_reference_evaluation_verifies(host: Any, instance: Callable[..., Any], name: str) -> None:
    case = case_of(host, name)
    outputs = reference.evaluate(instance("ft", name), host.inputs(case))
    verdict = host.check(case, outputs)
    assert verdict.holds, verdict.lines


def test_damping_is_npbs(instance: Callable[..., Any]) -> None:
    """The product of one factor an axis is exp(-4 alpha pi^2 |k|^2)."""
    nz, ny, nx = 4, 6, 10
    found = reference.evaluate(
        instance("evolve", nz=nz, ny=ny, nx=nx), {"v": np.ones((nz, ny, nx), complex)}
    )["w"]
    z, y, x = (np.fft.fftfreq(n, 1 / n) for n in (nz, ny, nx))
    k2 = z[:, None, None] ** 2 + y[:, None] ** 2 + x**2
    np.testing.assert_allclose(found, np.exp(-4e-6 * np.pi**2 * k2), rtol=1e-15)


def test_hand_written_stages_are_the_transform(instance: Callable[..., Any]) -> None:
    random = np.random.default_rng(5)
    x = random.normal(size=(64, 3)) + 1j * random.normal(size=(64, 3))
    found = reference.evaluate(instance("cfftz", ny=3), {"x": x})["y"]
    expected = np.fft.ifft(x, axis=0, norm="forward")
    bound = 8 * np.finfo(float).eps * 6 * np.abs(expected).max()
    assert np.abs(found - expected).max() < bound


@pytest.mark.parametrize("name", ["S", "W"])
def test_compiled_verifies(host: Any, target: str, name: str) -> None:
    case = case_of(host, name)
    source, _ = hosting.example_files(FOLDER)
    (kernel,) = driver.compile_many([(source, "ft", case.sizes)], target)
    verdict = host.check(case, {"sums": kernel(**host.inputs(case))})
    assert verdict.holds, verdict.lines


def test_compiled_hand_written_stages(target: str) -> None:
    random = np.random.default_rng(5)
    x = random.normal(size=(64, 3)) + 1j * random.normal(size=(64, 3))
    source, _ = hosting.example_files(FOLDER)
    (kernel,) = driver.compile_many([(source, "cfftz", {"ny": 3})], target)
    expected = np.fft.ifft(x, axis=0, norm="forward")
    bound = 8 * np.finfo(float).eps * 6 * np.abs(expected).max()
    assert np.abs(kernel(x) - expected).max() < bound
