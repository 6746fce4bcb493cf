"""contextualbandits: partial_fit and predict on arrays of one row, njobs=1."""

import numpy as np
from contextualbandits import online
from player import Player
from sklearn.neighbors import KNeighborsClassifier

PACKAGE = "contextualbandits"


class Contextualbandits(Player):
    def __init__(self, arms, features, seed):
        self.policy = self.make(arms, seed)

    def prepare(self, contexts):
        return [row[None] for row in contexts]

    def choose(self, context):
        return int(self.policy.predict(context)[0])

    def learn(self, context, arm, reward):
        self.policy.partial_fit(context, np.array([arm]), np.array([reward]))

    def learn_many(self, contexts, arms, rewards):
        self.policy.fit(contexts, np.array(arms), np.array(rewards))


class LinUCB(Contextualbandits):
    setup = 'LinUCB(alpha=1, lambda_=1, use_float=True, method="sm"), the defaults'
    remark = "float32, and an intercept of its own"

    def make(self, arms, seed):
        return online.LinUCB(arms, random_state=seed)


class Batch(LinUCB):
    setup = f"{LinUCB.setup}; predict of all rows"

    def prepare(self, contexts):
        return contexts

    def choose_many(self, rows):
        return self.policy.predict(rows)


class LinTS(Contextualbandits):
    setup = 'LinTS(v_sq=1, lambda_=1, sample_from="ci", method="sm", use_float=True)'
    remark = (
        "not the defaults, which sample coefficients (slower): the same distribution for one row"
    )

    def make(self, arms, seed):
        return online.LinTS(arms, sample_from="ci", method="sm", use_float=True, random_state=seed)


class KNN(Contextualbandits):
    setup = "EpsilonGreedy(KNeighborsClassifier(5), beta_prior=((0.9, 4), 3)), else the defaults"
    nearest = "no neighbours of its own: scikit-learn's under its EpsilonGreedy"
    remark = "no partial_fit, so the arm that was played is fitted again to its whole past"

    def __init__(self, arms, features, seed):
        super().__init__(arms, features, seed)
        self.contexts = np.empty((16, features))
        self.arms = np.empty(16, np.int64)
        self.rewards = np.empty(16)
        self.size = 0

    def make(self, arms, seed):
        prior = (0.9, 4), 3  # the default, which asks for 2 of each reward, fewer than 5 in all
        return online.EpsilonGreedy(
            KNeighborsClassifier(), arms, beta_prior=prior, random_state=seed
        )

    def learn(self, context, arm, reward):
        if self.size == len(self.arms):
            self.contexts = np.resize(self.contexts, (2 * self.size, self.contexts.shape[1]))
            self.arms = np.resize(self.arms, 2 * self.size)
            self.rewards = np.resize(self.rewards, 2 * self.size)
        self.contexts[self.size], self.arms[self.size] = context, arm
        self.rewards[self.size] = reward
        self.size += 1
        past = slice(self.size)
        self.policy.fit(
            self.contexts[past], self.arms[past], self.rewards[past], continue_from_last=True
        )


PLAYERS = {"lin-ucb": LinUCB, "lin-ts": LinTS, "batch": Batch, "knn": KNN}
ABSENT = {}
