import json

import pytest

from hybandit.experiments.comparison import Comparison
from hybandit.experiments.experiment import Effort
from hybandit.experiments.log_evaluation import LogEvaluation
from hybandit.experiments.specs import EnvironmentSpec, PolicySpec

ENVIRONMENT = EnvironmentSpec("synthetic", {"kind": "linear"})
POLICIES = [PolicySpec("ucb"), PolicySpec("lin-ucb", {"alpha": 2}), PolicySpec("ucb")]


@pytest.mark.parametrize("kind", [Comparison, LogEvaluation])
def test_it_is_made_again_from_what_was_written(kind):
    asked = kind("mine {}", ENVIRONMENT, POLICIES, {"rows": 3})
    again = kind.read(json.loads(json.dumps(asked.written())))
    assert again.title == asked.title == kind.titled.replace("{}", "mine {}")
    assert (again.told, again.policies) == (asked.told, asked.policies)
    keys = [[task.key for task in each.tasks(Effort(2, 4))] for each in (asked, again)]
    assert keys[0] == keys[1]


def test_every_policy_is_played_once_for_each_seed():
    cells = Comparison("mine", ENVIRONMENT, POLICIES).cells(Effort(2, seed=4))
    assert [cell.policy.label for cell in cells] == ["ucb", "lin-ucb:alpha=2"]
    assert [[task.seed for task in cell.tasks] for cell in cells] == [[4, 5], [4, 5]]
