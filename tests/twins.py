"""Plain NumPy readings of the rules, written from the equations and from nothing else.

The hybrid family's ships with the experiments, which show run times beside it; this adds
StackedHybrid's. Neither uses the kernels, estimators or policies that it is held against.
"""

from __future__ import annotations

import numpy as np

from hybandit.experiments.references import ReferenceHybrid as HybridTwin
from hybandit.experiments.references import ReferenceLog as LogTwin
from hybandit.experiments.references import ReferenceRidge as RidgeTwin

__all__ = ["HybridTwin", "LogTwin", "RidgeTwin", "StackedTwin"]


class StackedTwin:
    """Section 2b as written; `centre` adds the mean of the first ten rewards."""

    def __init__(self, n_arms, n_features, *, seed, alpha=0.3, centre=False):
        generator = np.random.default_rng(seed)
        self.directions = generator.normal(size=(128, n_features))
        self.offsets = generator.uniform(0, 2 * np.pi, 128)
        self.n_arms, self.alpha, self.centre = n_arms, alpha, centre
        self.curved = [RidgeTwin(n_features + 128, 0.1) for _ in range(n_arms)]
        self.linear = [RidgeTwin(n_features, 1.0) for _ in range(n_arms)]
        # The same regressions of the constant 1: what a shift of the rewards changes.
        self.curved_ones = [np.zeros(n_features + 128) for _ in range(n_arms)]
        self.linear_ones = [np.zeros(n_features) for _ in range(n_arms)]
        self.logs = [LogTwin(n_features) for _ in range(n_arms)]
        self.log = LogTwin(n_features)
        prior = np.zeros(15)
        prior[0] = prior[5] = 0.5
        self.mixer = RidgeTwin(15, 1.0, prior)
        self.squares, self.weights = np.full(n_arms, 0.25), np.ones(n_arms)
        self.level = 0.0
        self.asked = self.answer = None

    def extended(self, x):
        cosines = np.sqrt(2 / 128) * np.cos(self.directions @ x + self.offsets)
        return np.concatenate([x, cosines])

    def features(self, contexts):
        rows = [contexts if contexts.ndim == 1 else contexts[arm] for arm in range(self.n_arms)]
        level = self.level
        curved, linear = np.empty(self.n_arms), np.empty(self.n_arms)
        for arm, x in enumerate(rows):
            z = self.extended(x)
            curved[arm] = z @ self.curved[arm].weights
            linear[arm] = x @ self.linear[arm].weights
            if self.centre:
                curved[arm] -= level * (z @ self.curved_ones[arm])
                linear[arm] -= level * (x @ self.linear_ones[arm])
        out = np.zeros((self.n_arms, 15))
        for arm, x in enumerate(rows):
            others = [other for other in range(self.n_arms) if other != arm]
            out[arm, :5] = [
                curved[arm],
                max((curved[other] for other in others), default=0.0),
                linear[arm],
                max((linear[other] for other in others), default=0.0),
                1.0,
            ]
            own = self.logs[arm]
            if own.size:
                near = own.nearest(x, 20)
                out[arm, 5:9] = [own.rewards[near[:k]].mean() - level for k in (1, 5, 10, 20)]
            if self.log.size:
                if arm == 0 or contexts.ndim == 2:
                    near_all = self.log.nearest(x, 15)
                for column, k in enumerate((1, 5, 15)):
                    rewards = self.log.rewards[near_all[:k]] - level
                    mine = self.log.arms[near_all[:k]] == arm
                    out[arm, 9 + column] = rewards[mine].sum() / len(rewards)
                    out[arm, 12 + column] = rewards[~mine].sum() / len(rewards)
        return out

    def scores(self, contexts):
        self.asked, self.answer = contexts, self.features(contexts)
        values = [self.level + u @ self.mixer.weights for u in self.answer]
        scale = np.sqrt(self.squares.sum() / self.weights.sum())
        scores = np.empty(self.n_arms)
        for arm in range(self.n_arms):
            x = contexts if contexts.ndim == 1 else contexts[arm]
            rate = self.alpha * 2 * scale / np.sqrt(self.pulls(arm) + 1)
            scores[arm] = values[arm] + rate * self.curved[arm].width(self.extended(x))
        return scores

    def pulls(self, arm):
        return self.logs[arm].size

    def learn(self, contexts, arm, reward):
        if self.centre and self.log.size < 10:
            self.level += (reward - self.level) / (self.log.size + 1)
        x = contexts if contexts.ndim == 1 else contexts[arm]
        # The same round's features, unless the centre has moved since.
        known = contexts is self.asked and not (self.centre and self.log.size < 10)
        u = (self.answer if known else self.features(contexts))[arm]
        self.asked = None
        error = reward - self.level - u @ self.mixer.weights
        self.squares[arm] = 0.998 * self.squares[arm] + error**2
        self.weights[arm] = 0.998 * self.weights[arm] + 1
        self.mixer.learn(u, reward - self.level)
        z = self.extended(x)
        for ridge, ones, row in (
            (self.curved[arm], self.curved_ones[arm], z),
            (self.linear[arm], self.linear_ones[arm], x),
        ):
            if self.centre:
                gain = ridge.inverse @ row
                ones[:] += gain / (1 + row @ gain) * (1 - row @ ones)
            ridge.learn(row, reward)
        self.logs[arm].append(x, arm, reward)
        self.log.append(x, arm, reward)


