import gzip
import json

import numpy as np
import pytest

from hybandit.datasets.dsjson import Unusable, choice_of, read_choices
from hybandit.datasets.reading import Aside
from hybandit.errors import DataFileError

EVENT = {
    "_label_cost": -1.5,
    "_label_probability": 0.5,
    "_label_Action": 2,
    "_labelIndex": 1,
    "o": [{"v": 1.5, "EventId": "e7"}],
    "EventId": "e7",
    "a": [2, 1, 3],
    "p": [0.5, 0.3, 0.2],
    "c": {
        "User": {"age": 30},
        "_ignored": 5,
        "_multi": [{"Item": {"topic": "a"}}, {"_tag": "two", "j": [1]}, {"Item": {"topic": "c"}}],
    },
    "VWState": {"m": "x"},
}


def changed(**fields):
    return json.dumps({**EVENT, **fields})


def without(*names, **fields):
    return json.dumps({key: EVENT[key] for key in EVENT if key not in names} | fields)


def test_a_line_is_a_decision_with_its_features_by_namespaces():
    found = choice_of(changed())
    assert (found.id, found.choice, found.reward) == ("e7", 1, 1.5)
    assert json.loads(found.context) == {"User": {"age": 30}}
    assert [json.loads(text) for text in found.features] == [
        {"Item": {"topic": "a"}}, {"j": [1]}, {"Item": {"topic": "c"}},
    ]  # fmt: skip
    assert found.names == ('{"Item":{"topic":"a"}}', "two", '{"Item":{"topic":"c"}}')
    np.testing.assert_allclose(found.probabilities, [0.3, 0.5, 0.2])


def test_late_outcomes_count_where_there_is_no_cost():
    late = without("_label_cost", o=[{"v": 1.0}, {"v": 0.25, "ActionTaken": True}])
    assert choice_of(late).reward == 1.25
    assert str(choice_of(changed(_label_cost=0)).reward) == "0.0"


def test_a_line_may_name_only_the_chosen_action_and_its_probability():
    found = choice_of(without("a", "p"))
    assert found.choice == 1
    np.testing.assert_allclose(found.probabilities, [0.25, 0.5, 0.25])
    assert choice_of(without("a", "p", "_labelIndex")).choice == 1


def test_actions_that_are_alike_have_names_of_their_own():
    twins = {"_multi": [{"f": 1}, {"f": 1}, {"f": 2}]}
    assert choice_of(changed(c=twins)).names == ('{"f":1}', '{"f":1} (2)', '{"f":2}')


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("not json", "no JSON"),
        ("[1]", "no JSON object"),
        ('{"RewardValue": 1.0, "EventId": "e7"}', "a reward without its decision"),
        (changed(_skipLearn=True), "not to be learned"),
        (changed(c={}), "no actions"),
        (changed(c={"_multi": []}), "no actions"),
        (changed(a=[4, 1, 2]), "no actions from 1 to 3"),
        (without("a", "_labelIndex", _label_Action="x"), "no actions from 1 to 3"),
        (without("a", _labelIndex=None, _label_Action=[2]), "no actions from 1 to 3"),
        (changed(a=[2, 2, 1]), "p: no probability for each"),
        (changed(p=[10**400, 0.3, 0.2]), "p: no probability for each"),
        (changed(p=[0.5, "x", 0.2]), "p: no probability for each"),
        (changed(p=[0.0, 0.5, 0.5]), "not above 0 for the chosen"),
        (changed(p=[0.5, 0.3, 0.9]), "1.7 in sum instead of 1"),
        (without("_label_cost", "o"), "neither _label_cost nor an outcome"),
        (without("_label_cost", o=5), "neither _label_cost nor an outcome"),
        (without("_label_cost", o=[{"v": 10**400}]), "no finite number"),
        (changed(_label_cost="much"), "neither _label_cost nor"),
        (changed(_label_cost=1e300), "no finite number"),
    ],
)
def test_what_cannot_be_used_is_told(line, told):
    with pytest.raises(Unusable, match=told):
        choice_of(line)


def test_lines_are_read_in_order_and_others_set_aside_with_their_numbers(tmp_path):
    path = tmp_path / "old.dsjson.gz"
    lines = [changed(EventId=str(number)) for number in range(3)]
    path.write_bytes(gzip.compress("\n".join([lines[0], "", "oops", *lines[1:]]).encode()))
    aside = Aside()
    assert [each.id for each in read_choices(path, aside)] == ["0", "1", "2"]
    assert [(row.line, row.reason, row.content) for row in aside.rows] == [(3, "no JSON", "oops")]
    with pytest.raises(DataFileError, match="cannot be read"):
        list(read_choices(tmp_path / "nowhere.dsjson"))
