import numpy as np
import pytest

from hybandit import StackedHybrid
from hybandit.errors import ModelFileError
from hybandit.estimators.limits import Limit
from hybandit.loop import plain
from hybandit.loop.plain import PlainActions


def fresh(**settings):
    return PlainActions(3, limit=Limit("window", 500), **settings)


def contexts(count, seed=0):
    return np.random.default_rng(seed).normal(size=(count, 3))


def taught(rows, names=("a", "b")):
    """The first name is good where the first number is above 0, the second elsewhere."""
    actions = fresh()
    for number, row in enumerate(rows):
        name = names[number % len(names)]
        actions.learn(row, name, float((row[0] > 0.0) == (name == names[0])))
    return actions


def test_each_name_learns_a_function_of_the_context():
    actions = taught(contexts(200))
    for row in contexts(40, seed=1):
        if abs(row[0]) > 0.5:
            first, second = actions.scores(row, ["a", "b"])
            assert (first > second) == (row[0] > 0.0)


@pytest.mark.parametrize(("forget", "best"), [(None, 0), (0.9, 1)])
def test_what_a_name_was_worth_is_forgotten_if_asked(forget, best):
    actions = fresh(forget=forget)
    for good, count in (("a", 300), ("b", 15)):
        for row in contexts(count, seed=count):
            for name in ("a", "b"):
                actions.learn(row, name, float(name == good))
    found = [actions.scores(row, ["a", "b"]).argmax() for row in contexts(50, seed=1)]
    assert np.mean(np.equal(found, best)) > 0.9


def test_it_values_as_stacked_hybrid_does():
    rows = contexts(120)
    actions = taught(rows)
    # Its first arm is never played, as the one that stands for unknown names.
    policy = StackedHybrid(3, 3, seed=0)
    policy._stack.cosines.restore(actions.stack.cosines.state())
    for number, row in enumerate(rows):
        arm = 1 + number % 2
        policy.learn(row, arm, float((row[0] > 0.0) == (arm == 1)))
    for row in contexts(20, seed=1):
        ours = actions.scores(row, ["unknown", "a", "b"])
        assert np.allclose(ours, policy.decide(row).scores, atol=1e-12)


def test_scores_do_not_depend_on_order_and_teach_nothing():
    actions = taught(contexts(50))
    before = {name: array.copy() for name, array in actions.state().items()}
    row = contexts(1, seed=2)[0]
    first, second, unknown = actions.scores(row, ["a", "b", "c"])
    assert actions.scores(row, ["d", "b", "a"]).tolist() == [unknown, second, first]
    assert all(np.array_equal(array, before[name]) for name, array in actions.state().items())


def test_a_name_that_is_idle_gives_its_arm_to_a_new_one(monkeypatch):
    monkeypatch.setattr(plain, "MOST", 2)
    monkeypatch.setattr(plain, "IDLE", 5)
    rows = contexts(30)
    actions = taught(rows[:10])
    assert actions.takes("a")
    assert not actions.takes("c")
    for row in rows[10:16]:
        actions.learn(row, "b", float(row[0] < 0.0))
    assert actions.takes("c")
    before = actions.scores(rows[0], ["b"])
    for row in rows[16:]:
        actions.learn(row, "c", 1.0)
    assert actions.names() == ["b", "c"]
    assert abs(actions.scores(rows[0], ["b"]) - before) < 0.5
    assert actions.scores(rows[0], ["c"])[0] == pytest.approx(1.0, abs=0.5)
    assert actions.scores(rows[0], ["a"]) == actions.scores(rows[0], ["unknown"])


def test_what_is_restored_goes_on_bit_for_bit(monkeypatch):
    monkeypatch.setattr(plain, "MOST", 3)
    monkeypatch.setattr(plain, "IDLE", 2)
    rows = contexts(80)
    one, other = fresh(), fresh()
    for number, row in enumerate(rows):
        name = f"n{number // 10 + number % 3}"
        if not one.takes(name):
            continue
        one.learn(row, name, float(row[1] > 0.0))
        if number == 40:
            other.restore({key: array.copy() for key, array in one.state().items()})
        if number > 40:
            other.learn(row, name, float(row[1] > 0.0))
    ours, theirs = one.state(), other.state()
    assert ours.keys() == theirs.keys()
    assert all(ours[key].tobytes() == theirs[key].tobytes() for key in ours)
    names = [*one.names(), "unknown"]
    assert np.array_equal(one.scores(rows[0], names), other.scores(rows[0], names))


@pytest.mark.parametrize(
    ("part", "content", "told"),
    [
        ("names", list(b"["), "damaged"),
        ("names", list(b"[1, 2]"), "other things than str"),
        ("names", list(b'["a", "a"]'), "twice"),
        ("arms", [1, 1], "twice"),
        ("arms", [1, 3], "outside"),
    ],
)
def test_what_cannot_be_is_refused(part, content, told):
    actions = taught(contexts(10))
    kind = np.uint8 if part == "names" else np.int64
    with pytest.raises(ModelFileError, match=told):
        actions.restore(actions.state() | {part: np.array(content, kind)})
