"""Arguments of wrong kinds: refused by name, before anything is read."""

import datetime
import decimal

import numpy as np
import pandas as pd
import pytest

import hybandit
from hybandit import evaluation
from hybandit.datasets import EventLog, open_log, read_labelled
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
    "data": NO_SOURCES[1:],
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


ARMS = np.random.default_rng(0).integers(0, 2, 60)
LOG = EventLog(ARMS, ARMS * 1.0, np.ones((60, 2)), np.full(60, 0.5))
NO_OBJECTS = [5, "x", [], Hostile()]
NO_VECTORS = [None, 5, "x", {}, [1.0, "x"], [1.0, [2.0]], Hostile()]
NO_LOGS = [None, pd.DataFrame({"arm": [1]}), *NO_OBJECTS]
NO_POLICIES = [None, "ucb", hybandit.UCB, hybandit.ItemHybrid(2, 2), *NO_OBJECTS]
# Of every call what is right, and what is wrong of each parameter.
CALLS = {
    hybandit.compare: ({"data": "missing.csv", "label": "old", "policies": "ucb"}, COMPARED),
    hybandit.evaluate: (
        {"log": "missing.csv", "policies": "ucb", "estimators": ["replay"]},
        EVALUATED,
    ),
    read_labelled: (
        {"source": "missing.csv"},
        {"label": NO_COLUMNS, "source": NO_SOURCES, **HOW},
    ),
    open_log: ({"source": "missing.csv"}, {"source": NO_SOURCES, **COLUMNS}),
    evaluation.evaluate: (
        {"policy": hybandit.LinUCB(2, 2, seed=0), "log": LOG, "by": ["replay"]},
        {
            "policy": NO_POLICIES,
            "log": NO_LOGS,
            "by": [None, 5, "ips", [], [5], {"ips": 1}, np.array("ips"), Hostile()],
            "learn": [None, "most", *NO_TEXTS],
            "matches": [0, *NO_COUNTS],
            "model": NO_OBJECTS,
            "threshold": [None, 0, -1, *NO_NUMBERS],
            "intervals": [None, 0.95, *NO_OBJECTS],
            "tick": NO_OBJECTS,
        },
    ),
    evaluation.clipped: (
        {"rewards": [1.0, 0.0], "propensities": [0.5, 0.5], "target": [1.0, 0.5]},
        {
            "rewards": [*NO_VECTORS, [1.0, 10**400]],
            "propensities": NO_VECTORS,
            "target": NO_VECTORS,
            "threshold": [None, 0, -1, *NO_NUMBERS],
            "intervals": [None, 0.95, *NO_OBJECTS],
        },
    ),
    evaluation.Intervals: (
        {},
        {
            "confidence": [None, 0, 1, *NO_NUMBERS],
            "reward_range": [5, "01", (0, "1"), (1, 0), (0, 1, 2), (0, float("nan")), {0: 1, 2: 3}],
            "seed": [None, *NO_COUNTS],
        },
    ),
    EventLog: (
        {"arms": np.array([0, 1]), "rewards": np.ones(2), "features": np.ones((2, 1))},
        {
            "arms": [None, 5, "x", [0, 1], np.array(3), np.ones((2, 2), int), Hostile()],
            "rewards": [None, 5, "x", [0.0, 1.0], np.array(3), np.ones((2, 2)), Hostile()],
            "features": [None, 5, "x", [[0.0], [1.0]], np.array(3), np.ones(2), Hostile()],
            "propensities": [5, "x", [0.5, 0.5], np.array(3), np.ones((2, 2, 2)), Hostile()],
            "names": [None, 5, "ab", ["a", "b"], (1, 2), Hostile()],
        },
    ),
}


def assert_refused(call, parameter, value):
    with pytest.raises(InvalidInput, match=f"^'{parameter}' must be .*; got ") as told:
        call(**{parameter: value})
    assert told.value.parameter == parameter


@pytest.mark.parametrize(
    ("call", "parameter"),
    [(call, parameter) for call, (_, wrong) in CALLS.items() for parameter in wrong],
    ids=lambda each: each if isinstance(each, str) else f"{each.__module__}.{each.__name__}",
)
def test_it_is_refused_before_anything_is_read(call, parameter):
    given, wrong = CALLS[call]
    for value in wrong[parameter]:
        assert_refused(lambda **each: call(**given | each), parameter, value)


def test_a_refused_policy_has_learned_nothing():
    assert CALLS[evaluation.evaluate][0]["policy"].statistics.counts.sum() == 0


@pytest.mark.parametrize(("name", "call"), [("data", hybandit.compare), ("log", hybandit.evaluate)])
def test_data_sets_by_name_take_no_options_of_wrong_kinds_either(name, call):
    given = {name: "digits", "policies": "ucb"}
    for parameter in HOW:
        assert_refused(lambda **wrong: call(**given, **wrong), parameter, np.array([1, 2]))


@pytest.mark.parametrize("propensities", [None, np.full(60, 0.5)])
@pytest.mark.parametrize(
    ("parameter", "values"),
    {
        "arms": [np.ones(60), np.full(60, -1)],
        "rewards": [np.full(60, np.nan), np.array(["x"] * 60), np.ones(59)],
        "features": [np.full((60, 2), np.nan), np.full((60, 2), "x"), np.ones((59, 2))],
    }.items(),
)
def test_a_log_of_arrays_that_do_not_fit_is_refused(parameter, values, propensities):
    given = {"arms": ARMS, "rewards": ARMS * 1.0, "features": np.ones((60, 2))}

    def call(**wrong):
        hybandit.evaluate(EventLog(**given | wrong, propensities=propensities), "ucb")

    for value in values:
        assert_refused(call, parameter, value)


def test_a_log_without_events_is_refused():
    nothing = EventLog(np.zeros(0, int), np.zeros(0), np.ones((0, 2)))
    with pytest.raises(InvalidInput, match="'log' must be at least 2 events; got 0"):
        hybandit.evaluate(nothing, "ucb")
