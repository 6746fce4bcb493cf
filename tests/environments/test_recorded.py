"""What a seed makes of every world, against a golden file: stored runs rest on it.

After a change that is meant, which raises a results version,
``PYTHONPATH=src:tests python tests/environments/test_recorded.py`` writes the file anew.
"""

from pathlib import Path

import numpy as np
import pytest
from recordings import block, read, write

from hybandit.environments import Classification, ItemWorld, Synthetic
from hybandit.environments.items import ITEM_WORLDS
from hybandit.environments.synthetic import KINDS

GOLDEN = Path(__file__).parent / "recorded.txt"
ROWS, LABELS = np.arange(24.0).reshape(12, 2) % 7, np.arange(12) % 3


def written(*values):
    """The sum, and another in which order matters."""
    flat = np.concatenate([np.ravel(np.asarray(value, float)) for value in values])
    return f"{flat.sum():.6g} {np.arange(1, len(flat) + 1) @ flat:.6g}"


def arms_of(world):
    for number, turn in enumerate(world):
        rewards = [(turn.reward(arm), turn.expected(arm)) for arm in range(world.n_arms)]
        if number % 10 == 0:
            yield written(turn.context, rewards, turn.best)


def items_of(world):
    for number, turn in enumerate(world):
        if number % 40 == 0:
            yield written(turn.context, turn.items, turn.ids, turn.means, turn.rewards, turn.delay)


WORLDS = {
    "classes": lambda: arms_of(Classification(ROWS, LABELS, seed=5, rounds=40)),
    "classes that pay now and then": lambda: arms_of(
        Classification(ROWS, LABELS, seed=5, rounds=40, probabilities=(0.2, 0.6))
    ),
    **{kind: lambda kind=kind: arms_of(Synthetic(kind, rounds=60, seed=5)) for kind in KINDS},
    **{
        kind: lambda kind=kind: items_of(ItemWorld(kind, n_items=60, rounds=200, seed=5))
        for kind in ITEM_WORLDS
    },
}


def text_of(name):
    return block(name, WORLDS[name]())


@pytest.mark.parametrize("name", WORLDS)
def test_a_world_is_what_its_seed_made_of_it(name):
    assert text_of(name) == read(GOLDEN)[name]


if __name__ == "__main__":
    write(GOLDEN, [text_of(name) for name in WORLDS])
