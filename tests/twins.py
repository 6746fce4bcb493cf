"""Plain NumPy readings of the rules, written from the equations and from nothing else.

The hybrid family's ships with the experiments, which show run times beside it; this adds
StackedHybrid's. Neither uses the kernels, estimators or policies that it is held against.
"""

from __future__ import annotations

import numpy as np

from hybandit.paper.players.references import ReferenceHybrid as HybridTwin
from hybandit.paper.players.references import ReferenceLog as LogTwin
from hybandit.paper.players.references import ReferenceRidge as RidgeTwin

__all__ = ["HybridTwin", "LogTwin", "RidgeTwin", "StackedTwin"]


class RewardTwin:
    """The centre c and the bound B of the rewards."""

    def __init__(self, centre=True):
        self.centred, self.rounds, self.level, self.bound = centre, 0, 0.0, 0.0

    def taken(self, reward):
        """The reward as it is learned; c and B move."""
        if self.centred and self.rounds == 0:
            self.level = reward
        away = reward - self.level
        if self.rounds < 10 or self.bound == 0:
            self.bound = max(self.bound, abs(away))
        elif abs(away) > self.bound:
            reward = self.level + np.sign(away) * min(abs(away), 10 * self.bound)
            self.bound *= 1.5
        else:
            self.bound *= 1 - 0.002 * np.log(1.5) * min(1.0, 10 * abs(away) / self.bound)
        if self.centred and self.rounds < 10:
            self.level += (reward - self.level) / (self.rounds + 1)
        self.rounds += 1
        return reward

    @property
    def unit(self):
        return self.bound or 1.0


class ScaleTwin:
    """Contexts as the model sees them: all that came are kept, for they are few."""

    def __init__(self, n_features):
        self.rows, self.centre, self.unit = [], np.zeros(n_features), None

    def __call__(self, x):
        return x if self.unit is None else (x - self.centre) / self.unit

    def observe(self, x):
        """True if the scale has changed."""
        if len(self.rows) == 1024 or (len(self.rows) >= 32 and self.unit is None):
            return False
        self.rows.append(x)
        count = len(self.rows)
        if count == 1 or count & (count - 1):
            return False
        rows, was = np.array(self.rows), self.unit
        if 0.5 <= np.median(np.linalg.norm(rows[:32], axis=1)) <= 2:
            self.unit = None
            return was is not None
        spreads, sizes = rows.std(axis=0), np.abs(rows).max(axis=0)
        varied = spreads > 1e-12 * sizes
        units = np.minimum(np.ptp(rows, axis=0), 8 * spreads)
        length = np.sqrt(((spreads[varied] / units[varied]) ** 2).sum())
        self.centre = rows.mean(axis=0)
        self.unit = np.where(varied, units * length, 1e12 * np.maximum(sizes, 1.0))
        return True


class PlainTwin:
    """The plain model beside the stack, and its weight."""

    def __init__(self):
        self.slope, self.memory = RidgeTwin(1, 1.0, np.array([0.5])), 1.0
        self.losses, self.rounds = np.zeros(2), 0.0

    @property
    def share(self):
        return self.slope.weights[0]

    def weight(self, unit):
        variance = (unit**2 / 4 + self.losses.min()) / (1 + self.rounds)
        weight = 1 / (1 + np.exp(3 + (self.losses[1] - self.losses[0]) / (2 * variance)))
        return 0.0 if weight < 0.001 else 1.0 if weight > 0.999 else weight

    def values(self, features):
        return (1 - self.share) * features[:, 7] + self.share * features[:, 2]

    def weigh(self, errors):
        self.losses = self.memory * self.losses + np.square(errors)
        self.rounds = self.memory * self.rounds + 1

    def learn(self, features, reward, unit):
        mean, linear = features[7], features[2]
        self.slope.learn(np.array([linear - mean]) / unit, (reward - mean) / unit)


def newest_among_nearest(log, x, k):
    """The k nearest, and among equally near ones the newest."""
    squares = ((log.contexts[: log.size] - x) ** 2).sum(axis=1)
    return np.lexsort((-np.arange(log.size), squares))[:k]


