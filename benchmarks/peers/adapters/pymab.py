"""pymab: select_action and update of its policies in Rust, the same context for each arm."""

import numpy as np
from player import Player
from pymab.policies import LinearThompsonSamplingPolicy, LinUCBPolicy

PACKAGE = "pymab"


class Pymab(Player):
    at_once = 200

    def __init__(self, arms, features, seed):
        self.policy = self.kind(n_arms=arms, n_features=features)
        self.shape = arms, features
        self.generator = np.random.default_rng(seed)

    def prepare(self, contexts):
        return [np.tile(row, (self.shape[0], 1)) for row in contexts]

    def choose(self, context):
        return self.policy.select_action(context=context, rng=self.generator)

    def learn(self, context, arm, reward):
        self.policy.update(action=arm, reward=reward, context=context)


class LinUCB(Pymab):
    setup = "LinUCBPolicy(alpha=1, l2=1), the defaults"
    kind = LinUCBPolicy


class Batch(LinUCB):
    remark = "one by one"


class LinTS(Pymab):
    setup = "LinearThompsonSamplingPolicy(exploration_scale=1, l2=1), the defaults"
    kind = LinearThompsonSamplingPolicy


PLAYERS = {"lin-ucb": LinUCB, "lin-ts": LinTS, "batch": Batch}
ABSENT = {"knn": "no neighbours in it, nor anything near"}
