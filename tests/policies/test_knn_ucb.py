import math

import numpy as np
import pytest

from hybandit import KNNUCB


def typical(log):
    """The root mean squared distance of all pairs that differ."""
    seen = np.array([x for x, _, _ in log])
    squares = ((seen[:, None] - seen[None]) ** 2).sum(axis=2)
    return math.sqrt(squares.sum() / (len(seen) * (len(seen) - 1)))


def plain_scores(
    log, contexts, n_arms, *, theta, phi, max_k, unit="typical", among="all", mean_bound=None
):
    """Section 3 of the rules, k by k; `mean_bound(F, N, budget)` replaces F + sqrt(...)."""
    t = len(log) + 1
    phi = math.log(t) if phi == "log" else phi
    if unit == "typical":
        phi /= typical(log)
    past = log
    scores = []
    for arm in range(n_arms):
        query = contexts if contexts.ndim == 1 else contexts[arm]
        log = past if among == "all" else [entry for entry in past if entry[1] == arm]
        distances = np.array([np.linalg.norm(x - query) for x, _, _ in log])
        order = np.argsort(distances, kind="stable")[:max_k]
        best = (math.inf, math.inf)
        for k in range(1, len(order) + 1):
            own = [log[i][2] for i in order[:k] if log[i][1] == arm]
            rho = distances[order[k - 1]]
            if not own:
                continue
            uncertainty = math.sqrt(theta * math.log(t) / len(own)) + phi * rho
            if uncertainty < best[0]:
                score = np.mean(own) + uncertainty
                if mean_bound:
                    score = mean_bound(np.mean(own), len(own), theta * math.log(t)) + phi * rho
                best = (uncertainty, score)
        scores.append(best[1])
    return np.array(scores)


@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize("options", [
    {"theta": 0.3, "phi": 0.5, "max_k": None},
    {"theta": 1.0, "phi": "log", "max_k": 5},
    {"theta": 0.0, "phi": 1.0, "max_k": None},
    {"theta": 0.3, "phi": 0.5, "max_k": None, "unit": "raw"},
    {"theta": 0.3, "phi": 0.5, "max_k": 5, "among": "arm"},
    {"theta": 0.3, "phi": "log", "max_k": None, "among": "arm", "unit": "raw"},
])  # fmt: skip
def test_scores_follow_the_rule_k_by_k(options, shared):
    generator = np.random.default_rng(0)
    policy = KNNUCB(3, 2, ties="first", **options)
    log = []
    for number in range(150):
        contexts = generator.normal(size=2 if shared else (3, 2))
        decision = policy.decide(contexts)
        if number < 3:
            assert decision.arm == number
        else:
            expected = plain_scores(log, contexts, 3, **options)
            np.testing.assert_allclose(decision.scores, expected, rtol=1e-9)
            assert decision.arm == expected.argmax()
        reward = float(generator.random() < 0.2 + 0.3 * decision.arm)
        policy.learn(contexts, decision.arm, reward)
        log.append((contexts if shared else contexts[decision.arm], decision.arm, reward))


def test_the_first_rounds_play_each_arm_once_in_order_even_with_random_ties():
    policy = KNNUCB(4, 1, seed=3)
    for arm in range(4):
        assert policy.choose([0.0]) == arm
        policy.learn([0.0], arm, 0.0)


def test_an_arm_outside_the_nearest_max_k_is_tried_first():
    policy = KNNUCB(2, 1, max_k=1)
    policy.learn_many([[0.0], [5.0]], [0, 1], [1.0, 0.0])
    assert policy.decide([0.0]).scores[1] == math.inf
    assert policy.choose([0.0]) == 1


def test_the_price_of_distance_does_not_depend_on_the_scale_of_contexts():
    generator = np.random.default_rng(1)
    plain, large = KNNUCB(3, 2, ties="first"), KNNUCB(3, 2, ties="first")
    for _ in range(200):
        x = generator.normal(size=2)
        arm = plain.choose(x)
        assert large.choose(1000.0 * x + 5.0) == arm
        reward = float(x[0] > 0.0) if arm == 1 else 0.3
        plain.learn(x, arm, reward)
        large.learn(1000.0 * x + 5.0, arm, reward)


def test_contexts_that_never_differ_have_no_distance():
    policy = KNNUCB(2, 1, ties="first")
    policy.learn_many([[3.0]] * 4, [0, 1, 0, 1], [0.0, 1.0, 0.0, 1.0])
    assert policy.choose([3.0]) == 1
