import pytest

from hybandit.loop.database import Database
from hybandit.testing.storage import AT_ONCE, an_event


@pytest.fixture
def database(tmp_path):
    database = Database(tmp_path / "loop.db")
    for number in range(6):
        database.add_event(an_event(f"e{number}", at=float(number)))
        if number != 1:
            database.add_reward(f"e{number}", 1.0, float(number), AT_ONCE)
    yield database
    database.close()


def names(database):
    return [history.event.id for history in database.event_histories()]


def test_without_a_base_only_what_nothing_closes_is_forgotten(database):
    assert database.forget(3.0, 100) == 1
    assert names(database) == ["e0", "e2", "e3", "e4", "e5"]
    assert database.head() == 5


def test_what_lies_before_the_base_goes_a_little_at_a_time(database):
    database.set_base(3, b"model", 9.0)
    assert database.base() == 3
    counts = [database.forget(4.0, 2) for _ in range(4)]
    assert counts[-1] == 0
    assert names(database) == ["e4", "e5"]
    assert [entry.position for entry in database.entries(0, 10)] == [4, 5]
    assert database.read_snapshot(3) == b"model"


def test_the_base_never_goes_back(database):
    database.set_base(3, b"model", 9.0)
    database.set_base(2, b"older", 9.0)
    assert (database.base(), database.snapshots()) == (3, [3])


def test_the_journal_goes_on_after_all_of_it_is_forgotten(database):
    database.set_base(5, b"model", 9.0)
    while database.forget(100.0, 10):
        pass
    assert (names(database), database.head()) == ([], 5)
    assert database.last_before(100.0) == 5
    database.add_event(an_event("next"))
    database.add_reward("next", 1.0, 100.0, AT_ONCE)
    assert database.head() == 6
