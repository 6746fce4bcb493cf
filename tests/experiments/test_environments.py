import pytest

from hybandit.errors import DataFileError, UnknownName
from hybandit.experiments import EnvironmentSpec, PolicySpec
from hybandit.experiments.environments import make_environment
from hybandit.experiments.runs import CURVE_POINTS
from hybandit.experiments.user_files import content_of


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


def test_long_runs_keep_a_curve_of_fixed_length():
    found = played("synthetic", "lin-ucb", kind="linear", rounds=1000)
    assert len(found.at) == len(found.regrets) == CURVE_POINTS


def test_policy_settings_reach_the_policy():
    calm, wild = (
        played("synthetic", "lin-ucb", settings={"alpha": alpha}, kind="linear", rounds=300)
        for alpha in (0.1, 50.0)
    )
    assert calm.regret < wild.regret


def test_an_unknown_environment_is_refused():
    with pytest.raises(UnknownName, match="did you mean 'replay'"):
        make_environment(EnvironmentSpec("replays"))


def test_a_file_that_changed_meanwhile_is_not_played(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("x,y\n1,a\n2,b\n")
    settings = {"data": str(path), "content": content_of(str(path)), "options": {"label": "y"}}
    path.write_text("x,y\n1,a\n3,b\n")
    with pytest.raises(DataFileError, match="has changed"):
        played("classification", "ucb", **settings)
    settings["content"] = content_of(str(path))
    assert played("classification", "ucb", **settings).rounds == 2


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


def test_a_network_probe_run_counts_new_nodes(data_folder):
    found = played("network", "highest-degree", budget=30)
    assert found.rounds == 30
    assert found.extra["seen"] >= found.reward + 0.05 * 17_903


@pytest.mark.parametrize(("contexts", "width"), [("arm", 10), ("shared", 100)])
def test_the_news_log_has_ten_numbers_an_arm_or_all_for_each(contexts, width):
    replay = EnvironmentSpec("replay", {"contexts": contexts, "matches": 30})
    assert make_environment(replay).size == (30, width)
