"""Arguments of wrong kinds: refused by name, before anything is read."""

import datetime
import decimal

import numpy as np
import pandas as pd
import pytest

import hybandit
from hybandit import evaluation
from hybandit.datasets import EventLog, read_labelled, read_log
from hybandit.errors import InvalidInput


class Hostile:
    """Raises an error of its own at every touch."""

    def fail(self, *_):
        raise RuntimeError("do not touch")

    __eq__ = __bool__ = __hash__ = __iter__ = __len__ = __float__ = __repr__ = fail


NO_NUMBERS = [
    "10", b"10", True, np.True_, [3], (3,), {}, np.array(3), np.array([3]), pd.Series([3]), 1j,
    float("nan"), decimal.Decimal(3), datetime.timedelta(1), np.timedelta64(3, "s"), pd.NA,
    Hostile(),
]  # fmt: skip
NO_COUNTS = [*NO_NUMBERS, -1, 2.5, float("inf")]
NO_TEXTS = [
    5, 2.5, True, b"age", ["age"], ("age",), {"age": 1}, {"age"}, np.array("age"), str, pd.NaT,
    np.array(["age"]), pd.Series(["age"]), pd.DataFrame({"age": [1]}), float("nan"), Hostile(),
]  # fmt: skip
NO_COLUMNS = [*NO_TEXTS, ""]
NO_LISTS = [None, 5, "age", b"age", {"age": 1}, [5], [None], [["age"]], np.array("age"), Hostile()]
NO_DICTS = ["age", 5, ["age"], [("age", "number")], {5: "number"}, {"age": 5}, {"age": None}]
NO_SOURCES = [None, 5, b"a.csv", ["a.csv"], np.array("a.csv"), pd.Series([1]), {}, Hostile()]
NO_SIGNS = [*NO_TEXTS, "", ",,"]
HOW = {
    "separator": NO_SIGNS,
    "file_encoding": NO_COLUMNS,
    "drop": NO_LISTS,
    "kinds": [*NO_DICTS, Hostile()],
}
COMPARED = {
    "data": NO_SOURCES,
    "label": NO_COLUMNS,
    "policies": [None, 5, b"ucb", [5], [], np.array("ucb"), {"ucb": 1}, Hostile()],
    "runs": [None, 0, 10**400, *NO_COUNTS],
    "seed": [None, *NO_COUNTS],
    "rounds": [0, 10**400, *NO_COUNTS],
    "encoding": [None, *NO_TEXTS],
    **HOW,
}
COLUMNS = {
    "arm": NO_COLUMNS,
    "reward": NO_COLUMNS,
    "propensity": NO_COLUMNS,
    "arm_features": NO_COLUMNS,
    "scaling": [None, "most", *NO_TEXTS],
    **HOW,
}
EVALUATED = {
    **COLUMNS,
    "log": NO_SOURCES,
    "policies": COMPARED["policies"],
    "estimators": [None, 5, b"ips", [], [5], {"ips": 1}, np.array("ips"), Hostile()],
    "learn": [None, "most", *NO_TEXTS],
    "matches": [0, *NO_COUNTS],
    "seed": [None, *NO_COUNTS],
}


def shown(value):
    try:
        return repr(value)[:30]
    except RuntimeError:
        return "hostile"


def each_of(wrong):
    return pytest.mark.parametrize(
        ("parameter", "value"),
        [
            pytest.param(parameter, value, id=f"{parameter}-{shown(value)}")
            for parameter, values in wrong.items()
            for value in values
        ],
    )


def assert_refused(call, parameter, value):
    with pytest.raises(InvalidInput, match=f"^'{parameter}' must be .*; got ") as told:
        call(**{parameter: value})
    assert told.value.parameter == parameter


@each_of(COMPARED)
def test_compare_refuses_it_before_it_reads(parameter, value):
    given = {"data": "missing.csv", "label": "old", "policies": "ucb"}
    assert_refused(lambda **wrong: hybandit.compare(**given | wrong), parameter, value)


@each_of(EVALUATED)
def test_evaluate_refuses_it_before_it_reads(parameter, value):
    given = {"log": "missing.csv", "policies": "ucb", "estimators": ["replay"]}
    assert_refused(lambda **wrong: hybandit.evaluate(**given | wrong), parameter, value)


@each_of({"label": NO_COLUMNS, "source": NO_SOURCES, **HOW})
def test_a_reader_of_tables_refuses_it(parameter, value):
    given = {"source": "missing.csv"}
    assert_refused(lambda **wrong: read_labelled(**given | wrong), parameter, value)


@each_of({"source": NO_SOURCES, **COLUMNS})
def test_a_reader_of_logs_refuses_it(parameter, value):
    given = {"source": "missing.csv"}
    assert_refused(lambda **wrong: read_log(**given | wrong), parameter, value)


