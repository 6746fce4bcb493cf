import numpy as np
import pytest

from hybandit import LNUCBTA, LinUCB
from hybandit.environments.synthetic import sphere
from hybandit.errors import InvalidInput
from hybandit.experiments import EnvironmentSpec, PolicySpec
from hybandit.experiments.environments import make_environment
from hybandit.exploration import TemporalAttention
from hybandit.paper.theory import bounds
from hybandit.paper.theory.checks import REG, Ledger, Model, Round, TheoryCheck, growth

PAPERS = PolicySpec("lnucb-ta", {"reg": REG})
COVERING = PolicySpec("lnucb-ta", {"reg": 1.21})
PLAIN = PolicySpec("lin-ucb", {"reg": REG, "rate": "constant", "alpha": 1.4})


def check(policy=PLAIN, name="simulation", **settings):
    sizes = {"check": name, "n_features": 3, "rounds": 300} | settings
    return make_environment(EnvironmentSpec("theory", sizes)).run(policy, 0)


@pytest.mark.parametrize(
    ("policy", "other"),
    [(PAPERS, LNUCBTA(4, 3, reg=REG)), (PLAIN, LinUCB(4, 3, reg=REG, alpha=1.4))],
)
def test_the_parts_laid_open_choose_as_the_policy_does(policy, other):
    model = Model(TheoryCheck("simulation", 3, 300, 4), policy)
    generator = np.random.default_rng(0)
    for _ in range(300):
        x = sphere(generator, (1, 3))
        arm = other.choose(x[0])
        assert model.choose(x) == arm or _tied(other, x[0])
        reward = float(x[0, arm % 3])
        model.learn(x, arm, reward)
        other.learn(x[0], arm, reward)


def _tied(policy, x):
    scores = np.sort(policy.decide(x).scores)
    return scores[-1] - scores[-2] < 1e-12


def test_the_proofs_own_policy_keeps_every_statement():
    found = check().extra
    names = ("ball", "squares", "all_squares", "step", "bound", "plain_bound", "potential")
    for name in names:
        assert 0.0 < found[name] <= 1.0, name
    for name in ("width", "width_there", "optimism", "optimism_there"):
        assert found[name] == 0.0, name
    assert found["width_rounds"] == found["optimism_rounds"] == 300
    assert found["determinant"] < 1e-8


def test_neighbours_take_the_parameters_out_of_the_ball():
    found = check(PAPERS).extra
    assert found["ball"] > 1.0
    assert found["leftover"] > 5.0
    assert found["width"] > 0.1
    assert found["width_there"] == 0.0
    assert 0 < found["width_rounds"] < 300


def test_noise_alone_is_within_sigma_and_a_larger_sigma_covers_the_neighbours_too():
    assert 0.9 < check().extra["leftover"] <= 1.0
    assert 0.5 < check(COVERING).extra["leftover"] <= 1.0
    assert 0.9 < check(PAPERS, rewards="paper").extra["leftover"] <= 1.0 + 1e-9


def test_in_the_proofs_world_the_ball_holds_and_rewards_leave_their_bounds():
    found = check(PAPERS, rewards="paper").extra
    assert found["ball"] <= 1.0
    assert found["largest_reward"] > 1.1
    assert 0 < found["optimism_rounds"] < 300


def by_hand():
    """20 rounds of two arms in turn; the first loses 0.5 in each, the second 0.1.

    The estimate is wrong by 0.5 in rounds 11 to 15, the second arm's weights are 2 off in rounds
    10 and 11, a reward is too large in round 3, what is left over in round 7, and its mean in 5.
    """
    truth = np.array([[0.5], [-0.5]])
    ledger = Ledger(TheoryCheck("simulation", 1, 20, 2), truth, 0.01)
    for number in range(20):
        played = Round(
            arm=number % 2, regret=0.1 if number % 2 else 0.5, width=1.0, reach=0.0,
            miss=0.5 if 11 <= number <= 15 else 0.1, reward=0.25,
            largest=1.5 if number == 3 else 0.9, leftover=0.2 if number == 7 else 0.05,
            bias=0.3 if number == 5 else 0.0,
        )  # fmt: skip
        off = 2.0 if number == 9 else 0.0
        ledger.note(played, np.ones(1), truth[number % 2] + off)
    return ledger.found()


