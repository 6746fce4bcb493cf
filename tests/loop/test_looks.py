"""What a loop and what it answers look like, as text, in a notebook and drawn."""

import matplotlib as mpl
import pytest
from matplotlib import pyplot

import hybandit
from hybandit.loop.learning.follower import JournalFollower


@pytest.fixture
def loop(tmp_path):
    with hybandit.Loop(tmp_path / "<tea>.db", wait=None) as loop:
        for number in range(40):
            decision = loop.rank({"hour": number % 2}, ["<b>", "beer"], event=f"e{number}")
            loop.reward(decision.event, float(number % 2))
        loop.wait_for()
        yield loop


def test_answers_are_short_and_escaped(loop):
    decision, status = loop.rank({}, ["<b>", "beer"], event="<e>"), loop.status()
    chance = f"{decision.probability:.4g}"
    assert repr(decision) == (
        f"RankedDecision({decision.action!r}, probability={chance}, event='<e>', version=40)"
    )
    told = loop.explain("<e>")
    assert repr(told).startswith(
        f"Explanation('<e>': {decision.action!r} with probability {chance};"
    )
    verdict = loop.verdict()
    assert repr(verdict).startswith(f"Verdict({verdict.answer!r}, gain {verdict.gain:.4f} [")
    assert f"events, 40 closed, mean reward {status.reward}, version 40)" in repr(status)
    for each in (decision, status, told, verdict, loop):
        html = each._repr_html_()
        assert "<b>" not in html
        assert "<e>" not in html
        assert "<tea>" not in html
    assert verdict.text in verdict._repr_html_()


def test_a_loop_tells_its_version_and_size_also_when_it_is_closed(loop):
    assert ", version=40, " in repr(loop)
    assert repr(loop).endswith(" MB)")
    loop.close()
    assert repr(loop).endswith("closed)")
    assert "closed" in loop._repr_html_()


def test_a_loop_just_opened_is_catching_up_and_does_not_only_lag(loop, monkeypatch):
    assert not loop.status().catching_up
    monkeypatch.setattr(JournalFollower, "ready", property(lambda self: False))
    monkeypatch.setattr(loop._follower, "version", 10)
    status = loop.status()
    assert status.catching_up
    assert "catching up: 30 of 40 entries to go" in repr(status)
    assert "catching up" in status._repr_html_()


@pytest.fixture
def unseen():
    """Figures that open no window, closed at the end."""
    before = mpl.get_backend()
    mpl.use("agg")
    yield
    pyplot.close("all")
    mpl.use(before)


@pytest.mark.usefixtures("unseen")
def test_the_mean_reward_is_drawn_beside_the_baseline(loop):
    axes = loop.plot()
    mine, baseline = axes.lines
    assert list(mine.get_xdata()) == [position for position, _ in loop.curve(4)]
    assert list(mine.get_ydata()) == [mean for _, mean in loop.curve(4)]
    assert baseline.get_ydata()[0] == pytest.approx(loop.status().baseline.mean)
    assert axes.get_title() == "Mean reward of <tea>.db"


@pytest.mark.usefixtures("unseen")
def test_a_figure_with_nothing_to_draw_yet_says_so(tmp_path):
    with hybandit.Loop(tmp_path / "new.db", wait=None) as loop:
        loop.rank({}, ["a", "b"])
        assert loop.plot().get_title() == "Mean reward of new.db: no event is closed yet"
