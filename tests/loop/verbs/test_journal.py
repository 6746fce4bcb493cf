from dataclasses import replace

import numpy as np
import pytest

import hybandit
from hybandit import ItemPolicy
from hybandit.features import HashingEncoder
from hybandit.loop.storage.contract import LEARN, Entry, EventHistory, Reward
from hybandit.loop.verbs import journal
from hybandit.testing.storage import an_event


def history(name, position, **changes):
    event = replace(an_event(name), **changes)
    entry = None if position is None else Entry(position, LEARN, 110.0, reward=float(position))
    return EventHistory(event, None, None, (Reward(1.0, 105.0, False),), entry)


HISTORIES = [
    history("late", 2),
    history("early", 1, excluded=(0,), choice=1, probabilities=(0.0, 1.0)),
    history("open", None),
]


def test_the_table_has_a_row_for_each_event():
    table = journal.table(HISTORIES).set_index("event")
    assert table.index.tolist() == ["late", "early", "open"]
    assert table.loc["late", "actions"] == {"a": {"x": 1}, "b": {}}
    assert table.loc["early", "excluded"] == ["a"]
    assert table["closed"].tolist()[:2] == [2, 1]
    assert np.isnan(table.loc["open", "reward"])
    assert journal.table([]).columns.tolist() == journal.COLUMNS


def test_the_log_has_closed_events_in_order_of_closing():
    log = journal.log(HISTORIES, HashingEncoder(8), HashingEncoder(4))
    assert len(log) == 2
    assert list(log.names) == [("b",), ("a", "b")]
    assert [items.shape for items in log.items] == [(1, 4), (2, 4)]
    assert log.choices.tolist() == [0, 0]
    assert log.rewards.tolist() == [1.0, 2.0]
    assert [chances.tolist() for chances in log.propensities] == [[1.0], [0.9, 0.1]]


def test_an_event_is_encoded_with_what_was_known_before_it():
    histories = [history(f"e{n}", n + 1, context=f'{{"age":{n}}}') for n in range(5)]
    whole = journal.log(histories, HashingEncoder(8), HashingEncoder(4))
    part = journal.log(histories[:3], HashingEncoder(8), HashingEncoder(4))
    assert np.array_equal(whole.contexts[:3], part.contexts)


def test_an_empty_journal_is_an_empty_log():
    log = journal.log([], HashingEncoder(8), HashingEncoder(4))
    assert (len(log), log.contexts.shape) == (0, (0, 8))


class ByName(ItemPolicy):
    """Prefers tea to all else, and half of the time plays anything."""

    def _values(self, context, items, ids):
        return np.array([float(name == "tea") for name in ids])

    def _learn(self, context, item, name, reward):
        return 0.0

    def _forget(self, name):
        pass


def test_the_journal_of_a_loop_gives_the_true_value_of_a_policy(tmp_path):
    pays, generator = {"tea": 0.8, "beer": 0.3, "wine": 0.1}, np.random.default_rng(0)
    sizes = {"context_width": 4, "action_width": 4}
    truth = []
    with hybandit.Loop(tmp_path / "drinks.db", explore=0.6, **sizes, wait=None) as loop:
        for number in range(500):
            exclude = [["beer"], ["tea"], []][number % 3]
            drinks = {name: {"hot": name == "tea"} for name in pays}
            decision = loop.rank({"hour": number % 24}, drinks, exclude=exclude)
            loop.reward(decision.event, float(generator.random() < pays[decision.action]))
            there = [pay for name, pay in pays.items() if name not in exclude]
            # Without tea the two others are equally good to the policy.
            truth.append(0.5 * (np.mean(there) + (pays["tea"] if "tea" not in exclude else 0.2)))
        log = loop.log()
    own = hybandit.evaluate(log, ByName(4, 4, explore=0.5, seed=0)).table
    assert own["estimator"].tolist() == ["ips", "snips", "doubly-robust"]
    # When the loop learns is up to its thread: four standard errors, not two.
    spread = (own["high"] - own["low"]).max()
    assert own["value"].tolist() == pytest.approx([np.mean(truth)] * 3, abs=spread)
    assert spread < 0.12
    assert ((own["sure_low"] < np.mean(truth)) & (np.mean(truth) < own["sure_high"])).all()
