import numpy as np
import pytest

from hybandit.errors import ModelFileError
from hybandit.estimators import Observations


def observed(count):
    observations = Observations(1)
    for number in range(count):
        observations.append(np.array([float(number)]), number % 3, float(number))
    return observations


def test_room_grows_and_nothing_moves():
    observations = observed(100)
    assert observations.size == observations.held == observations.arrived == 100
    assert observations.entries.rewards[:100].tolist() == list(range(100))
    assert observations.entries.contexts[:100, 0].tolist() == list(range(100))


def test_a_free_slot_is_taken_by_the_next():
    observations = observed(3)
    observations.discard(1)
    assert observations.held == 2
    assert observations.slots().tolist() == [0, 2]
    assert observations.append(np.array([9.0]), 2, 9.0) == 1
    assert observations.slots().tolist() == [0, 2, 1]
    state = observations.state()
    assert state["rewards"].tolist() == [0.0, 2.0, 9.0]
    assert state["arrivals"].tolist() == [0, 2, 3]


def test_the_newest_may_come_first_and_files_tell_the_order_of_arrival():
    observations = Observations(1, newest_first=True)
    for number in range(3):
        observations.append(np.zeros(1), 0, float(number))
    observations.discard(0)
    assert (np.diff(observations.entries.arrivals[:3]) < 0).all()
    assert observations.slots().tolist() == [1, 2]
    again = Observations(1, newest_first=True)
    again.restore(observations.state())
    assert again.state()["arrivals"].tolist() == [1, 2]
    assert again.entries.arrivals[:2].tolist() == observations.entries.arrivals[1:3].tolist()


def test_one_that_is_not_kept_counts_as_arrived():
    observations = observed(2)
    observations.pass_by()
    observations.append(np.zeros(1), 0, 0.0)
    assert observations.state()["arrivals"].tolist() == [0, 1, 3]


def test_arms_that_do_not_exist_are_refused():
    with pytest.raises(ModelFileError, match="beyond the 2"):
        observed(3).check_owners(2)
    observed(3).check_owners(3)
    # One arm alone, the first and the last there is.
    observed(1).check_owners(1)
    observed(0).check_owners(1)
    with pytest.raises(ModelFileError, match="beyond the 1"):
        observed(2).check_owners(1)
