"""banditlab: select_arm and update, one model for each arm. It is imported as mab_framework."""

import numpy as np
from mab_framework import KernelUCBModel, LinUCBAlgorithm, OnlineRidgeRegression, ThompsonSampling
from player import Player

PACKAGE = "banditlab"


class Banditlab(Player):
    at_once = 1_000

    def __init__(self, arms, features, seed):
        np.random.seed(seed)  # it draws from NumPy's global generator
        self.algorithm = self.make(arms, features)

    def choose(self, context):
        return self.algorithm.select_arm(context)

    def learn(self, context, arm, reward):
        self.algorithm.update([{"action": arm, "reward": reward, "context": context}])


class LinUCB(Banditlab):
    setup = "LinUCBAlgorithm(alpha=1) over OnlineRidgeRegression(l2_reg=1), the defaults"

    def make(self, arms, features):
        return LinUCBAlgorithm(arms, OnlineRidgeRegression(features))


class Batch(LinUCB):
    remark = "one by one"


class LinTS(Banditlab):
    setup = "ThompsonSampling() over OnlineRidgeRegression(l2_reg=1, nu=1), the defaults"
    remark = "its draws shrink with 1 / sqrt(t)"

    def make(self, arms, features):
        return ThompsonSampling(arms, OnlineRidgeRegression(features))


class KNN(Banditlab):
    setup = "UCBAlgorithm(alpha=1) over KernelUCBModel(gamma=1, lam=0.001), the defaults"
    nearest = "no neighbours: kernel UCB, which also weighs the past by nearness"
    remark = "it solves its whole past for each choice"

    def make(self, arms, features):
        return LinUCBAlgorithm(arms, KernelUCBModel())


PLAYERS = {"lin-ucb": LinUCB, "lin-ts": LinTS, "batch": Batch, "knn": KNN}
ABSENT = {}
