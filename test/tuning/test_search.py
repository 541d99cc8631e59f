# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The search's order and end, with a clock and times that are made up."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from weft.tuning.search import FINALISTS, TOGETHER, Outcome, Progress, Result, Search
from weft.tuning.space import Knob, Point, Space

REFERENCE = 2.0  # seconds of the model's choice


def knob(name: str, choices: int, ranked: bool = True) -> Knob:
    costs = tuple(float(n) for n in range(choices)) if ranked else ()
    said = tuple(f"factor {name} into {n + 2}" for n in range(choices))
    if not ranked:
        said = ("", *said[1:])
    return Knob("f", name, f"factor {name}", said, costs)


def space(*knobs: Knob) -> Space:
    return Space("f", "portable", knobs, {})


class Fake:
    """Times by a formula; every race takes `price` seconds of the clock."""

    def __init__(self, ratio: Callable[[Point], float], price: float = 1.0) -> None:
        self.ratio = ratio
        self.price = price
        self.now = 100.0
        self.races: list[tuple[list[Point], bool]] = []

    def clock(self) -> float:
        return self.now

    def race(self, points: Sequence[Point], reference: Point, final: bool) -> list[Outcome]:
        assert not any(reference)
        assert reference not in points
        self.races.append((list(points), final))
        self.now += self.price
        return [self.outcome(point) for point in points]

    def outcome(self, point: Point) -> Outcome:
        ratio = self.ratio(point)
        if ratio == float("inf"):
            return Outcome(point, 0.0, REFERENCE, "does not compile")
        return Outcome(point, ratio * REFERENCE, REFERENCE)

    def tried(self) -> list[Point]:
        return [point for points, final in self.races if not final for point in points]


def searched(
    where: Space, fake: Fake, budget: float = 1e9, known: Sequence[Outcome] = ()
) -> Result:
    return Search(where, fake, budget, fake.clock, known).run()


def test_everything_near_is_tried_once_likeliest_first() -> None:
    fake = Fake(lambda point: 1.5 if any(point) else 1.0)
    result = searched(space(knob("a", 9)), fake)
    assert fake.tried() == [(n,) for n in range(1, 9)]
    assert [len(points) for points, final in fake.races if not final] == [TOGETHER, TOGETHER]
    assert (result.best, result.ratio, result.why) == ((0,), 1.0, "all")
    assert result.seconds == REFERENCE


def test_the_best_is_found_and_has_raced_again() -> None:
    fake = Fake(lambda point: {0: 1.0, 5: 0.8}.get(point[0], 0.95))
    result = searched(space(knob("a", 9)), fake)
    assert (result.best, result.ratio, result.seconds) == ((5,), 0.8, 0.8 * REFERENCE)
    last, final = fake.races[-1]
    assert final
    assert last[0] == (5,)
    assert len(last) == FINALISTS


def test_turns_start_from_the_best_so_far() -> None:
    """Two knobs that are good together only: no turn of one finds that from the model's."""

    def ratio(point: Point) -> float:
        return {(0, 0): 1.0, (1, 0): 0.9, (1, 2): 0.6}.get(point, 1.2)

    fake = Fake(ratio)
    result = searched(space(knob("a", 4), knob("b", 4)), fake)
    assert result.best == (1, 2)
    assert (0, 2) not in fake.tried() or fake.tried().index((1, 2)) > 0


def test_knobs_take_turns_and_what_is_not_ranked_comes_later() -> None:
    fake = Fake(lambda point: 1.0)
    searched(space(knob("a", 6), knob("u", 3, ranked=False), knob("b", 6)), fake)
    tried = fake.tried()
    assert set(tried[:2]) == {(1, 0, 0), (0, 0, 1)}
    assert tried.index((0, 1, 0)) > tried.index((2, 0, 0))
    assert len(tried) == len(set(tried)) == 5 + 2 + 5


def test_a_budget_ends_it_before_it_is_passed() -> None:
    fake = Fake(lambda point: 0.9, price=10.0)
    result = searched(space(knob("a", 40)), fake, budget=60)
    assert result.why == "budget"
    assert fake.now - 100 <= 60
    # 85 % of the budget is for trials: five races and one at the end.
    assert [final for _, final in fake.races] == [False] * 5 + [True]


