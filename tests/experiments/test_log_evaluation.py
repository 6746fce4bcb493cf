import json
import re
from dataclasses import replace

import numpy as np
import pytest
from evaluation.item_logs import known_item_log
from messy import COUNT, log_frame, written
from rich.console import Console
from rich.progress import Progress

from hybandit.errors import DataFileError, InvalidInput, UnknownName
from hybandit.evaluation import Course, Interval, ItemLog, ValueEstimate
from hybandit.experiments import PolicySpec, Run, Store
from hybandit.experiments.engines import make_engine
from hybandit.experiments.experiment import Effort
from hybandit.experiments.log_evaluation import (
    LogEvaluation,
    check_how,
)
from hybandit.experiments.results import value_line
from hybandit.experiments.runner import run_on_log
from hybandit.experiments.verdicts import Standing, advice, unsure, verdict

COLUMNS = {"arm": "action", "reward": "clicked", "propensity": "propensity"}
ONCE = Effort(1)


@pytest.fixture
def evaluation(tmp_path):
    def make(policies="lin-ucb,ucb", options=COLUMNS, frame=None, **how):
        path = written(tmp_path, log_frame() if frame is None else frame)
        return LogEvaluation.of(str(path), policies, options=options, **how)

    return make


def estimate(value, estimator="ips", noise=0.0):
    """Of 200 events; `noise` is how much they differ among themselves."""
    terms = value + noise * np.tile([-1.0, 1.0], COUNT // 2)
    course = Course.of(terms, np.ones(COUNT))
    around = Interval(value - 0.1, value + 0.1)
    return ValueEstimate(estimator, value, around, around, 90.0, 3.0, COUNT, course)


def finished(asked, values, notes=()):
    """A run of each policy, with these values by every estimator; of the others a real one."""
    from dataclasses import asdict

    tasks = asked.tasks(ONCE)
    added = [task for task in tasks if asked.added(task.policy)]
    runs = asked.task.run_all([task.policy for task in added], 0)
    results = {task.key: run for task, run in zip(added, runs, strict=True)}
    named = [task for task in tasks if task not in added]
    for task, value in zip(named, values, strict=True):
        each = [estimate(value, name) for name in asked.environment.settings["estimators"]]
        extra = {"estimates": [asdict(one) for one in each], "notes": list(notes)}
        results[task.key] = Run(
            COUNT, value * COUNT, None, 1.0, extra=json.loads(json.dumps(extra))
        )
    return asked.section(asked.findings(ONCE, results))


def test_the_best_by_the_steadiest_estimator_stands_first(evaluation):
    section = finished(evaluation(), [0.25, 0.75])
    assert "ucb would have earned 0.7500 per event [0.6500, 0.8500] by" in section.verdict
    assert "doubly-robust" in section.verdict
    assert "than lin-ucb, the next." in section.verdict
    assert "no regret" in section.tables[0].note
    values = section.tables[0].rows
    assert [row[:2] for row in values[:3]] == [
        ["ucb", "ips"], ["ucb", "snips"], ["ucb", "doubly-robust"],
    ]  # fmt: skip
    assert values[-1][:2] == ["(the log itself)", "its mean reward"]
    lines = [line.label for line in section.figures[0].panels["data.csv, doubly-robust"]]
    assert lines[0] == "ucb"
    assert lines[-1] == "lin-ucb"
    assert [line.startswith("always:") for line in lines] == [False, True, False]
    assert section.details[0].name == "evaluate-details"
    assert section.details[1].title == "What was read from data.csv"


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ({}, "all of the log's earlier choices, .*; learn='matched' is more cautious"),
        ({"learn": "matched"}, "learning only from the earlier events where it made the same"),
        ({"learn": "nothing"}, "instead of the log without ever learning anything"),
        ({"estimators": ["replay"]}, "only from the earlier events where it made the same choice"),
    ],
)
def test_the_verdict_says_in_its_last_sentence_what_policies_learned_from(evaluation, how, told):
    first, second = finished(evaluation(**how), [0.25, 0.75]).verdict.split(" The value of ")
    ending = "best constant choice. Whether a switch pays is open: more events will tell."
    assert first.endswith(ending)
    assert re.search(told, second)
    assert second.count(". ") == 0


