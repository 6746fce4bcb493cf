"""Who is judged on a log: policies by name, a choice that is always the same, the log itself."""

from __future__ import annotations

from hybandit.datasets import Log
from hybandit.errors import InvalidInput
from hybandit.evaluation import Always, Logged
from hybandit.evaluation.judging import Judged
from hybandit.experiments.players import PlayerSpec, find_player, register
from hybandit.experiments.specs import PolicySpec
from hybandit.policies import ArmPolicy, ItemPolicy

# The players that always make the same choice, and that made the log.
ALWAYS, LOGGED = "always", "(the log itself)"


def policy_of(spec: PolicySpec, n_arms: int, n_features: int, seed: int) -> ArmPolicy:
    """A policy of arms by name, which gives probabilities."""
    made = find_player(spec.name).on_arms(n_arms, n_features, seed, spec.settings)
    if not isinstance(made, ArmPolicy):
        raise InvalidInput("policies", "one that tells its probabilities", spec.name)
    return made


def item_policy_of(spec: PolicySpec, n_context: int, n_item: int, seed: int) -> ItemPolicy:
    """A policy of items by name."""
    made = find_player(spec.name).on_items(n_context, n_item, seed, spec.settings)
    if not isinstance(made, ItemPolicy):
        raise InvalidInput(
            "policies",
            "policies of items, such as item-hybrid, where the choices are items",
            spec.name,
        )
    return made


def policy_for(log: Log, spec: PolicySpec, seed: int) -> Judged:
    """A policy by name, made for the choices of a log."""
    if spec.name == ALWAYS:
        return Always(spec.settings["choice"])
    if spec.name == LOGGED:
        return Logged()
    if log.of_items:
        return item_policy_of(spec, *log.sizes, seed)
    return policy_of(spec, *log.sizes, seed)


def chooses_arms(spec: PolicySpec) -> bool:
    """Whether a policy chooses fixed arms, and not items."""
    if spec.name in (ALWAYS, LOGGED):
        return False
    return find_player(spec.name).arms is not None


def always(choice: str) -> PolicySpec:
    """The policy that always makes this choice."""
    return PolicySpec(ALWAYS, {"choice": choice})


register(PlayerSpec(ALWAYS, 1, {"choice": ""}))
register(PlayerSpec(LOGGED, 1, {}))