def test_a_budget_for_nothing_still_tries_the_likeliest() -> None:
    fake = Fake(lambda point: 0.7, price=10.0)
    result = searched(space(knob("a", 40)), fake, budget=0.001)
    assert fake.tried() == [(1,), (2,), (3,), (4,)]
    assert (result.best, result.why) == ((1,), "budget")


def test_known_trials_are_not_repeated() -> None:
    known = [Outcome((n,), 0.5 * REFERENCE if n == 3 else REFERENCE, REFERENCE) for n in (1, 2, 3)]
    fake = Fake(lambda point: 0.5 if point == (3,) else 1.0)
    result = searched(space(knob("a", 6)), fake, known=known)
    assert fake.tried() == [(4,), (5,)]
    assert (result.best, result.again) == ((3,), 3)


def test_luck_of_a_short_race_does_not_last() -> None:
    class Lucky(Fake):
        def race(self, points: Sequence[Point], reference: Point, final: bool) -> list[Outcome]:
            found = super().race(points, reference, final)
            lucky = [Outcome(o.point, 0.5 * o.seconds, o.reference) for o in found]
            return found if final else lucky

    result = searched(space(knob("a", 6)), Lucky(lambda point: 1.01 if any(point) else 1.0))
    assert (result.best, result.ratio) == ((0,), 1.0)


def test_of_equals_the_likeliest_is_written() -> None:
    ratios = {1: 0.8, 2: 0.8, 3: 0.799}
    result = searched(space(knob("a", 5)), Fake(lambda point: ratios.get(point[0], 1.0)))
    assert result.best == (1,)


def test_a_gain_within_noise_leaves_the_models_choice() -> None:
    result = searched(space(knob("a", 5)), Fake(lambda point: 0.993 if any(point) else 1.0))
    assert result.best == (0,)


def test_what_fails_is_passed_over() -> None:
    ratios = {1: float("inf"), 2: 0.9}
    result = searched(space(knob("a", 4)), Fake(lambda point: ratios.get(point[0], 1.0)))
    assert result.best == (2,)
    assert result.trials[(1,)].error == "does not compile"


def test_an_interruption_keeps_what_is_known() -> None:
    kept: list[Outcome] = []

    class Interrupted(Fake):
        def race(self, points: Sequence[Point], reference: Point, final: bool) -> list[Outcome]:
            if len(self.races) == 1:
                raise KeyboardInterrupt
            return super().race(points, reference, final)

    fake = Interrupted(lambda point: 0.9 if point == (2,) else 1.0)
    where = space(knob("a", 20))
    result = Search(where, fake, 1e9, fake.clock, kept=kept.append).run()
    assert (result.best, result.why) == ((2,), "interrupted")
    assert [outcome.point for outcome in kept] == [(1,), (2,), (3,), (4,)]


def test_interrupted_at_once_is_the_models_choice() -> None:
    class Interrupted(Fake):
        def race(self, points: Sequence[Point], reference: Point, final: bool) -> list[Outcome]:
            raise KeyboardInterrupt

    result = searched(space(knob("a", 20)), Interrupted(lambda point: 1.0))
    assert (result.best, result.seconds, result.trials) == ((0,), None, {})


def test_nothing_to_choose() -> None:
    fake = Fake(lambda point: 1.0)
    result = searched(space(), fake)
    assert (result.best, result.why, fake.races) == ((), "all", [])


def test_progress_is_told() -> None:
    seen: list[Progress] = []
    fake = Fake(lambda point: 0.9 if point == (2,) else 1.0)
    where = space(knob("a", 9))
    Search(where, fake, 1e9, fake.clock, told=seen.append).run()
    assert [(p.trials, p.seconds, p.ratio) for p in seen] == [
        (0, 0.0, 1.0),
        (4, 1.0, pytest.approx(0.9)),
        (8, 2.0, pytest.approx(0.9)),
    ]
