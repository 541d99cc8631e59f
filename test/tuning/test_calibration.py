# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Samples that cover every cost, a fit that finds them again, and an overlay that is read."""

from __future__ import annotations

import datetime
import re
from collections import Counter
from dataclasses import replace
from math import prod
from pathlib import Path

import numpy as np
import pytest

from weft import frontend, machine, toolchain
from weft.diagnostics import RunError
from weft.tuning import calibration, fitting, judging, space
from weft.tuning.calibration import COMES, EARLIER, FITTED, HALFWAY, Calibration
from weft.tuning.judging import Judged
from weft.tuning.measuring import Measured
from weft.tuning.samples import BYTES, COVERED, L2, LINE, Sample, Shape, chosen, predicted


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("WEFT_NO_OVERLAY", raising=False)


def table() -> tuple[machine.Machine, calibration.Costs]:
    plain = machine.plain("avx512")
    return plain, calibration.costs_of(plain)


def samples() -> list[Sample]:
    plain, costs = table()
    return [s for kind in BYTES for s in chosen(Shape.of(kind, plain.values), costs)]


def test_every_cost_is_in_several_samples() -> None:
    plain, costs = table()
    for kind in BYTES:
        shape = Shape.of(kind, plain.values)
        found = chosen(shape, costs)
        assert len(found) == len(set(found)) < 100
        times = Counter(column for sample in found for column in sample.row())
        for column in costs:
            # c64 cannot begin with fewer points than its vectors have lanes.
            if column[0] == "first" and not shape.may_begin(column[1] * shape.lanes, column[1]):
                assert times[column] == 0
            else:
                assert times[column] >= COVERED, (kind, column)


def test_samples_are_the_same_each_time_and_lie_along_lines() -> None:
    assert samples() == samples()
    for sample in samples():
        assert sample.length == prod(sample.radices)
        assert sample.shape.may_begin(sample.length, sample.radices[0])


def test_a_time_is_the_sum_of_its_stages() -> None:
    plain, costs = table()
    shape = Shape.of("c128", plain.values)
    short, long = Sample(shape, (4, 8, 8)), Sample(shape, (16, 16, 16))
    stages = costs["first", 4] + costs["inner", 8] + costs["last", 8]
    assert predicted(short, costs) == pytest.approx(stages + 3 * 4 / 256 * costs[LINE])
    stages = costs["first", 16] + costs["inner", 16] + costs["last", 16]
    # The first two stages take turns: two rounds to the second cache. The last one has 16 rows
    # 4096 bytes apart, in one set of 8 ways: three quarters of them leave it, three times over.
    rest = 3 * 4 / 4096 * costs[LINE] + (2 + 3 * 0.75) * costs[L2]
    assert predicted(long, costs) == pytest.approx(stages + rest)

    # 10 points take 3 vectors of 4, in the first stage.
    part = 1.2 * costs["first", 8] + costs["last", 10] + 2 * 4 / 80 * costs[LINE]
    assert predicted(Sample(shape, (8, 10)), costs) == pytest.approx(part)


# Some stages take turns by groups, some by points in runs, and of some there are too few.
@pytest.mark.parametrize(
    ("kind", "length"),
    [("c128", 240), ("c128", 1536), ("c128", 4096), ("c128", 8192), ("c64", 2048), ("c64", 4096)],
)
@pytest.mark.parametrize("turns", [0, 4])
def test_the_compiler_counts_by_the_same_sums(kind: str, length: int, turns: int) -> None:
    plain, costs = table()
    if turns:
        plain = replace(plain, values=dict(plain.values) | {"dft_crowded_turns": turns})
    shape = Shape.of(kind, plain.values)
    text = (
        f"kernel k(x: {kind}[4, {length}]) -> (y: {kind}[4, {length}]):\n    y = dft(x, axis=1)\n"
    )
    knob = space.of(frontend.Job(text, "k.weft", "k", {}), plain).knobs[0]
    compared = 0
    for choice, cost in zip(knob.choices, knob.costs, strict=True):
        sample = Sample(shape, tuple(int(radix) for radix in re.findall(r"\d+", choice)))
        if all(column in costs for column in sample.columns()):
            assert cost == pytest.approx(predicted(sample, costs) / shape.lanes), choice
            compared += 1
    assert compared > 15


def test_least_squares_with_bounds() -> None:
    matrix = np.array([[1.0, 2.0], [3.0, 1.0], [1.0, 1.0]])
    exact = np.array([2.0, 3.0])
    free = fitting.fit(matrix, matrix @ exact, np.ones(2), np.zeros(2), 1e-9)
    np.testing.assert_allclose(free, exact, rtol=1e-6)
    bound = fitting.fit(matrix, matrix @ exact, np.ones(2), np.array([2.5, 0.0]), 1e-9)
    # With the first at its bound, the second is least squares of what is left.
    rest = matrix @ exact - 2.5 * matrix[:, 0]
    second = matrix[:, 1] @ rest / (matrix[:, 1] @ matrix[:, 1])
    np.testing.assert_allclose(bound, [2.5, second], rtol=1e-6)


