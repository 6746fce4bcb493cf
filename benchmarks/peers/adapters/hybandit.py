"""hybandit: from this clone, by its public verbs."""

from player import Player

import hybandit

PACKAGE = "hybandit"


class Hybandit(Player):
    def __init__(self, arms, features, seed):
        self.policy = self.make(arms, features, seed=seed)
        self.choose = self.policy.choose
        self.learn = self.policy.learn

    def learn_many(self, contexts, arms, rewards):
        self.policy.learn_many(contexts, arms, rewards)


class LinUCB(Hybandit):
    setup = "LinUCB(alpha=1, reg=1), the defaults"
    make = hybandit.LinUCB


class Batch(LinUCB):
    setup = "LinUCB(alpha=1, reg=1), the defaults; choose_many"

    def prepare(self, contexts):
        return contexts

    def choose_many(self, rows):
        return self.policy.choose_many(rows)


class LinTS(Hybandit):
    setup = "LinTS(v=1, reg=1), the defaults"
    make = hybandit.LinTS


class KNN(Hybandit):
    setup = "KNNUCB(theta=0.1, max_k=100)"
    remark = (
        "not the defaults: theta=1, with which it explores too long, and no max_k, "
        "which looks at the whole past instead of the 100 nearest"
    )

    def make(self, arms, features, seed):
        return hybandit.KNNUCB(arms, features, theta=0.1, max_k=100, seed=seed)


PLAYERS = {"lin-ucb": LinUCB, "lin-ts": LinTS, "batch": Batch, "knn": KNN}
ABSENT = {}
