import numpy as np

from hybandit.kernels import network as kernels


def test_too_long_a_context_is_shortened_and_keeps_its_direction():
    out = np.empty((1, 2), np.float32)
    kernels.shorten(np.array([[3e99, 4e99]]), out)
    assert np.allclose(out, [[0.6 * kernels.LONGEST, 0.8 * kernels.LONGEST]])
    kernels.shorten(np.array([[3.0, 4.0]]), out)
    assert out.tolist() == [[3.0, 4.0]]
    kernels.shorten(np.zeros((1, 2)), out)
    assert out.tolist() == [[0.0, 0.0]]


def test_variances_never_shrink_to_nothing():
    assert kernels.shrunk(1e-20, 1e30) == kernels.SMALLEST
    assert kernels.shrunk(0.5, 2.0) == 0.25


def test_a_batch_is_sorted_by_arm():
    contexts = np.arange(5, dtype=np.float32)[:, None]
    arms, targets = np.array([2, 0, 2, 1, 0]), np.arange(5.0)
    rows, wanted = np.empty((4, 1), np.float32), np.empty(4)
    ends = np.empty(4, np.int64)
    kernels.gather(contexts, arms, targets, np.array([0, 1, 3, 4]), 4, rows, wanted, ends)
    assert rows[:, 0].tolist() == wanted.tolist() == [1.0, 4.0, 3.0, 0.0]
    assert ends.tolist() == [2, 3, 4, 4]
