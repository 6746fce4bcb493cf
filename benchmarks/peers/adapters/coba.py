"""coba: predict and learn, the arms as one-hot actions."""

from coba.learners import LinTSLearner, LinUCBLearner
from player import Player

PACKAGE = "coba"
ONE = "its one model of 10 d features, arm x context, is the same as a model of d for each arm"


class Coba(Player):
    remark = f"{ONE}; features are not the default [1, 'a', 'ax']"
    at_once = 200

    def __init__(self, arms, features, seed):
        self.learner = self.kind(features=["ax"], seed=seed)
        self.actions = [tuple(int(i == arm) for i in range(arms)) for arm in range(arms)]

    def prepare(self, contexts):
        return [tuple(row) for row in contexts.tolist()]

    def choose(self, context):
        action, _ = self.learner.predict(context, self.actions)
        return action.index(1)

    def learn(self, context, arm, reward):
        self.learner.learn(context, self.actions[arm], reward, 1.0)


class LinUCB(Coba):
    setup = "LinUCBLearner(alpha=1, features=['ax'])"
    kind = LinUCBLearner


class Batch(LinUCB):
    remark = f"{LinUCB.remark}; one by one"


class LinTS(Coba):
    setup = "LinTSLearner(v=1, features=['ax'])"
    kind = LinTSLearner


PLAYERS = {"lin-ucb": LinUCB, "lin-ts": LinTS, "batch": Batch}
ABSENT = {"knn": "no neighbours in it, nor anything near"}
