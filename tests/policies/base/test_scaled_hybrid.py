import numpy as np
import pytest

from hybandit import LNUCBTA, LinKNNUCB, load
from hybandit.estimators.context_scale import ContextScale

KINDS = pytest.mark.parametrize(
    ("kind", "settings"),
    [(LNUCBTA, {}), (LNUCBTA, {"target": "reward"}), (LNUCBTA, {"gamma": 0.1}), (LinKNNUCB, {})],
)


def people(count, seed=0):
    generator = np.random.default_rng(seed)
    rows = np.c_[generator.uniform(18, 80, count), generator.uniform(1e4, 2e5, count)]
    arms = generator.integers(0, 3, count)
    wanted = (rows[:, 0] > 45).astype(int) + (rows[:, 1] > 1e5)
    return rows, arms, (arms == wanted).astype(float)


@KINDS
def test_a_rebuilt_model_is_as_if_contexts_had_always_been_scaled(kind, settings):
    rows, arms, rewards = people(64)
    scale = ContextScale(2)
    for row in rows:
        scale.observe(row)
    auto = kind(3, 2, seed=0, scale="auto", **settings)
    auto.learn_many(rows, arms, rewards)
    plain = kind(3, 2, seed=0, **settings)
    plain.learn_many(scale.scaled(rows), arms, rewards)
    probes = people(50, seed=1)[0]
    expected = plain.score_many(scale.scaled(probes))
    np.testing.assert_allclose(auto.score_many(probes), expected, rtol=1e-7, atol=1e-9)
    assert np.array_equal(auto.choose_many(probes), [auto.choose(probe) for probe in probes])


@KINDS
def test_contexts_of_unit_length_are_as_they_come(kind, settings):
    generator = np.random.default_rng(2)
    rows = generator.normal(size=(100, 4))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    arms, rewards = generator.integers(0, 3, 100), generator.random(100)
    auto, off = (kind(3, 4, seed=0, scale=scale, **settings) for scale in ("auto", "off"))
    for policy in (auto, off):
        policy.learn_many(rows, arms, rewards)
    assert np.array_equal(auto.score_many(rows), off.score_many(rows))


@pytest.mark.parametrize(
    "settings", [{}, {"memory": "window(9)"}, {"memory": "reservoir(9)"}, {"forget": 0.98}], ids=str
)
def test_a_scaled_model_goes_on_after_it_was_saved(settings, tmp_path):
    rows, arms, rewards = people(120)
    options = {"scale": "auto", **settings}
    whole, half = (LNUCBTA(3, 2, seed=0, **options) for _ in range(2))
    whole.learn_many(rows, arms, rewards)
    half.learn_many(rows[:50], arms[:50], rewards[:50])
    half.save(tmp_path / "model.npz")
    other = load(tmp_path / "model.npz")
    other.learn_many(rows[50:], arms[50:], rewards[50:])
    assert np.array_equal(whole.score_many(rows), other.score_many(rows))
    assert np.array_equal(whole.choose_many(rows), [whole.choose(row) for row in rows])


def test_by_default_nothing_but_the_paper_is_in_the_model():
    assert not [name for name in LNUCBTA(2, 2).state() if "scale/" in name]
