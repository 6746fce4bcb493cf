"""Files as people have them, through the commands; `datasets/test_messy.py` reads all twenty."""

import csv

import pandas as pd
import pytest
from messy import COUNT, GENERATOR, broken, log_frame, people, written

LABEL = ("--label", "bought")
LOG = ("--arm", "action", "--reward", "clicked", "--propensity", "propensity")


@pytest.fixture
def compared(command):
    def call(path, *options, policies="lin-ucb,ucb"):
        return command("compare", "--data", path, "--policies", policies, "--runs", "1", *options)

    return call


def regrets(done):
    with (done.folder / "compare.csv").open() as file:
        return {row["policy"]: float(row["regret mean"]) for row in csv.DictReader(file)}


def values(done):
    with (done.folder / "evaluate.csv").open() as file:
        rows = list(csv.DictReader(file))
    return {(row["policy"], row["estimator"]): float(row["value"]) for row in rows}


def assert_right(done, rows=COUNT):
    """Age tells who buys: linear policies find out, UCB cannot."""
    assert (done.code, done.err.count("Traceback")) == (0, 0), done.err
    assert f"of {rows:,} rows used" in done.out
    found = regrets(done)
    assert found["lin-ucb"] < 0.2 * rows < 0.3 * rows < found["ucb"]


def assert_refused(done, *words):
    assert done.code == 1
    assert done.err.startswith("hybandit: ")
    assert done.err.count("\n") == 1
    for word in words:
        assert word in done.err
    assert not done.folder.exists()


def test_01_one_class(compared, tmp_path):
    path = written(tmp_path, people().assign(bought="yes"))
    assert_refused(compared(path, *LABEL), "one class only, 'yes'", "--label")


def test_02_a_label_of_real_numbers(compared, tmp_path):
    path = written(tmp_path, people().assign(bought=GENERATOR.normal(size=COUNT)))
    assert_refused(compared(path, *LABEL), "real numbers", "--label; there are age, town")


def test_03b_no_label_at_all(compared, tmp_path):
    done = compared(written(tmp_path, people()))
    assert_refused(done, "--label; there are", "bought (2 classes), town (3 classes)")


FIRST = ["bought", "age", "town"]
FORMS = {
    "03, the label first": (people()[FIRST], {}, []),
    "07, semicolons": (people(), {"sep": ";"}, ["--sep", ";"]),
    "08, tabs": (people(), {"sep": "\t"}, ["--sep", "tab"]),
    "09, latin-1": (people(), {"encoding": "latin-1"}, ["--file-encoding", "latin-1"]),
    "10, a byte order mark": (people()[FIRST], {"encoding": "utf-8-sig"}, []),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_table_is_read_whether_its_form_is_told_or_not(compared, tmp_path, form):
    frame, how, told = FORMS[form]
    path = written(tmp_path, frame, **how)
    done = compared(path, *LABEL)
    assert_right(done)
    assert ("latin-1" in done.out) == ("latin" in form)
    if told:
        assert_right(compared(path, *LABEL, *told))


def test_13_five_per_cent_broken_rows(compared, tmp_path):
    done = compared(broken(written(tmp_path, people()), 0.05), *LABEL)
    assert_right(done)
    assert "10 rows set aside" in done.out
    listed = pd.read_csv(done.folder / "set-aside.csv")
    assert listed["line"].tolist() == list(range(2, 12))
    assert "10 rows set aside" in (done.folder / "report.html").read_text()


def test_18_a_log_given_as_a_table(compared, tmp_path):
    path = written(tmp_path, log_frame())
    assert_refused(compared(path), "looks like a log of decisions", "'hybandit evaluate'")
    assert_refused(compared(path, "--label", "propensity"), "one class only", "hybandit evaluate")


def test_20_arms_that_are_words_in_parquet(command, tmp_path):
    pytest.importorskip("pyarrow")
    frame = log_frame(2000).assign(clicked=lambda rows: (rows["action"] == "tea").astype(int))
    frame.to_parquet(tmp_path / "log.parquet")
    done = command("evaluate", "log.parquet", *LOG, "--policies", "ucb")
    assert done.code == 0, done.err
    assert "3 arms: beer, tea, wine" in done.out
    # Tea always pays and the others never: a third of the log did, and UCB nearly always would.
    assert values(done)["(the log itself)", "its mean reward"] == pytest.approx(
        frame["clicked"].mean()
    )
    assert values(done)["ucb", "snips"] > 0.9


def test_a_kind_can_be_overruled(compared, tmp_path):
    done = compared(written(tmp_path, people()), *LABEL, "--kind", "age=category", "--drop", "town")
    assert done.code == 0
    lines = {line.split()[0]: line for line in done.out.splitlines() if line.strip()}
    assert "category" in lines["age"]
    assert "dropped" in lines["town"]
    refused = compared(written(tmp_path, people()), *LABEL, "--kind", "age")
    assert "--kind must be written column=kind" in refused.err


def test_a_file_without_its_option_is_told_the_option(command):
    done = command("compare", "visits.csv", "--label", "bought")
    assert done.code == 2
    assert "hybandit compare --data visits.csv" in done.err
