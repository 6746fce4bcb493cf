import pytest
from experiments import own_worlds
from experiments.own_worlds import Bare, Incomplete, Shelf, Shop

import hybandit
from hybandit.environments import play, play_items
from hybandit.errors import InvalidInput, PolicyError, UnknownName
from hybandit.experiments import EnvironmentSpec, PolicySpec, Store, Task
from hybandit.experiments.comparison import Comparison
from hybandit.experiments.engines import timed
from hybandit.policies.base import registry

PLACE = "experiments.own_worlds"
POLICIES = ["lin-ucb", "ucb"]


def test_it_is_compared_as_a_class_an_object_and_by_name():
    of_class, by_name = (
        hybandit.compare(environment=each, policies=POLICIES, runs=2)
        for each in (Shop, f"{PLACE}:Shop")
    )
    assert of_class.runs["regret"].tolist() == by_name.runs["regret"].tolist()
    assert of_class.table["policy"].tolist() == POLICIES
    assert of_class.verdict.endswith("what was lost against the best choice in every round.")
    assert by_name.curves["round"].max() == 120
    short = hybandit.compare(environment=f"{PLACE}:Shop:rounds=50", policies="ucb", runs=1)
    assert short.runs["rounds"].tolist() == [50]
    one = hybandit.compare(environment=Shop(0), policies="lin-ucb", runs=2).runs["regret"]
    assert one.iloc[0] == of_class.runs["regret"].iloc[0]
    assert one.iloc[1] != of_class.runs["regret"].iloc[1]


def test_it_is_a_task_like_others_and_an_edited_file_is_another_one(tmp_path, monkeypatch):
    asked = Comparison.of(policies="ucb", environment=f"{PLACE}:Shop:rounds=30")
    task = Task(asked.environment, asked.policies[0], seed=1)
    (run,), _ = timed((task,))
    expected = hybandit.compare(environment=Shop(1, rounds=30), policies="ucb", runs=1, seed=1)
    assert run.regret == expected.runs["regret"].item()
    before = task.key
    monkeypatch.setattr("hybandit.experiments.own_environment.source_of", lambda _: "edited")
    assert Task(asked.environment, asked.policies[0], seed=1).key != before


@pytest.mark.parametrize(
    ("environment", "told"),
    [
        (type("Half", (Shelf,), {"n_item": property()}), "got Half without n_item"),
        (Incomplete, "rounds have `context`, `best`, .* got Turn without expected"),
        ([1, 2], "got list without n_arms and n_features"),
        (3, "or 'module:Class'; got 3"),
        (lambda: Shop(0), "cannot be made with a seed"),
        (f"{PLACE}:Shp", "no environment 'Shp'; did you mean 'Shop'"),
        (f"{PLACE}:Shop:round=3", "with a seed and round: got an unexpected"),
        ("shop", "written module:Class"),
    ],
)
def test_what_lacks_something_is_told_what(environment, told):
    with pytest.raises((InvalidInput, UnknownName), match=told):
        hybandit.compare(environment=environment, policies="ucb", runs=1)


@pytest.mark.parametrize(
    ("given", "name"),
    [({"data": "digits"}, "data"), ({"rounds": 3}, "rounds"), ({"label": "x"}, "label"),
     ({"encoding": "raw"}, "encoding"), ({"drop": ["x"]}, "drop")],
)  # fmt: skip
def test_what_is_for_tables_is_refused(given, name):
    with pytest.raises(InvalidInput, match=f"'{name}' must be left out"):
        hybandit.compare(environment=Shop, policies="ucb", runs=1, **given)


def test_the_command_takes_it(tmp_path, monkeypatch):
    from typer.testing import CliRunner

    from hybandit.cli import app

    monkeypatch.chdir(tmp_path)
    arguments = ["compare", "--environment", f"{PLACE}:Shop:rounds=40", "--policies", "ucb"]
    refused = CliRunner().invoke(app, [*arguments, "--rounds", "3"])
    assert "--rounds must be left out" in str(refused.exception)


