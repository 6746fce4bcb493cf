import pytest

from hybandit.experiments.definitions import EXPERIMENTS
from hybandit.experiments.definitions.regret import NEURAL
from hybandit.experiments.experiment import Scale
from hybandit.experiments.probing import PROBERS
from hybandit.experiments.worlds import PLAIN
from hybandit.policies import make_policy


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_a_definition_names_real_policies_with_real_settings(name):
    experiment = EXPERIMENTS[name](Scale(quick=True))
    assert experiment.id == name
    for task in experiment.tasks:
        if task.policy.name not in {*PROBERS, PLAIN}:
            make_policy(task.policy.name, 2, 3, **task.policy.settings)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_cells_are_distinct_and_quick_is_smaller(name):
    full, quick = (EXPERIMENTS[name](Scale(quick=quick)) for quick in (False, True))
    places = [(cell.row, cell.column) for cell in full.cells]
    assert len(places) == len(set(places))
    assert len(quick.tasks) < len(full.tasks)


def test_runs_and_seed_are_heeded():
    experiment = EXPERIMENTS["drift"](Scale(runs=3, seed=10))
    assert {task.seed for task in experiment.tasks} == {10, 11, 12}


def test_the_regret_experiment_has_twenty_runs_on_four_data_sets():
    experiment = EXPERIMENTS["regret"](Scale())
    for cell in experiment.cells:
        name = cell.tasks[0].policy.name
        few = name in NEURAL and cell.column == "MNIST, standard"
        assert len(cell.tasks) == (5 if few else 20)
    assert {task.world.settings["data"] for task in experiment.tasks} == {
        "adult", "magic", "mnist", "mushroom",
    }  # fmt: skip
