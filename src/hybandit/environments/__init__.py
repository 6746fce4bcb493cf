"""Where rounds come from."""

from hybandit.environments.classification import Classification
from hybandit.environments.network import NetworkExploration, ProbeRound
from hybandit.environments.play import Outcome, play
from hybandit.environments.replay import Replay
from hybandit.environments.rounds import Environment, FullRound, LoggedRound, Round
from hybandit.environments.synthetic import Synthetic

__all__ = [
    "Classification",
    "Environment",
    "FullRound",
    "LoggedRound",
    "NetworkExploration",
    "Outcome",
    "ProbeRound",
    "Replay",
    "Round",
    "Synthetic",
    "play",
]
