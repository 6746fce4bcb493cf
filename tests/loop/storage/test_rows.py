import tracemalloc
from dataclasses import asdict, replace
from types import SimpleNamespace

import pytest

from hybandit.loop.storage import rows
from hybandit.loop.storage.contract import LEARN
from hybandit.loop.storage.database import Database
from hybandit.testing.storage import an_event


@pytest.fixture
def database(tmp_path):
    database = Database(tmp_path / "loop.db")
    yield database
    database.close()


@pytest.mark.parametrize(
    "event",
    [
        an_event(),
        an_event(wait=5.0),
        replace(an_event(), excluded=(1,), probabilities=(1.0, 0.0)),
        replace(an_event(), context='{"text":"\\ud800"}', names=("\u00e4", "b\n"), deferred=True),
        replace(an_event(), probabilities=(1e-300, 1.0 - 1e-16), seed=2**63 - 1, version=2**40),
    ],
)
def test_an_event_comes_back_from_its_row(event):
    row = SimpleNamespace(number=1, **rows.row_of(event, [7, 300_000]))
    known = {7: (event.names[0], event.features[0]), 300_000: (event.names[1], event.features[1])}
    assert asdict(rows.event_of(row, known)) == asdict(event)


def closed_row(event, **changes):
    row = rows.row_of(event, range(1, len(event.names) + 1))
    line = {"position": 1, "kind": LEARN, "event": 1, "reward": 0.5, "name": "b", "settings": None}
    return SimpleNamespace(**(row | line | changes))


def test_a_closed_event_tells_what_its_baseline_was():
    event = replace(an_event(), choice=1, baseline=1)
    assert rows.closed_of(closed_row(event))[3:8] == ("b", 0.5, True, 0.1, False)
    event = replace(event, baseline=0)
    assert rows.closed_of(closed_row(event))[3:8] == ("b", 0.5, False, 0.9, False)


def test_before_schema_3_the_baseline_is_the_first_that_was_not_excluded():
    row = closed_row(replace(an_event(), excluded=(0,), choice=1), baseline=None)
    closed = rows.closed_of(row)
    assert (closed.served, closed.chance) == (True, 0.1)


@pytest.mark.parametrize("baseline", [2, -1, "a", 0])
def test_a_baseline_that_could_not_be_served_is_damage(baseline):
    event = replace(an_event(), excluded=(0,), choice=1)
    with pytest.raises(rows.Damaged, match="its baseline"):
        rows.closed_of(closed_row(event, baseline=baseline))


def test_actions_are_numbered_once_and_known_only_when_written(database):
    known = rows.KnownActions()
    event = an_event()
    with database._backend.begin() as connection:
        numbers = known.write(connection, event.actions)
        assert known.write(connection, event.actions) == numbers
    assert list(numbers) == [("a", '{"x":1}'), ("b", "{}")]
    assert database.counts()["actions"] == 2


def test_what_is_remembered_of_actions_is_bounded_by_bytes():
    """With a bound on the number of actions alone these took some hundred megabytes."""
    known = rows.KnownActions()
    tracemalloc.start()
    for number in range(1000):
        known.keep({(f"a{number}", f"{number:06}" * 20_000): number})
    held = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert len(known._numbers) > 10
    assert held < 1.1 * rows.KEPT_BYTES
