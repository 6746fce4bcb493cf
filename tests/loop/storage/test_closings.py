import pytest

from hybandit.loop.storage import closings
from hybandit.loop.storage.contract import LEARN, Closing
from hybandit.loop.storage.database import Database
from hybandit.state import LARGEST_INPUT
from hybandit.testing.storage import AT_ONCE, WINDOW, an_event


@pytest.fixture
def database(tmp_path):
    database = Database(tmp_path / "loop.db")
    yield database
    database.close()


@pytest.mark.parametrize(
    ("aggregate", "values", "reward"),
    [
        ("earliest", [1.0, 3.0], 1.0),
        ("last", [1.0, 3.0], 3.0),
        ("sum", [1.0, 3.0], 4.0),
        ("sum", [], -0.5),
        ("earliest", [], -0.5),
        ("sum", [LARGEST_INPUT] * 3, LARGEST_INPUT),
        ("sum", [-LARGEST_INPUT] * 3, -LARGEST_INPUT),
    ],
)
def test_one_reward_from_those_that_came(aggregate, values, reward):
    closing = Closing(wait=60.0, aggregate=aggregate, default_reward=-0.5)
    assert closings.aggregated(values, closing) == reward


def test_those_due_first_close_first_and_once(database):
    for name, at in (("b", 20.0), ("a", 10.0), ("later", 90.0)):
        database.add_event(an_event(name, at=at, wait=60.0))
    assert database.close_due(100.0, WINDOW, 10) == 2
    assert database.close_due(100.0, WINDOW, 10) == 0
    closed = [database.event_history(name).closing for name in ("a", "b", "later")]
    assert [entry and entry.position for entry in closed] == [1, 2, None]


def test_an_event_that_is_due_now_is_not_over(database):
    database.add_event(an_event(at=100.0, wait=60.0))
    assert database.close_due(160.0, WINDOW, 10) == 0
    assert database.close_due(160.1, WINDOW, 10) == 1


def test_a_deferred_event_closes_by_the_first_of_its_rewards(database):
    from dataclasses import replace

    database.add_event(replace(an_event(), deferred=True))
    for value in (2.0, 3.0):
        database.add_reward("e", value, 105.0, AT_ONCE)
    assert database.head() == 0
    database.activate("e", 110.0, AT_ONCE)
    history = database.event_history("e")
    assert (history.closing.kind, history.closing.reward) == (LEARN, 2.0)
    assert [reward.late for reward in history.rewards] == [False, True]
