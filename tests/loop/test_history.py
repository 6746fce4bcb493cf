import numpy as np
import pytest

from hybandit.errors import StoreError
from hybandit.loop.database import Database
from hybandit.loop.history import History, distance
from hybandit.loop.model import Learner
from hybandit.loop.settings import checked
from hybandit.loop.snapshots import packed
from hybandit.loop.storage import IMPORT, ROLLBACK
from hybandit.testing.storage import AT_ONCE, an_event

SETTINGS = checked({})[0]


def fresh():
    return Learner(SETTINGS)


@pytest.fixture
def history(tmp_path):
    storage = Database(tmp_path / "loop.db")
    yield History(storage, fresh)
    storage.close()


def extend(history, count):
    for _ in range(count):
        number = history._storage.counts()["events"]
        history._storage.add_event(an_event(f"e{number}", at=float(number)))
        history._storage.add_reward(f"e{number}", number % 3, float(number), AT_ONCE)


def same(first, second):
    mine, other = first.state(), second.state()
    return all(np.array_equal(mine[name], other[name]) for name in mine)


def roll_back(history, version):
    return history._storage.append(ROLLBACK, 1.0, version, history.content(version))


def test_the_way_leads_through_roll_backs(history):
    extend(history, 10)
    roll_back(history, 4)
    extend(history, 3)
    roll_back(history, 13)
    extend(history, 2)
    by_hand = fresh()
    for position in (1, 2, 3, 4, 12, 13, 16, 17):
        by_hand.learn(history._storage.entries(position - 1, 1)[0])
    assert same(history.at(17), by_hand)
    assert same(history.at(17, use_snapshots=False), by_hand)
    assert [history.in_force(n, 17) for n in (4, 5, 10, 12, 14, 16)] == [
        True, False, False, True, False, True,
    ]  # fmt: skip


def test_the_nearest_leads_straight_on(history):
    extend(history, 5)
    assert history.nearest(5)[1] == 0
    history._storage.write_snapshot(3, history.content(3), 1.0)
    learner, position = history.nearest(5)
    assert position == 3
    assert same(learner, history.at(3, use_snapshots=False))
    roll_back(history, 2)
    extend(history, 1)
    history._storage.delete_snapshots([6])
    learner, position = history.nearest(7)
    assert position == 6
    assert same(learner, history.at(2))


def test_a_snapshot_of_other_widths_is_passed_over(history):
    extend(history, 3)
    settings = SETTINGS | {"context_width": 8}
    other = Learner(settings)
    history._storage.write_snapshot(2, packed(other.state(), 2), 1.0)
    assert same(history.at(3), history.at(3, use_snapshots=False))


def test_an_imported_model_that_is_gone_is_told(history):
    history._storage.append(IMPORT, 1.0, None, b"not a model")
    with pytest.raises(StoreError, match="version 1, where it starts, is damaged"):
        history.at(1)


def test_what_a_roll_back_needs_is_not_forgotten(history):
    extend(history, 6)
    assert history.last_to_forget(4.5) == 5
    roll_back(history, 2)
    assert history.last_to_forget(4.5) == 2
    assert history.last_to_forget(100.0) == 7


def test_snapshots_are_verified_along_every_way(history):
    extend(history, 6)
    for position in (2, 5):
        history._storage.write_snapshot(position, history.content(position), 1.0)
    roll_back(history, 3)
    extend(history, 2)
    history._storage.write_snapshot(9, history.content(9), 1.0)
    assert list(history.verified()) == [(2, 0.0), (5, 0.0), (7, 0.0), (9, 0.0)]


def test_a_snapshot_that_is_not_what_the_journal_says_is_found(history):
    extend(history, 4)
    history._storage.write_snapshot(2, history.content(3), 1.0)
    history._storage.write_snapshot(3, b"junk", 1.0)
    history._storage.write_snapshot(4, history.content(4), 1.0)
    (_, wrong), (_, damaged), (_, right) = history.verified()
    assert wrong > 1e-3
    assert damaged is None
    assert right > 1e-3, "content(4) started from the wrong snapshot, as the loop would"


def test_distance():
    one = {"a": np.array([1.0, 100.0]), "b": np.zeros(0)}
    assert distance(one, one) == 0.0
    assert distance(one, {**one, "a": np.array([2.0, 100.0])}) == pytest.approx(0.01)
    assert distance(one, {**one, "a": np.zeros(3)}) == np.inf
