"""`hybandit evaluate`, in this process."""

import csv

import numpy as np
import pandas as pd
import pytest
from messy import log_frame, written

import hybandit
from hybandit.datasets import find_dataset

LOG = ("--arm", "action", "--reward", "clicked")
QUICK = (*LOG, "--propensity", "propensity", "--policies", "lin-ucb,ucb")
FIXED_POINTS = {"0.01": 584, "0.1": 567, "1": 424, "10": 98}
NEWS = (
    "--policies", ",".join(f"lin-ucb:alpha={alpha},ties=first" for alpha in FIXED_POINTS),
    "--estimators", "replay", "--matches", "800", "--scaling", "raw",
)  # fmt: skip


def rows(done, name="evaluate"):
    assert done.code == 0, done.err
    with (done.folder / f"{name}.csv").open() as file:
        return list(csv.DictReader(file))


def clicks(done):
    """Of each alpha, value times matches."""
    events = {row["policy"]: float(row["events"]) for row in rows(done, "evaluate-details")}
    found = {row["policy"]: float(row["value"]) for row in rows(done)}
    return {
        alpha: round(found[label] * events[label], 6)
        for alpha in FIXED_POINTS
        for label in found
        if f"alpha={alpha}," in label
    }


@pytest.mark.slow
def test_the_news_fixed_points_of_the_catalogue_and_of_a_file(command, tmp_path, data_folder):
    assert clicks(command("evaluate", "news", *NEWS)) == FIXED_POINTS
    log = find_dataset("news").load()
    columns = {
        f"x_{arm}_{place}": log.features[:, arm, place] for arm in range(10) for place in range(10)
    }
    frame = pd.DataFrame({"shown": log.arms, "clicked": log.rewards, **columns})
    path = written(tmp_path, frame)
    columns = ("--arm", "shown", "--reward", "clicked", "--arm-features", "x_")
    assert clicks(command("evaluate", path, *columns, *NEWS)) == FIXED_POINTS


def test_the_report_says_who_won_what_value_means_and_no_regret(drawing_command, tmp_path):
    done = drawing_command("evaluate", written(tmp_path, log_frame()), *QUICK)
    assert {row["estimator"] for row in rows(done)[:-1]} == {"ips", "snips", "doubly-robust"}
    for text in (done.out, (done.folder / "report.html").read_text()):
        flat = " ".join(text.split())
        assert "by doubly-robust. " in flat
        assert "per event" in flat
        assert "is its mean reward per event" in flat
        assert "--learn matched is more cautious" in flat
        assert "learn all" in flat
        assert "regret" not in flat.replace("There is no regret", "")
    assert (done.folder / "value-curves.png").read_bytes().startswith(b"\x89PNG")


def test_what_was_evaluated_is_kept_and_its_report_needs_only_the_store(command, tmp_path):
    path = written(tmp_path, log_frame())
    done = command("evaluate", path, *QUICK)
    before = rows(done)
    path.unlink()
    again = command("report", "hybandit-results/results.sqlite", "--out", "again")
    assert again.code == 0, again.err
    with (tmp_path / "again" / "evaluate.csv").open() as file:
        assert list(csv.DictReader(file)) == before


def test_without_propensities_they_are_estimated_and_that_is_said_loudly(command, tmp_path):
    frame = log_frame().drop(columns="propensity")
    options = (*LOG, "--policies", "lin-ucb", "--estimators", "snips,replay")
    done = command("evaluate", written(tmp_path, frame), *options)
    assert "Watch out: the log has no propensities: they were ESTIMATED" in done.out
    assert "ESTIMATED" in (done.folder / "report.md").read_text()
    assert {row["learned from"] for row in rows(done, "evaluate-details")} == {
        "all", "matched", "-",
    }  # fmt: skip


@pytest.mark.parametrize("bad", [0.0, 1.5, np.nan, -0.1])
def test_bad_propensities_are_counted_and_many_refused(command, tmp_path, bad):
    frame = log_frame()
    frame.loc[:9, "propensity"] = bad
    done = command("evaluate", written(tmp_path, frame), *QUICK)
    assert done.code == 0, done.err
    assert "10 rows set aside" in done.out
    assert len(pd.read_csv(done.folder / "set-aside.csv")) == 10
    frame.loc[:99, "propensity"] = bad
    refused = command("evaluate", written(tmp_path, frame), *QUICK)
    assert refused.code == 1
    assert "100 of the 200 rows" in refused.err


