"""Help for names that were not quite right."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def suggestion(name: str, known: Iterable[str]) -> str:
    """The end of an error message: the nearest known name, or all of them.

    Examples
    --------
    >>> suggestion("mushrom", ["magic", "mushroom"])
    "; did you mean 'mushroom'?"
    """
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=1)
    return f"; did you mean {near[0]!r}?" if near else f"; there are {', '.join(names)}"
