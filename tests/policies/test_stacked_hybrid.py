import numpy as np
import pytest
from fading_twins import FadingStackedTwin
from twins import StackedTwin

from hybandit import StackedHybrid, load


@pytest.mark.parametrize(
    ("n_arms", "n_features", "shared", "centre"),
    [(3, 5, True, False), (4, 10, True, True), (2, 3, False, True)],
)
def test_every_choice_is_the_one_the_equations_give(follows, n_arms, n_features, shared, centre):
    policy = StackedHybrid(n_arms, n_features, seed=7, centre=centre, ties="first")
    plain = StackedTwin(n_arms, n_features, seed=7, centre=centre)
    follows(policy, plain, shared=shared)


@pytest.mark.parametrize("centre", [False, True])
@pytest.mark.parametrize(
    ("n_arms", "n_features", "shared"), [(1, 1, True), (12, 1, True), (2, 40, False)]
)
def test_every_choice_is_right_at_the_extremes(follows, n_arms, n_features, shared, centre):
    policy = StackedHybrid(n_arms, n_features, seed=7, alpha=1.0, centre=centre, ties="first")
    plain = StackedTwin(n_arms, n_features, seed=7, alpha=1.0, centre=centre, scale=True)
    follows(policy, plain, shared=shared, rounds=200)


def test_rewards_may_be_any_numbers(follows):
    policy = StackedHybrid(3, 6, seed=1, ties="first")
    plain = StackedTwin(3, 6, seed=1, centre=True)
    follows(policy, plain, shared=True, rounds=500, binary=False)


def test_an_arm_that_pays_much_but_nothing_at_first_is_not_left_for_good():
    policy, generator = StackedHybrid(3, 2, seed=0), np.random.default_rng(0)
    plays, late = 0, 0
    for turn in range(3000):
        context, (likely, likelier) = [1.0, generator.normal()], generator.random(2)
        arm = policy.choose(context)
        plays += arm == 0
        pays = plays > 45 and plays % 20 == 0
        policy.learn(
            context, arm, (100.0 * pays, 20.0 * (likely < 0.2), 5.0 * (likelier < 0.5))[arm]
        )
        late += turn >= 2500 and arm == 0
    assert late > 300


def test_its_cosines_are_the_first_draws_of_its_seed():
    policy = StackedHybrid(2, 3, seed=9)
    expected = np.random.default_rng(9).normal(size=(128, 3))
    assert np.array_equal(policy._stack.cosines.directions, expected)


def test_before_any_reward_only_the_width_speaks():
    policy = StackedHybrid(2, 3, seed=0, alpha=0.3)
    x = np.array([0.6, 0.0, 0.8])
    width = np.sqrt(x @ x + 0.25)
    expected = 2.5 * 0.3 * np.sqrt(np.log(10)) * (1 / np.sqrt(5) + 0.5 * width / 2)
    np.testing.assert_allclose(policy.decide(x).scores, [expected] * 2)


@pytest.mark.parametrize("window", [None, 8])
def test_every_choice_is_right_with_forgetting(follows, window):
    memory = None if window is None else f"window({window})"
    policy = StackedHybrid(3, 4, seed=2, forget=0.97, memory=memory, ties="first")
    plain = FadingStackedTwin(3, 4, seed=2, forget=0.97, window=window)
    follows(policy, plain, shared=True, rounds=80)


@pytest.mark.parametrize("forget", [None, 0.99])
def test_every_choice_is_right_where_contexts_tell_nothing(forget):
    """Rare clicks: the plain model takes over, and stays within the equations."""
    settings = {} if forget is None else {"forget": forget}
    policy = StackedHybrid(3, 2, seed=4, ties="first", **settings)
    twin = FadingStackedTwin(3, 2, seed=4, forget=forget) if forget else StackedTwin(3, 2, seed=4)
    generator, weights = np.random.default_rng(5), set()
    for _ in range(250):
        x = np.array([1.0, generator.normal()])
        np.testing.assert_allclose(policy.decide(x).scores, twin.scores(x), rtol=1e-6, atol=1e-8)
        arm = policy.choose(x)
        reward = float(generator.random() < (0.1, 0.2, 0.4)[arm])
        for each in (policy, twin):
            each.learn(x, arm, reward)
        weights.add(policy._stack.plain.weight(policy._stack.rewards.unit))
    assert len(weights) > 20
    assert max(weights) > 0.5


def test_an_arm_that_paid_nothing_yet_is_not_left_for_good():
    """100 with a chance of 0.05, 20 with 0.2, 5 with 0.5: the first is best, and paid late."""
    policy = StackedHybrid(3, 1, seed=0)
    generator = np.random.default_rng(6)
    for _ in range(15):
        policy.learn([1.0], 0, 0.0)
        policy.learn([1.0], 1, 20.0 * (generator.random() < 0.2))
        policy.learn([1.0], 2, 5.0 * (generator.random() < 0.5))
    arms = []
    for _ in range(2000):
        arms.append(policy.choose([1.0]))
        earned = np.array([100.0, 20.0, 5.0]) * (generator.random(3) < [0.05, 0.2, 0.5])
        policy.learn([1.0], arms[-1], earned[arms[-1]])
    assert np.mean(np.array(arms[1000:]) == 0) > 0.5


