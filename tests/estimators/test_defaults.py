"""Defaults against a golden file.

After a change that is meant
``PYTHONPATH=src:tests python tests/estimators/test_defaults.py`` writes it anew.
"""

from pathlib import Path

from signatures import defaults_of

import hybandit.estimators

GOLDEN = Path(__file__).parent / "defaults.txt"


def test_defaults_are_those_that_were_told():
    assert defaults_of(hybandit.estimators) == GOLDEN.read_text()


if __name__ == "__main__":
    GOLDEN.write_text(defaults_of(hybandit.estimators))
