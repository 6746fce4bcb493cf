import pytest

from hybandit.errors import UnknownName
from hybandit.estimators.index import TreeIndex
from hybandit.experiments import PolicySpec, Task, World
from hybandit.experiments.worlds import CURVE_POINTS, run_task, warm_up


def test_curves_end_at_the_totals(tasks):
    found = run_task(tasks[0])
    assert found.rounds == 60
    assert found.at[0] == 1
    assert found.at[-1] == 60
    assert found.rewards[-1] == found.reward == 60 - found.regret
    assert found.regrets[-1] == found.regret


def test_long_runs_keep_a_curve_of_fixed_length():
    world = World("synthetic", {"kind": "linear", "rounds": 1000})
    found = run_task(Task(world, PolicySpec("lin-ucb"), 0))
    assert len(found.at) == len(found.regrets) == CURVE_POINTS


def test_policy_settings_reach_the_policy():
    world = World("synthetic", {"kind": "linear", "rounds": 300})
    calm, wild = (
        run_task(Task(world, PolicySpec("lin-ucb", {"alpha": alpha}), 0)) for alpha in (0.1, 50.0)
    )
    assert calm.regret < wild.regret


@pytest.mark.parametrize(("rounds", "compiled"), [(4095, 0), (4096, 1)])
def test_the_tree_is_compiled_only_for_runs_that_may_need_it(rounds, compiled, monkeypatch):
    calls = []
    monkeypatch.setattr(TreeIndex, "compiled", lambda: calls.append(1))
    warm_up.cache_clear()
    world = World("synthetic", {"kind": "linear", "rounds": rounds})
    run_task(Task(world, PolicySpec("ucb"), 0))
    warm_up.cache_clear()
    assert len(calls) == compiled


def test_an_unknown_world_is_refused():
    with pytest.raises(UnknownName, match="did you mean 'replay'"):
        run_task(Task(World("replays"), PolicySpec("ucb"), 0))


def test_the_news_fixed_points_through_the_runner(data_folder):
    world = World("replay", {"contexts": "arm", "scale": "raw"})
    found = run_task(Task(world, PolicySpec("lin-ucb", {"alpha": 1.0, "ties": "first"}), 0))
    assert (found.reward, found.rounds, found.regret) == (424.0, 800, None)


def test_a_network_probe_run_counts_new_nodes(data_folder):
    found = run_task(Task(World("network", {"budget": 30}), PolicySpec("highest-degree"), 0))
    assert found.rounds == 30
    assert found.extra["seen"] >= found.reward + 0.05 * 17_903
