"""Made-up worlds of items whose truth is known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from hybandit.environments.item_rounds import FullItemRound
from hybandit.environments.synthetic import sphere
from hybandit.errors import InvalidInput
from hybandit.state import Flags, Floats, Integers

WORLD = 1
# Of the tastes in `bilinear` and of the latent factors in `ratings`.
RANK, FACTORS = 3, 8
POPULARITY = 0.1
LOWEST, HIGHEST = 0.02, 0.98
CLUSTERS, SPREAD = 6, 0.35
RAREST_CLICK, COMMONEST_CLICK = 0.02, 0.2
USERS = 1000
RATING_NOISE = 0.2
# What part of a latent factor the features tell, the rest being noise.
TOLD = 0.6
SPARSE_CLICK, SPARSE_SLOPE, MEAN_DELAY = 0.03, 1.5, 200
# At any time a changing catalogue has this part of all its items.
LIVE = 0.2


@dataclass(frozen=True)
class Truth:
    """A world as its seed made it: who comes, what there is, and what it pays on average.

    Row u of `contexts` is a user's, row i of `items` an item's; ``means(u, i)`` what they pay.
    """

    contexts: Floats
    items: Floats
    user_factors: Floats
    item_factors: Floats
    levels: Floats


class ItemWorld:
    """Some candidates a round, out of many items that pay differently to different users.

    Parameters
    ----------
    kind
        ``bilinear``: clicks with a mean of ``1/2 + c' M v``, M of rank 3, plus each item's
        popularity, which its features do not tell.
        ``clusters``: 6 tastes of users and 6 kinds of items, seen with noise; clicks of 2 to
        20 %, by taste and kind. At first a sixth of the items is there, the others arrive.
        ``catalogue``: as bilinear; a fifth of the items is there at a time, and from the first
        round to the last each leaves in turn for a new one.
        ``clicks``: clicks of about 3 %, by a bilinear taste, known after 200 rounds on average.
        ``ratings``: numbers from 0 to 1 by 8 hidden factors of 1,000 users and of the items, the
        items' quality and noise; the features tell 6/10 of the factors.
    candidates
        How many of the items are offered in a round, drawn evenly from those that are there.

    Examples
    --------
    >>> world = ItemWorld("bilinear", n_items=50, rounds=100, seed=0)
    >>> turn = next(iter(world))
    >>> turn.items.shape, len(set(turn.ids)), turn.best >= turn.expected(0)
    ((10, 10), 10, True)
    """

    def __init__(
        self,
        kind: str,
        *,
        n_context: int = 10,
        n_item: int = 10,
        n_items: int = 500,
        candidates: int = 10,
        rounds: int = 10_000,
        seed: int,
    ) -> None:
        if kind not in ITEM_WORLDS:
            raise InvalidInput("kind", f"one of {', '.join(ITEM_WORLDS)}", kind)
        if not 1 <= candidates <= LIVE_AT_FIRST.get(kind, 1.0) * n_items:
            rule = "at least 1, at most as many as there are items at any time"
            raise InvalidInput("candidates", rule, candidates)
        self.kind = kind
        self.n_context = n_context
        self.n_item = n_item
        self.n_items = n_items
        self.candidates = candidates
        self.rounds = rounds
        self.seed = seed
