from hybandit import theory
from hybandit.experiments import EnvironmentSpec, PolicySpec, theory_checks
from hybandit.experiments.environments import make_environment


def check(name, policy="lin-ucb", **settings):
    environment = make_environment(EnvironmentSpec("theory", {"check": name, **settings}))
    return environment.run(PolicySpec(policy), 0)


def test_the_ball_holds_and_would_not_if_it_were_smaller(monkeypatch):
    assert check("ball", n_features=5, rounds=300).extra["holds"]
    monkeypatch.setattr(theory, "beta", lambda *_, **__: 1e-4)
    assert not check("ball", n_features=5, rounds=300).extra["holds"]


def test_regret_stays_under_the_bound_and_would_not_under_a_lower_one(monkeypatch):
    found = check("bound", n_features=5, rounds=2000)
    assert found.extra["holds"]
    assert found.regret < found.extra["bound"]
    monkeypatch.setattr(theory, "regret_bound", lambda *_, **__: 1.0)
    assert not check("bound", n_features=5, rounds=2000).extra["holds"]


def test_linear_regret_is_seen_as_such():
    found = check("bound", policy="epsilon-greedy", n_features=5, rounds=2000)
    assert found.extra["slope"] > 0.9


def test_the_slope_equals_its_finite_difference_and_a_wrong_one_would_not(monkeypatch):
    assert check("slope").extra["holds"]
    right = theory.attention_slope
    monkeypatch.setattr(theory, "attention_slope", lambda *a, **k: 1.01 * right(*a, **k))
    assert not check("slope").extra["holds"]


def test_the_checks_are_those_the_docstring_names():
    assert set(theory_checks.CHECKS) == {"ball", "bound", "slope"}
