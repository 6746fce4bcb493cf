from types import SimpleNamespace

import numpy as np
import pytest

from hybandit.datasets import EventLog
from hybandit.errors import UnknownName
from hybandit.experiments import EnvironmentSpec, PolicySpec, environments
from hybandit.experiments.environments import make_environment, news_log


def played(name, policy, seed=0, settings=None, **environment):
    spec = EnvironmentSpec(name, environment)
    return make_environment(spec).run(PolicySpec(policy, settings or {}), seed)


def test_curves_end_at_the_totals():
    found = played("classification", "lin-ucb", data="digits", rounds=60)
    assert found.rounds == 60
    assert found.at[0] == 1
    assert found.at[-1] == 60
    assert found.rewards[-1] == found.reward == 60 - found.regret
    assert found.regrets[-1] == found.regret


def test_an_unknown_environment_is_refused():
    with pytest.raises(UnknownName, match="did you mean 'replay'"):
        make_environment(EnvironmentSpec("replays"))


def test_sizes_are_known(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("a,b,y\n" + "1,2,x\n3,4,z\n3,6,x\n" * 10)
    for settings, size in (
        ({"data": "mnist"}, (10_000, 784)),
        ({"data": "digits"}, (1_797, 64)),
        ({"data": "digits", "rounds": 50}, (50, 64)),
        ({"data": str(path), "options": {"label": "y"}}, (30, 3)),
    ):
        assert make_environment(EnvironmentSpec("classification", settings)).size == size


def test_the_news_fixed_points_through_the_runner(data_folder):
    found = played("replay", "lin-ucb", settings={"alpha": 1.0, "ties": "first"})
    assert (found.reward, found.rounds, found.regret) == (424.0, 800, None)


@pytest.mark.parametrize(("contexts", "width"), [("arm", 10), ("shared", 100)])
def test_the_news_log_has_ten_numbers_an_arm_or_all_for_each(contexts, width):
    replay = EnvironmentSpec("replay", {"contexts": contexts, "matches": 30})
    assert make_environment(replay).size == (30, width)


@pytest.fixture
def made_up_log(monkeypatch):
    """Sixty events with small integers, in the place of the news log."""
    generator = np.random.default_rng(0)
    arms, clicks = generator.integers(10, size=60), generator.integers(2, size=60).astype(float)
    log = EventLog(arms, clicks, generator.integers(1, 50, size=(60, 10, 10)).astype(float))
    monkeypatch.setattr(
        environments, "find_dataset", lambda name: SimpleNamespace(load=lambda: log)
    )
    news_log.cache_clear()
    yield log
    news_log.cache_clear()


@pytest.mark.parametrize(("contexts", "size"), [("arm", 10), ("shared", 100)])
def test_scales_of_a_log(made_up_log, contexts, size):
    raw = made_up_log.features.reshape(-1, size)

    def scaled(scale):
        return news_log(contexts, scale).features.reshape(-1, size)

    assert np.array_equal(scaled("raw"), raw)
    lengths = np.linalg.norm(raw, axis=1, keepdims=True)
    assert scaled("unit") == pytest.approx(raw / lengths)
    assert scaled("standard") == pytest.approx((raw - raw.mean(axis=0)) / raw.std(axis=0))
