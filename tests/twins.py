"""Plain NumPy readings of the rules, written from the equations and from nothing else.

They share no code with the package: tests hold the policies to them round for round, and
the benchmarks use them as the straightforward reference.
"""

from __future__ import annotations

import numpy as np


class RidgeTwin:
    def __init__(self, n_features, reg, prior=None):
        self.inverse = np.eye(n_features) / reg
        self.weights = np.zeros(n_features) if prior is None else prior.copy()

    def learn(self, x, target):
        gain = self.inverse @ x
        gain_scaled = gain / (1.0 + x @ gain)
        self.weights += gain_scaled * (target - x @ self.weights)
        self.inverse -= np.outer(gain_scaled, gain)

    def width(self, x):
        return np.sqrt(max(x @ self.inverse @ x, 0.0))


class LogTwin:
    """Contexts and rewards, in arrays that double."""

    def __init__(self, n_features):
        self.contexts = np.empty((16, n_features))
        self.rewards = np.empty(16)
        self.arms = np.empty(16, int)
        self.size = 0

    def append(self, x, arm, reward):
        if self.size == len(self.rewards):
            self.contexts = np.concatenate([self.contexts, np.empty_like(self.contexts)])
            self.rewards = np.concatenate([self.rewards, np.empty_like(self.rewards)])
            self.arms = np.concatenate([self.arms, np.empty_like(self.arms)])
        self.contexts[self.size] = x
        self.rewards[self.size] = reward
        self.arms[self.size] = arm
        self.size += 1

    def nearest(self, x, k):
        squares = ((self.contexts[: self.size] - x) ** 2).sum(axis=1)
        return np.argsort(squares, kind="stable")[:k]


class HybridTwin:
    """LinUCB, ablation b, (Lin+k-NN)-UCB and LNUCB-TA, by its switches."""

    def __init__(self, n_arms, n_features, *, alpha, reg=1.0, kappa=0.5, k_min=1, k_max=5,
                 neighbours, target, attention):  # fmt: skip
        self.n_arms, self.alpha, self.kappa = n_arms, alpha, kappa
        self.k_min, self.k_max = k_min, k_max
        self.neighbours, self.target, self.attention = neighbours, target, attention
        self.ridges = [RidgeTwin(n_features, reg) for _ in range(n_arms)]
        self.logs = [LogTwin(n_features) for _ in range(n_arms)]

    def local(self, x, arm):
        log = self.logs[arm]
        rewards = log.rewards[: log.size]
        variance = rewards.var() if log.size else 0.0
        k = max(1, int(np.floor(self.k_min + (self.k_max - self.k_min) * variance + 1e-9)))
        if not self.neighbours or log.size < k:
            return 0.0
        return rewards[log.nearest(x, k)].mean()

    def scores(self, contexts):
        means = [log.rewards[: log.size].mean() if log.size else 0.0 for log in self.logs]
        overall = np.mean(means)
        scores = np.empty(self.n_arms)
        for arm in range(self.n_arms):
            x = contexts if contexts.ndim == 1 else contexts[arm]
            rate = self.alpha
            if self.attention:
                pulls = self.logs[arm].size
                rate *= (self.kappa * overall + (1 - self.kappa) * means[arm]) / (pulls + 1)
            ridge = self.ridges[arm]
            scores[arm] = x @ ridge.weights + self.local(x, arm) + rate * ridge.width(x)
        return scores

    def learn(self, contexts, arm, reward):
        x = contexts if contexts.ndim == 1 else contexts[arm]
        expected = self.local(x, arm) if self.target == "residual" else 0.0
        self.ridges[arm].learn(x, reward - expected)
        self.logs[arm].append(x, arm, reward)


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
            rate = self.alpha * 2 * scale / np.sqrt(self.logs[arm].size + 1)
            scores[arm] = values[arm] + rate * self.curved[arm].width(self.extended(x))
        return scores

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
