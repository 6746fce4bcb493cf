from dataclasses import replace

import numpy as np
import pytest

from hybandit import ItemHybrid
from hybandit.features import HashingEncoder
from hybandit.loop import journal
from hybandit.loop.storage import LEARN, Entry, EventHistory, Reward
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


def test_a_policy_that_learns_is_judged_better_than_chance():
    generator = np.random.default_rng(1000)
    histories = []
    for number in range(1, 401):
        choice = int(generator.integers(2))
        event = replace(an_event(f"e{number}"), choice=choice, probabilities=(0.5, 0.5))
        histories.append(
            EventHistory(event, None, None, (), Entry(number, LEARN, 1.0, reward=float(choice)))
        )
    log = journal.log(histories, HashingEncoder(8), HashingEncoder(4))
    by_ips, normalised = journal.judged(ItemHybrid(8, 4, seed=0), log)
    assert by_ips.value == pytest.approx(1.0, abs=0.15)
    assert normalised.value > 0.95
