"""The policies, one in each file: how an estimate and a rate make a choice."""

from hybandit.estimators.limits import reservoir, window
from hybandit.policies.base.arms import ArmPolicy
from hybandit.policies.base.contextual import ContextualPolicy
from hybandit.policies.base.decision import Decision, ItemDecision
from hybandit.policies.base.items import ItemPolicy
from hybandit.policies.base.policy import Policy, load
from hybandit.policies.base.registry import (
    find_policy,
    make_policy,
    named_settings,
    named_text,
    policy_names,
)
from hybandit.policies.beta_thompson import BetaThompson
from hybandit.policies.bootstrap_nn import BootstrapNN
from hybandit.policies.enhanced_beta_thompson import EnhancedBetaThompson
from hybandit.policies.enhanced_epsilon_greedy import EnhancedEpsilonGreedy
from hybandit.policies.enhanced_lin_ts import EnhancedLinTS
from hybandit.policies.epsilon_greedy import EpsilonGreedy
from hybandit.policies.item_hybrid import ItemHybrid
from hybandit.policies.item_lin_ucb import ItemLinUCB
from hybandit.policies.item_lnucb_ta import ItemLNUCBTA
from hybandit.policies.kernel_ts import KernelTS
from hybandit.policies.kernel_ucb import KernelUCB
from hybandit.policies.kl_ucb import KLUCB
from hybandit.policies.knn_kl_ucb import KNNKLUCB
from hybandit.policies.knn_ucb import KNNUCB
from hybandit.policies.lin_knn_ucb import LinKNNUCB
from hybandit.policies.lin_thompson_ucb import LinThompsonUCB
from hybandit.policies.lin_ts import LinTS
from hybandit.policies.lin_ucb import LinUCB
from hybandit.policies.lnucb_ta import LNUCBTA
from hybandit.policies.neural_bandit import NeuralBandit
from hybandit.policies.neural_epsilon_greedy import NeuralEpsilonGreedy
from hybandit.policies.neural_linear import NeuralLinear
from hybandit.policies.neural_ts import NeuralTS
from hybandit.policies.neural_ucb import NeuralUCB
from hybandit.policies.npr import NPR
from hybandit.policies.stacked_hybrid import StackedHybrid
from hybandit.policies.ucb import UCB

__all__ = [
    "KLUCB",
    "KNNKLUCB",
    "KNNUCB",
    "LNUCBTA",
    "NPR",
    "UCB",
    "ArmPolicy",
    "BetaThompson",
    "BootstrapNN",
    "ContextualPolicy",
    "Decision",
    "EnhancedBetaThompson",
    "EnhancedEpsilonGreedy",
    "EnhancedLinTS",
    "EpsilonGreedy",
    "ItemDecision",
    "ItemHybrid",
    "ItemLNUCBTA",
    "ItemLinUCB",
    "ItemPolicy",
    "KernelTS",
    "KernelUCB",
    "LinKNNUCB",
    "LinTS",
    "LinThompsonUCB",
    "LinUCB",
    "NeuralBandit",
    "NeuralEpsilonGreedy",
    "NeuralLinear",
    "NeuralTS",
    "NeuralUCB",
    "Policy",
    "StackedHybrid",
    "find_policy",
    "load",
    "make_policy",
    "named_settings",
    "named_text",
    "policy_names",
    "reservoir",
    "window",
]
