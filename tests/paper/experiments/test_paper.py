import pytest

from hybandit.experiments.environments import make_environment
from hybandit.experiments.experiment import Effort
from hybandit.experiments.players import find_player
from hybandit.paper.disclosure import STACKED_HYBRID
from hybandit.paper.experiments import EXPERIMENTS
from hybandit.paper.experiments.headline import FROZEN, LEARNING, NEURAL, SHOWN, TRAINED
from hybandit.paper.experiments.news_models import OVERHEARD, PASTS, SHARED, neighbours_alone
from hybandit.policies import KNNKLUCB, KNNUCB, BootstrapNN, KernelUCB
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


def test_the_regret_experiment_has_twenty_runs_on_four_data_sets():
    cells = EXPERIMENTS["regret"].cells(Effort())
    runs = {(str(cell.row), str(cell.column)): len(cell.tasks) for cell in cells}
    for title in ("Adult", "Magic", "MNIST", "Mushroom"):
        # The reading, and what is compared with it.
        assert runs["LNUCB-TA, fitted to rewards", f"{title}, standard-raw"] == 20
        for encoding in ("standard", "standard-raw"):
            assert runs["StackedHybrid", f"{title}, {encoding}"] == 20
        assert runs["LNUCB-TA", f"{title}, standard"] == 20
        ordinal = f"{title}, {'standard' if title == 'MNIST' else 'ordinal'}"
        assert runs["LinUCB, alpha 1", ordinal] == 20
        if title != "MNIST":
            assert runs["NeuralUCB", ordinal] == runs["NeuralLinear", f"{title}, standard"] == 20
    # Networks on MNIST, ensembles and kernels of 1,000 points take minutes a run.
    few = {place for place, count in runs.items() if count < 10}
    names = {model.name for model in NEURAL}
    assert all(row in names for row, _ in few)
    assert min(runs.values()) == 3
    assert runs["KernelUCB, learning on", "Magic, standard"] == 10
    assert {cell.environment.settings["data"] for cell in cells} == {
        "adult", "magic", "mnist", "mushroom",
    }  # fmt: skip


def test_the_defaults_of_a_policy_are_the_same_task_as_saying_them():
    keys = {task.key for task in EXPERIMENTS["ablation"].tasks(Effort())}
    assert any(task.key in keys for task in EXPERIMENTS["stability"].tasks(Effort()))


def test_how_networks_train_is_told_as_it_is():
    fast = SCHEDULES["fast"]
    told = f"{fast.steps} steps on batches of {fast.batch} every {fast.train_every} rounds"
    assert told in TRAINED
    ensemble = BootstrapNN(2, 2, seed=0)
    assert ensemble.networks == 10
    assert f"ten networks take {ensemble._plan.steps} steps each" in TRAINED
    assert f"one hidden layer of {ensemble.hidden} units" in TRAINED
    assert KernelUCB(2, 2).beyond == "learn"


def test_both_kernel_rows_stand_in_the_tables():
    frozen, learning = (
        {(each.name, tuple(each.policy.settings.items())) for each in group}
        for group in (FROZEN, LEARNING)
    )
    cap = (("max_points", 1000), ("beyond", "ignore"))
    assert frozen == {("KernelUCB", cap), ("KernelTS", cap)}
    assert learning == {("KernelUCB", ()), ("KernelTS", ())}
    for name in ("regret", "fresh"):
        rows = {cell.row for cell in EXPERIMENTS[name].cells(Effort())}
        assert {*FROZEN, *LEARNING} <= rows


def test_online_stands_beside_standard_for_what_is_shown():
    cells = EXPERIMENTS["regret"].cells(Effort())
    online = {(cell.row, cell.column.data) for cell in cells if cell.column.encoding == "online"}
    assert online == {(model, data) for model in SHOWN for data in ("adult", "magic", "mushroom")}
    for cell in cells:
        assert cell.environment.settings["encoding"] == cell.column.encoding


def test_k_nn_rivals_pay_nothing_for_distance_and_both_pasts_are_there():
    for name in ("news", "scalability"):
        specs = {
            cell.policy
            for cell in EXPERIMENTS[name].cells(Effort())
            if cell.policy.name in ("knn-ucb", "knn-kl-ucb") and cell.row not in neighbours_alone()
        }
        assert {spec.settings["phi"] for spec in specs} == {0.0}
        among = {spec.settings["among"] for spec in specs}
        assert among == ({"arm"} if name == "scalability" else {"arm", "all"})


def test_k_nn_rivals_at_their_best_have_every_past_and_price():
    for policy in ("knn-ucb", "knn-kl-ucb"):
        settings = [
            {key: value for key, value in cell.policy.settings.items() if key != "theta"}
            for cell in EXPERIMENTS["parameters"].cells(Effort())
            if cell.policy.name == policy
        ]
        assert [settings.count(past) for past in PASTS.values()] == [6] * len(PASTS)


def test_the_default_price_of_distance_stands_beside_none():
    assert KNNUCB(2, 2).phi == KNNKLUCB(2, 2).phi == 1.0
    assert KNNUCB(2, 2).unit == "typical"
    alone = {(each.policy.name, each.policy.settings.get("phi")) for each in neighbours_alone()}
    assert alone == {
        ("knn-ucb", 1.0), ("knn-ucb", None),
        ("knn-kl-ucb", 0.0), ("knn-kl-ucb", 1.0), ("knn-kl-ucb", None),
    }  # fmt: skip


def test_what_is_judged_by_its_run_time_runs_ten_times():
    for name in ("news", "scalability"):
        for cell in EXPERIMENTS[name].cells(Effort()):
            few = getattr(cell.column, "data", "") == "mnist"
            if cell.column == OVERHEARD:
                # Nothing in it is left to chance.
                assert len(cell.tasks) == 1
            elif (cell.row.name, cell.column) == ("LNUCB-TA", SHARED):
                assert len(cell.tasks) == 20
            else:
                assert len(cell.tasks) == (3 if few else 10)


def test_where_our_row_stands_it_is_told_what_it_was_shaped_on():
    for name in ("regret", "news", "drift", "sparse"):
        section = EXPERIMENTS[name].section(EXPERIMENTS[name].findings(Effort(), {}))
        assert any(str(STACKED_HYBRID) in table.note for table in section.tables), name
