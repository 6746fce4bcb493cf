"""The paper's table of attributes, compared with the parts of our policies."""

from __future__ import annotations

from collections.abc import Iterator

from hybandit.estimators import AdaptiveKNN, Memory, Ridge
from hybandit.exploration import TemporalAttention
from hybandit.paper.judgement.judgements import NOT_REPRODUCED, REPRODUCED, Word
from hybandit.paper.judgement.published import published
from hybandit.policies import make_policy

HEADS = ("linear model", "local history", "attention", "choice of k")
# By the paper's name of an algorithm.
POLICIES = {
    "UCB": "ucb",
    "KL-UCB": "kl-ucb",
    "k-NN UCB": "knn-ucb",
    "k-NN KL-UCB": "knn-kl-ucb",
    "LinTS": "lin-ts",
    "LinThompsonUCB": "lin-thompson-ucb",
    "LinUCB": "lin-ucb",
    "LNUCB-TA": "lnucb-ta",
}


def attribute_words() -> list[Word]:
    """A word for each entry of the table, 32 in all."""
    return [
        Word(
            "attributes",
            f"{name}: {head}",
            printed,
            ours,
            REPRODUCED if ours == printed else NOT_REPRODUCED,
        )
        for name, row in published()["attributes"].items()
        for head, printed, ours in zip(HEADS, row, attributes(POLICIES[name]), strict=True)
    ]


def attributes(policy: str) -> list[str]:
    """The entries of one policy, read from the parts of an instance.

    Examples
    --------
    >>> attributes("lin-ucb")
    ['Yes', 'No', 'No', 'N/A']
    """
    parts = list(_parts(make_policy(policy, 2, 2, seed=0), set()))

    def has(kind: type) -> bool:
        return any(isinstance(part, kind) for part in parts)

    # AdaptiveKNN sets k by the variance of rewards; a bare Memory leaves it to the score.
    adaptive = has(AdaptiveKNN)
    local = adaptive or has(Memory)
    selection = "Function optimization" if local else "N/A"
    if adaptive:
        selection = "Variance guided, nonparametric"
    words = ["Yes" if each else "No" for each in (has(Ridge), local, has(TemporalAttention))]
    return [*words, selection]


def _parts(whole: object, seen: set[int]) -> Iterator[object]:
    """All objects of this package that an object holds, including itself."""
    if id(whole) in seen or not type(whole).__module__.startswith("hybandit."):
        return
    seen.add(id(whole))
    yield whole
    for part in vars(whole).values() if hasattr(whole, "__dict__") else ():
        for each in part if isinstance(part, (list, tuple)) else (part,):
            yield from _parts(each, seen)
