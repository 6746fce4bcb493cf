import csv
import json
import re
import sqlite3
import time
from datetime import timedelta

import pytest
from evaluation.test_item_stream import written
from typer.testing import CliRunner

import hybandit
from hybandit.cli import app
from hybandit.cli.loop import is_loop
from hybandit.errors import InvalidInput, StoreError
from hybandit.loop.overview import Overview, chart, existing


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("loop") / "loop.db"
    with hybandit.Loop(path, wait=None) as loop:
        for number in range(30):
            d = loop.rank({"n": number % 3}, {"a": {"x": 1}, "b": None}, event=f"e{number}")
            loop.reward(d.event, float(number % 2))
        loop.rank({}, ["a", "b"], event="open")
    return str(path)


def run(*arguments):
    found = CliRunner().invoke(app, ["loop", *arguments])
    if found.exception and not isinstance(found.exception, SystemExit):
        raise found.exception
    return found


def test_status_shows_counts_and_a_curve(file):
    told = run(file).output
    line = r"\n *a +\d+ +\d+\.\d% +0\.\d+ ± 0\.\d+ +\d+ +\d+ +\d+ (s|min) +\d+ (s|min)"
    assert re.search(line, told), "no line for an action"
    assert told.index("pending") < told.index("waiting for a reward") < told.index("▁▁▁")
    assert re.search(r"waiting for a reward +1 ", told)
    assert "Cannot tell yet whether the loop is better than the baseline" in " ".join(told.split())
    assert "model version" not in told
    more = run(file, "--more").output
    assert "30, 0 of them after the first" in more
    assert re.search(r"model version +30 ", more)
    assert "Mean reward, from the first closed event to the last" in told
    assert max(map(len, told.splitlines())) <= 80


def test_what_should_be_known_comes_first(tmp_path):
    place = str(tmp_path / "loop.db")
    with hybandit.Loop(place, wait=timedelta(seconds=0.005), learn=False) as loop:
        loop.rank({}, ["a", "b"], event="e")
        time.sleep(0.01)
        loop.reward("e", 1.0)
    told = run(place).output
    assert told.startswith("100.0% of the rewards came after their window of 0.1 s and")
    lines = {" ".join(line.split()) for line in told.splitlines()}
    assert {"still in their window 0", "window over, closed when a learner comes by 1"} <= lines
    document = json.loads(run(place, "--json").output)
    assert (document["overdue"], document["waiting"]) == (1, 1)
    assert document["actions"][0]["pending"] == 1
    assert document["actions"][0]["reward"] is None


def test_one_reward_has_no_interval_and_is_too_early_to_tell(tmp_path):
    place = str(tmp_path / "loop.db")
    with hybandit.Loop(place, wait=None) as loop:
        loop.reward(loop.rank({}, ["a", "b"]).event, 1.0)
    told = run(place).output
    assert next(line for line in told.splitlines() if "mean reward" in line).split()[-1] == "1.0000"
    sentence = (
        "Cannot tell yet whether the loop is better than the baseline: no event is closed in "
        "which there was a choice."
    )
    assert sentence in " ".join(told.split())
    assert json.loads(run(place, "--json").output)["verdict"] == sentence


def test_rewards_that_were_not_learned_are_named_for_what_they_are(tmp_path):
    told = {}
    for name, wait in (("first", None), ("window", timedelta(microseconds=1))):
        place = str(tmp_path / f"{name}.db")
        with hybandit.Loop(place, wait=wait) as loop:
            loop.rank({}, ["a", "b"], event="e")
            time.sleep(0.01)
            loop.reward("e", 1.0)
            loop.reward("e", 2.0)
        told[name] = run(place, "--more").output + run(place, "explain", "e").output
    assert "2, 1 of them after the first" in told["first"]
    assert "1, 2 (after the first)" in told["first"]
    assert "2, 2 of them too late" in told["window"]
    assert "1 (too late), 2 (too late)" in told["window"]
    assert "still in their window" in told["window"]


