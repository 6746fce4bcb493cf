"""How much to explore: every rate turns arm statistics into one number per arm."""

from hybandit.exploration.constant import Constant
from hybandit.exploration.error_scaled import ErrorScaled
from hybandit.exploration.normal_draws import NormalDraws
from hybandit.exploration.softmax_attention import SoftmaxAttention
from hybandit.exploration.temporal_attention import TemporalAttention

__all__ = ["Constant", "ErrorScaled", "NormalDraws", "SoftmaxAttention", "TemporalAttention"]
