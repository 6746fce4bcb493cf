"""Vowpal Wabbit: one native example a round, with hashed features, used to predict and to learn.

Features are hashed once, before the clock. It answers with probabilities, of which the caller
draws; the draw is on the clock.
"""

import random

from player import Player
from vowpalwabbit import Example, LabelType, Workspace

PACKAGE = "vowpalwabbit"
FAST = "the single-line form is used, as it is three times as fast as cb_explore_adf"


class VowpalWabbit(Player):
    options = ""

    def __init__(self, arms, features, seed):
        command = f"--cb_explore {arms} {self.options} --random_seed {seed} --quiet"
        self.workspace = Workspace(command)
        space = self.workspace.hash_space("x")
        self.hashes = [self.workspace.hash_feature(f"f{i}", space) for i in range(features)]
        self.uniform = random.Random(seed).random

    def prepare(self, contexts):
        return [list(zip(self.hashes, row, strict=True)) for row in contexts.tolist()]

    def choose(self, context):
        self.example = Example(self.workspace, None, LabelType.CONTEXTUAL_BANDIT)
        self.example.push_features("x", context)
        chances = self.workspace.predict(self.example)
        left = self.uniform()
        for arm, chance in enumerate(chances):  # noqa: B007
            left -= chance
            if left < 0:
                break
        self.chance = chance
        return arm

    def learn(self, context, arm, reward):
        self.example.unsetup_example()
        self.example.set_label_string(f"{arm + 1}:{-reward:.7g}:{self.chance:.7g}")
        self.workspace.learn(self.example)
        self.workspace.finish_example(self.example)

    def learn_many(self, contexts, arms, rewards):
        chance = 1 / 10  # the log's arms were drawn by lot
        for row, arm, reward in zip(self.prepare(contexts), arms, rewards, strict=True):
            self.example = Example(self.workspace, None, LabelType.CONTEXTUAL_BANDIT)
            self.example.push_features("x", row)
            self.example.set_label_string(f"{arm + 1}:{-reward:.7g}:{chance:.7g}")
            self.workspace.learn(self.example)
            self.workspace.finish_example(self.example)


class LinUCB(VowpalWabbit):
    setup = "--cb_explore 10 --squarecb"
    nearest = "no LinUCB: SquareCB over a linear model by gradient steps"
    remark = FAST
    options = "--squarecb"


class Batch(LinUCB):
    remark = "one by one"
    at_once = 1_000

    def choose_many(self, rows):
        arms = []
        for row in rows:
            arms.append(self.choose(row))
            self.workspace.finish_example(self.example)
        return arms


class LinTS(VowpalWabbit):
    setup = "--cb_explore 10 --bag 5"
    nearest = "no LinTS: bootstrapped Thompson sampling with 5 linear models by gradient steps"
    remark = FAST
    options = "--bag 5"


PLAYERS = {"lin-ucb": LinUCB, "lin-ts": LinTS, "batch": Batch}
ABSENT = {"knn": "no neighbours in it, nor anything near"}
