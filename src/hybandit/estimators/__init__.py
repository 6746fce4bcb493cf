"""Estimators: each turns contexts into values and learns from rewards."""

from hybandit.estimators.adaptive_knn import AdaptiveKNN
from hybandit.estimators.bayesian_ridge import BayesianRidge
from hybandit.estimators.cosines import RandomCosines
from hybandit.estimators.fading import Fading
from hybandit.estimators.hybrid import Hybrid
from hybandit.estimators.item_table import ItemTable
from hybandit.estimators.kernel_regression import KernelRegression
from hybandit.estimators.memory import Memory
from hybandit.estimators.network import GradientWidth, Network
from hybandit.estimators.observations import Observations
from hybandit.estimators.ridge import Ridge
from hybandit.estimators.stack import Stack
from hybandit.estimators.statistics import ArmStatistics

__all__ = [
    "AdaptiveKNN",
    "ArmStatistics",
    "BayesianRidge",
    "Fading",
    "GradientWidth",
    "Hybrid",
    "ItemTable",
    "KernelRegression",
    "Memory",
    "Network",
    "Observations",
    "RandomCosines",
    "Ridge",
    "Stack",
]