def test_policies_of_items_are_compared_in_an_environment_of_items():
    ours = ["item-lin-ucb", "item-hybrid:explore=1"]
    of_class, by_name = (
        hybandit.compare(environment=each, policies=ours, runs=2)
        for each in (Shelf, f"{PLACE}:Shelf")
    )
    assert of_class.runs["regret"].tolist() == by_name.runs["regret"].tolist()
    assert of_class.table["policy"].tolist() == ours, "one that plays at random is not the worst"
    alone = play_items(hybandit.ItemLinUCB(1, 2, seed=1), Shelf(1))
    regrets = of_class.runs.set_index(["policy", "run"])["regret"]
    assert regrets["item-lin-ucb", 1] == alone.regret
    made = hybandit.compare(environment=Shelf, policies=hybandit.ItemLinUCB(1, 2, seed=0), runs=1)
    assert made.runs["regret"].tolist() == [regrets["item-lin-ucb", 0]]


def test_a_round_without_items_is_told_what_it_lacks():
    told = "rounds have `context`, `items`, .* got FullRound without items and ids and delay"
    with pytest.raises(InvalidInput, match=told):
        hybandit.compare(environment=Bare, policies="item-lin-ucb", runs=1)


def test_without_policies_those_of_its_kind_are_compared():
    short = f"{PLACE}:Shelf:rounds=5"
    expected = ["item-hybrid", "item-lin-ucb", "item-lnucb-ta"]
    assert sorted(hybandit.compare(environment=short, runs=1).table["policy"]) == expected
    assert [each.name for each in Comparison.of(environment=short).policies] == expected
    assert len(Comparison.of(environment=f"{PLACE}:Shop:rounds=5").policies) == 9


@pytest.mark.parametrize(("world", "policy"), [("Shelf", "lin-ucb"), ("Shop", "item-lin-ucb")])
def test_policies_of_the_other_kind_are_refused(world, policy):
    for asked in (hybandit.compare, Comparison.of):
        with pytest.raises(InvalidInput, match=r"'policies' must be .* (items|arms)"):
            asked(environment=f"{PLACE}:{world}", policies=policy)


def test_the_command_takes_items(tmp_path, monkeypatch):
    from typer.testing import CliRunner

    from hybandit.cli import app

    monkeypatch.chdir(tmp_path)
    arguments = ["compare", "--environment", f"{PLACE}:Shelf:rounds=20", "--runs", "1", "--json"]
    done = CliRunner().invoke(app, [*arguments, "--policies", "item-lin-ucb"])
    assert done.exit_code == 0, done.exception
    expected = hybandit.compare(environment=Shelf(0, 20), policies="item-lin-ucb", runs=1)
    assert str(expected.runs["regret"].item()) in done.stdout


def test_a_fault_of_a_policy_names_the_call_and_the_place(monkeypatch):
    monkeypatch.setattr(own_worlds.Forgetful, "name", "forgetful")
    monkeypatch.setitem(registry._policies, "forgetful", own_worlds.Forgetful)
    with pytest.raises(PolicyError, match=r"Forgetful\.learn failed in round 1: ZeroDiv") as told:
        hybandit.compare(environment=Shop, policies=own_worlds.Forgetful, runs=1)
    assert "own_worlds.py, line" in str(told.value)
    assert isinstance(told.value.__cause__, ZeroDivisionError)
    task = Task(EnvironmentSpec("own", {"reference": f"{PLACE}:Shop"}),
                PolicySpec(f"{PLACE}:Forgetful"), 0)  # fmt: skip
    with pytest.raises(PolicyError, match=r"Forgetful\.learn failed in round 1"):
        timed((task,))


def test_a_fault_of_an_environment_names_it_too():
    class Broken(Shop):
        def __iter__(self):
            yield from list(super().__iter__())[:2]
            raise KeyError("price")

    with pytest.raises(PolicyError, match=r"Broken\.__iter__ failed in round 2: KeyError: 'price'"):
        play(hybandit.UCB(3, seed=0), Broken(0))


def test_a_stored_task_is_found_even_if_what_it_names_has_changed(store, monkeypatch):
    task = Task(EnvironmentSpec("own", {"reference": f"{PLACE}:Shop"}), PolicySpec("ucb"), seed=0)
    (run,), machine = timed((task,))
    store.add(task, run, machine=machine)
    monkeypatch.setattr("hybandit.experiments.own_environment.source_of", lambda _: "edited")
    (listed,) = Store(store.path).tasks()
    assert store.get(Task(task.environment, task.policy, 0)) is None
    assert store.get(listed).regret == run.regret
