import numpy as np
import pytest

from hybandit import Loop
from hybandit.errors import UnknownEvent
from hybandit.loop.verbs.parts import ACTION, CONTEXT


@pytest.fixture
def taught(tmp_path, request):
    """A loop that has learned that only `hot` counts, and its last event."""
    policy = getattr(request, "param", "default")
    with Loop(tmp_path / "tea.db", wait=None, policy=policy) as loop:
        generator = np.random.default_rng(0)
        plain = policy in ("lin-ts", "lin-ucb")
        actions = ["a", "b"] if plain else {"a": {"kind": "x"}, "b": {"kind": "y"}}
        for number in range(200):
            context = {"hot": bool(generator.random() < 0.5), "noise": float(generator.normal())}
            decided = loop.rank(context, actions, event=f"e{number}")
            loop.reward(decided.event, float(context["hot"] == (decided.action == "a")))
        loop.rank({"hot": True, "noise": 0.1}, actions, event="last")
        loop.wait_for()
        yield loop


def test_the_feature_that_counts_moves_most(taught):
    parts = taught.parts("last")
    assert parts.action == "a"
    assert {(each.part, each.feature) for each in parts.parts} == {
        (CONTEXT, "hot"), (CONTEXT, "noise"), (ACTION, "kind"),
    }  # fmt: skip
    effects = {each.feature: each.effect for each in parts.parts}
    assert effects["hot"] > 0.2
    assert abs(effects["noise"]) < 0.1
    assert [each.action for each in parts.candidates] == ["a", "b"]
    assert parts.candidates[0].value == parts.value == pytest.approx(1.0, abs=0.3)
    assert sum(each.probability for each in parts.candidates) == pytest.approx(1.0)
    assert (parts.version, parts.decided <= 200) == (200, True)
    assert (parts.preferred, parts.baseline) == ("a", "a")


def test_who_was_preferred_and_who_is_the_baseline_are_told_apart(taught):
    offered = {"a": {"kind": "x"}, "b": {"kind": "y"}}
    taught.rank({"hot": True, "noise": 0.1}, offered, event="other", baseline="b")
    parts = taught.parts("other")
    assert (parts.preferred, parts.baseline) == ("a", "b")


def test_parts_are_short_as_text_and_a_table_in_a_notebook(taught):
    parts = taught.parts("last")
    effect = f"{parts.parts[0].effect:+.4g}"
    assert repr(parts) == f"Parts('a', value={parts.value:.4g}, hot {effect}; version=200)"
    html = parts._repr_html_()
    assert html.index(">hot</th>") < html.index(">kind</th>")
    assert f">{effect}</td>" in html


@pytest.mark.parametrize("taught", ["lin-ts", "item-lin-ucb", "lin-ucb"], indirect=True)
def test_asking_changes_nothing(taught):
    before = [each.tolist() for each in taught._follower._model.state().values()]
    parts = taught.parts("last")
    assert len(parts.candidates) == 2
    assert np.isfinite([each.value for each in parts.candidates]).all()
    assert [each.tolist() for each in taught._follower._model.state().values()] == before


def test_an_event_that_is_not_there_is_refused(taught):
    with pytest.raises(UnknownEvent):
        taught.parts("other")
