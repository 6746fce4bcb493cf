import numpy as np

from hybandit.exploration import Constant


def test_every_arm_has_the_same_rate_however_often_it_was_played():
    rate = Constant(0.7)
    for n_arms in (2, 3):
        counts = np.arange(float(n_arms))
        assert rate.rates(counts, counts).tolist() == [0.7] * n_arms
