"""Suggestions for misspelt names."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence


def suggestion(name: str, known: Iterable[str], first: Sequence[str] = ()) -> str:
    """The end of an error message: the nearest known name, or all of them.

    Among names that contain `name`, those listed in `first` are preferred, then shorter ones.

    Examples
    --------
    >>> suggestion("mushrom", ["magic", "mushroom"])
    "; did you mean 'mushroom'?"
    >>> suggestion("lnucb", ["lin-ucb", "lnucb-ta"], first=["lnucb-ta"])
    "; did you mean 'lnucb-ta'?"
    """
    names = sorted(known)
    plain = _plain(name)
    near = [each for each in names if len(plain) > 2 and plain in _plain(each)]
    near.sort(key=lambda each: (each not in first, len(each)))
    near = near or difflib.get_close_matches(name, names, n=1)
    return f"; did you mean {near[0]!r}?" if near else f"; there are {', '.join(names)}"


def _plain(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalnum())
