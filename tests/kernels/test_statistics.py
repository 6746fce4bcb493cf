import numpy as np

from hybandit.kernels import statistics


def test_one_step_moves_one_arm_by_welfords_rule():
    counts, means, squares = np.array([1.0, 2.0]), np.array([4.0, 1.0]), np.array([0.0, 2.0])
    statistics.update(counts, means, squares, 1, 4.0)
    assert counts.tolist() == [1.0, 3.0]
    assert means.tolist() == [4.0, 2.0]
    assert squares.tolist() == [0.0, 8.0]
