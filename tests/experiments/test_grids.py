import pytest

from hybandit.errors import UnknownName
from hybandit.experiments.definitions import EXPERIMENTS
from hybandit.experiments.definitions.regret import COLUMNS
from hybandit.experiments.definitions.tuning import TOO_SLOW
from hybandit.experiments.experiment import Experiment, Scale, cell
from hybandit.experiments.grids import PAPER, best_settings, grid, picked
from hybandit.experiments.store import Run
from hybandit.experiments.tasks import PolicySpec, World
from hybandit.policies import make_policy


@pytest.mark.parametrize("policy", PAPER)
def test_a_grid_is_of_real_settings_and_all_differ(policy):
    specs = grid(policy)
    assert len({spec.label for spec in specs}) == len(specs)
    for spec in specs:
        make_policy(spec.name, 2, 3, **spec.settings)


def test_the_neural_grid_is_the_papers():
    assert len(grid("neural-ts")) == 20
    with pytest.raises(UnknownName, match="neural-tss"):
        grid("neural-tss")


def test_the_lowest_mean_regret_is_picked_and_unfinished_cells_are_not():
    world = World("classification", {"data": "digits"})
    specs = grid("kernel-ucb")
    cells = tuple(cell(spec.label, "digits", world, spec, runs=2) for spec in specs)
    experiment = Experiment("tuning", "", "", cells)
    regrets = {0: (9.0, 5.0), 1: (6.0, 6.0), 2: (1.0,)}
    results = {
        task.key: Run(10, 0.0, regret, 0.1)
        for number, values in regrets.items()
        for task, regret in zip(cells[number].tasks, values, strict=False)
    }
    assert best_settings(experiment, results) == {"digits": {"kernel-ucb": {"nu": 0.1}}}


def test_what_is_reported_was_not_picked_on():
    searched = {task.seed for task in EXPERIMENTS["tuning"](Scale()).tasks}
    reported = {task.seed for task in EXPERIMENTS["regret"](Scale()).tasks}
    assert not searched & reported


def test_every_tuned_policy_has_a_pick_of_its_grid_on_every_column():
    assert set(picked()) == set(COLUMNS)
    for column, policies in picked().items():
        slow = {policy for data, policy in TOO_SLOW if data == COLUMNS[column][0]}
        assert set(policies) == set(PAPER) - slow
        for policy, settings in policies.items():
            assert PolicySpec(policy, settings) in grid(policy)


def test_the_table_of_regrets_runs_the_picks():
    column = "Magic, ordinal"
    found = EXPERIMENTS["regret"](Scale()).cell("NeuralTS", column)
    assert found.tasks[0].policy.settings == picked()[column]["neural-ts"]
