import pytest

from hybandit.experiments.environments import make_environment
from hybandit.experiments.experiment import Effort
from hybandit.experiments.players import find_player
from hybandit.paper.experiments import EXPERIMENTS
from hybandit.paper.experiments.headline import TRAINED
from hybandit.policies import BootstrapNN, KernelUCB
from hybandit.policies.base.network_policy import SCHEDULES


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_an_experiment_names_real_players_and_environments_with_real_settings(name):
    experiment = EXPERIMENTS[name]
    assert experiment.id == name
    for task in experiment.tasks(Effort(quick=True)):
        find_player(task.policy.name).check(task.policy.settings)
        make_environment(task.environment)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_cells_are_distinct_and_quick_is_smaller(name):
    experiment = EXPERIMENTS[name]
    cells = experiment.cells(Effort())
    assert len({(cell.row, cell.column) for cell in cells}) == len(cells)
    assert len({(str(cell.row), str(cell.column)) for cell in cells}) == len(cells)
    assert len(experiment.tasks(Effort(quick=True))) < len(experiment.tasks(Effort()))


def test_runs_and_seed_are_heeded():
    tasks = EXPERIMENTS["drift"].tasks(Effort(runs=3, seed=10))
    assert {task.seed for task in tasks} == {10, 11, 12}


def test_how_networks_train_is_told_as_it_is():
    fast = SCHEDULES["fast"]
    told = f"{fast.steps} steps on batches of {fast.batch} every {fast.train_every} rounds"
    assert told in TRAINED
    ensemble = BootstrapNN(2, 2, seed=0)
    assert ensemble.networks == 10
    assert f"ten networks take {ensemble._plan.steps} steps each" in TRAINED
    assert f"one hidden layer of {ensemble.hidden} units" in TRAINED
    assert KernelUCB(2, 2).beyond == "learn"
