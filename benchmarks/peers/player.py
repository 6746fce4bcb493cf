"""What an adapter brings for one kind of problem. Runs inside a peer's environment: NumPy only."""

from __future__ import annotations


class Player:
    """One policy of one peer.

    `setup` names it with its settings. `nearest` says, where the peer lacks the algorithm, what
    stands in for it; `remark` what else a reader must know. `at_once` is how many rows
    `choose_many` is given in one call.
    """

    setup = ""
    nearest = ""
    remark = ""
    at_once = 100_000

    def __init__(self, arms, features, seed):
        raise NotImplementedError

    def prepare(self, contexts):
        """Rows as plain data in the form that the peer documents. Not timed."""
        return list(contexts)

    def choose(self, context):
        raise NotImplementedError

    def learn(self, context, arm, reward):
        raise NotImplementedError

    def learn_many(self, contexts, arms, rewards):
        """Not timed."""
        for context, arm, reward in zip(self.prepare(contexts), arms, rewards, strict=True):
            self.learn(context, arm, reward)

    def choose_many(self, rows):
        """`rows` as `prepare` made them."""
        return [self.choose(row) for row in rows]
