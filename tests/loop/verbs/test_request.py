import time
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hybandit.errors import InvalidInput
from hybandit.loop.storage.contract import LEARN
from hybandit.loop.storage.rows import closed_of, row_of
from hybandit.loop.verbs.request import (
    SEEDS,
    RankedDecision,
    RankRequest,
    draw,
    explored,
    held_back,
    seed_of,
)
from hybandit.testing.storage import an_event


def test_a_list_of_names_is_actions_without_features():
    plain = RankRequest.of({}, ["a", "b"], event="e")
    assert plain == RankRequest.of({}, {"a": None, "b": {}}, event="e")


def test_eligible_are_those_not_excluded():
    request = RankRequest.of({}, ["a", "b", "c"], exclude={"b"})
    assert request.excluded == (1,)
    assert request.eligible.tolist() == [0, 2]
    assert request.offered() == (["a", "c"], ["{}", "{}"])


def test_the_error_names_the_action():
    with pytest.raises(InvalidInput, match=r"actions\['b'\].x"):
        RankRequest.of({}, {"a": {}, "b": {"x": {1}}})


def test_seeds_depend_on_event_and_version_only_and_spread():
    assert seed_of("e", 1) == seed_of("e", 1)
    seeds = {seed_of(f"e{number}", version) for number in range(100) for version in range(10)}
    assert len(seeds) == 1000
    assert all(0 <= seed < SEEDS for seed in seeds)
    assert np.mean([seed / SEEDS for seed in seeds]) == pytest.approx(0.5, abs=0.05)


def test_draws_are_as_likely_as_told():
    chances = np.array([0.0, 0.7, 0.2, 0.1, 0.0])
    drawn = [draw(chances, seed_of(f"e{number}", 0)) for number in range(5000)]
    shares = np.bincount(drawn, minlength=5) / 5000
    assert shares == pytest.approx(chances, abs=0.03)
    assert shares[0] == shares[4] == 0.0


@settings(deadline=None)
@given(
    st.lists(st.floats(0.0, 1.0), min_size=1, max_size=20).filter(lambda row: sum(row) > 0),
    st.integers(0, SEEDS - 1) | st.just(SEEDS - 1),
)
def test_nothing_of_probability_zero_is_ever_drawn(row, seed):
    chances = np.array(row) / sum(row)
    if chances.sum() > 0:
        assert chances[draw(chances, seed)] > 0.0


@settings(deadline=None)
@given(st.integers(1, 50), st.floats(0.0, 1.0), st.floats(0.0, 1.0), st.data())
def test_floor_and_control_are_kept_and_all_sum_to_one(count, explore, control, data):
    eligible = np.arange(count)
    chances = np.append(np.eye(count)[0], 0.0)
    baseline = data.draw(st.integers(0, count - 1))
    explored(chances, eligible, baseline, explore=explore, control=control)
    least = min(explore, 1.0 - control) / count
    assert chances[eligible].min() >= least * (1.0 - 1e-12)
    assert chances[baseline] >= control - 1e-12
    assert chances[-1] == 0.0
    assert chances.sum() == pytest.approx(1.0, abs=1e-12)


def test_a_baseline_that_the_model_shows_often_is_left_alone():
    chances = np.array([0.2, 0.8])
    explored(chances, np.arange(2), 0, explore=0.1, control=0.2)
    assert chances == pytest.approx([0.23, 0.77])


def test_a_baseline_that_cannot_be_shown_is_refused():
    assert RankRequest.of({}, ["a", "b"], baseline="b").baseline == 1
    for baseline in ("c", "a", 1, ["b"]):
        with pytest.raises(InvalidInput, match="'baseline' must be an action of this call"):
            RankRequest.of({}, ["a", "b"], exclude=["a"], baseline=baseline)


def test_actions_without_answers_are_held_back_in_proportion():
    assert held_back(np.array([0.8, 0.2]), [1.0, 1.0]).tolist() == [0.8, 0.2]
    chances = held_back(np.array([0.0, 1.0, 0.0]), [0.5, 0.01, 1.0])
    assert chances.sum() == pytest.approx(1.0)
    assert chances[1] < 0.02
    assert 0.3 < chances[0] == pytest.approx(chances[2] / 2)


def test_a_decision_tells_the_event():
    decision = RankedDecision.of(an_event())
    assert (decision.action, decision.probability, decision.event) == ("a", 0.9, "e")
    assert decision.ranking == (("a", 0.9), ("b", 0.1))


def test_many_exclusions_cost_no_more_than_many_actions():
    count = 10_000
    event = replace(
        an_event(),
        names=tuple(f"a{number}" for number in range(count)),
        features=("{}",) * count,
        excluded=tuple(range(1, count)),
        probabilities=(1.0, *[0.0] * (count - 1)),
    )
    row = SimpleNamespace(
        position=1, event=1, kind=LEARN, reward=1.0, name="a0", settings=None,
        **row_of(event, range(1, count + 1)),
    )  # fmt: skip
    row.baseline = None
    # With each place looked for among the excluded this takes seconds.
    start = time.process_time()
    assert RankedDecision.of(event).ranking[0] == ("a0", 1.0)
    assert closed_of(row).chance == 1.0
    row.excluded, row.choice = str(list(range(count - 1))), count - 1
    row.probabilities = row.probabilities[8:] + row.probabilities[:8]
    assert closed_of(row).served
    shown = [f"a{number}" for number in range(count)]
    assert RankRequest.of({}, shown, exclude=shown[:-1]).baseline == count - 1
    assert time.process_time() - start < 0.5
