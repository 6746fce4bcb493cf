import numpy as np

from hybandit.kernels import statistics


def test_one_step_moves_one_arm_by_welfords_rule():
    counts, means, squares = np.array([1.0, 2.0]), np.array([4.0, 1.0]), np.array([0.0, 2.0])
    statistics.update(counts, means, squares, 1, 4.0)
    assert counts.tolist() == [1.0, 3.0]
    assert means.tolist() == [4.0, 2.0]
    assert squares.tolist() == [0.0, 8.0]


def test_fading_keeps_mean_and_variance_and_shrinks_the_weight_of_one_arm():
    counts, means, squares = np.array([3.0, 2.0]), np.array([4.0, 1.0]), np.array([6.0, 2.0])
    statistics.fade(counts, means, squares, 0, 0.5)
    assert counts.tolist() == [1.5, 2.0]
    assert means.tolist() == [4.0, 1.0]
    assert squares.tolist() == [3.0, 2.0]


def test_what_has_faded_to_nothing_was_never_pulled():
    counts, means, squares = np.array([1e-9]), np.array([4.0]), np.array([1e-9])
    statistics.fade(counts, means, squares, 0, 0.5)
    assert counts.tolist() == means.tolist() == squares.tolist() == [0.0]
