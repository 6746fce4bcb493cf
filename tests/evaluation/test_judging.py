from functools import reduce

import pytest
from evaluation.logs import known_log

from hybandit import LinUCB
from hybandit.datasets import EventLog
from hybandit.evaluation import Always, How, Logged, evaluate_many
from hybandit.evaluation.evaluate import evaluate_part
from hybandit.evaluation.judging import added, concluded, parts_of, with_propensities
from hybandit.evaluation.models import FittedModel

HOW = How(("ips", "snips", "doubly-robust"), learn="nothing")


def log_of(count):
    known = known_log(count, 0)
    return EventLog(known.arms, known.rewards, known.contexts)


def judged():
    return [LinUCB(4, 3, alpha=0.1, seed=0), Always("2"), Logged()]


@pytest.mark.parametrize("count", [100, 30_000])
def test_parts_of_a_log_give_the_digits_of_one_way_through_it(count):
    log = with_propensities(log_of(count), HOW)
    whole = evaluate_many(judged(), log, HOW)
    parts = parts_of(log, HOW)
    assert len(parts) == (1 if count == 100 else 8)
    model = FittedModel(log)
    sums = [evaluate_part(judged(), log, HOW, part, model=model) for part in parts]
    assert concluded(judged(), log, HOW, reduce(added, sums)) == whole


def test_parts_cover_a_log_once_in_whole_batches():
    log = log_of(300_000)
    parts = parts_of(log, HOW)
    numbers = [number for part in parts for number in range(*part.indices(len(log)))]
    assert numbers == list(range(len(log)))
    assert len(parts) == 25
    assert {part.start % 4096 for part in parts} == {0}


def test_what_has_to_be_gone_through_in_order_is_one_part():
    log = log_of(30_000)
    assert parts_of(log, How(("replay",), learn="nothing")) == [slice(0, None)]