def test_what_the_data_does_not_say_stays_as_believed() -> None:
    matrix = np.array([[1.0, 0.0]])
    found = fitting.fit(matrix, np.array([5.0]), np.array([3.0, 7.0]), np.zeros(2), 0.01)
    np.testing.assert_allclose(found, [5.0, 7.0], rtol=1e-3)


def test_the_fit_finds_the_costs_of_another_machine() -> None:
    """Each cost other by up to a third, times by up to 2 %."""
    _, before = table()
    random = np.random.default_rng(11)
    true = {column: cost * random.uniform(0.8, 1.3) for column, cost in before.items()}
    measured = [Measured(s, predicted(s, true) * random.uniform(0.98, 1.02)) for s in samples()]
    after = calibration.fitted(measured, before)
    errors = [abs(predicted(m.sample, after) / m.hundredths - 1) for m in measured]
    assert np.mean(errors) < 0.02
    apart = {c: abs(after[c] / true[c] - 1) for c in true if c not in (LINE, L2)}
    off = np.mean([abs(before[c] / true[c] - 1) for c in apart])
    assert np.mean(list(apart.values())) < 0.6 * off


def test_a_machine_twice_as_slow_has_twice_the_costs() -> None:
    _, before = table()
    measured = [Measured(s, 2 * predicted(s, before)) for s in samples()]
    after = calibration.fitted(measured, before)
    for column, cost in before.items():
        assert after[column] == pytest.approx(2 * cost, rel=0.02)


def made(fitted: float = 0.9, halfway: float = 1.0) -> Calibration:
    """On a machine 1.5 times as slow; what tables choose takes so many times as long."""
    plain, before = table()
    measured = tuple(Measured(s, 1.5 * predicted(s, before)) for s in samples())
    after = calibration.fitted(measured, before)
    tables = {
        COMES: calibration.values_of(before),
        FITTED: calibration.values_of(after),
        HALFWAY: calibration.values_of(calibration.halfway(measured, before, after)),
    }
    judged = (
        Judged("c128", 64, ((8, 8), (4, 16), (8, 8)), (2.0, 2.0 * fitted, 2.0 * halfway)),
        Judged("c64", 64, ((8, 8), (8, 8), (16, 4)), (3.0, 3.0 * fitted, 3.0 * halfway)),
    )
    return Calibration(plain, measured, before, after, tables, judged)


def test_the_overlay_is_read_and_removed() -> None:
    before = machine.load("avx512")
    plain = machine.plain("avx512").values  # what made() says is before
    done = made()
    file = calibration.write(done)
    after = machine.load("avx512")
    assert file == machine.calibration_file("avx512")
    assert after.digest != before.digest
    assert {k for k, v in after.values.items() if v != before.values[k]} == set(
        calibration.QUANTITIES
    )
    assert after.values["dft_line_cycles"] == pytest.approx(
        1.5 * plain["dft_line_cycles"], rel=0.02
    )
    rows = after.values["dft_stage_cycles"]
    assert [row[0] for row in rows] == [row[0] for row in plain["dft_stage_cycles"]]
    # A radix that cannot begin a line still has no cost there.
    assert [row[1] == 0 for row in rows] == [row[1] == 0 for row in plain["dft_stage_cycles"]]
    assert calibration.remove("avx512") == file
    assert machine.load("avx512").digest == before.digest
    assert calibration.remove("avx512") is None


def test_one_fitted_table_takes_the_place_of_both_types() -> None:
    plain, before = table()
    assert calibration.SINGLE not in calibration.of_both_types(before, plain)
    own = {**plain.values, calibration.SINGLE: [[4, 1, 1, 1]]}
    values = calibration.of_both_types(before, replace(plain, values=own))
    assert values[calibration.SINGLE] == values[calibration.STAGES]
    done = made()
    done = replace(done, tables={**done.tables, FITTED: values})
    file = calibration.write(done)
    after = machine.load("avx512").values
    assert file is not None
    assert after[calibration.SINGLE] == after[calibration.STAGES] == values[calibration.STAGES]


def test_the_overlay_says_where_it_comes_from() -> None:
    text = made().overlay(datetime.date(2030, 1, 2))
    assert "weft tune --calibrate, 2030-01-02" in text
    assert text.count('confidence = "measured"') == len(calibration.QUANTITIES)
    assert text == made().overlay(datetime.date(2030, 1, 2))


