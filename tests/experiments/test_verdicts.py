import pytest

from hybandit.experiments.experiment import Scale
from hybandit.experiments.paper import EXPERIMENTS
from hybandit.experiments.section import Published, Verdict
from hybandit.experiments.spread import Spread
from hybandit.experiments.verdicts import verdicts_section


@pytest.mark.parametrize(
    ("published", "ours", "agrees"),
    [
        (Published(100.0, 1.0), Spread(104.9, 1.0, 20), True),
        (Published(100.0, 1.0), Spread(105.1, 9.0, 20), False),
        (Published(100.0, 10.0), Spread(119.0, 1.0, 20), True),
        (Published(100.0, 10.0), Spread(121.0, 1.0, 20), False),
        (Published(100.0), Spread(120.0, 11.0, 10), True),
        (Published(100.0), Spread(120.0, 9.0, 10), False),
        (Published(100.0), Spread(40.0, 31.0, 10), False),
    ],
)
def test_a_verdict_weighs_the_gap(published, ours, agrees):
    assert Verdict.of("news", "clicks", published, ours).agrees is agrees


def test_reasons_are_given_for_what_is_shown():
    section = verdicts_section([EXPERIMENTS["news"]], Scale(), {})
    assert [note.split(":")[0] for note in section.notes] == ["news", "not compared"]
