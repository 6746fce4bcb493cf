"""A log of decisions among items that is read batch by batch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np

from hybandit.datasets import Facts, Log
from hybandit.datasets.dsjson import COSTS, LoggedChoice, read_choices
from hybandit.datasets.log import BATCH, WHOLE, within
from hybandit.datasets.reading import Aside
from hybandit.errors import DataFileError
from hybandit.evaluation.item_log import ItemLog
from hybandit.features import HashingEncoder

# The lengths of vectors, as a loop has them by default.
CONTEXT_WIDTH, ITEM_WIDTH = 64, 32


class StreamedItemLog(Log):
    """A .dsjson log of Vowpal Wabbit or Personalizer, as decisions among items.

    Features become vectors as in a loop (`HashingEncoder`): columns and scales are learned along
    the way, so that an event is encoded only with what was known before it.

    Parameters
    ----------
    tick
        Called with the number of lines that a first way through the log has passed.
    """

    of_items = True

    def __init__(self, path: str | Path, *, tick: Callable[[int], None] | None = None) -> None:
        self.path = Path(path)
        self.aside = Aside()
        self._facts = Facts()
        self._numbers: dict[str, int] = {}
        self._never: set[str] = set()
        self.notes = [COSTS]
        for batch in self._batches(BATCH, self.aside):
            self._facts.add(*batch.numbered(self._numbers))
            self._never.update(batch.unlogged_names)
            if tick is not None:
                tick(len(batch))
        self.rows = self._facts.count + self.aside.count
        if not self.rows:
            raise DataFileError(f"{path} is empty")
        self.aside.check(str(path), self.rows, self._facts.count)
        if self.aside.count:
            self.notes.append(self.counted())

    def __len__(self) -> int:
        return self._facts.count

    @property
    def facts(self) -> Facts:
        return self._facts

    @property
    def sizes(self) -> tuple[int, int]:
        return CONTEXT_WIDTH, ITEM_WIDTH

    @property
    def has_propensities(self) -> bool:
        return True

    @property
    def has_every_propensity(self) -> bool:
        return True

    @property
    def choice_names(self) -> Sequence[str]:
        return list(self._numbers)

    @property
    def unlogged_names(self) -> Sequence[str]:
        return sorted(self._never)

    def counted(self) -> str:
        """Events and lines set aside, in a sentence."""
        text = f"{len(self):,} of {self.rows:,} lines used"
        if self.aside.count:
            text += f"; {self.aside.count:,} set aside: {self.aside.told()}"
        return text

    def batches(self, rows: int = BATCH, part: slice = WHOLE) -> Iterator[ItemLog]:
        return within(self._batches(rows, None), 0, part)

    def _batches(self, rows: int, aside: Aside | None) -> Iterator[ItemLog]:
        contexts, actions = HashingEncoder(CONTEXT_WIDTH), HashingEncoder(ITEM_WIDTH)
        choices = read_choices(self.path, aside)
        while part := list(islice(choices, rows)):
            yield encoded(part, contexts, actions)


def encoded(
    choices: Sequence[LoggedChoice], contexts: HashingEncoder, actions: HashingEncoder
) -> ItemLog:
    """Decisions as vectors; the encoders learn each after it was encoded."""
    rows, items = [], []
    for each in choices:
        rows.append(contexts.encode([contexts.read(each.context)])[0])
        items.append(actions.encode(list(map(actions.read, each.features, each.names))))
        contexts.learn(each.context)
        actions.learn(each.features[each.choice], each.names[each.choice])
    return ItemLog(
        np.array(rows).reshape(-1, contexts.width),
        items,
        [each.names for each in choices],
        np.array([each.choice for each in choices], np.int64),
        np.array([each.reward for each in choices], np.float64),
        [each.probabilities for each in choices],
    )
