"""The item policies' equations in plain NumPy, with nothing kept in factors."""

import numpy as np
from fading_twins import FadingRidgeTwin

LAM = (1.0, 10.0, 1.0)
KAP = (20.0, 5.0, 5.0)


def assert_equal_choices(policy, twin, world):
    """Both play the world, and choose the same items."""
    for turn in world:
        index = policy.choose(turn.context, turn.items, ids=turn.ids)
        assert index == twin.choose(turn.context, turn.items, turn.ids)
        policy.learn(turn.context, turn.items[index], turn.reward(index), id=turn.ids[index])
        twin.learn(turn.context, turn.items[index], turn.ids[index], turn.reward(index))


def sketched(values, buckets, signs, width):
    out = np.zeros(width)
    for value, bucket, sign in zip(values, buckets, signs, strict=True):
        out[bucket] += sign * value
    return out


def convolved(first, second):
    """Circular convolution: what goes beyond the end comes back at the start."""
    width = len(first)
    around = np.convolve(first, second)
    return around[:width] + np.append(around[width:], 0.0)


class ItemHybridTwin:
    """Chooses as ItemHybrid does; `generator` must be as new as the policy's own was."""

    def __init__(self, n_context, n_item, generator):
        both = n_context + n_item
        self.generator = generator
        self.directions = generator.normal(size=(128, both))
        self.offsets = generator.uniform(0.0, 2.0 * np.pi, 128)
        self.learned, self.squares = 0, np.zeros(2)
        products = n_context * n_item
        self.sketch = None
        if products > 1024:
            products = 512
            self.sketch = [
                (generator.integers(512, size=size), generator.choice([-1.0, 1.0], size))
                for size in (n_context, n_item)
            ]
        sizes = (1 + both + products, 1 + both + products, 1 + both + 128)
        self.inverses = [np.eye(size) / lam for size, lam in zip(sizes, LAM, strict=True)]
        self.thetas = [np.zeros(size) for size in sizes]
        self.past = {}
        self.errors = np.array([0.25, 1.0])
        self.recent = FadingRidgeTwin(sizes[0], 1.0, forget=0.999)
        self.recent_past, self.recent_losses = {}, np.zeros(3)
        self.mixer_gram = 3.0 * np.eye(5)
        self.mixer_moment = 3.0 * np.array([0.8, 0.1, 0.1, 0.0, 0.0])

    def scales(self, context, items):
        """Running: what was learned, and the context and the candidates' mean of now."""
        now = np.array([context @ context, np.mean([v @ v for v in items])])
        return np.sqrt((self.squares + now) / (self.learned + 1))

    def features(self, context, item, scales):
        c = context / scales[0] if scales[0] else context
        v = item / scales[1] if scales[1] else item
        b = np.concatenate([c, v]) / np.sqrt(2.0)
        if self.sketch is None:
            x = np.outer(c, v).ravel()
        else:
            left, right = self.sketch
            x = convolved(sketched(c, *left, 512), sketched(v, *right, 512))
        linear = np.concatenate([x, [1.0], b])
        cosines = np.sqrt(2.0 / 128) * np.cos(self.directions @ b + self.offsets)
        return linear, linear, np.concatenate([[1.0], b, cosines])

    def nothing(self):
        """N, S, and B of each view."""
        return 0, 0.0, [np.zeros_like(theta) for theta in self.thetas]

    def estimates(self, zs, name):
        count, total, features = self.past.get(name) or self.nothing()
        own = [
            (total - b @ theta) / (count + kap)
            for theta, b, kap in zip(self.thetas, features, KAP, strict=True)
        ]
        views = [z @ theta + u for z, theta, u in zip(zs, self.thetas, own, strict=True)]
        return np.array([*views, np.mean(own), 1.0])

    def values(self, context, items, ids):
        names = ids if ids is not None else [None] * len(items)
        slow, recent = np.transpose([
            self.both(self.features(context, item, self.scales(context, items)), name)
            for item, name in zip(items, names, strict=True)
        ])  # fmt: skip
        return (1.0 - self.share) * slow + self.share * recent

    def both(self, zs, name):
        """By the mixer of all views, and by the view that forgets."""
        mixer = np.linalg.solve(self.mixer_gram, self.mixer_moment)
        count, total, features = self.recent_of(name)
        theta = self.recent.weights
        own = (total - features @ theta) / (count + 5.0)
        return self.estimates(zs, name) @ mixer, zs[0] @ theta + own

    def recent_of(self, name):
        nothing = 0.0, 0.0, np.zeros(self.recent.size)
        moment, *past = self.recent_past.get(name, (0, *nothing))
        return [0.999 ** (self.learned - moment) * each for each in past]

    @property
    def share(self):
        """How far the view that forgets is believed."""
        slow, recent, rounds = self.recent_losses
        if slow == recent:
            return 0.5
        unit = max(2.0 * min(slow, recent) / rounds, 1e-300)
        return 1.0 / (1.0 + np.exp(np.clip((recent - slow) / unit, -700.0, 700.0)))

    def learn_recent(self, z, name, reward):
        count, total, features = self.recent_of(name)
        k = count + 5.0
        root = np.sqrt(k / (k + 1.0))
        self.recent.learn(root * (z - features / k), root * (reward - total / k))
        if name is not None:
            faded = [0.999 * each for each in (count, total, features)]
            added = faded[0] + 1.0, faded[1] + reward, faded[2] + z
            self.recent_past[name] = self.learned + 1, *added

    def scores(self, context, items, ids):
        counts = np.array([self.past.get(name, (0,))[0] for name in ids])
        lately = np.array([self.recent_of(name)[0] for name in ids])
        counts = (1.0 - self.share) * counts + self.share * lately
        error = np.sqrt(self.errors[0] / self.errors[1])
        own = np.clip(np.linalg.solve(self.mixer_gram, self.mixer_moment)[:4].sum(), 0.0, 1.0)
        trust = (1.0 - self.share) * own + self.share
        known = max(len(self.past), 1)
        bonuses = 2.0 * trust * 2.0 * error / np.sqrt(known * (counts + 1.0))
        return self.values(context, items, ids) + bonuses

    def choose(self, context, items, ids):
        scores = self.scores(context, items, ids)
        tied = np.flatnonzero(scores == scores.max())
        return int(tied[self.generator.integers(len(tied))] if len(tied) > 1 else tied[0])

    def learn(self, context, item, name, reward):
        error = reward - self.values(context, [item], [name])[0]
        self.errors = 0.998 * self.errors + [error**2, 1.0]
        zs = self.features(context, item, self.scales(context, [item]))
        errors = reward - np.array(self.both(zs, name))
        self.recent_losses = 0.998 * self.recent_losses + [*errors**2, 1.0]
        self.learn_recent(zs[0], name, reward)
        u = self.estimates(zs, name)
        self.mixer_gram += np.outer(u, u)
        self.mixer_moment += reward * u
        count, total, features = self.past.get(name) or self.nothing()
        for view, z in enumerate(zs):
            k = count + KAP[view]
            relative, target = z - features[view] / k, reward - total / k
            weight = k / (k + 1.0)
            gain = self.inverses[view] @ relative
            step = weight / (1.0 + weight * relative @ gain)
            self.thetas[view] += step * gain * (target - relative @ self.thetas[view])
            self.inverses[view] -= step * np.outer(gain, gain)
        if name is not None:
            added = [b + z for b, z in zip(features, zs, strict=True)]
            self.past[name] = count + 1, total + reward, added
        self.squares += context @ context, item @ item
        self.learned += 1


