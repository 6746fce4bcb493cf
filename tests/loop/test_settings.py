from datetime import timedelta

import numpy as np
import pytest

from hybandit.errors import InvalidInput
from hybandit.loop.settings import RULES, STORED, checked, closing
from hybandit.loop.storage.contract import LEARN, LOG, Closing


def test_what_is_not_given_is_left_to_the_loop():
    defaults, given = checked({"explore": STORED, "wait": timedelta(minutes=1)})
    assert given == {"wait": 60.0}
    assert defaults["explore"] == 0.01
    assert defaults.keys() == RULES.keys()


def test_every_default_obeys_its_rule():
    assert all(rule.holds(default) for default, rule in RULES.values())


def test_numbers_of_numpy_are_stored_plainly():
    assert type(checked({"explore": np.float64(0.5)})[1]["explore"]) is float


def test_the_error_tells_the_rule():
    with pytest.raises(InvalidInput, match="'mode' must be 'online' or 'apprentice' or 'log-only'"):
        checked({"mode": "off"})


@pytest.mark.parametrize(
    ("mode", "kind"), [("online", LEARN), ("apprentice", LEARN), ("log-only", LOG)]
)
def test_how_events_close(mode, kind):
    settings = checked({})[0] | {"wait": 5.0, "aggregate": "sum", "mode": mode}
    assert closing(settings) == Closing(5.0, "sum", 0.0, kind)
