import numpy as np
import pytest

from hybandit import BetaThompson, LinTS, LinUCB, StackedHybrid, make_policy, reservoir
from hybandit.errors import ModelFileError
from hybandit.loop.learning.names import NamedArms


def table(name="stacked-hybrid", limits=None, **settings):
    return NamedArms(
        lambda n_arms: make_policy(name, n_arms, 3, seed=0, **settings), **(limits or {})
    )


def contexts(count, seed=0):
    return np.random.default_rng(seed).normal(size=(count, 3))


def taught(rows, names=("a", "b"), **options):
    """The first name is good where the first number is above 0, the second elsewhere."""
    arms = table(**options)
    for number, row in enumerate(rows):
        name = names[number % len(names)]
        arms.learn(row, name, float((row[0] > 0.0) == (name == names[0])))
    return arms


def test_each_name_learns_a_function_of_the_context():
    arms = taught(contexts(200))
    for row in contexts(40, seed=1):
        if abs(row[0]) > 0.5:
            assert arms.probabilities(row, ["a", "b"]).tolist() == [row[0] > 0.0, row[0] < 0.0]


@pytest.mark.parametrize(("forget", "best"), [(None, 0), (0.9, 1)])
def test_what_a_name_was_worth_is_forgotten_if_asked(forget, best):
    arms = table(forget=forget)
    for good, count in (("a", 300), ("b", 15)):
        for row in contexts(count, seed=count):
            for name in ("a", "b"):
                arms.learn(row, name, float(name == good))
    found = [arms.probabilities(row, ["a", "b"]).argmax() for row in contexts(50, seed=1)]
    assert np.mean(np.equal(found, best)) > 0.9


@pytest.mark.parametrize("kind", [StackedHybrid, LinUCB, LinTS, BetaThompson])
def test_names_are_valued_as_the_arms_that_they_are(kind):
    arms, rows = taught(contexts(120), name=kind.name), contexts(20, seed=1)
    # Its first arm is never played, as the one that stands for unknown names.
    policy = make_policy(kind.name, 3, 3, seed=0)
    if kind is StackedHybrid:
        policy._stack.cosines.restore(arms.policy._stack.cosines.state())
    for number, row in enumerate(contexts(120)):
        arm = 1 + number % 2
        policy.learn(row, arm, float((row[0] > 0.0) == (arm == 1)))
    for row in rows:
        ours = arms.probabilities(row, ["unknown", "a", "b"], newcomers=1.0)
        assert np.allclose(ours, policy.decide(row).probabilities, atol=1e-12)


@pytest.mark.parametrize("name", ["stacked-hybrid", "lin-ts", "bootstrap-nn"])
def test_probabilities_depend_on_no_order_and_change_nothing(name):
    arms = taught(contexts(50), name=name)
    before = {path: array.copy() for path, array in arms.state().items()}
    row = contexts(1, seed=2)[0]
    first, second, unknown = arms.probabilities(row, ["a", "b", "c"])
    again = arms.probabilities(row, ["d", "b", "a"])
    assert again == pytest.approx([unknown, second, first], abs=1e-12)
    assert all(np.array_equal(array, before[path]) for path, array in arms.state().items())


def test_unknown_names_tie_with_known_ones_that_are_worth_as_much():
    arms = table("lin-ucb", alpha=0.0)
    arms.learn(np.ones(3), "a", 0.0)
    told = arms.probabilities(np.ones(3), ["a", "b", "c"], newcomers=1.0)
    assert told.tolist() == [1 / 3] * 3
    arms.learn(np.ones(3), "a", 1.0)
    assert arms.probabilities(np.ones(3), ["b", "c", "a"]).tolist() == [0.0, 0.0, 1.0]


def test_a_name_that_is_idle_gives_its_arm_to_a_new_one():
    rows = contexts(30)
    arms = taught(rows[:10], name="lin-ucb", limits={"most": 2, "idle": 5})
    assert arms.takes("a")
    assert not arms.takes("c")
    before = arms.state()["policy/_estimate/weights"].copy()
    arms.learn(rows[0], "c", 1.0)
    assert np.array_equal(arms.state()["policy/_estimate/weights"], before), "it has no arm"
    for row in rows[10:16]:
        arms.learn(row, "b", float(row[0] < 0.0))
    assert arms.takes("c")
    for row in rows[16:]:
        arms.learn(row, "c", 1.0)
    assert arms.known() == ["b", "c"]
    assert arms.policy.n_arms == 3
    twin = LinUCB(3, 3, seed=0)
    for row in (*rows[1:10:2], *rows[10:16]):
        twin.learn(row, 1, float(row[0] < 0.0))
    for row in rows[16:]:
        twin.learn(row, 2, 1.0)
    for row in rows:
        found = arms.probabilities(row, ["b", "c"])
        assert found.tolist() == twin.probabilities(row, eligible=[False, True, True])[1:].tolist()
        assert np.ptp(arms.probabilities(row, ["a", "unknown"])) == 0.0


@pytest.mark.parametrize(
    ("name", "settings"),
    [("stacked-hybrid", {"memory": reservoir(3)}), ("lin-ts", {}), ("npr", {}), ("ucb", {})],
)
def test_what_is_restored_goes_on_bit_for_bit(name, settings):
    one, other = (table(name, {"most": 3, "idle": 2}, **settings) for _ in range(2))
    rows = contexts(80)
    for number, row in enumerate(rows):
        who = f"n{number // 10 + number % 3}"
        one.learn(row, who, float(row[1] > 0.0))
        if number == 40:
            other.restore({key: array.copy() for key, array in one.state().items()})
        if number > 40:
            other.learn(row, who, float(row[1] > 0.0))
    ours, theirs = one.state(), other.state()
    assert ours.keys() == theirs.keys()
    assert all(ours[key].tobytes() == theirs[key].tobytes() for key in ours)
    names = [*one.known(), "unknown"]
    assert np.array_equal(one.probabilities(rows[0], names), other.probabilities(rows[0], names))


def test_rewards_beyond_what_the_policy_takes_are_the_nearest_that_it_takes():
    arms, twin = table("beta-thompson"), table("beta-thompson")
    arms.learn(np.ones(3), "a", 7.0)
    twin.learn(np.ones(3), "a", 1.0)
    assert arms.state()["policy/statistics/means"].tolist() == [0.0, 1.0]
    offer = np.ones(3), ["a", "b"]
    assert arms.probabilities(*offer).tolist() == twin.probabilities(*offer).tolist()


@pytest.mark.parametrize(
    ("part", "content", "told"),
    [
        ("names", list(b"["), "damaged"),
        ("names", list(b"[1, 2]"), "other things than str"),
        ("names", list(b'["a", "a"]'), "twice"),
        ("generator", list(b'["{}"]'), "generator of the model file is damaged"),
        ("arms", [1, 1], "twice"),
        ("arms", [1, 3], "outside"),
    ],
)
def test_what_cannot_be_is_refused(part, content, told):
    arms = taught(contexts(10))
    kind = np.int64 if part == "arms" else np.uint8
    with pytest.raises(ModelFileError, match=told):
        arms.restore(arms.state() | {part: np.array(content, kind)})