def test_a_note_names_the_policies_that_it_is_about_unless_it_is_about_all(evaluation):
    assert finished(evaluation(), [0.2, 0.1], ["few events"]).watch == ["few events"]
    asked = evaluation()
    section = finished(asked, [0.2, 0.1])
    assert section.watch == []
    drifting = log_frame().assign(clicked=lambda log: (log.index > 100).astype(int))
    (note,) = finished(evaluation(frame=drifting), [0.2, 0.1]).watch
    assert note.startswith("the log changes: its mean reward is 0 ")


def test_the_report_says_which_interval_to_decide_by_and_what_the_sure_one_assumes(evaluation):
    note = finished(evaluation(), [0.2, 0.1]).details[0].note
    assert note.startswith("Decide by the 95 % interval of the first table where the sample is 100")
    assert note.endswith("cut to 0 to 1, where all rewards lie, but not beyond the value.")
    sums = log_frame().assign(clicked=lambda log: 37 * log["clicked"])
    note = finished(evaluation(frame=sums), [0.2, 0.1]).details[0].note
    assert note.endswith("and no reward beyond its own, 0 to 37.")


def test_without_a_finished_run_it_says_so(evaluation):
    asked = evaluation()
    section = asked.section(asked.findings(ONCE, {}))
    assert "No policy has been evaluated yet" in section.about


def test_the_verdict_says_how_sure_it_is():
    logged = estimate(0.5, noise=0.4)
    sure = verdict(Standing({"a": estimate(0.9)}, {}, logged))
    assert "That is 0.4000 more" in sure
    assert "] than the log's own choices (0.5000)." in sure
    assert "chance" not in sure
    noisy = {"a": estimate(0.51, noise=0.4), "b": estimate(0.5, noise=0.1)}
    assert "may be chance] than b, the next." in verdict(Standing(noisy, {}, logged))
    assert "0.1000 less" in verdict(Standing({"a": estimate(0.4)}, {}, logged))


def test_the_verdict_says_what_choosing_by_context_adds():
    logged, constant = estimate(0.5, noise=0.4), {"always:gold": estimate(0.6, noise=0.1)}
    better = verdict(Standing({"a": estimate(0.9)}, constant, logged))
    assert "It would have earned 0.3000 more [0.2" in better
    assert better.endswith("] than always:gold, the best constant choice.")
    worse = Standing({"a": estimate(0.55)}, constant, logged)
    assert "It would have earned 0.0500 less [" in verdict(worse)
    told = "Nothing speaks for a switch to a: always:gold is simpler and better."
    assert advice(worse) == told
    alone = verdict(Standing(constant, constant, logged))
    assert "constant" not in alone


def test_it_says_whether_to_switch():
    logged, sample = estimate(0.5, noise=0.4), {"effective_sample_size": 150.0}
    sure = {"a": replace(estimate(0.9), **sample), "b": estimate(0.5)}
    assert advice(Standing(sure, {}, logged)) == "This speaks for a switch to a."
    for open_one in (estimate(0.9), replace(estimate(0.51, noise=-0.4), **sample)):
        assert advice(Standing({"a": open_one}, {}, logged)).startswith(
            "Whether a switch pays is open"
        )
    for no_better in (estimate(0.4), estimate(0.5)):
        assert advice(Standing({"a": no_better}, {}, logged)) == "Nothing speaks for a switch."


def test_a_winner_that_stands_on_few_events_is_said_to_beunsure():
    few = replace(estimate(0.9), effective_sample_size=20.0)
    assert "too little" in unsure({"a": few, "b": estimate(0.5)})
    assert unsure({"a": replace(few, effective_sample_size=200.0), "b": few}) == ""


def test_a_log_of_certain_choices_ranks_no_policy(evaluation):
    section = finished(evaluation(frame=log_frame().assign(propensity=1.0)), [0.25, 0.75])
    assert section.verdict.startswith(
        "The log cannot judge other choices: by its propensities hardly any choice was left to "
        "chance. Its own choices earned 0."
    )
    assert section.verdict.count(". ") == 1
    assert "ucb" not in section.verdict
    table = section.tables[0]
    assert [row[0] for row in table.rows[:6:3]] == ["lin-ucb", "ucb"]
    assert table.title.startswith("Guesses of")
    assert table.best is None


