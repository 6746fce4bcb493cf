import numpy as np
import pytest

from hybandit import LNUCBTA, LinUCB, theory
from hybandit.environments.synthetic import sphere
from hybandit.errors import InvalidInput
from hybandit.experiments import EnvironmentSpec, PolicySpec
from hybandit.experiments.environments import make_environment
from hybandit.experiments.theory_checks import REG, Model, TheoryCheck, growth

PAPERS = PolicySpec("lnucb-ta", {"reg": REG})
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
    for name in ("ball", "squares", "bound", "plain_bound", "potential"):
        assert 0.0 < found[name] <= 1.0, name
    for name in ("width", "optimism"):
        assert found[name] == 0.0, name
    assert found["determinant"] < 1e-8


def test_neighbours_take_the_parameters_out_of_the_ball():
    assert check(PAPERS).extra["ball"] > 1.0


def test_in_the_proofs_world_the_ball_holds_and_rewards_leave_their_bounds():
    found = check(PAPERS, rewards="paper").extra
    assert found["ball"] <= 1.0
    assert found["largest_reward"] > 1.1


def test_the_determinant_lemma_fails_with_gamma():
    assert check(PAPERS).extra["determinant"] < 1e-8
    assert check(PAPERS, gamma=1.0).extra["determinant"] > 0.1


@pytest.mark.parametrize("measure", ["ball", "squares", "bound"])
def test_a_smaller_radius_breaks_what_depends_on_it(monkeypatch, measure):
    before = check().extra[measure]
    whole = theory.beta
    monkeypatch.setattr(theory, "beta", lambda *a, **k: 0.01 * whole(*a, **k))
    factor = 10.0 if measure == "bound" else 100.0
    assert check().extra[measure] == pytest.approx(factor * before)


def test_a_smaller_radius_breaks_the_lemmas_on_widths(monkeypatch):
    monkeypatch.setattr(theory, "beta", lambda *_, **__: 1e-6)
    found = check().extra
    assert found["width"] > 0.5
    assert found["optimism"] > 0.1


def test_the_neighbours_term_only_raises_the_bound():
    found = check(PAPERS).extra
    assert found["spread"] > 0.0
    assert found["bound"] < found["plain_bound"]


def test_growth_is_the_slope_of_the_last_two_decades():
    at = np.unique(np.logspace(1, 4, 60).astype(int))
    totals = np.where(at < 100, 1.0, at**0.7 / 100**0.7)
    assert growth(at, totals) == pytest.approx(0.7)


def test_theorem_2s_derivative_is_right_as_printed_and_a_wrong_one_would_be_seen(monkeypatch):
    found = check(name="attention").extra
    assert found["fixed"] < 1e-5
    assert found["own"] > 0.01
    assert 0.3 < found["rising"] < 0.7
    right = theory.attention_slope
    monkeypatch.setattr(theory, "attention_slope", lambda *a, **k: 1.01 * right(*a, **k))
    assert check(name="attention").extra["fixed"] > 1e-3


def test_other_rewards_are_refused():
    with pytest.raises(InvalidInput, match="rewards"):
        TheoryCheck("simulation", rewards="quadratic")
