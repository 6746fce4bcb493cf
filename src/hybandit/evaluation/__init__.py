"""What a policy would have earned, from a log of another's decisions."""

from hybandit.evaluation.estimators import (
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
from hybandit.evaluation.evaluate import ESTIMATORS, Evaluation, evaluate
from hybandit.evaluation.intervals import Interval, Intervals
from hybandit.evaluation.models import LinearModel, RewardModel
from hybandit.evaluation.progressive import LEARN, Scores, replay_matches, score
from hybandit.evaluation.propensities import estimated_propensities

__all__ = [
    "ESTIMATORS",
    "LEARN",
    "Evaluation",
    "Interval",
    "Intervals",
    "LinearModel",
    "RewardModel",
    "Scores",
    "ValueEstimate",
    "clipped",
    "direct",
    "doubly_robust",
    "estimated_propensities",
    "evaluate",
    "ips",
    "model_terms",
    "replay",
    "replay_matches",
    "score",
    "snips",
    "switch",
    "switch_doubly_robust",
]