@pytest.mark.parametrize("name", ["data", "log"])
def test_data_sets_by_name_take_no_options_of_wrong_kinds_either(name):
    call = hybandit.compare if name == "data" else hybandit.evaluate
    for parameter in HOW:
        assert_refused(
            lambda **wrong: call(**{name: "digits"}, policies="ucb", **wrong),
            parameter,
            np.array([1, 2]),
        )


ARMS = np.random.default_rng(0).integers(0, 2, 60)
LOG = EventLog(ARMS, ARMS * 1.0, np.ones((60, 2)), np.full(60, 0.5))
NO_OBJECTS = [5, "x", [], Hostile()]


@each_of(
    {
        "policy": [None, "ucb", hybandit.UCB, hybandit.ItemHybrid(2, 2), *NO_OBJECTS],
        "log": [None, pd.DataFrame({"arm": [1]}), *NO_OBJECTS],
        "by": [None, 5, "ips", [], [5], {"ips": 1}, np.array("ips"), Hostile()],
        "learn": [None, "most", *NO_TEXTS],
        "matches": [0, *NO_COUNTS],
        "model": NO_OBJECTS,
        "threshold": [None, 0, -1, *NO_NUMBERS],
        "intervals": [None, 0.95, *NO_OBJECTS],
        "tick": NO_OBJECTS,
    }
)
def test_one_policy_is_not_evaluated_by_it(parameter, value):
    policy = hybandit.LinUCB(2, 2, seed=0)
    given = {"policy": policy, "log": LOG, "by": ["replay" if parameter == "matches" else "ips"]}
    assert_refused(lambda **wrong: evaluation.evaluate(**given | wrong), parameter, value)
    assert policy.statistics.counts.sum() == 0


@each_of(
    {
        "rewards": [None, 5, "x", {}, [1.0, "x"], [1.0, [2.0]], [1.0, 10**400], Hostile()],
        "propensities": [None, 5, "x", {}, [1.0, "x"], [1.0, [2.0]], Hostile()],
        "target": [None, 5, "x", {}, [1.0, "x"], [1.0, [2.0]], Hostile()],
        "threshold": [None, 0, -1, *NO_NUMBERS],
        "intervals": [None, 0.95, *NO_OBJECTS],
    }
)
def test_an_estimator_refuses_it(parameter, value):
    given = {"rewards": [1.0, 0.0], "propensities": [0.5, 0.5], "target": [1.0, 0.5]}
    assert_refused(lambda **wrong: evaluation.clipped(**given | wrong), parameter, value)


@each_of(
    {
        "confidence": [None, 0, 1, *NO_NUMBERS],
        "reward_range": [5, "01", (0, "1"), (1, 0), (0, 1, 2), (0, float("nan")), {0: 1, 2: 3}],
        "seed": [None, *NO_COUNTS],
    }
)
def test_intervals_refuse_it(parameter, value):
    assert_refused(evaluation.Intervals, parameter, value)


@each_of(
    {
        "arms": [None, 5, "x", [0, 1], np.array(3), np.ones((2, 2), int), Hostile()],
        "rewards": [None, 5, "x", [0.0, 1.0], np.array(3), np.ones((2, 2)), Hostile()],
        "features": [None, 5, "x", [[0.0], [1.0]], np.array(3), np.ones(2), Hostile()],
        "propensities": [5, "x", [0.5, 0.5], np.array(3), np.ones((2, 2, 2)), Hostile()],
        "names": [None, 5, "ab", ["a", "b"], (1, 2), Hostile()],
    }
)
def test_a_log_is_not_made_of_it(parameter, value):
    given = {"arms": np.array([0, 1]), "rewards": np.ones(2), "features": np.ones((2, 1))}
    assert_refused(lambda **wrong: EventLog(**given | wrong), parameter, value)


@pytest.mark.parametrize("propensities", [None, np.full(60, 0.5)])
@each_of(
    {
        "arms": [np.ones(60), np.full(60, -1)],
        "rewards": [np.full(60, np.nan), np.array(["x"] * 60), np.ones(59)],
        "features": [np.full((60, 2), np.nan), np.full((60, 2), "x"), np.ones((59, 2))],
    }
)
def test_a_log_of_arrays_that_do_not_fit_is_refused(parameter, value, propensities):
    given = {"arms": ARMS, "rewards": ARMS * 1.0, "features": np.ones((60, 2))}

    def call(**wrong):
        hybandit.evaluate(EventLog(**given | wrong, propensities=propensities), "ucb")

    assert_refused(call, parameter, value)


def test_a_log_without_events_is_refused():
    nothing = EventLog(np.zeros(0, int), np.zeros(0), np.ones((0, 2)))
    with pytest.raises(InvalidInput, match="'log' must be at least 2 events; got 0"):
        hybandit.evaluate(nothing, "ucb")