def test_what_chooses_no_better_is_not_written_and_an_earlier_one_goes() -> None:
    before = machine.load("avx512").digest
    assert made(0.9, 0.8).best == HALFWAY
    assert "half of the way" in made(0.9, 0.8).overlay()
    file = calibration.write(made(0.9))
    assert file is not None
    assert file.is_file()
    # A two-hundredth less is noise.
    for done in (made(1.02, 1.01), made(0.998, 0.997)):
        assert done.best == COMES
        assert calibration.write(done) is None
        assert not file.exists()
        assert machine.load("avx512").digest == before


def test_an_earlier_calibration_that_chooses_best_stays() -> None:
    file = calibration.write(made())
    assert file is not None
    content = file.read_bytes()
    done = made(1.1, 1.1)
    tables = {**done.tables, EARLIER: done.tables[FITTED]}
    judged = tuple(replace(one, times=(*one.times, 1.0)) for one in done.judged)
    done = replace(done, tables=tables, judged=judged)
    assert done.best == EARLIER
    assert calibration.write(done) == file
    assert file.read_bytes() == content


def test_tables_meet_where_they_choose_differently(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table by which butterflies of 16 are dear, beside one by which they are not."""
    plain, before = table()
    dear = {c: cost * (20 if c[1] == 16 else 1) for c, cost in before.items()}
    raced: list[list[Sample]] = []

    def measured(groups: list[list[Sample]], *_: object) -> list[Measured]:
        raced.extend(groups)
        return [Measured(s, 1.0 + s.radices.count(16)) for group in groups for s in group]

    monkeypatch.setattr(judging.measuring, "measured", measured)
    monkeypatch.setattr(judging, "LENGTHS", (96, 256, 320))
    found = judging.judge(plain, [{}, calibration.values_of(dear), {}])
    assert [(one.kind, one.length) for one in found] == [
        (kind, length) for kind in BYTES for length in (96, 256, 320)
    ]
    for one in found:
        assert all(prod(order) == one.length for order in one.chosen)
        assert one.chosen[0] == one.chosen[2]
        assert 16 not in one.chosen[1]
    differ = [one for one in found if one.chosen[0] != one.chosen[1]]
    assert 0 < len(differ) < len(found)
    assert [[s.radices for s in group] for group in raced] == [
        list(one.chosen[:2]) for one in differ
    ]
    assert all(one.times[0] > one.times[1] == 1.0 for one in differ if 16 in one.chosen[0])
    first, second, third = judging.compared(found)
    assert first == third == 1.0
    assert second < 1.0
    assert judging.best(found) == 1


def test_without_overlay_and_on_another_cpu_it_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    known = machine.load("avx512").digest
    plain = machine.plain("avx512").digest
    calibration.write(made())
    monkeypatch.setenv("WEFT_NO_OVERLAY", "1")
    assert machine.load("avx512").digest == plain
    monkeypatch.delenv("WEFT_NO_OVERLAY")
    assert machine.load("avx512").digest not in (known, plain)
    monkeypatch.setattr("weft.cpu.model", lambda: "Another-1-2")
    assert machine.load("avx512").digest == plain


def test_the_users_own_numbers_are_stronger() -> None:
    calibration.write(made())
    own = machine.overlay_file("avx512")
    own.write_text(
        '[dft_line_cycles]\nvalue = 1\nunit = "a"\nsource = "b"\nconfidence = "convention"\n'
    )
    assert machine.load("avx512").values["dft_line_cycles"] == 1
    assert [file.name for file in machine.overlays("avx512")][-1] == "machine.toml"


def test_a_target_without_a_table_is_refused() -> None:
    with pytest.raises(RunError, match="'portable' has nothing to calibrate") as told:
        calibration.run("portable")
    assert "avx512" in told.value.expected


def test_few_transforms_measured_on_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    plain, costs = table()
    if not toolchain.cpu_supports(plain):
        with pytest.raises(RunError, match="cannot run code for the target 'avx512'"):
            calibration.run("avx512")
        return

    def few(shape: Shape, _: calibration.Costs) -> list[Sample]:
        return [Sample(shape, (8, 8)), Sample(shape, (16, 8, 8))]

    monkeypatch.setattr(calibration, "chosen", few)
    monkeypatch.setattr(judging, "LENGTHS", (64, 96))
    told: list[tuple[int, int]] = []
    found = calibration.run("avx512", lambda done, of: told.append((done, of)))
    assert [m.sample.radices for m in found.measured] == 2 * [(8, 8), (16, 8, 8)]
    # Nothing is done in less than a load and a store of each vector, and nothing takes 100 times
    # what the table says.
    for m in found.measured:
        assert 100 < m.hundredths < 100 * predicted(m.sample, costs)
    assert list(found.tables) == [COMES, FITTED, HALFWAY]
    assert [(one.kind, one.length) for one in found.judged] == [
        (kind, length) for kind in BYTES for length in (64, 96)
    ]
    assert told[0] == (0, 100)
    assert told[-1] == (100, 100)
    assert [done for done, _ in told] == sorted(done for done, _ in told)