class StackedTwin:
    """The equations in docs/design.md as written."""

    def __init__(self, n_arms, n_features, *, seed, alpha=0.3, centre=True, scale=False):
        generator = np.random.default_rng(seed)
        self.directions = generator.normal(size=(128, n_features))
        self.offsets = generator.uniform(0, 2 * np.pi, 128)
        self.n_arms, self.n_features, self.alpha = n_arms, n_features, alpha
        self.scaling = scale
        prior = np.zeros(18)
        prior[0] = prior[8] = 0.5
        self.mixer = RidgeTwin(18, 1.0, prior)
        self.plain = PlainTwin()
        self.squares, self.weights, self.peaks = np.zeros((3, n_arms))
        self.rewards, self.scale = RewardTwin(centre), ScaleTwin(n_features)
        self.history = []  # (raw context, arm, reward as learned)
        self.asked = self.answer = None
        self.start()

    def start(self):
        """All that knows contexts, anew."""
        sizes = (
            (self.n_features + 128, 0.1),
            (self.n_features + 1, 1.0),
            (self.n_features + 1, 30.0),
        )
        self.ridges = [[RidgeTwin(*size) for _ in range(self.n_arms)] for size in sizes]
        # The same regressions of the constant 1: what a shift of the rewards changes.
        self.ones = [np.zeros((self.n_arms, size)) for size, _ in sizes]
        self.logs = [LogTwin(self.n_features) for _ in range(self.n_arms)]
        self.log = LogTwin(self.n_features)

    def extended(self, x):
        cosines = np.sqrt(2 / 128) * np.cos(self.directions @ x + self.offsets)
        return np.concatenate([x, cosines])

    def inputs(self, x):
        """What the curved, the linear and the stiff ridge see."""
        affine = np.append(x, 0.5)
        return self.extended(x), affine, affine

    def rows(self, contexts):
        raw = [contexts if contexts.ndim == 1 else contexts[arm] for arm in range(self.n_arms)]
        return [self.scale(x) for x in raw]

    def own_total(self, arm):
        """The number and the sum of an arm's rewards."""
        return self.logs[arm].size, self.logs[arm].rewards[: self.logs[arm].size].sum()

    def features(self, contexts):
        """u of every arm."""
        rows, level, arms = self.rows(contexts), self.rewards.level, range(self.n_arms)
        views = np.empty((3, self.n_arms))
        for arm, x in enumerate(rows):
            for number, z in enumerate(self.inputs(x)):
                ridge, ones = self.ridges[number][arm], self.ones[number][arm]
                views[number, arm] = z @ ridge.weights - level * (z @ ones)
        out = np.zeros((self.n_arms, 18))
        for arm, x in enumerate(rows):
            for number, view in enumerate(views):
                rival = max((view[other] for other in arms if other != arm), default=0.0)
                out[arm, 2 * number : 2 * number + 2] = view[arm], rival
            count, total = self.own_total(arm)
            out[arm, 6:8] = self.rewards.unit, (total - count * level) / (count + 5)
            own = self.logs[arm]
            if own.size:
                near = newest_among_nearest(own, x, 20)
                out[arm, 8:12] = [own.rewards[near[:k]].mean() - level for k in (1, 5, 10, 20)]
            if self.log.size:
                if arm == 0 or contexts.ndim == 2:
                    near_all = newest_among_nearest(self.log, x, 15)
                for column, k in enumerate((1, 5, 15)):
                    rewards = self.log.rewards[near_all[:k]] - level
                    mine = self.log.arms[near_all[:k]] == arm
                    out[arm, 12 + column] = rewards[mine].sum() / len(rewards)
                    out[arm, 15 + column] = rewards[~mine].sum() / len(rewards)
        return out

    def scores(self, contexts):
        self.asked, self.answer = contexts, self.features(contexts)
        pulls, unit = self.all_pulls(), self.rewards.unit
        weight = self.plain.weight(unit)
        scores = (1 - weight) * (self.answer @ self.mixer.weights)
        scores += weight * self.plain.values(self.answer)
        paid = [
            {reward for _, one, reward in self.history if one == arm} for arm in range(self.n_arms)
        ]
        same = np.array([len(rewards) < 2 for rewards in paid])
        largest = np.where(same & (weight == 1.0), 10 * unit, np.maximum(unit, self.peaks))
        errors = np.sqrt((3 * largest**2 + self.squares) / (3 + self.weights))
        rates = 2.5 * self.alpha * errors * np.sqrt(np.log(10 + pulls.sum() / (pulls + 5)))
        linear = self.widths(contexts)
        scores += rates * (1 / np.sqrt(pulls + 5) + np.clip(self.plain.share, 0, 1) * linear / 2)
        return self.rewards.level + scores

    def widths(self, contexts):
        """Of the linear ridge."""
        affine = [self.inputs(x)[1] for x in self.rows(contexts)]
        return np.array([self.ridges[1][arm].width(x) for arm, x in enumerate(affine)])

    def all_pulls(self):
        return np.array([self.pulls(arm) for arm in range(self.n_arms)], float)

    def pulls(self, arm):
        return self.logs[arm].size

    def learn(self, contexts, arm, reward):
        # The same round's features, unless the centre has moved since.
        known = contexts is self.asked and not (self.rewards.centred and self.rewards.rounds < 10)
        weight = self.plain.weight(self.rewards.unit)
        reward = self.rewards.taken(reward)
        unit, level = self.rewards.unit, self.rewards.level
        features = self.answer if known else self.features(contexts)
        u = features[arm] / unit
        u[6] = 1.0
        self.asked = None
        stacked = reward - level - features[arm] @ self.mixer.weights
        plain = reward - level - self.plain.values(features)[arm]
        self.plain.weigh((stacked, plain))
        memory, error = self.plain.memory, (1 - weight) * stacked + weight * plain
        self.squares[arm] = memory * self.squares[arm] + error**2
        self.weights[arm] = memory * self.weights[arm] + 1
        self.peaks[arm] = max(memory * self.peaks[arm], abs(error))
        self.mixer.learn(u, (reward - level) / unit)
        self.plain.learn(features[arm], reward - level, unit)
        raw = contexts if contexts.ndim == 1 else contexts[arm]
        self.history.append((raw, arm, reward))
        if self.scaling and self.scale.observe(raw):
            self.start()
            for entry in self.history:
                self.store(*entry)
        else:
            self.store(raw, arm, reward)

    def store(self, raw, arm, reward):
        """Learn in all that knows contexts."""
        x = self.scale(raw)
        for number, z in enumerate(self.inputs(x)):
            ridge, ones = self.ridges[number][arm], self.ones[number][arm]
            gain = ridge.inverse @ z
            ones += gain / (1 + z @ gain) * (1 - z @ ones)
            ridge.learn(z, reward)
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

    def slopes(self, vectors, rewards, decay):
        values, hidden = self.outputs(vectors)
        push = 2.0 * (values - rewards) / len(rewards)
        back = np.outer(push, self.parameters[2]) * (hidden > 0)
        found = vectors.T @ back, back.sum(axis=0), hidden.T @ push, np.array([push.sum()])
        return [slope + decay * part for slope, part in zip(found, self.parameters, strict=True)]
