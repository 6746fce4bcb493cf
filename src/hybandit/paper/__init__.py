"""The audit of the LNUCB-TA paper: its experiments, judgements, theory and players.

Importing it registers all of these with the rooms below, which know nothing of it.
"""

from hybandit.experiments.environments import register_environment
from hybandit.experiments.requests import register_request
from hybandit.paper.network_exploration import NetworkTask
from hybandit.paper.overheard_replay import OverheardReplayTask
from hybandit.paper.players import register_players
from hybandit.paper.reproduce import Reproduce
from hybandit.paper.theory.checks import TheoryCheck

register_players()
register_environment("network", NetworkTask)
register_environment("overheard-replay", OverheardReplayTask)
register_environment("theory", TheoryCheck)
register_request("reproduce", Reproduce.read)
