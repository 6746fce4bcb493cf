from dataclasses import replace

import pytest

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
