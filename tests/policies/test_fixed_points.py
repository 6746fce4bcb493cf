import pytest

from hybandit import KNNKLUCB, KNNUCB, LinKNNUCB, LinUCB
from hybandit.datasets import find_dataset
from hybandit.environments import Replay, play


@pytest.fixture
def news(data_folder):
    log = find_dataset("news").load()
    return Replay(log.arms, log.rewards, log.features, contexts="arm", matches=800)


@pytest.mark.parametrize(
    ("alpha", "clicks"), [(0.01, 584), (0.05, 579), (0.1, 567), (0.5, 498), (1, 424), (10, 98)]
)
def test_linucb_on_the_news_log_earns_exactly_the_published_clicks(news, alpha, clicks):
    outcome = play(LinUCB(10, 10, alpha=alpha, ties="first"), news)
    assert len(outcome.rewards) == 800
    assert outcome.reward == clicks


@pytest.mark.parametrize(("alpha", "clicks"), [(0.1, 665), (1, 617), (10, 160)])
def test_lin_knn_ucb_on_the_news_log_earns_exactly_the_known_clicks(news, alpha, clicks):
    assert play(LinKNNUCB(10, 10, alpha=alpha, ties="first"), news).reward == clicks


@pytest.mark.parametrize("kind", [KNNUCB, KNNKLUCB])
@pytest.mark.parametrize("theta", [0.1, 1, 10])
def test_neighbours_of_an_arms_own_past_are_far_from_chance_on_the_news_log(news, kind, theta):
    # The rules tell of 584 to 635 clicks, without seeds; chance is about 100.
    settings = {"phi": 0.0, "max_k": 5, "among": "arm", "theta": theta}
    found = [play(kind(10, 10, seed=seed, **settings), news).reward for seed in range(4)]
    assert 560 < sum(found) / 4 < 660
