"""Players that only the audit needs: a NumPy reading of the paper, probers of networks, grids."""

from hybandit.experiments.players import PlayerSpec, defaults_of, register
from hybandit.paper.players.probers import PROBERS
from hybandit.paper.players.references import ReferenceHybrid


def register_players() -> None:
    """Let tasks name them."""
    for prober in PROBERS:
        register(PlayerSpec(prober.name, prober.results_version, defaults_of(prober)))
    reference = ReferenceHybrid
    defaults = defaults_of(reference)
    register(PlayerSpec(reference.name, reference.results_version, defaults, arms=reference))
