"""bayesianbandits: pull and update on arrays of one row, a regression for each arm."""

import numpy as np
from bayesianbandits import (
    Arm,
    ContextualAgent,
    NormalRegressor,
    ThompsonSampling,
    UpperConfidenceBound,
)
from player import Player

PACKAGE = "bayesianbandits"
MODEL = "NormalRegressor(alpha=1, beta=1)"


class Bayesian(Player):
    def __init__(self, arms, features, seed):
        models = [Arm(arm, learner=NormalRegressor(alpha=1, beta=1)) for arm in range(arms)]
        self.agent = ContextualAgent(models, self.policy(), random_seed=seed)

    def prepare(self, contexts):
        return [row[None] for row in contexts]

    def choose(self, context):
        return self.agent.pull(context)[0]

    def learn(self, context, arm, reward):
        self.agent.select_for_update(arm).update(context, np.array([reward]))

    def learn_many(self, contexts, arms, rewards):
        for arm in set(arms):
            rows = np.equal(arms, arm)
            self.agent.select_for_update(arm).update(contexts[rows], np.array(rewards)[rows])


class LinUCB(Bayesian):
    setup = f"UpperConfidenceBound(alpha=0.68, samples=1000), the defaults, over {MODEL}"
    nearest = "no LinUCB: the bound is a quantile of 1,000 draws of the same posterior"
    policy = UpperConfidenceBound


class Batch(LinUCB):
    setup = f"{LinUCB.setup}; pull of 1,000 rows at once"
    at_once = 1_000

    def prepare(self, contexts):
        return contexts

    def choose_many(self, rows):
        return self.agent.pull(rows)


class LinTS(Bayesian):
    setup = f"ThompsonSampling() over {MODEL}"
    policy = ThompsonSampling


PLAYERS = {"lin-ucb": LinUCB, "lin-ts": LinTS, "batch": Batch}
ABSENT = {"knn": "no neighbours in it, nor anything near"}
