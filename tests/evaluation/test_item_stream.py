import json

import numpy as np
import pytest
from logistic_items import LogisticItems

import hybandit
from hybandit.errors import DataFileError, EvaluationWarning, InvalidInput
from hybandit.evaluation import Always, StreamedItemLog, evaluate
from hybandit.evaluation.progressive import FIRST


def written(path, count=600, seed=0):
    """Two or three drinks, of which tea, the first, is best; returns its IPS by hand."""
    generator = np.random.default_rng(seed)
    total = 0.0
    with path.open("w") as file:
        for number in range(count):
            menu = ["tea", "beer", "wine"][: generator.integers(2, 4)]
            chances = generator.dirichlet(np.full(len(menu), 3.0))
            choice = int(generator.choice(len(menu), p=chances))
            reward = float(generator.random() < (0.8 if choice == 0 else 0.2))
            total += reward / chances[0] if choice == 0 else 0.0
            order = [choice, *(place for place in range(len(menu)) if place != choice)]
            actions = [{"_tag": name, "Drink": {"hot": name == "tea"}} for name in menu]
            event = {
                "_label_cost": -reward,
                "EventId": str(number),
                "a": [place + 1 for place in order],
                "p": [chances[place] for place in order],
                "c": {"User": {"age": 20 + number % 50}, "_multi": actions},
            }
            file.write(json.dumps(event) + "\n")
    return total / count


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "old.dsjson"
    value = written(path)
    return StreamedItemLog(path), value


def test_it_is_the_same_log_in_any_batches(log):
    stream, _ = log
    assert (len(stream), stream.sizes, stream.counted()) == (600, (64, 32), "600 of 600 lines used")
    (whole,) = stream.batches()
    parts = list(stream.batches(250))
    assert [len(part) for part in parts] == [250, 250, 100]
    assert np.array_equal(np.concatenate([part.contexts for part in parts]), whole.contexts)
    assert np.array_equal(parts[2].items[7], whole.items[507])
    assert stream.choice_names == whole.choice_names
    assert stream.facts.by_choice() == pytest.approx(whole.facts.by_choice())


def test_the_first_of_each_offer_is_a_policy_with_the_value_computed_by_hand(log):
    stream, value = log
    found = evaluate(Always(FIRST), stream, by=["ips"]).estimates[0]
    assert found.value == pytest.approx(value)
    assert evaluate(Always("tea"), stream, by=["ips"]).estimates[0].value == pytest.approx(value)
    # Where there is no wine, the log's own choice counts.
    wine = evaluate(Always("wine"), stream, by=["snips"]).estimates[0].value
    assert 0.2 < wine < 0.5


def test_policies_of_items_are_judged_on_it(log):
    stream, value = log
    with pytest.warns(EvaluationWarning, match="a log of costs"):
        found = hybandit.evaluate(
            stream.path, ["item-lin-ucb", "always:tea"], estimators="snips", learn_every=20
        )
    best = found.table.set_index("policy")["value"]
    assert best["item-lin-ucb"] > 0.65
    assert best["always:tea"] == pytest.approx(value, abs=0.1)
    assert found.notes[0].startswith("a log of costs: a reward is the negative")
    with pytest.raises(InvalidInput, match="'arm' must be left out: it is for files"):
        hybandit.evaluate(stream.path, "item-lin-ucb", arm="shown")


def test_a_log_of_useless_lines_is_refused(tmp_path):
    path = tmp_path / "old.dsjson"
    path.write_text("oops\n" * 5)
    with pytest.raises(DataFileError, match=r"5 of the 5 rows .* cannot be used"):
        StreamedItemLog(path)
    path.write_text("")
    with pytest.raises(DataFileError, match="is empty"):
        StreamedItemLog(path)


def test_lines_are_noted_only_if_some_were_set_aside(log):
    stream, _ = log
    assert stream.notes == ["a log of costs: a reward is the negative of a cost"]
    with stream.path.open("a") as file:
        file.write("oops\n")
    again = StreamedItemLog(stream.path)
    assert again.notes[1].startswith("600 of 601 lines used; 1 set aside")


def test_a_cost_that_a_policy_cannot_learn_is_told_as_one(log):
    stream, _ = log
    with stream.path.open("a") as file:
        event = {"_label_cost": 0.1, "a": [1], "p": [1.0], "c": {"_multi": [{"_tag": "tea"}]}}
        file.write(json.dumps(event) + "\n")
    told = (
        "'rewards' must be a number from 0 to 1 for logistic-items; got -0.1 in the log; "
        "a log of costs: a reward is the negative of a cost"
    )
    again = StreamedItemLog(stream.path)
    with pytest.raises(InvalidInput, match=told):
        evaluate(LogisticItems(*again.sizes, seed=0), again, by=["ips"])
