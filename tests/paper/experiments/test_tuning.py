from hybandit.experiments import Run
from hybandit.experiments.experiment import Effort, Findings
from hybandit.experiments.specs import PolicySpec
from hybandit.paper.experiments import EXPERIMENTS
from hybandit.paper.experiments.regret import PLACES
from hybandit.paper.experiments.tuning import KERNEL, TOO_SLOW, best_settings, one_for_all
from hybandit.paper.players.grids import GRIDS, grid, tuned, tuned_settings


def test_the_lowest_mean_regret_is_picked_and_unfinished_cells_are_not():
    cells = [
        cell
        for cell in EXPERIMENTS["tuning"].cells(Effort(runs=2))
        if cell.column == PLACES[0] and cell.policy in grid(KERNEL)
    ]
    regrets = {0: (9.0, 5.0), 1: (6.0, 6.0), 2: (1.0,)}
    results = {
        task.key: Run(10, 0.0, regret, 0.1)
        for number, values in regrets.items()
        for task, regret in zip(cells[number].tasks, values, strict=False)
    }
    found = best_settings(Findings(cells, Effort(runs=2), results))
    assert found == {(PLACES[0], KERNEL): {"nu": 1.0, "lam": 1.0, "max_points": 1000}}


def test_one_setting_for_all_is_never_far_from_the_best_of_a_place():
    """The first is best in one place and bad in the other, the third near the best in both."""
    cells = [
        cell for cell in EXPERIMENTS["tuning"].cells(Effort(runs=1))
        if cell.column in PLACES[:3] and cell.policy in grid(KERNEL)
    ]  # fmt: skip
    size = len(grid(KERNEL))
    regrets = {0: [10.0, 50.0], 1: [40.0, 10.0], 2: [11.0, 11.0]}
    # In the third place one setting alone has a run.
    results = {
        cell.tasks[0].key: Run(
            10, 0.0, regrets.get(number % size, [90.0, 90.0])[number // size], 0.1
        )
        for number, cell in enumerate(cells[: 2 * size])
    }
    results[cells[2 * size].tasks[0].key] = Run(10, 0.0, 0.1, 0.1)
    found = one_for_all(Findings(cells, Effort(runs=1), results), KERNEL)
    assert found is not None
    assert found[0] == {"nu": 1.0, "lam": 0.1, "max_points": 500}
    assert found[1] == 1.1
    assert one_for_all(Findings(cells, Effort(runs=1), {}), KERNEL) is None


def test_what_is_reported_was_not_picked_on():
    searched = {task.seed for task in EXPERIMENTS["tuning"].tasks(Effort())}
    reported = {task.seed for task in EXPERIMENTS["regret"].tasks(Effort())}
    assert not searched & reported


def test_every_tuned_policy_has_a_setting_of_its_grid_on_every_place():
    places = {(data, encoding) for data, each in tuned_settings().items() for encoding in each}
    assert places == {(place.data, place.encoding) for place in PLACES}
    for data, encoding in places:
        policies = tuned_settings()[data][encoding]
        wanted = {spec.label: spec for spec in GRIDS if (data, spec.name) not in TOO_SLOW}
        assert set(policies) == set(wanted)
        for label, settings in policies.items():
            policy = wanted[label]
            assert PolicySpec(policy.name, policy.settings | settings) in grid(policy)


def test_the_table_of_regrets_runs_the_tuned_settings():
    searched = {spec: policy for policy in GRIDS for spec in grid(policy)}
    found = [
        cell
        for cell in EXPERIMENTS["regret"].cells(Effort())
        if (cell.column.data, cell.column.encoding) == ("magic", "ordinal")
        and cell.policy in searched
    ]
    assert {searched[cell.policy] for cell in found} == set(GRIDS)
    for cell in found:
        settings = tuned("magic", "ordinal", searched[cell.policy])
        assert cell.policy.settings.items() >= settings.items()
