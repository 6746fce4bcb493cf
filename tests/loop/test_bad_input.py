"""Calls with anything at all: answered, or refused clearly with nothing written.

HYBANDIT_CALLS=10000 pytest tests/loop/test_bad_input.py makes ten thousand of them.
"""

import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hybandit import Loop
from hybandit.errors import InvalidInput

CALLS = int(os.environ.get("HYBANDIT_CALLS", "200"))
DEEP = {}
for _ in range(40):
    DEEP = {"deeper": DEEP}
ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.floats()
    | st.integers()
    | st.text(max_size=5)
    | st.text(st.characters(categories=("Cs", "Cc", "L")), max_size=3)
    | st.binary(max_size=3)
    | st.sampled_from([10**400, "x" * 300, DEEP, {"list": ["x"] * 10_000}, {"long": "x" * 10**6}]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=3) | st.integers(), inner, max_size=3)
    ),
    max_leaves=8,
)


@pytest.fixture(scope="module")
def loop(tmp_path_factory):
    with Loop(tmp_path_factory.mktemp("fuzz") / "loop.db", wait=None) as loop:
        loop.rank({}, ["a", "b"], event="known")
        yield loop


def counts(loop):
    """What the database holds; its size and the learner's own writing are not the caller's."""
    return {**loop._storage.counts(), "bytes": 0, "snapshots": 0}


@settings(deadline=None, max_examples=CALLS, suppress_health_check=list(HealthCheck))
@given(
    st.sampled_from(["rank", "reward", "activate", "explain", "features", "rollback", "curve"]),
    st.sampled_from([{}, {"town": "Ulm"}]) | ANYTHING,
    st.sampled_from([["a", "b"], {"a": {"x": 1}}]) | ANYTHING,
    st.sampled_from(["known", None]) | ANYTHING,
    st.just(()) | ANYTHING,
)
def test_anything_is_answered_or_refused_clearly(loop, verb, first, second, event, exclude):
    before = counts(loop)
    try:
        if verb == "rank":
            loop.rank(first, second, event=event, exclude=exclude)
        elif verb == "reward":
            loop.reward(event, second)
        elif verb == "features":
            loop.features(first, second)
        else:
            getattr(loop, verb)(event)
    except InvalidInput:
        assert counts(loop) == before
