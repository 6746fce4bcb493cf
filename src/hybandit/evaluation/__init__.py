"""Off-policy evaluation: what a policy would have earned, estimated from a log."""

from hybandit.evaluation.betting import Capital, RunningMean
from hybandit.evaluation.differences import Gap, gap
from hybandit.evaluation.evaluate import ESTIMATED, ESTIMATORS, Evaluation, evaluate
from hybandit.evaluation.intervals import Interval, Intervals
from hybandit.evaluation.item_log import ItemLog, Offer
from hybandit.evaluation.models import ItemModel, LinearModel, RewardModel
from hybandit.evaluation.progressive import LEARN, Scores, replay_matches, score
from hybandit.evaluation.propensities import estimated_propensities
from hybandit.evaluation.value_estimators import (
    Course,
    ValueEstimate,
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
    "Capital",
    "Course",
    "Evaluation",
    "Gap",
    "Interval",
    "Intervals",
    "ItemLog",
    "ItemModel",
    "LinearModel",
    "Offer",
    "RewardModel",
    "RunningMean",
    "Scores",
    "ValueEstimate",
    "clipped",
    "direct",
    "doubly_robust",
    "estimated_propensities",
    "evaluate",
    "gap",
    "ips",
    "log_notes",
    "model_terms",
    "replay",
    "replay_matches",
    "score",
    "snips",
    "switch",
    "switch_doubly_robust",
]
