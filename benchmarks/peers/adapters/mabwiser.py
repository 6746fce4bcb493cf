"""mabwiser: predict and partial_fit on arrays of one row, n_jobs=1."""

import numpy as np
from mabwiser.mab import MAB, LearningPolicy, NeighborhoodPolicy
from player import Player

PACKAGE = "mabwiser"


class Mabwiser(Player):
    neighbours = None
    first = 1

    def __init__(self, arms, features, seed):
        self.model = MAB(list(range(arms)), self.learning(), self.neighbours, seed=seed, n_jobs=1)
        self.lots = np.random.default_rng(seed).integers(arms, size=self.first).tolist()
        self.past = []

    def prepare(self, contexts):
        return [row[None] for row in contexts]

    def choose(self, context):
        if self.lots:
            return self.lots[-1]
        return self.model.predict(context)

    def learn(self, context, arm, reward):
        if not self.lots:
            self.model.partial_fit(np.array([arm]), np.array([reward]), context)
            return
        self.lots.pop()
        self.past.append((context, arm, reward))
        if not self.lots:
            contexts, arms, rewards = zip(*self.past, strict=True)
            self.learn_many(np.concatenate(contexts), arms, rewards)

    def learn_many(self, contexts, arms, rewards):
        self.lots = []
        self.model.fit(np.array(arms), np.array(rewards), contexts)


class LinUCB(Mabwiser):
    setup = "LinUCB(alpha=1, l2_lambda=1), the defaults"
    learning = LearningPolicy.LinUCB


class Batch(LinUCB):
    setup = "LinUCB(alpha=1, l2_lambda=1), the defaults; predict of all rows"

    def prepare(self, contexts):
        return contexts

    def choose_many(self, rows):
        return self.model.predict(rows)


class LinTS(Mabwiser):
    setup = "LinTS(alpha=1, l2_lambda=1), the defaults"
    learning = LearningPolicy.LinTS


class KNN(Mabwiser):
    setup = "KNearest(k=50), ThompsonSampling()"
    remark = (
        "k is not the default 1, with which it hardly learns; of its policies for the "
        "neighbourhood, Thompson sampling had the least regret; the first 50 arms by lot, for "
        "it needs k rounds to start from"
    )
    learning = LearningPolicy.ThompsonSampling
    neighbours = NeighborhoodPolicy.KNearest(50)
    first = 50


PLAYERS = {"lin-ucb": LinUCB, "lin-ts": LinTS, "batch": Batch, "knn": KNN}
ABSENT = {}
