import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hybandit.estimators.joint_ridge import JointRidge

few = settings(max_examples=30, deadline=None)


@few
@given(st.integers(0, 2**32), st.integers(1, 40), st.floats(0.1, 50.0), st.floats(0.1, 50.0))
def test_weights_and_intercepts_are_those_of_one_least_squares_problem(seed, count, reg, shrink):
    generator = np.random.default_rng(seed)
    z, rewards = generator.normal(size=(count, 3)), generator.normal(size=count)
    owners = generator.integers(4, size=count)
    joint = JointRidge(3, reg=reg, shrink=shrink)
    counts, totals, features = np.zeros(4), np.zeros(4), np.zeros((4, 3))
    for row, owner, reward in zip(z, owners, rewards, strict=True):
        joint.learn(row, reward, count=counts[owner], total=totals[owner], features=features[owner])
        counts[owner] += 1
        totals[owner] += reward
        features[owner] += row
    design = np.hstack([z, np.eye(4)[owners]])
    penalty = np.diag([reg] * 3 + [shrink] * 4)
    solved = np.linalg.solve(design.T @ design + penalty, design.T @ rewards)
    np.testing.assert_allclose(joint.weights, solved[:3], rtol=1e-7, atol=1e-9)
    own = (totals - features @ joint.weights) / (counts + shrink)
    np.testing.assert_allclose(own, solved[3:], rtol=1e-7, atol=1e-9)
