"""Off-policy evaluation: what a policy would have earned, estimated from a log."""

from hybandit.evaluation.betting import Capital, RunningMean
from hybandit.evaluation.differences import Gap, gap
from hybandit.evaluation.evaluate import evaluate, evaluate_many
from hybandit.evaluation.intervals import Interval, Intervals
from hybandit.evaluation.item_log import ItemLog, Offer
from hybandit.evaluation.item_stream import StreamedItemLog
from hybandit.evaluation.judging import ESTIMATED, ESTIMATORS, Evaluation, How
from hybandit.evaluation.models import ItemModel, LinearModel, RewardModel
from hybandit.evaluation.progressive import LEARN, Always, Logged
from hybandit.evaluation.propensities import estimated_propensities
from hybandit.evaluation.tally import Course, ValueEstimate
from hybandit.evaluation.value_estimators import (
    clipped,
    direct,
    doubly_robust,
    ips,
    model_terms,
    replay,
    snips,
    switch,
    switch_doubly_robust,
)
from hybandit.evaluation.watch import log_notes

__all__ = [
    "ESTIMATED",
    "ESTIMATORS",
    "LEARN",
    "Always",
    "Capital",
    "Course",
    "Evaluation",
    "Gap",
    "How",
    "Interval",
    "Intervals",
    "ItemLog",
    "ItemModel",
    "LinearModel",
    "Logged",
    "Offer",
    "RewardModel",
    "RunningMean",
    "StreamedItemLog",
    "ValueEstimate",
    "clipped",
    "direct",
    "doubly_robust",
    "estimated_propensities",
    "evaluate",
    "evaluate_many",
    "gap",
    "ips",
    "log_notes",
    "model_terms",
    "replay",
    "snips",
    "switch",
    "switch_doubly_robust",
]
