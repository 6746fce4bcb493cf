import numpy as np

from hybandit.kernels import vectors

POINTS = np.array([[0.0, 0.0], [3.0, 4.0]])


def test_lengths_are_sums_of_squares():
    assert [vectors.squared_length(POINTS, row) for row in (0, 1)] == [0.0, 25.0]


def test_distances_are_sums_of_squares():
    queries = np.array([[9.0, 9.0], [2.0, 2.0]])
    assert vectors.squared_distance(POINTS, 1, queries, 1) == 5.0