def test_status_tells_what_keeps_the_loop_from_learning(tmp_path, monkeypatch):
    place = str(tmp_path / "loop.db")
    with hybandit.Loop(place, wait=None, learn=False) as loop:
        event = loop.rank({}, ["a", "b"]).event
        loop.reward(event, 1.0)
    assert "learning has stopped" not in run(place).output
    assert json.loads(run(place, "--json").output)["error"] is None

    def fails(model, entry):
        raise ValueError("no number")

    monkeypatch.setattr("hybandit.loop.learning.model.LoopModel.learn", fails)
    expected = r"cannot learn entry 1: ValueError: no number \(test_loop.py, line \d+\)"
    told = " ".join(run(place, "--more").output.split())
    assert re.match(f"learning has stopped: {expected}\\. ", told), "it is not the first note"
    assert "closed events 1, 0 of them learned" in told
    assert "model version 0, stopped 1 entries before the newest" in told
    with existing(place) as loop:
        found = Overview.of(loop).document
    assert re.fullmatch(expected, found["error"])
    assert [found["version"], found["here"], found["closed"], found["learned"]] == [1, 0, 1, 0]


def test_explain(file):
    assert "learned in version 4" in run(file, "explain", "e3").output
    assert "no reward yet" in run(file, "explain", "open").output
    with pytest.raises(InvalidInput, match="nobody"):
        run(file, "explain", "nobody")


def test_events_as_csv(file, tmp_path):
    told = run(file, "events").output
    run(file, "events", "--csv", str(tmp_path / "events.csv"))
    rows = list(csv.DictReader((tmp_path / "events.csv").read_text().splitlines()))
    assert [row["event"] for row in rows] == [*(f"e{n}" for n in range(30)), "open"]
    assert rows[0]["context"] == '{"n": 0}'
    assert told.splitlines()[0].startswith("event,at,context")


def test_rollback_export_and_verify(file, tmp_path):
    assert run(file, "verify").output == "version 30: equal bit for bit\n"
    assert "version 31 is equal to version 10" in run(file, "rollback", "10").output
    run(file, "export", str(tmp_path / "now.npz"))
    run(file, "export", str(tmp_path / "then.npz"), "--version", "10")
    with hybandit.Loop(tmp_path / "other.db", wait=None) as other:
        for name in ("now.npz", "then.npz"):
            other.import_model(tmp_path / name)
    found = run(file, "verify")
    assert found.exit_code == 0
    assert found.output.count("equal bit for bit") == 2


def test_switch(file, tmp_path):
    copy = str(tmp_path / "loop.db")
    with sqlite3.connect(file) as source, sqlite3.connect(copy) as target:
        source.backup(target)
    source.close()
    target.close()
    told = run(copy, "switch", "item-lin-ucb:alpha=0.3").output
    assert re.fullmatch(r"from version 3\d on, item-lin-ucb:alpha=0.3 decides\n", told)
    assert re.search(r"policy +item-lin-ucb:alpha=0.3", run(copy, "--more").output)
    assert run(copy, "verify").exit_code == 0
    with pytest.raises(InvalidInput, match="names without features"):
        run(copy, "switch", "ucb")


def test_backup_makes_a_loop_and_overwrites_nothing(file, tmp_path):
    copy = str(tmp_path / "copy.db")
    assert run(file, "backup", copy).exit_code == 0
    assert run(copy, "verify").exit_code == 0
    assert json.loads(run(copy, "--json").output)["events"] == 31
    with pytest.raises(InvalidInput, match="does not exist yet"):
        run(file, "backup", copy)


def test_verify_notices_damage(file, tmp_path):
    broken = tmp_path / "broken.db"
    with sqlite3.connect(file) as source, sqlite3.connect(broken) as copy:
        source.backup(copy)
        copy.execute("UPDATE loop_snapshot_parts SET content = x'00' WHERE position = 30")
    source.close()
    copy.close()
    found = run(str(broken), "verify")
    assert found.exit_code == 1
    assert "version 30: DAMAGED" in found.output


