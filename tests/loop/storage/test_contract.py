from dataclasses import replace

import pytest

from hybandit.errors import InvalidInput
from hybandit.loop.storage.contract import checked_name
from hybandit.testing.storage import an_event


@pytest.mark.parametrize(
    "answer",
    [{"at": 1.0}, {"choice": 1}, {"version": 9}, {"seed": 1}, {"probabilities": (0.5, 0.5)}],
)
def test_two_calls_ask_the_same_whatever_the_answer(answer):
    assert an_event().asks_the_same(replace(an_event(), **answer))


@pytest.mark.parametrize(
    "question",
    [
        {"context": "{}"},
        {"names": ("b", "a")},
        {"features": ("{}", "{}")},
        {"excluded": (1,)},
        {"deferred": True},
    ],
)
def test_other_content_is_another_question(question):
    assert not an_event().asks_the_same(replace(an_event(), **question))


@pytest.mark.parametrize("name", ["", "x" * 257, None, 3, b"a", "a\0b", "\ud800"])
def test_names_that_no_database_stores(name):
    with pytest.raises(InvalidInput, match="event"):
        checked_name("event", name)
