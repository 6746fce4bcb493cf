"""Defaults of estimators and environments against golden files.

After a change that is meant, ``PYTHONPATH=src:tests python tests/test_defaults.py`` writes them
anew.
"""

from pathlib import Path

import pytest
from signatures import defaults_of

import hybandit.environments
import hybandit.estimators

ROOMS = {"environments": hybandit.environments, "estimators": hybandit.estimators}


def golden(name):
    return Path(__file__).parent / name / "defaults.txt"


@pytest.mark.parametrize("name", ROOMS)
def test_defaults_are_those_that_were_told(name):
    assert defaults_of(ROOMS[name]) == golden(name).read_text()


if __name__ == "__main__":
    for name, room in ROOMS.items():
        golden(name).write_text(defaults_of(room))
