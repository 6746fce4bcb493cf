"""What learns: each estimator turns contexts into values and learns from rewards."""

from hybandit.estimators.adaptive_knn import AdaptiveKNN
from hybandit.estimators.cosines import RandomCosines
from hybandit.estimators.hybrid import Hybrid
from hybandit.estimators.memory import Memory
from hybandit.estimators.ridge import Ridge
from hybandit.estimators.stack import Stack
from hybandit.estimators.statistics import ArmStatistics

__all__ = ["AdaptiveKNN", "ArmStatistics", "Hybrid", "Memory", "RandomCosines", "Ridge", "Stack"]
