import numpy as np
import pytest

from hybandit.errors import InvalidInput, UnknownName
from hybandit.experiments import EnvironmentSpec, PolicySpec, Task
from hybandit.experiments.tasks import parse_policies, parse_policy
from hybandit.policies import ArmPolicy, find_policy, policy_names


@pytest.mark.parametrize(
    ("text", "settings"),
    [
        ("ucb", {}),
        ("lin-ucb:alpha=10", {"alpha": 10}),
        ("knn-ucb:phi=log,max_k=5", {"phi": "log", "max_k": 5}),
        ("stacked-hybrid:centre=False", {"centre": False}),
        ("knn-ucb:max_k=None", {"max_k": None}),
    ],
)
def test_a_policy_reads_as_it_is_written(text, settings):
    spec = parse_policy(text)
    assert spec.settings == settings
    assert parse_policy(spec.label) == spec


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("lin-ucb:alfa=1", "lin-ucb has no setting 'alfa'; did you mean 'alpha'"),
        (
            "lin-ucb:n_arms=3",
            "lin-ucb has no setting 'n_arms'; did you mean 'arms'",
        ),
        ("lin-ucb:alpha", "written name:setting=value"),
        ("lin-ucb:alpha=-1", "'alpha' must be a number of at least 0; got -1"),
    ],
)
def test_a_setting_that_does_not_exist_or_breaks_its_rule_is_refused(text, told):
    with pytest.raises((InvalidInput, UnknownName), match=told):
        parse_policy(text)


def test_an_unknown_policy_is_told_those_that_can_be_named_here():
    with pytest.raises(UnknownName) as caught:
        parse_policies("zzz")
    offered = str(caught.value).partition("; there are ")[2].split(", ")
    assert offered == policy_names(ArmPolicy)


def test_tasks_survive_being_text_and_differ_by_every_part():
    task = Task(
        EnvironmentSpec("classification", {"data": "digits"}), PolicySpec("ucb", {"rho": 1.0}), 3
    )
    assert Task.from_text(task.text) == task
    others = [
        Task(task.environment, task.policy, 4),
        Task(task.environment, PolicySpec("ucb", {"rho": 2.0}), 3),
        Task(EnvironmentSpec("classification", {"data": "magic"}), task.policy, 3),
    ]
    assert len({each.key for each in [task, *others]}) == 4


def key(policy="lin-ucb", environment=None, **settings):
    spec = EnvironmentSpec("synthetic", {"kind": "linear", **(environment or {})})
    return Task(spec, PolicySpec(policy, settings), 0).key


def test_equal_settings_are_one_task_however_they_are_written():
    assert key() == key(alpha=1) == key(alpha=1.0) == key(alpha=np.float64(1))
    assert key(alpha=1, reg=2) == key(reg=2.0, alpha=1.0)
    assert key() == key(environment={"n_arms": 5, "noise": 0.1})
    assert len({key(), key(alpha=2), key(ties="first"), key(environment={"noise": 0.2})}) == 4


def test_a_changed_default_is_another_task(monkeypatch):
    before, explicit = key(), key(alpha=1.0)
    fields = {entry.name: entry for entry in find_policy("lin-ucb").__dataclass_fields__.values()}
    monkeypatch.setattr(fields["alpha"], "default", 3.0)
    assert key() != before
    assert key(alpha=1.0) == explicit


def test_an_unknown_setting_of_an_environment_is_refused():
    with pytest.raises(UnknownName, match="did you mean 'rounds'"):
        key(environment={"round": 3})
