import numpy as np
import pytest

from hybandit.datasets import Facts
from hybandit.datasets.facts import PARTS

GENERATOR = np.random.default_rng(0)
COUNT = 10_000
CHOICES = GENERATOR.integers(0, 5, COUNT)
REWARDS = 1e6 + GENERATOR.random(COUNT)
CHANCES = GENERATOR.uniform(0.1, 1.0, COUNT)


def told(*cuts):
    facts = Facts()
    for low, high in zip((0, *cuts), (*cuts, COUNT), strict=True):
        facts.add(CHOICES[low:high], REWARDS[low:high], CHANCES[low:high])
    return facts


def test_what_is_counted_does_not_depend_on_the_batches():
    for facts in (told(), told(1, 2, 3, 4096, 9000)):
        assert facts.count == COUNT
        assert facts.rewards == (REWARDS.min(), REWARDS.max())
        assert facts.propensities == (CHANCES.min(), CHANCES.max())
        assert facts.mean_reward == pytest.approx(REWARDS.mean(), rel=1e-12)
        assert facts.chosen.tolist() == np.bincount(CHOICES).tolist()
        assert facts.chance == pytest.approx((1 - CHANCES).sum())
        first, second = facts.halves()
        half = int(first[0])
        assert abs(half - COUNT / 2) <= 2 * COUNT / PARTS
        assert first[1] == pytest.approx(REWARDS[:half].mean(), rel=1e-12)
        assert second[2] == pytest.approx(REWARDS[half:].var(), rel=1e-6)
        early, late = facts.choices_in_halves()
        assert (early + late).tolist() == facts.chosen.tolist()
        assert early.sum() == pytest.approx(COUNT / 2, abs=COUNT / 100)


def test_what_each_choice_pays_is_weighted_by_the_propensities_if_these_are_known():
    here = CHOICES == 3
    weights = here / CHANCES
    assert told().by_choice()[3] == pytest.approx((weights * REWARDS).sum() / weights.sum())
    facts = Facts(7)
    facts.add(CHOICES, REWARDS, None)
    assert facts.by_choice()[3] == pytest.approx(REWARDS[here].mean())
    assert np.isnan(facts.by_choice()[6])


def test_choices_may_turn_up_late():
    facts = Facts()
    facts.add(np.array([0]), np.ones(1), None, np.array([0, 1]))
    facts.add(np.array([2]), np.ones(1), None, np.array([0, 2]))
    assert facts.chosen.tolist() == [1.0, 0.0, 1.0]
    assert facts.offered.tolist() == [2.0, 1.0, 1.0]
