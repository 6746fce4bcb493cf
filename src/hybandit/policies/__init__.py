"""One policy a file: how an estimate and a rate make a choice."""

from hybandit.estimators.limits import reservoir, window
from hybandit.policies.base import ContextualPolicy, Policy, load
from hybandit.policies.beta_thompson import BetaThompson
from hybandit.policies.decision import Decision
from hybandit.policies.enhanced_beta_thompson import EnhancedBetaThompson
from hybandit.policies.enhanced_epsilon_greedy import EnhancedEpsilonGreedy
from hybandit.policies.enhanced_lin_ts import EnhancedLinTS
from hybandit.policies.epsilon_greedy import EpsilonGreedy
from hybandit.policies.kl_ucb import KLUCB
from hybandit.policies.knn_kl_ucb import KNNKLUCB
from hybandit.policies.knn_ucb import KNNUCB
from hybandit.policies.lin_knn_ucb import LinKNNUCB
from hybandit.policies.lin_thompson_ucb import LinThompsonUCB
from hybandit.policies.lin_ts import LinTS
from hybandit.policies.lin_ucb import LinUCB
from hybandit.policies.lnucb_ta import LNUCBTA
from hybandit.policies.registry import find_policy, make_policy, policy_names
from hybandit.policies.stacked_hybrid import StackedHybrid
from hybandit.policies.ucb import UCB

__all__ = [
    "KLUCB",
    "KNNKLUCB",
    "KNNUCB",
    "LNUCBTA",
    "UCB",
    "BetaThompson",
    "ContextualPolicy",
    "Decision",
    "EnhancedBetaThompson",
    "EnhancedEpsilonGreedy",
    "EnhancedLinTS",
    "EpsilonGreedy",
    "LinKNNUCB",
    "LinTS",
    "LinThompsonUCB",
    "LinUCB",
    "Policy",
    "StackedHybrid",
    "find_policy",
    "load",
    "make_policy",
    "policy_names",
    "reservoir",
    "window",
]
