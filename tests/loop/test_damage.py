"""Edits of a loop's file by hand: each is told in a sentence, in bounded time and memory."""

import shutil
import sqlite3
import time
from contextlib import closing

import pytest
from clocked_loop import ClockedLoop
from commands import said

from hybandit import Loop
from hybandit.errors import HybanditError, StoreError
from tests.loop.test_loop import eventually

# Of the processor, and by the clock on a machine that others use.
SECONDS, PATIENCE = 5.0, 30.0
DEEP = "[" * 100_000
# What is done to the file. Entries 1 to 10 close events 1 to 10, 11 is a change of settings, 12 a
# roll back, 13 an import and 14 and 15 close events; event 13 is open.
EDITS = [
    # Settings
    *(
        f"UPDATE loop_meta SET value = json_set(value, '$.{name}', {value}) WHERE name = 'settings'"
        for name, value in [
            ("explore", "5"), ("explore", "'x'"), ("wait", "-1"), ("wait", "1e300"),
            ("aggregate", "'most'"), ("default_reward", "1e200"), ("mode", "7"), ("keep", "0"),
            ("staleness", "null"), ("context_width", "1000000000"), ("action_width", "2.5"),
            ("memory", "'window(0)'"), ("forget", "7"), ("policy", "'nobody'"), ("policy", "3"),
            ("policy", "'linucb:alpha=-1'"), ("strange", "1"),
        ]
    ),
    "UPDATE loop_meta SET value = '[1]' WHERE name = 'settings'",
    "UPDATE loop_meta SET value = 'nonsense' WHERE name = 'settings'",
    f"UPDATE loop_meta SET value = '{DEEP}' WHERE name = 'settings'",
    # Other notes, and the tables
    "UPDATE loop_meta SET value = 'x' WHERE name = 'schema'",
    "UPDATE loop_meta SET value = '0' WHERE name = 'schema'",
    "UPDATE loop_meta SET value = '99' WHERE name = 'schema'",
    "DELETE FROM loop_meta WHERE name = 'schema'",
    "INSERT INTO loop_meta VALUES ('base', '-1')",
    "INSERT INTO loop_meta VALUES ('base', '1000000000000')",
    "INSERT INTO loop_meta VALUES ('base', '\"x\"')",
    "DROP TABLE loop_journal",
    "DROP TABLE loop_snapshot_parts",
    "ALTER TABLE loop_events DROP COLUMN seed",
    # The journal
    "UPDATE loop_journal SET target = 12 WHERE position = 12",
    "UPDATE loop_journal SET target = 13 WHERE position = 12",
    "UPDATE loop_journal SET target = 'x' WHERE position = 12",
    "UPDATE loop_journal SET target = NULL WHERE position = 12",
    "UPDATE loop_journal SET kind = 'jump' WHERE position = 12",
    "UPDATE loop_journal SET kind = 'nothing' WHERE position = 3",
    "UPDATE loop_journal SET policy = 'nobody' WHERE position = 13",
    "UPDATE loop_journal SET policy = NULL WHERE position = 13",
    "UPDATE loop_journal SET reward = 9e999 WHERE position = 15",
    "UPDATE loop_journal SET reward = 'x' WHERE position = 15",
    "UPDATE loop_journal SET reward = NULL WHERE position = 15",
    "UPDATE loop_journal SET at = 'x' WHERE position = 15",
    "UPDATE loop_journal SET at = 1e300 WHERE position = 15",
    "UPDATE loop_journal SET event = 999 WHERE position = 15",
    "UPDATE loop_journal SET position = 1000000000000 WHERE position = 15",
    "UPDATE loop_journal SET position = -3 WHERE position = 15",
    "DELETE FROM loop_journal WHERE position = 14",
    # Events, actions and rewards
    *(
        f"UPDATE loop_events SET {change} WHERE number IN (1, 11)"
        for change in [
            "context = 'nonsense'", "context = '[1]'", "context = '{\"x\":1e999}'",
            f"context = '{DEEP}'", "context = x'00ff'", "context = '{\"x\": 1}'",
            "actions = x'010203'", "actions = 'text'", "actions = x''", "actions = 4000000000",
            "actions = x'ffffffff' || actions", "actions = x'ffffffff0a000000ffffffff'",
            "probabilities = x'00'", "probabilities = 4000000000", "probabilities = x''",
            "probabilities = x'000000000000f87f000000000000f87f000000000000f87f'",
            "excluded = 'x'", "excluded = '{}'", "excluded = '[0,1,2]'", "excluded = '[99]'",
            "excluded = '[\"a\"]'", "choice = 9", "choice = -1", "choice = 'x'",
            "preferred = 1000000000000", "at = 'x'", "at = 1e300", "due = 'x'",
            "activated = 'x'", "version = 'x'", "seed = -1",
        ]
    ),
    "UPDATE loop_events SET id = '' WHERE number = 1",
    "DELETE FROM loop_events WHERE number = 11",
    "DELETE FROM loop_actions",
    "UPDATE loop_actions SET name = x'00'",
    "UPDATE loop_actions SET features = 'x'",
    "UPDATE loop_actions SET features = '{\"x\":' || printf('%.*c', 2000, '9') || '}'",
    "UPDATE loop_rewards SET value = 'x'",
    "UPDATE loop_rewards SET value = 9e999",
    "UPDATE loop_rewards SET at = 'x'",
    # Models
    "UPDATE loop_snapshot_parts SET content = x'00'",
    "UPDATE loop_snapshot_parts SET content = 4000000000",
    "UPDATE loop_snapshot_parts SET content = 'text'",
    "UPDATE loop_snapshots SET parts = 1000000000",
    "DELETE FROM loop_snapshot_parts",
]  # fmt: skip


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A loop's file with something of everything in it."""
    folder = tmp_path_factory.mktemp("whole")
    path = folder / "loop.db"
    actions = {"a": {"x": 1}, "b": {"x": 2}, "c": None}
    with Loop(path, wait=None, context_width=4, action_width=4) as loop:
        for number in range(10):
            loop.rank({"n": number}, actions, event=f"e{number + 1}", exclude=["c"])
            loop.reward(f"e{number + 1}", number % 2)
        loop.change(explore=0.1)
        loop.rollback(5)
        loop.export(folder / "model.npz")
        loop.import_model(folder / "model.npz")
        for name in ("e11", "e12", "e13"):
            loop.rank({"n": 0}, actions, event=name)
            if name != "e13":
                loop.reward(name, 1.0)
        assert loop.wait_for(15)
    return path


