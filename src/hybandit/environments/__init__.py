"""Environments: the rounds that policies play."""

from hybandit.environments.classification import Classification
from hybandit.environments.items import ItemWorld
from hybandit.environments.plain_world import PlainWorld
from hybandit.environments.play import Outcome, play, play_items
from hybandit.environments.replay import ItemReplay, Replay
from hybandit.environments.rounds import (
    Environment,
    FullItemRound,
    FullRound,
    ItemEnvironment,
    ItemRound,
    LoggedItemRound,
    LoggedRound,
    Round,
)
from hybandit.environments.synthetic import Synthetic

__all__ = [
    "Classification",
    "Environment",
    "FullItemRound",
    "FullRound",
    "ItemEnvironment",
    "ItemReplay",
    "ItemRound",
    "ItemWorld",
    "LoggedItemRound",
    "LoggedRound",
    "Outcome",
    "PlainWorld",
    "Replay",
    "Round",
    "Synthetic",
    "play",
    "play_items",
]