class NeuralTwin:
    """NeuralUCB in plain NumPy, float64, on the long vectors with a block for each arm.

    Starts from the parameters of a policy and draws its batches from the same generator.
    """

    def __init__(self, policy):
        network = policy._network
        self.n_arms, self.n_features, hidden = network.weights.shape
        self.parameters = [
            network.weights.reshape(-1, hidden).astype(float),
            network.offsets[0].astype(float),
            network.heads[0].astype(float),
            network.levels.astype(float),
        ]
        self.lam, self.nu, self.plan = policy.lam, policy.nu, policy._plan
        self.curvature = [np.full(part.shape, self.lam) for part in self.parameters]
        self.generator = np.random.default_rng()
        self.generator.bit_generator.state = policy._generator.bit_generator.state
        self.vectors, self.rewards = [], []

    def scores(self, x):
        scores = np.empty(self.n_arms)
        for arm in range(self.n_arms):
            vector = self.blocked(x, arm)
            pairs = zip(self.gradient(vector), self.curvature, strict=True)
            squares = sum((slope * slope / curve).sum() for slope, curve in pairs)
            scores[arm] = self.outputs(vector[None])[0][0] + np.sqrt(self.lam * self.nu * squares)
        return scores

    def learn(self, x, arm, reward):
        vector = self.blocked(x, arm)
        slopes = self.gradient(vector)
        self.curvature = [
            curve + slope * slope for curve, slope in zip(self.curvature, slopes, strict=True)
        ]
        self.vectors.append(vector)
        self.rewards.append(reward)
        rounds = len(self.rewards)
        if rounds % min(self.plan.train_every, max(1, rounds // 10)) == 0:
            self.train()

    def train(self):
        vectors, rewards = np.array(self.vectors), np.array(self.rewards)
        count, size = len(rewards), self.plan.batch
        batches = [np.arange(count)] * self.plan.steps
        if size is not None and count > size:
            batches = self.generator.integers(0, count, (self.plan.steps, size))
        velocities = [np.zeros(part.shape) for part in self.parameters]
        for batch in batches:
            slopes = self.slopes(vectors[batch], rewards[batch], self.lam / count)
            for number, slope in enumerate(slopes):
                velocities[number] *= self.plan.momentum
                velocities[number] += self.plan.learning_rate * slope
                self.parameters[number] -= velocities[number]

    def blocked(self, x, arm):
        vector = np.zeros(self.n_arms * self.n_features)
        vector[arm * self.n_features : (arm + 1) * self.n_features] = x
        return vector

    def outputs(self, vectors):
        weights, offsets, head, level = self.parameters
        hidden = np.maximum(vectors @ weights + offsets, 0.0)
        return hidden @ head + level, hidden

    def gradient(self, vector):
        hidden = self.outputs(vector[None])[1][0]
        back = self.parameters[2] * (hidden > 0)
        return np.outer(vector, back), back, hidden, np.ones(1)

    def loss(self, vectors, rewards, decay):
        errors = self.outputs(vectors)[0] - rewards
        return (errors**2).mean() + 0.5 * decay * sum((part**2).sum() for part in self.parameters)

    def slopes(self, vectors, rewards, decay):
        values, hidden = self.outputs(vectors)
        push = 2.0 * (values - rewards) / len(rewards)
        back = np.outer(push, self.parameters[2]) * (hidden > 0)
        found = vectors.T @ back, back.sum(axis=0), hidden.T @ push, np.array([push.sum()])
        return [slope + decay * part for slope, part in zip(found, self.parameters, strict=True)]
