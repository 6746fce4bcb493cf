import pytest

from hybandit.experiments.environments import make_environment
from hybandit.experiments.experiment import Scale
from hybandit.experiments.paper import EXPERIMENTS
from hybandit.experiments.paper.regret import NEURAL
from hybandit.experiments.players import find_player


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_an_experiment_names_real_players_and_environments_with_real_settings(name):
    experiment = EXPERIMENTS[name]
    assert experiment.id == name
    for task in experiment.tasks(Scale(quick=True)):
        find_player(task.policy.name).check(task.policy.settings)
        make_environment(task.environment)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_cells_are_distinct_and_quick_is_smaller(name):
    experiment = EXPERIMENTS[name]
    cells = experiment.cells(Scale())
    assert len({(cell.row, cell.column) for cell in cells}) == len(cells)
    assert len({(str(cell.row), str(cell.column)) for cell in cells}) == len(cells)
    assert len(experiment.tasks(Scale(quick=True))) < len(experiment.tasks(Scale()))


def test_runs_and_seed_are_heeded():
    tasks = EXPERIMENTS["drift"].tasks(Scale(runs=3, seed=10))
    assert {task.seed for task in tasks} == {10, 11, 12}


def test_the_regret_experiment_has_twenty_runs_on_four_data_sets():
    cells = EXPERIMENTS["regret"].cells(Scale())
    for cell in cells:
        few = cell.row in NEURAL and cell.column.data == "mnist"
        assert len(cell.tasks) == (5 if few else 20)
    assert {cell.environment.settings["data"] for cell in cells} == {
        "adult", "magic", "mnist", "mushroom",
    }  # fmt: skip


def test_the_defaults_of_a_policy_are_the_same_task_as_saying_them():
    keys = {task.key for task in EXPERIMENTS["ablation"].tasks(Scale())}
    assert any(task.key in keys for task in EXPERIMENTS["stability"].tasks(Scale()))
