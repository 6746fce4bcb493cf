"""Where rounds come from."""

from hybandit.environments.classification import Classification
from hybandit.environments.play import Outcome, play
from hybandit.environments.replay import Replay
from hybandit.environments.rounds import Environment, FullRound, LoggedRound, Round

__all__ = [
    "Classification",
    "Environment",
    "FullRound",
    "LoggedRound",
    "Outcome",
    "Replay",
    "Round",
    "play",
]