def test_a_log_whose_arms_can_be_foretold_ranks_no_policy(evaluation):
    def by_rule(log):
        return np.where((log["age"] > 30) & (log["age"] < 60), "tea", "beer")

    frame = log_frame(1000).assign(action=by_rule).drop(columns="propensity")
    options = {"arm": "action", "reward": "clicked"}
    section = finished(evaluation(frame=frame, options=options), [0.25, 0.75])
    assert re.match(
        r"The log cannot judge other choices: (99|100)\.\d% of its arms can be foretold from the "
        r"other columns \(if one .* leave it out by drop=\.\.\.\)\. Its own choices",
        section.verdict,
    )


def test_a_column_that_repeats_the_arm_may_have_decided_it(evaluation):
    towns = {"tea": "Ulm", "beer": "Bonn", "wine": "Kiel"}
    frame = log_frame().assign(town=lambda log: log["action"].map(towns))
    options = {"arm": "action", "reward": "clicked", "drop": ["propensity"]}
    start = (
        "If 'town' decided the arm instead of repeating it, the log cannot judge other choices; if "
        "not, the log says too little about this policy to be sure: ucb would have"
    )
    assert finished(evaluation(frame=frame, options=options), [0.2, 0.7]).verdict.startswith(start)
    assert "decided the arm" not in finished(evaluation(frame=frame), [0.2, 0.7]).verdict
    dropped = options | {"drop": ["propensity", "town"]}
    found = finished(evaluation(frame=frame, options=dropped), [0.2, 0.7])
    assert "decided the arm" not in found.verdict


@pytest.mark.parametrize(
    ("how", "error", "told"),
    [
        ({"estimators": ["snip"]}, UnknownName, "did you mean 'snips'"),
        ({"learn": "most"}, InvalidInput, "'learn' must be 'all' or"),
        ({"matches": 8}, InvalidInput, "left out unless 'replay'"),
        ({"estimators": ["switch"]}, InvalidInput, "needs every arm's propensity"),
        ({"policies": "item-hybrid"}, InvalidInput, "one that chooses arms"),
        ({"options": {"arm": "action"}}, DataFileError, "give reward=...; there are"),
    ],
)
def test_what_could_only_fail_later_is_refused_at_once(evaluation, how, error, told):
    with pytest.raises(error, match=told):
        evaluation(**how)


def test_a_missing_file_is_told_before_what_its_policies_are():
    with pytest.raises(DataFileError, match=r"nowhere\.csv"):
        LogEvaluation.of("nowhere.csv", "item-hybrid", options={"arm": "a", "reward": "b"})


def test_options_of_files_are_not_for_logs_by_name():
    with pytest.raises(InvalidInput, match="'arm' must be left out: it is for files"):
        LogEvaluation.of("news", "ucb", options={"arm": "action"})


def test_how_a_log_is_walked_is_checked():
    check_how(["replay", "ips"], "all", 800)
    with pytest.raises(UnknownName, match="no estimator"):
        check_how(["ips", "dr"], "all", None)


def test_a_curve_is_the_value_so_far_from_a_tenth_of_the_log_on():
    course = Course((10, 100, 500, 1000), (9.0, 30.0, 60.0, 100.0), (5.0, 0.0, 240.0, 500.0))
    line = value_line(PolicySpec("ucb"), replace(estimate(0.5), course=course))
    assert (line.x, line.y) == ([500, 1000], [0.25, 0.2])
    whole = Course((99, 100, 1000), (9.0, 30.0, 50.0), (30.0, 60.0, 500.0))
    found = replace(estimate(0.5), course=whole)
    assert value_line(PolicySpec("ucb"), found).x == [100, 1000]


def test_a_log_of_items_is_judged_like_one_of_arms():
    items = known_item_log(200, seed=0)
    asked = LogEvaluation.of("shop/articles.db", "item-lin-ucb,item-hybrid", items=items)
    assert asked.title == "Policies judged by the log articles.db"
    section = finished(asked, [0.25, 0.75])
    assert "item-hybrid would have earned 0.7500" in section.verdict
    assert "than item-lin-ucb, the next. It would have earned " in section.verdict
    assert section.tables[0].rows[-1][2] == pytest.approx(items.rewards.mean())
    again = LogEvaluation.of("elsewhere.db", "item-lin-ucb", items=known_item_log(200, seed=0))
    assert again.tasks(ONCE)[0].key == asked.tasks(ONCE)[0].key
    read = LogEvaluation.read(json.loads(json.dumps(asked.written())))
    assert [task.key for task in read.tasks(ONCE)] == [task.key for task in asked.tasks(ONCE)]