class ItemLinUCBTwin:
    """One ridge on [products, 1, b] by its plain equations; ids do not matter."""

    def __init__(self, n_context, n_item, generator, alpha):
        self.features = ItemHybridTwin(n_context, n_item, np.random.default_rng(0))
        self.generator = generator
        self.alpha = alpha
        size = len(self.features.thetas[0])
        self.gram, self.moment = np.eye(size), np.zeros(size)

    def z(self, context, items):
        scales = self.features.scales(context, items)
        return np.array([self.features.features(context, item, scales)[0] for item in items])

    def rates(self, ids):
        return np.full(len(ids), self.alpha)

    def local(self, context, name):
        return 0.0

    def scores(self, context, items, ids):
        z, inverse = self.z(context, items), np.linalg.inv(self.gram)
        widths = np.sqrt(np.einsum("ij,jk,ik->i", z, inverse, z))
        local = [self.local(context, name) for name in ids]
        return z @ inverse @ self.moment + local + self.rates(ids) * widths

    def choose(self, context, items, ids):
        scores = self.scores(context, items, ids)
        tied = np.flatnonzero(scores == scores.max())
        return int(tied[self.generator.integers(len(tied))] if len(tied) > 1 else tied[0])

    def learn(self, context, item, name, reward):
        z = self.z(context, [item])[0]
        self.gram += np.outer(z, z)
        self.moment += z * (reward - self.local(context, name))
        self.features.squares += context @ context, item @ item
        self.features.learned += 1


class ItemLNUCBTATwin(ItemLinUCBTwin):
    """The same with the item's own neighbours and attention, k from 1 to 5."""

    def __init__(self, n_context, n_item, generator, *, kappa=0.5, memory=200):
        super().__init__(n_context, n_item, generator, alpha=1.0)
        self.kappa = kappa
        self.memory = memory
        self.past = {}

    def rates(self, ids):
        all_rewards = [[reward for _, reward in self.past.get(name, [])] for name in ids]
        means = np.array([np.mean(rewards) if rewards else 0.0 for rewards in all_rewards])
        counts = np.array([len(rewards) for rewards in all_rewards])
        attention = self.kappa * means.mean() + (1.0 - self.kappa) * means
        return self.alpha / (counts + 1.0) * attention

    def local(self, context, name):
        past = self.past.get(name, [])[-self.memory :]
        variance = np.var([reward for _, reward in past]) if past else 0.0
        k = int(np.floor(1 + 4 * variance + 1e-9))
        if len(past) < k:
            return 0.0
        near = sorted(past, key=lambda entry: ((entry[0] - context) ** 2).sum())
        return np.mean([reward for _, reward in near[:k]])

    def learn(self, context, item, name, reward):
        super().learn(context, item, name, reward)
        self.past.setdefault(name, []).append((context, reward))
