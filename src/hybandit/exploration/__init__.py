"""Exploration: rates, one number for each arm, and bonuses that are added to scores."""

from hybandit.exploration.arm_errors import ArmErrors
from hybandit.exploration.constant import Constant
from hybandit.exploration.normal_draws import NormalDraws
from hybandit.exploration.softmax_attention import SoftmaxAttention
from hybandit.exploration.temporal_attention import TemporalAttention

__all__ = [
    "ArmErrors",
    "Constant",
    "NormalDraws",
    "SoftmaxAttention",
    "TemporalAttention",
]
