"""The rules of forgetting and of windows in plain NumPy: every sum made anew each round."""

from __future__ import annotations

import numpy as np
from twins import RidgeTwin, StackedTwin


class FadingRidgeTwin:
    """S and b themselves, `ridge` the part of S that is no data."""

    def __init__(self, n_features, reg, prior=None, *, forget):
        self.forget, self.reg, self.size = forget, reg, n_features
        self.prior = np.zeros(n_features) if prior is None else prior
        self.ridge = np.full(n_features, reg)
        self.gram, self.moment, self.total = (np.zeros((n_features,) * k) for k in (2, 1, 1))
        self.step = max(1, int(np.ceil(-n_features * np.log2(forget))))
        self.fadings, self.known, self.kept = 0, 0, np.eye(n_features) / reg

    def fade(self):
        rounds = int(np.ceil(self.size / self.step))
        groups = np.arange(self.size) // self.step
        if self.fadings == 0:
            self.ridge = self.reg / self.forget ** groups.astype(float)
        self.ridge *= self.forget
        self.gram *= self.forget
        self.moment *= self.forget
        self.total *= self.forget
        now = groups == self.fadings % rounds
        self.ridge[now] += self.reg * (self.forget ** (1.0 - rounds) - self.forget)
        self.fadings += 1

    def learn(self, x, target):
        self.fade()
        self.gram += np.outer(x, x)
        self.moment += target * x
        self.total += x

    @property
    def inverse(self):
        if self.known != self.fadings:
            self.known, self.kept = self.fadings, np.linalg.inv(np.diag(self.ridge) + self.gram)
        return self.kept

    @property
    def weights(self):
        return self.inverse @ (self.ridge * self.prior + self.moment)

    @property
    def ones(self):
        return self.inverse @ self.total

    def width(self, x):
        return np.sqrt(x @ self.inverse @ x)


class AgedLog:
    """Observations of every arm with their weights; those past use are struck out."""

    def __init__(self, n_arms, *, forget=None, window=None):
        self.n_arms, self.forget, self.window = n_arms, forget, window
        self.contexts, self.rewards, self.arms, self.weights = [], [], [], []
        self.size = 0

    def fading(self, played):
        """The arm played, and the one whose turn it is."""
        return set() if self.forget is None else {played, self.size % self.n_arms}

    def append(self, x, arm, reward):
        faded = self.fading(arm)
        for number, each in enumerate(self.arms):
            self.weights[number] *= self.forget if each in faded else 1.0
        for column, value in zip(
            (self.contexts, self.rewards, self.arms, self.weights), (x, reward, arm, 1.0),
            strict=True,
        ):  # fmt: skip
            column.append(value)
        self.size += 1

    def own(self, arm):
        return np.flatnonzero(np.array(self.arms, int) == arm)

    def statistics(self, arm):
        """N, m and v, weighted."""
        own = self.own(arm)
        weights, rewards = np.array(self.weights)[own], np.array(self.rewards)[own]
        if len(own) == 0:
            return 0.0, 0.0, 0.0
        mean = np.average(rewards, weights=weights)
        return weights.sum(), mean, np.average((rewards - mean) ** 2, weights=weights)

    def entries(self, arm=None):
        """What neighbours may be, oldest first: of one arm, or of all."""
        if arm is None:
            return np.sort(np.concatenate([self.entries(each) for each in range(self.n_arms)]))
        own = self.own(arm)
        if self.window is not None:
            own = own[-self.window :]
        return own[np.array(self.weights)[own] > 0.5 + 1e-9] if len(own) else own

    def nearest(self, x, k, arm=None):
        entries = self.entries(arm)
        squares = ((np.array(self.contexts)[entries] - x) ** 2).sum(axis=1)
        return entries[np.argsort(squares, kind="stable")[:k]]


class FadingHybridTwin:
    """LinUCB and LNUCB-TA that forget, or have a window: every sum made anew each round."""

    def __init__(self, n_arms, n_features, *, neighbours, forget=None, window=None, k_max=5):
        self.n_arms, self.neighbours, self.k_max = n_arms, neighbours, k_max
        make = (lambda: RidgeTwin(n_features, 1.0)) if forget is None else (
            lambda: FadingRidgeTwin(n_features, 1.0, forget=forget))  # fmt: skip
        self.ridges = [make() for _ in range(n_arms)]
        self.log = AgedLog(n_arms, forget=forget, window=window)

    def scores(self, x):
        known = [self.log.statistics(arm) for arm in range(self.n_arms)]
        overall = np.mean([mean for _, mean, _ in known])
        scores = np.empty(self.n_arms)
        for arm, (pulls, mean, _) in enumerate(known):
            ridge = self.ridges[arm]
            rate = (0.5 * overall + 0.5 * mean) / (pulls + 1)
            scores[arm] = x @ ridge.weights + self.local(x, arm) + rate * ridge.width(x)
        return scores

    def local(self, x, arm):
        if not self.neighbours:
            return 0.0
        _, _, variance = self.log.statistics(arm)
        k = max(1, int(np.floor(1 + (self.k_max - 1) * variance + 1e-9)))
        k = min(k, self.log.window or k)
        entries = self.log.entries(arm)
        if len(entries) < k:
            return 0.0
        return np.array(self.log.rewards)[self.log.nearest(x, k, arm)].mean()

    def learn(self, x, arm, reward):
        expected = self.local(x, arm)
        for other in self.log.fading(arm) - {arm}:
            if len(self.log.own(other)):
                self.ridges[other].fade()
        self.ridges[arm].learn(x, reward - expected)
        self.log.append(x, arm, reward)


class View:
    """Some observations of an `AgedLog`, as `StackedTwin` looks at them."""

    def __init__(self, log, arm=None):
        entries = log.entries(arm)
        self.size = len(entries)
        self.contexts = np.array(log.contexts)[entries]
        self.rewards, self.arms = np.array(log.rewards)[entries], np.array(log.arms)[entries]


class FadingStackedTwin(StackedTwin):
    """StackedHybrid that forgets (and may have a window)."""

    def __init__(self, n_arms, n_features, *, seed, forget, window=None):
        super().__init__(n_arms, n_features, seed=seed)
        sizes = (n_features + 128, 0.1), (n_features + 1, 1.0), (n_features + 1, 30.0)
        self.ridges = [
            [FadingRidgeTwin(*size, forget=forget) for _ in range(n_arms)] for size in sizes
        ]
        self.mixer = FadingRidgeTwin(18, 1.0, self.mixer.weights, forget=forget)
        self.plain.slope = FadingRidgeTwin(1, 1.0, self.plain.slope.weights, forget=forget)
        self.plain.memory = forget
        self.aged = AgedLog(n_arms, forget=forget, window=window)

    def features(self, contexts):
        self.ones = [[ridge.ones for ridge in ridges] for ridges in self.ridges]
        if self.aged.size:
            self.logs = [View(self.aged, arm) for arm in range(self.n_arms)]
            self.log = View(self.aged)
        return super().features(contexts)

    def own_total(self, arm):
        count, mean, _ = self.aged.statistics(arm)
        return count, count * mean

    def pulls(self, arm):
        return self.aged.statistics(arm)[0]

    def store(self, x, arm, reward):
        for ridges, z in zip(self.ridges, self.inputs(x), strict=True):
            for other in self.aged.fading(arm) - {arm}:
                if len(self.aged.own(other)):
                    ridges[other].fade()
            ridges[arm].learn(z, reward)
        self.aged.append(x, arm, reward)
