import pytest

import hybandit
from hybandit.errors import InvalidInput
from hybandit.estimators.limits import Limit


@pytest.mark.parametrize("kind", ["window", "reservoir"])
def test_a_limit_is_written_as_it_is_read(kind):
    text = getattr(hybandit, kind)(12)
    assert text == f"{kind}(12)"
    assert Limit.read(text) == Limit(kind, 12)
    assert Limit.read(text).text == text


@pytest.mark.parametrize("entries", [0, -3, 1.5, "x", None, True, 10**30])
def test_a_senseless_size_is_refused(entries):
    with pytest.raises(InvalidInput, match="memory"):
        hybandit.window(entries)


@pytest.mark.parametrize(
    "text",
    ["window", "window(5", "window(05)", "Window(5)", "last(5)", " window(5)", "window(5)\n"],
)
def test_what_is_no_limit_is_refused(text):
    with pytest.raises(InvalidInput, match=r"window\(M\) or reservoir\(M\)"):
        Limit.read(text)