@pytest.mark.parametrize("edit", EDITS, ids=range(len(EDITS)))
def test_every_edit_is_told_in_a_sentence(tmp_path, whole, edit):
    path = tmp_path / "loop.db"
    shutil.copy(whole, path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA ignore_check_constraints = 1")
        connection.execute(edit)
    assert told(path), "nobody noticed"


def told(path):
    """What is said of a damaged loop; anything but our own errors and warnings is raised."""
    said = []
    with noticing(said):
        loop = Loop(path, wait=None)
        for call in (
            lambda: loop.rank({"n": 0}, ["a", "b"]),
            lambda: said.append(loop.status().error),
            lambda: loop.explain("e1"),
            lambda: loop.explain("e11"),
            lambda: said.extend("damaged" for _, apart in loop.verify() if apart is None),
            loop.events,
            lambda: loop.reward("e11", 1.0),
            lambda: loop.curve(3),
            loop.log,
        ):
            with noticing(said):
                call()
        with noticing(said):
            loop.close()
    return [words for words in said if words]


class noticing:  # noqa: N801
    def __init__(self, said):
        self.said = said

    def __enter__(self):
        self.began = time.process_time(), time.monotonic()

    def __exit__(self, kind, error, _):
        busy, passed = self.began
        assert time.process_time() - busy < SECONDS
        assert time.monotonic() - passed < PATIENCE
        # A loop that cannot learn warns whoever sends it a reward; warnings are errors here.
        if isinstance(error, (HybanditError, UserWarning)):
            self.said.append(str(error))
            return True
        return False


def test_the_edits_are_many():
    assert len(EDITS) >= 40


@pytest.mark.parametrize(
    ("edit", "command"),
    [
        (EDITS[0], []),
        ("UPDATE loop_journal SET target = 12 WHERE position = 12", ["verify"]),
        ("UPDATE loop_events SET choice = 9", ["events"]),
    ],
)
def test_on_the_command_line_it_is_a_line_and_exit_code_1(
    tmp_path, whole, edit, command, monkeypatch, capsys
):
    path = tmp_path / "loop.db"
    shutil.copy(whole, path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(edit)
    done = said(monkeypatch, capsys, "loop", path, *command)
    assert (done.code, done.err.count("\n")) == (1, 1)
    assert "is damaged: " in done.err


def test_a_loop_whose_first_model_is_lost_goes_on_after_a_reset(tmp_path):
    """As after an upgrade that no longer reads a model, when its events are deleted already."""
    path = tmp_path / "loop.db"
    ClockedLoop.time = 1e6

    def play(loop, prefix):
        for number in range(5):
            loop.rank({"n": number}, ["a", "b"], event=f"{prefix}{number}")
            loop.reward(f"{prefix}{number}", 1.0)

    with ClockedLoop(path, keep=1.0, wait=None, policy="lin-ucb") as loop:
        play(loop, "old")
    ClockedLoop.time += 2 * 86_400
    with ClockedLoop(path) as loop:
        assert eventually(lambda: loop._storage.base() == 5)
        play(loop, "new")
        assert loop.wait_for(10)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE loop_snapshot_parts SET content = x'00'")
    ClockedLoop.time += 43_200
    with ClockedLoop(path, learn=False) as loop:
        with pytest.raises(StoreError, match=r"version 5, where it starts, is .* or `reset`"):
            loop.rank({}, ["a", "b"])
        assert "`reset`" in loop.status().error
        assert loop.reset() == 11
    with ClockedLoop(path) as loop:
        play(loop, "later")
        assert loop.wait_for(16)
        found = dict(loop.verify())
        assert (found[5], found[11]) == (None, 0.0)
    ClockedLoop.time += 43_200 + 10
    with ClockedLoop(path) as loop:
        assert eventually(lambda: loop._storage.base() == 10), "it forgets what was before, too"
        assert eventually(lambda: loop._storage.counts()["events"] == 5)
        assert loop.rank({}, ["a", "b"]).version == 16
        assert (loop.status().error, loop.policy) == (None, "lin-ucb")
        assert None in dict(loop.verify()).values(), "the model of version 10 is lost"
