"""What replay forbids, and how near to the printed clicks it comes."""

import numpy as np
import pytest

from hybandit.environments import Replay, play
from hybandit.errors import InvalidInput
from hybandit.experiments import EnvironmentSpec, PolicySpec
from hybandit.experiments.environments import make_environment
from hybandit.paper.experiments.news_models import OVERHEARD, overhearing
from hybandit.paper.overheard_replay import OverheardReplay
from hybandit.paper.players.references import ReferenceHybrid


@pytest.fixture
def log():
    generator = np.random.default_rng(0)
    arms = generator.integers(3, size=90)
    features = generator.normal(size=(90, 3, 2))
    return Replay(arms, (features[np.arange(90), arms, 0] > 0).astype(float), features, matches=20)


def test_neighbours_and_counts_learn_all_events_and_the_ridge_matches_only(log):
    honest, listening = ReferenceHybrid(3, 2), ReferenceHybrid(3, 2)
    matched = []
    learn = listening.learn
    listening.learn = lambda *lesson: (matched.append(lesson), learn(*lesson))
    outcome = play(listening, OverheardReplay(log, listening))
    assert len(outcome.rewards) == len(matched) <= len(log) == 20
    read = sum(each.size for each in listening.logs)
    assert len(matched) < read <= 90
    play(honest, log)
    assert sum(each.size for each in honest.logs) == 20
    # The ridge of an arm knows its matches: I + the sum of their squares.
    for arm in range(3):
        gram = np.eye(2) + sum(np.outer(x[arm], x[arm]) for x, own, _ in matched if own == arm)
        assert np.linalg.inv(listening.ridges[arm].inverse) == pytest.approx(gram)


@pytest.mark.slow
@pytest.mark.parametrize(("alpha", "clicks"), [(0.1, 752), (1.0, 754), (10.0, 730)])
def test_the_clicks_of_a_log_that_is_overheard(data_folder, alpha, clicks):
    """Printed: 741, 752, 752."""
    run = make_environment(OVERHEARD.environment).run(overhearing(alpha).policy, seed=0)
    assert (run.rounds, run.reward) == (800, clicks)


def test_only_who_can_overhear_may_play(data_folder):
    task = make_environment(EnvironmentSpec("overheard-replay", {"matches": 3}))
    with pytest.raises(InvalidInput, match="overhear"):
        task.run(PolicySpec("lin-ucb"), seed=0)