def test_a_log_of_items_takes_policies_of_items_and_no_options_of_files():
    items = known_item_log(50, seed=0)
    with pytest.raises(InvalidInput, match=r"policies of items, such as item-hybrid, .*'lin-ucb'"):
        LogEvaluation.of("articles.db", "lin-ucb", items=items)
    with pytest.raises(InvalidInput, match="'arm' must be left out: it is for files"):
        LogEvaluation.of("articles.db", items=items, options={"arm": "shown"})
    with pytest.raises(InvalidInput, match="'rewards' must be finite numbers"):
        LogEvaluation.of("articles.db", items=replace(items, rewards=np.full(50, np.nan)))


def test_a_loop_that_always_offers_the_same_actions_is_judged_with_policies_of_arms_too():
    generator = np.random.default_rng(0)
    choices = generator.integers(0, 2, 300)
    names = [("tea", "beer"), ("beer", "tea")] * 150
    paid = np.array(
        [float(offer[choice] == "tea") for offer, choice in zip(names, choices, strict=True)]
    )
    items = ItemLog(
        np.ones((300, 2)), [np.ones((2, 1))] * 300, names, choices, paid,
        [np.full(2, 0.5)] * 300,
    )  # fmt: skip
    asked = LogEvaluation.of("drinks.db", items=items)
    assert {"item-hybrid", "lin-ucb"} <= {policy.name for policy in asked.policies}
    quick = LogEvaluation.of("drinks.db", "item-lin-ucb,lin-ucb,ucb", items=items)
    runs = quick.task.run_all(quick.policies, 0)
    values = {
        policy.label: run.reward / run.rounds
        for policy, run in zip(quick.policies, runs, strict=True)
    }
    assert values["always:tea"] == pytest.approx(1.0, abs=0.2)
    assert values["lin-ucb"] > 0.8
    assert values["ucb"] > 0.8
    arms = items.of_arms()
    assert arms.names == ("beer", "tea")
    assert arms.rewards[arms.arms == 1].mean() == 1.0
    other = replace(items, names=[("tea", "milk"), *names[1:]])
    assert other.of_arms() is None


@pytest.mark.filterwarnings("ignore")
@pytest.mark.slow
@pytest.mark.parametrize("name", ["local", "ray"])
def test_two_workers_give_the_same_digits_as_one_process(evaluation, tmp_path, name):
    if name == "ray":
        pytest.importorskip("ray", reason="the extra 'ray' is not installed")
    frame = log_frame(1500).drop(columns="propensity")
    asked = evaluation(options={"arm": "action", "reward": "clicked"}, frame=frame, learn_every=7)
    tasks = asked.tasks(ONCE)
    done = []
    for number, engine in enumerate([None, make_engine(name, 2)]):
        store = Store(tmp_path / f"{number}.sqlite")
        runs = run_on_log(tasks, store, events=1500, engine=engine, console=Console(quiet=True))
        done.append({key: run.extra for key, run in runs.items()})
    for key, found in done[0].items():
        assert found == done[1][key]
    assert len(done[0]) == len(tasks) == 2 + 3 + 1


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("workers", [1, 2])
def test_progress_ends_where_all_is_done(evaluation, tmp_path, monkeypatch, workers):
    """Policies that share a way through the log count once; replay is a way of its own."""
    bars = Progress(disable=True)
    monkeypatch.setattr("hybandit.experiments.runner.progress", lambda _: bars)
    asked = evaluation("ucb", frame=log_frame(1500), estimators=("ips", "replay"))
    engine = make_engine("local", workers) if workers > 1 else None
    run_on_log(asked.tasks(ONCE), Store(tmp_path / "r.sqlite"), events=1500, engine=engine)
    (bar,) = bars.tasks
    assert bar.completed == bar.total == 1500 * 2 * 2