def test_a_loop_that_is_not_there_is_not_made(tmp_path):
    with pytest.raises(StoreError, match="there is no loop"):
        run(str(tmp_path / "none.db"))
    assert not list(tmp_path.iterdir())


def test_an_error_is_one_line(command, tmp_path):
    done = command("loop", tmp_path / "none.db")
    assert (done.code, done.err.count("\n")) == (1, 1)


@pytest.mark.parametrize(
    ("values", "bars"),
    [([1.0, 1.0], "▁▁"), ([0.0, 1.0], "▁█"), ([-1.0, 0.0, 1.0], "▁▅█"), ([5.0], "▁")],
)
def test_the_chart_reaches_from_the_least_to_the_largest(values, bars):
    assert chart(values, height=1).endswith(f"|{bars}")


def test_what_is_a_loop(file, tmp_path):
    (tmp_path / "log.csv").write_text("a,b")
    assert is_loop(file)
    assert is_loop("postgresql://host/name")
    assert not is_loop(str(tmp_path / "log.csv"))
    assert not is_loop("news")


def test_train_learns_the_journal(file, tmp_path):
    out = tmp_path / "model.npz"
    found = CliRunner().invoke(app, ["train", file, "-o", str(out)])
    assert found.exit_code == 0, found.exception
    policy = hybandit.load(out)
    assert isinstance(policy, hybandit.ItemHybrid)
    with hybandit.Loop(file, learn=False) as loop:
        log = loop.log()
    twin = hybandit.ItemHybrid(64, 32, seed=0)
    for number, choice in enumerate(log.choices):
        item, name = log.items[number][choice], log.names[number][choice]
        twin.learn(log.contexts[number], item, log.rewards[number], id=name)
    offer = log.contexts[3], log.items[3]
    scores = policy.decide(*offer, ids=log.names[3]).scores
    assert scores.tolist() == twin.decide(*offer, ids=log.names[3]).scores.tolist()
    refused = CliRunner().invoke(app, ["train", file, "-o", str(out), "--policy", "lin-ucb"])
    assert "policies of items" in str(refused.exception)


def test_settings_are_changed_and_what_was_learned_is_reset(tmp_path):
    place = str(tmp_path / "loop.db")
    with hybandit.Loop(place, wait=None) as loop:
        for number in range(3):
            loop.reward(loop.rank({}, ["a", "b"], event=f"e{number}").event, 1.0)
    assert run(place, "set", "explore=0.2", "wait=10 min", "keep=30").output.startswith(
        "changed in"
    )
    with hybandit.Loop(place, learn=False) as loop:
        assert (loop.settings["explore"], loop.settings["wait"]) == (0.2, 600.0)
    assert "version 5 has learned nothing" in run(place, "reset").output
    told = run(place, "explain", "e1").output
    assert "undone by a later version" in told
    for wrong in ("explore", "explore=2", "memory=window(3)", "wait=soon"):
        with pytest.raises(InvalidInput):
            run(place, "set", wrong)


def test_a_new_loop_begins_with_what_an_old_log_knew(command, tmp_path):
    written(tmp_path / "old.dsjson", 60)
    refused = command("loop", "new.db", "learn", "old.dsjson")
    assert refused.code == 1
    assert "must be given when a loop is made" in refused.err
    done = command("loop", "new.db", "learn", "old.dsjson", "--wait", "none")
    assert done.code == 0, done.err
    assert "60 events of old.dsjson learned, version 60" in done.out
    assert "a reward is the negative of a cost" in done.out
    assert command("loop", "new.db", "learn", "old.dsjson").code == 0


def test_what_nobody_has_learned_yet_is_not_called_learned(command, tmp_path, monkeypatch):
    written(tmp_path / "old.dsjson", 600)
    waits = []

    def never(self, version=None, timeout=30.0):
        waits.append(version)
        return version < 600

    monkeypatch.setattr("hybandit.Loop.wait_for", never)
    done = command("loop", "new.db", "learn", "old.dsjson", "--wait", "none")
    assert "600 events of old.dsjson written, but not all learned yet" in done.out
    assert waits == [256, 512, 600]
