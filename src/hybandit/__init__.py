"""Contextual bandits: LNUCB-TA, StackedHybrid, and what they are compared with."""

from typing import TYPE_CHECKING

from hybandit._version import __version__ as __version__

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
    "Conflict",
    "ContextualPolicy",
    "DataFileError",
    "EnhancedBetaThompson",
    "EnhancedEpsilonGreedy",
    "EnhancedLinTS",
    "EpsilonGreedy",
    "EvaluationWarning",
    "HybanditError",
    "InvalidInput",
    "ItemHybrid",
    "ItemLNUCBTA",
    "ItemLinUCB",
    "ItemPolicy",
    "KernelTS",
    "KernelUCB",
    "LearningError",
    "LinKNNUCB",
    "LinTS",
    "LinThompsonUCB",
    "LinUCB",
    "Loop",
    "ModelFileError",
    "NeuralBandit",
    "NeuralEpsilonGreedy",
    "NeuralLinear",
    "NeuralTS",
    "NeuralUCB",
    "Policy",
    "PolicyError",
    "ScaleWarning",
    "StackedHybrid",
    "StoreError",
    "UnknownEvent",
    "UnknownName",
    "WorkerError",
    "cli",
    "compare",
    "datasets",
    "environments",
    "estimators",
    "evaluate",
    "evaluation",
    "experiments",
    "exploration",
    "features",
    "kernels",
    "load",
    "loop",
    "make_policy",
    "paper",
    "policies",
    "reports",
    "reservoir",
    "service",
    "testing",
    "validation",
    "window",
]

if TYPE_CHECKING:
    from hybandit import (
        cli,
        datasets,
        environments,
        estimators,
        evaluation,
        experiments,
        exploration,
        features,
        kernels,
        loop,
        paper,
        policies,
        reports,
        service,
        testing,
        validation,
    )
    from hybandit.errors import (
        Conflict,
        DataFileError,
        EvaluationWarning,
        HybanditError,
        InvalidInput,
        LearningError,
        ModelFileError,
        PolicyError,
        ScaleWarning,
        StoreError,
        UnknownEvent,
        UnknownName,
        WorkerError,
    )
    from hybandit.experiments import compare, evaluate
    from hybandit.loop import Loop
    from hybandit.policies import (
        KLUCB,
        KNNKLUCB,
        KNNUCB,
        LNUCBTA,
        NPR,
        UCB,
        ArmPolicy,
        BetaThompson,
        BootstrapNN,
        ContextualPolicy,
        EnhancedBetaThompson,
        EnhancedEpsilonGreedy,
        EnhancedLinTS,
        EpsilonGreedy,
        ItemHybrid,
        ItemLinUCB,
        ItemLNUCBTA,
        ItemPolicy,
        KernelTS,
        KernelUCB,
        LinKNNUCB,
        LinThompsonUCB,
        LinTS,
        LinUCB,
        NeuralBandit,
        NeuralEpsilonGreedy,
        NeuralLinear,
        NeuralTS,
        NeuralUCB,
        Policy,
        StackedHybrid,
        load,
        make_policy,
        reservoir,
        window,
    )
else:  # Type checkers must not see this: it would answer for any name.

    def __getattr__(name: str) -> object:
        """Import a package, or a name from one, only when it is first used."""
        from importlib import import_module
        from importlib.util import find_spec

        if not name.startswith("_") and find_spec(f"hybandit.{name}") is not None:
            return import_module(f"hybandit.{name}")
        if name in __all__:
            packages = ("errors", "policies", "loop", "experiments")
            homes = (import_module(f"hybandit.{package}") for package in packages)
            return next(vars(home)[name] for home in homes if name in vars(home))
        raise AttributeError(f"module 'hybandit' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
