"""Three models and the same with neighbours and attention."""

from __future__ import annotations

from hybandit.experiments.definitions.parameters import EPSILONS, MODELS, PAIRS, SIX, grid
from hybandit.experiments.experiment import Experiment, Scale

ENHANCED = {
    "EnhancedBetaThompson": ("enhanced-beta-thompson", [{"a": a, "b": b} for a, b in PAIRS]),
    "EnhancedEpsilonGreedy": ("enhanced-epsilon-greedy", [{"epsilon": e} for e in EPSILONS]),
    "EnhancedLinTS": ("enhanced-lin-ts", [{"v": v} for v in SIX]),
}
BASES = {name.removeprefix("Enhanced"): name for name in ENHANCED}


def define(scale: Scale) -> Experiment:
    return grid(
        scale,
        "enhanced",
        "Enhanced models and their bases",
        "The news log by replay, arm contexts, raw integers, 800 matches. The paper gives only the "
        "attention score for the enhanced models; the formulas are ours.",
        {name: MODELS[name] for name in BASES} | ENHANCED,
    )
