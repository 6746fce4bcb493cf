from dataclasses import replace

import pytest
import sqlalchemy as sql

from hybandit.loop.storage import forgetting, stored_models
from hybandit.loop.storage.database import Database
from hybandit.loop.storage.tables import parts
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
    assert sum(database.forget(3.0, 100)) == 1
    assert names(database) == ["e0", "e2", "e3", "e4", "e5"]
    assert database.head() == 5


def test_decisions_that_nothing_closed_are_counted_by_name_for_so_many_names_only(database):
    """The count of every name that was ever shown would be read again and again."""
    before = {f"n{number}": 1 for number in range(forgetting.MOST_NAMES - 2)}
    database._write(forgetting.note, forgetting.DROPPED, before)
    for place, name in enumerate("pqrqs"):
        open_event = replace(an_event(f"open {place}", at=10.0 + place), names=(name, "b"))
        database.add_event(open_event)
        assert sum(database.forget(11.0 + place, 100)) == 1 + (place == 0)
    gone = database._read(forgetting.dropped)
    first = {f"n{number}" for number in range(3)}
    assert before.keys() - gone.keys() == first
    assert gone[forgetting.OTHERS] == len(first)
    assert [gone[name] for name in "apqrs"] == [1, 1, 2, 1, 1]


def test_what_lies_before_the_base_goes_a_little_at_a_time(database):
    database.set_base(3, b"model", 9.0)
    assert database.base() == 3
    assert [step for step in database.forget(4.0, 2) if step] == [2, 1, 1]
    assert names(database) == ["e4", "e5"]
    assert [entry.position for entry in database.entries(0, 10)] == [4, 5]
    assert database.read_snapshot(3) == b"model"


def test_an_event_that_closes_meanwhile_stays(database):
    steps = database.forget(3.0, 100)
    found = database._read

    def then_close(work, *arguments):
        result = found(work, *arguments)
        database._read = found
        database.add_reward("e1", 1.0, 9.0, AT_ONCE)
        return result

    database._read = then_close
    assert sum(steps) == 0
    assert "e1" in names(database)


def test_actions_that_are_used_again_meanwhile_stay(database):
    database.set_base(5, b"model", 9.0)
    steps = database.forget(100.0, 2)
    gone = 0
    for step in steps:
        gone += step
        if gone == 6:
            database.add_event(an_event("again", at=200.0))
            gone += 1
    assert names(database) == ["again"]


def test_the_file_gives_its_room_back(tmp_path):
    path = tmp_path / "large.db"
    database = Database(path)
    for number in range(300):
        event = an_event(f"e{number}", at=float(number))
        database.add_event(
            event.__class__(**{**vars(event), "context": f'{{"x":"{number:05000}"}}'})
        )
    checkpoint(database)
    before = path.stat().st_size
    list(database.forget(1e9, 50))
    checkpoint(database)
    assert before > 1_500_000
    assert path.stat().st_size < before / 5
    database.close()


def checkpoint(database):
    with database._backend.read() as connection:
        connection.rollback()
        raw = connection.connection.dbapi_connection
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def test_the_base_never_goes_back(database):
    database.set_base(3, b"model", 9.0)
    database.set_base(2, b"older", 9.0)
    assert (database.base(), database.snapshots()) == (3, [3])


def test_the_journal_goes_on_after_all_of_it_is_forgotten(database):
    database.set_base(5, b"model", 9.0)
    list(database.forget(100.0, 10))
    assert (names(database), database.head()) == ([], 5)
    assert database.last_before(100.0) == 5
    database.add_event(an_event("next"))
    database.add_reward("next", 1.0, 100.0, AT_ONCE)
    assert database.head() == 6


LARGE = bytes(20 * stored_models.PIECE)


def pieces(database):
    return database._read(
        lambda connection: connection.scalar(sql.select(sql.func.count()).select_from(parts))
    )


def test_large_models_come_and_go_in_small_steps(database, monkeypatch):
    """In one transaction each they let `rank` wait for seconds."""
    before, steps = database._write, []

    def write(*arguments, **named):
        there = pieces(database)
        result = before(*arguments, **named)
        steps.append(pieces(database) - there)
        return result

    monkeypatch.setattr(database, "_write", write)
    for position in (1, 2, 3):
        database.write_snapshot(position, LARGE, 9.0)
    database.delete_snapshots([1])
    assert pieces(database) == 40
    database.set_base(4, LARGE, 9.0)
    assert (database.snapshots(), pieces(database)) == ([4], 20)
    assert (min(steps), max(steps)) == (-stored_models.FEW, 1)


def test_a_model_that_is_there_becomes_the_first(database):
    database.write_snapshot(3, LARGE, 9.0)
    database.write_snapshot(4, b"damaged", 9.0)
    for position, content in ((3, LARGE), (4, b"right")):
        database.set_base(position, content, 9.0)
        database.delete_snapshots([position])
        assert database.base() == database.snapshots()[0] == position
        assert database.read_snapshot(position) == content
    assert pieces(database) == 1


@pytest.mark.parametrize("step", range(23))
def test_wherever_a_new_start_is_cut_off_nothing_is_lost(database, monkeypatch, step):
    database.set_base(1, b"first", 9.0)
    database.write_snapshot(2, b"second", 9.0)
    before, left = database._write, iter(range(step))

    def write(*arguments, **named):
        if next(left, None) is None:
            raise KeyboardInterrupt
        return before(*arguments, **named)

    with monkeypatch.context() as patch:
        patch.setattr(database, "_write", write)
        with pytest.raises(KeyboardInterrupt):
            database.set_base(4, LARGE, 9.0)
    start = database.base()
    assert database.snapshots() == ([1, 2] if start == 1 else [4])
    assert database.read_snapshot(start) == (b"first" if start == 1 else LARGE)
    database.set_base(5, b"fifth", 9.0)
    assert (database.read_snapshot(5), pieces(database)) == (b"fifth", 1)
