"""What actions get before anything was learned of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from hybandit.state import Flags, Floats

EVERYONE = np.array(True)
# Who has had less than this share of the others' closed decisions may still be new.
NEW = 0.1
# With what everyone gets (`explore`), a newcomer has at most a tenth of two or more actions.
NEWCOMERS = 0.09


def judged(closed: Sequence[int], pending: Sequence[int]) -> Flags:
    """Which actions are not new any more, by how many of their decisions are closed and pending.

    An action is new until as many are closed as are pending: when the first rewards of a newcomer
    come, a curious policy would show it to nearly all until the next ones come.

    Examples
    --------
    >>> judged([900, 5, 5], [80, 20, 4])
    array([ True, False,  True])
    """
    done = np.array(closed)
    told: Flags = (done >= np.array(pending)) | (done >= NEW * done.mean())
    return told


def bounded(
    chances: Floats,
    among: Callable[[Flags], Floats],
    known: Flags,
    share: float,
    *,
    remembered: int = 0,
    best: Flags | None = None,
) -> Floats:
    """The `chances` of a policy, of which an action that is not `known` gets at most `share`.

    Parameters
    ----------
    chances
        Of every action.
    among
        The same if only the actions of a mask were offered, 0 for the others.
    known
        Of which actions a reward was learned, and that are `judged`. What newcomers may not have
        goes to these, as the policy would choose among them; if there are none, nothing is bounded.
    share
        The most that another action gets. A policy that is curious would show it to nearly all
        until its first rewards are learned, which with rewards that come late is long.
    remembered
        Of how many actions rewards are remembered. Where they are more than are offered, an action
        is not offered to everyone, and where it is, its share is larger by their ratio.
    best
        Which actions are expected to earn most, by their features and without exploration; these
        are not bounded.

    Examples
    --------
    >>> def curious(offered):
    ...     return np.array([0.0, 0.0, 1.0]) if offered[2] else np.array([0.75, 0.25, 0.0])
    >>> known = np.array([True, True, False])
    >>> chances = curious(np.ones(3, bool))
    >>> bounded(chances, curious, known, share=0.1)
    array([0.675, 0.225, 0.1  ])
    >>> bounded(chances, curious, known, share=0.1, remembered=12)
    array([0.45, 0.15, 0.4 ])
    """
    if known.all() or not known.any():
        return chances
    caps = np.full(len(known), share * max(1.0, remembered / len(known)))
    caps[known] = 1.0
    if (chances <= caps).all():
        return chances
    if best is not None:
        known = known | best
        caps[known] = 1.0
    within: Floats = np.minimum(chances, caps)
    within += (1.0 - within.sum()) * among(known)
    return within