def people(contexts):
    """Columns that nobody scaled: an age, an income, and so on."""
    powers = 10.0 ** np.arange(contexts.shape[-1])
    return (contexts + 3.0) * powers


@pytest.mark.parametrize(("shared", "n_arms"), [(True, 4), (False, 3)])
def test_every_choice_is_right_where_contexts_are_scaled(follows, shared, n_arms):
    policy = StackedHybrid(n_arms, 4, seed=3, ties="first")
    plain = StackedTwin(n_arms, 4, seed=3, scale=True)
    follows(policy, plain, shared=shared, rounds=300 if shared else 150, shown=people)


class World:
    """Rounds of a hidden taste: contexts of unit length, and a reward for every arm."""

    def __init__(self, n_arms=4, n_features=5, rounds=400, seed=0):
        generator = np.random.default_rng(seed)
        rows = generator.normal(size=(rounds, n_features))
        self.contexts = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        values = self.contexts @ generator.normal(size=(n_features, n_arms))
        self.rewards = values + 0.3 * generator.normal(size=values.shape)

    def play(self, policy, contexts=None, rewards=None):
        arms = []
        contexts = self.contexts if contexts is None else contexts
        rewards = self.rewards if rewards is None else rewards
        for context, row in zip(contexts, rewards, strict=True):
            arms.append(policy.choose(context))
            policy.learn(context, arms[-1], float(row[arms[-1]]))
        return np.array(arms)


def test_the_setting_scale_changes_nothing_where_contexts_have_unit_length():
    world = World()
    auto, off = StackedHybrid(4, 5, seed=1), StackedHybrid(4, 5, seed=1, scale="off")
    assert np.array_equal(world.play(auto), world.play(off))
    probes = world.contexts[:20]
    assert np.array_equal(auto.score_many(probes), off.score_many(probes))


@pytest.mark.parametrize("units", [1000.0, np.array([1.0, 1e5, 1e-3, 10.0, 1.0])])
def test_the_units_of_contexts_hardly_matter(units):
    worlds = [World(rounds=600, seed=seed) for seed in range(10)]

    def regret(units):
        total = 0.0
        for world in worlds:
            arms = world.play(StackedHybrid(4, 5, seed=1), world.contexts * units)
            total += (world.rewards.max(axis=1) - world.rewards[np.arange(600), arms]).sum()
        return total

    assert regret(units) < 1.3 * regret(1.0)


@pytest.mark.parametrize("times", [2.0**-10, 2.0**10])
def test_rewards_in_another_unit_leave_every_choice_as_it_is(times):
    world = World()
    plain = world.play(StackedHybrid(4, 5, seed=1))
    other = world.play(StackedHybrid(4, 5, seed=1), rewards=times * world.rewards)
    assert np.array_equal(plain, other)


@pytest.mark.parametrize(("times", "plus"), [(1000.0, 0.0), (1.0, 1000.0), (-1.0, 0.0)])
def test_scale_and_shift_of_rewards_leave_nearly_every_choice_as_it_is(times, plus):
    world = World()
    plain = world.play(StackedHybrid(4, 5, seed=1), rewards=np.sign(times) * world.rewards)
    other = world.play(StackedHybrid(4, 5, seed=1), rewards=times * world.rewards + plus)
    assert np.mean(plain == other) > 0.97


def test_a_long_tail_of_rewards_costs_little():
    world = World(rounds=1000)
    means = world.rewards
    wild = np.where(np.random.default_rng(4).random(means.shape) < 0.002, 100 * means, means)

    def regret(rewards):
        arms = world.play(StackedHybrid(4, 5, seed=1), rewards=rewards)
        return (means.max(axis=1) - means[np.arange(1000), arms]).sum()

    assert regret(wild) < 1.2 * regret(means)


SETTINGS = [
    {},
    {"memory": "window(20)"},
    {"memory": "reservoir(20)"},
    {"forget": 0.99},
]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_a_scaled_model_goes_on_as_it_was_after_it_was_saved(settings, tmp_path):
    world, path = World(rounds=150), tmp_path / "model.npz"
    raw = people(world.contexts)
    whole = StackedHybrid(4, 5, seed=1, **settings)
    arms = world.play(whole, raw)
    half = StackedHybrid(4, 5, seed=1, **settings)
    first = World.play(world, half, raw[:100], world.rewards[:100])
    half.save(path)
    rest = World.play(world, load(path), raw[100:], world.rewards[100:])
    assert np.array_equal(arms, np.concatenate([first, rest]))
    assert np.array_equal(whole.choose_many(raw), [whole.choose(row) for row in raw])


def test_an_arm_that_comes_later_is_scaled_as_the_others_are():
    world = World(n_arms=3, rounds=300)
    raw = people(world.contexts)
    policy = StackedHybrid(2, 5, seed=1)
    world.play(policy, raw[:40], world.rewards[:40])
    policy.add_arm()
    arms = world.play(policy, raw[40:], world.rewards[40:])
    assert (arms == 2).sum() > 20
