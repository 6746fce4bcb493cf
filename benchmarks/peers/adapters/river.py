"""river: one dictionary a round."""

import random

from player import Player
from river import bandit, linear_model, neighbors

PACKAGE = "river"


class River(Player):
    at_once = 1_000

    def prepare(self, contexts):
        return [dict(enumerate(row)) for row in contexts.tolist()]


class LinUCB(River):
    setup = "LinUCBDisjoint(alpha=1, beta=1), the defaults"
    remark = "its bound counts the noise of a reward as well"

    def __init__(self, arms, features, seed):
        self.policy = bandit.LinUCBDisjoint(seed=seed)
        self.arms = list(range(arms))

    def choose(self, context):
        return self.policy.pull(self.arms, context=context)

    def learn(self, context, arm, reward):
        self.policy.update(arm, context, reward)


class Batch(LinUCB):
    remark = f"{LinUCB.remark}; one by one"


class LinTS(River):
    setup = "BayesianLinearRegression(alpha=1, beta=1) for each arm, the largest draw wins"
    nearest = "no LinTS: draws of its Bayesian regression's predictions, put together here"

    def __init__(self, arms, features, seed):
        self.models = [linear_model.BayesianLinearRegression() for _ in range(arms)]
        self.draw = random.Random(seed).gauss

    def choose(self, context):
        beliefs = [model.predict_one(context, with_dist=True) for model in self.models]
        draws = [self.draw(belief.mu, belief.sigma) for belief in beliefs]
        return draws.index(max(draws))

    def learn(self, context, arm, reward):
        self.models[arm].learn_one(context, reward)


class KNN(River):
    setup = "KNNRegressor(n_neighbors=5), SWINN, the defaults, for each arm; epsilon 0.1"
    nearest = "no k-NN bandit: its regressors under an epsilon-greedy rule put together here"
    remark = "approximate, and of the last 1,000 rounds of each arm only"

    def __init__(self, arms, features, seed):
        self.models = [neighbors.KNNRegressor() for _ in range(arms)]
        self.random = random.Random(seed)

    def choose(self, context):
        if self.random.random() < 0.1:
            return self.random.randrange(len(self.models))
        values = [model.predict_one(context) for model in self.models]
        return values.index(max(values))

    def learn(self, context, arm, reward):
        self.models[arm].learn_one(context, reward)


PLAYERS = {"lin-ucb": LinUCB, "lin-ts": LinTS, "batch": Batch, "knn": KNN}
ABSENT = {}
