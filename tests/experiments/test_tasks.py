import pytest

from hybandit.errors import InvalidInput, UnknownName
from hybandit.experiments import PolicySpec, Task, World


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
    spec = PolicySpec.parse(text)
    assert spec.settings == settings
    assert PolicySpec.parse(spec.label) == spec


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("lin-ucb:alfa=1", "lin-ucb has no setting 'alfa'; did you mean 'alpha'"),
        ("lin-ucb:n_arms=3", "there are alpha, forget, kappa, rate, reg, seed, ties"),
        ("lin-ucb:alpha", "written name:setting=value"),
        ("lin-ucb:alpha=-1", "'alpha' must be a number of at least 0; got -1"),
    ],
)
def test_a_setting_that_does_not_exist_or_breaks_its_rule_is_refused(text, told):
    with pytest.raises((InvalidInput, UnknownName), match=told):
        PolicySpec.parse(text)


def test_an_unknown_policy_suggests_the_nearest():
    with pytest.raises(UnknownName, match="did you mean 'lin-ucb'"):
        PolicySpec.parse_many("ucb,linucb")


def test_tasks_survive_being_text_and_differ_by_every_part():
    task = Task(World("classification", {"data": "digits"}), PolicySpec("ucb", {"rho": 1.0}), 3)
    assert Task.from_text(task.text) == task
    others = [
        Task(task.world, task.policy, 4),
        Task(task.world, PolicySpec("ucb", {"rho": 2.0}), 3),
        Task(World("classification", {"data": "magic"}), task.policy, 3),
    ]
    assert len({each.key for each in [task, *others]}) == 4


def test_the_key_does_not_depend_on_the_order_of_settings():
    first = Task(World("replay", {"a": 1, "b": 2}), PolicySpec("ucb"), 0)
    second = Task(World("replay", {"b": 2, "a": 1}), PolicySpec("ucb"), 0)
    assert first.key == second.key