def test_a_run_made_by_hand(monkeypatch):
    monkeypatch.setattr(bounds, "beta", lambda *_, **__: 0.04)
    found = by_hand()
    limit = 8 * 0.04 * np.log(1 + 20 / 0.01)
    expected = {
        "reward": 5.0, "regret": 6.0, "largest_reward": 1.5, "leftover": 2.0, "bias": 0.3,
        "ball": 4.0 * 5.01 / 0.04,
        "width": 5 / 20, "width_there": 4 / 18, "width_rounds": 18,
        "optimism": 10 / 20, "optimism_there": 9 / 16, "optimism_rounds": 16,
        "squares": 2.5 / limit, "all_squares": 2.6 / limit, "step": 6 / (20 * 2.5) ** 0.5,
        "bound": 6 / (20 * limit) ** 0.5,
        "determinant": abs(10 * np.log(2.0) - np.log(10.01 / 0.01)),
        "potential": np.log(10.01 / 0.01) / np.log(1 + 20 / 0.01),
    }  # fmt: skip
    assert {name: found[name] for name in expected} == pytest.approx(expected)


def test_distances_count_by_the_largest_of_each_arm():
    """As the text says: "the maximum possible contribution"; the sum itself broke the potential."""
    ledger = Ledger(TheoryCheck("simulation", 1, 12, 2), np.array([[0.5], [-0.5]]), 0.01)
    for arm, reach in ((0, 0.1), (0, 2.0), (1, 0.5), (0, 0.0)) * 3:
        played = Round(arm, 0.1, 1.0, reach, 0.1, 0.25, 0.9, 0.05, 0.0)
        ledger.note(played, np.ones(1), ledger.truth[arm])
    assert ledger.found()["spread"] == pytest.approx(9 * 2.0**2 + 3 * 0.5**2)


@pytest.mark.parametrize(
    ("policy", "rewards", "biased"),
    [(PLAIN, "linear", False), (PAPERS, "paper", False), (PAPERS, "linear", True),
     (COVERING, "linear", True)],
)  # fmt: skip
def test_the_papers_model_holds_where_rewards_are_linear_plus_neighbours(policy, rewards, biased):
    assert (check(policy, rewards=rewards).extra["bias"] > 0.1) == biased


def test_the_determinant_lemma_fails_with_gamma():
    assert check(PAPERS).extra["determinant"] < 1e-8
    assert check(PAPERS, gamma=1.0).extra["determinant"] > 0.1


@pytest.mark.parametrize("measure", ["ball", "squares", "bound"])
def test_a_smaller_radius_breaks_what_depends_on_it(monkeypatch, measure):
    before = check().extra[measure]
    whole = bounds.beta
    monkeypatch.setattr(bounds, "beta", lambda *a, **k: 0.01 * whole(*a, **k))
    factor = 10.0 if measure == "bound" else 100.0
    assert check().extra[measure] == pytest.approx(factor * before)


def test_growth_is_the_slope_of_the_last_two_decades():
    at = np.unique(np.logspace(1, 4, 60).astype(int))
    totals = np.where(at < 100, 1.0, at**0.7 / 100**0.7)
    assert growth(at, totals) == pytest.approx(0.7)


def test_theorem_2s_derivative_is_right_as_printed_and_a_wrong_one_would_be_seen(monkeypatch):
    found = check(name="attention").extra
    assert found["fixed"] < 1e-5
    assert found["own"] > 0.01
    assert 0.3 < found["rising"] < 0.7
    right = bounds.attention_slope
    monkeypatch.setattr(bounds, "attention_slope", lambda *a, **k: 1.01 * right(*a, **k))
    assert check(name="attention").extra["fixed"] > 1e-3


def test_whether_the_rate_rises_is_asked_of_the_policys_own(monkeypatch):
    before = check(name="attention").extra
    assert before["rising_positive"] == 0.0
    monkeypatch.setattr(bounds, "attention_slope", lambda *_, **__: 1.0)
    assert check(name="attention").extra["rising"] == before["rising"]
    for sign, rising in ((1.0, 1.0), (-1.0, 0.0)):
        rates = lambda self, counts, means, sign=sign: sign * counts  # noqa: E731
        monkeypatch.setattr(TemporalAttention, "rates", rates)
        after = check(name="attention").extra
        assert after["rising_positive"] == after["rising"] == rising


def test_other_rewards_are_refused():
    with pytest.raises(InvalidInput, match="rewards"):
        TheoryCheck("simulation", rewards="quadratic")
