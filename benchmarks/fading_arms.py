"""Whether a second stack that forgets, beside StackedHybrid's own, pays as it does for items.

    python -m benchmarks.fading_arms [--runs N] [--first-seed S] [--worlds abrupt,digits,...]

Both are weighed by their errors of late (`hybandit.estimators.weighing`). Regret and CPU seconds
of today's StackedHybrid and of both, and how much more reward both earn, on the drift experiment's
worlds and on others that stay. Magic and Mushroom need the data sets (`HYBANDIT_DATA`).
"""

from __future__ import annotations

import argparse

import numpy as np
from rich.console import Console

from hybandit import StackedHybrid
from hybandit.environments import PlainWorld, Synthetic
from hybandit.environments.play import play
from hybandit.estimators import Stack
from hybandit.estimators.limits import Limit
from hybandit.estimators.weighing import Weighing
from hybandit.experiments.environments import ClassificationTask
from hybandit.exploration import ArmErrors
from hybandit.reports.spread import Spread
from hybandit.reports.tables import TableView
from hybandit.state import row_of

FORGET = 0.998
# A weight below this is none: the second stack then only learns.
LEAST = 0.001
WORLDS = {
    "abrupt": lambda seed: Synthetic("abrupt", seed=seed),
    "slow": lambda seed: Synthetic("slow", seed=seed),
    "digits": ClassificationTask("digits").world,
    "Magic": ClassificationTask("magic", rounds=4000).world,
    "Mushroom": ClassificationTask("mushroom").world,
    "clicks-4": lambda seed: PlainWorld("clicks-4", rounds=4000, seed=seed),
    "segments": lambda seed: PlainWorld("segments", rounds=4000, seed=seed),
}


class Beside(StackedHybrid):
    """StackedHybrid with a second stack; both scores are weighed as `Weighing` says."""

    def _start(self):
        super()._start()
        generator = np.random.default_rng([self.seed, 1])
        kept = {"centred": self.centre, "limit": Limit.of(self.memory), "forget": FORGET}
        self._recent = Stack(self._n_live, self.n_features, generator, **kept)
        self._recent_rate = ArmErrors(self._n_live, self.alpha, forget=FORGET)
        self._weighing = Weighing()

    def _scores(self, contexts, allowed, exact):
        share, recent = self._weighing.share, self._recent
        scores = super()._scores(contexts, allowed, exact or share > LEAST)
        if share <= LEAST:
            return scores
        past, unit, plain = recent.statistics, recent.rewards.unit, recent.weight == 1.0
        rates = self._recent_rate.rates(past.counts, past.squares, unit, plain=plain)
        lately = recent.upper(self._scale.scaled(contexts), rates, allowed, True)
        return (1.0 - share) * scores + share * lately

    def _learn(self, contexts, arm, reward):
        seen, share = self._scale.scaled(contexts), self._weighing.share
        errors = [stack.learn(seen, arm, reward) for stack in (self._stack, self._recent)]
        self._weighing.learn(*errors)
        for rate in (self._rate, self._recent_rate):
            rate.learn(arm, (1.0 - share) * errors[0] + share * errors[1])
        moved = self._scale.observe(row_of(contexts, arm))
        if moved is not None:
            self._stack.move(moved)
            self._recent.move(moved)


def main(given=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--worlds", default=",".join(WORLDS))
    arguments = parser.parse_args(given)
    rows = []
    for name in arguments.worlds.split(","):
        found = []
        for seed in range(arguments.first_seed, arguments.first_seed + arguments.runs):
            for kind in (StackedHybrid, Beside):
                world = WORLDS[name](seed)
                found.append(play(kind(world.n_arms, world.n_features, seed=seed), world))
        today, both = found[::2], found[1::2]
        regrets = [str(Spread.of([each.regret for each in side])) for side in (today, both)]
        more = [100 * (b.reward / a.reward - 1) for a, b in zip(today, both, strict=True)]
        cost = sum(each.seconds for each in both) / sum(each.seconds for each in today)
        rows.append([name, *regrets, str(Spread.of(more)), f"{cost:.1f}"])
    columns = ["world", "today's regret", "both", "reward of both, % more", "CPU time, times"]
    Console().print(TableView("fading", f"{arguments.runs} runs", columns, rows).rich())


if __name__ == "__main__":
    main()