def test_wrong_propensities_are_told(command, tmp_path):
    frame = log_frame(2000).assign(propensity=lambda log: 0.3 + 0.6 * (log["action"] == "tea"))
    done = command("evaluate", written(tmp_path, frame), *QUICK)
    assert "the propensities do not add up for" in done.out


def test_a_column_that_says_the_arm_is_no_feature(command, tmp_path):
    codes = {"tea": 1, "beer": 2, "wine": 3}
    frame = log_frame().assign(code=lambda log: log["action"].map(codes))
    done = command("evaluate", written(tmp_path, frame), *QUICK)
    assert "says the arm in other words" in done.out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--arm", "action", "--reward", "town"), "no column 'town'"),
        (("--arm", "action", "--reward", "action"), "must hold numbers (--reward)"),
        (("--arm", "clicked_at", "--reward", "clicked"), "did you mean 'clicked'"),
        (("--reward", "clicked"), "give --arm; there are age"),
        ((*LOG, "--estimators", "snip"), "did you mean 'snips'"),
        ((*LOG, "--learn", "most"), "--learn must be"),
        ((*LOG, "--matches", "8"), "--matches must be left out unless 'replay'"),
        ((*LOG, "--policies", "lnucb"), "did you mean 'lnucb-ta'"),
        ((*LOG, "--propensity", "propensity", "--estimators", "switch"), "without 'switch'"),
    ],
)
def test_mistakes_are_one_clear_line(command, tmp_path, options, message):
    done = command("evaluate", written(tmp_path, log_frame()), *options)
    assert done.code == 1
    assert message in done.err
    assert done.err.count("\n") == 1


def test_tables_and_unknown_logs_are_refused(command):
    assert "hybandit compare" in command("evaluate", "digits").err
    assert "did you mean 'news'" in command("evaluate", "new").err
    assert "there is no file" in command("evaluate", "missing.csv", *LOG).err


@pytest.fixture(scope="module")
def journal(tmp_path_factory):
    """A loop in which tea is best for everybody."""
    file, generator = tmp_path_factory.mktemp("loop") / "drinks.db", np.random.default_rng(0)
    with hybandit.Loop(file, explore=1.0, context_width=4, action_width=4, wait=None) as loop:
        for number in range(400):
            decision = loop.rank({"n": number % 7}, {"beer": {"hot": 0}, "tea": {"hot": 1}})
            chance = 0.9 if decision.action == "tea" else 0.2
            loop.reward(decision.event, float(generator.random() < chance))
    return file


def test_the_journal_of_a_loop_gets_the_same_report(command, journal):
    done = command("evaluate", journal, "--policies", "item-hybrid,item-lin-ucb")
    assert {row["estimator"] for row in rows(done)[:-1]} == {"ips", "snips", "doubly-robust"}
    assert rows(done)[-1]["policy"] == "(the log itself)"
    for text in (done.out, (done.folder / "report.html").read_text()):
        flat = " ".join(text.split())
        assert "per event" in flat
        assert "This speaks for a switch to item-" in flat
    assert (done.folder / "value-curves.png").read_bytes().startswith(b"\x89PNG")
    again = command("report", "hybandit-results/results.sqlite", "--out", "again")
    assert again.code == 0, again.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--arm", "action"), "--arm must be left out: it is for files"),
    ],
)
def test_what_is_not_for_a_loop_is_one_clear_line(command, journal, options, message):
    done = command("evaluate", journal, *options)
    assert (done.code, done.err.count("\n")) == (1, 1)
    assert message in done.err


def test_a_loop_that_only_watched_cannot_judge_others(command, tmp_path):
    with hybandit.Loop(tmp_path / "shop.db", mode="apprentice", context_width=4, wait=None) as loop:
        for number in range(120):
            decision = loop.rank({"n": number % 7}, {"beer": {"hot": 0}, "tea": {"hot": 1}})
            loop.reward(decision.event, float(number % 3 == 0))
    done = command("evaluate", tmp_path / "shop.db", "--policies", "item-hybrid")
    assert done.code == 0, done.err
    assert done.out.startswith("The log cannot judge other choices: by its propensities hardly")


def test_a_loop_without_closed_events_is_refused(command, tmp_path):
    with hybandit.Loop(tmp_path / "empty.db", wait=None):
        pass
    assert "--log" not in command("evaluate", tmp_path / "empty.db").err
    assert "a loop with closed events" in command("evaluate", tmp_path / "empty.db").err
