"""Names that must be known, and suggestions for misspelt ones."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from hybandit.errors import InvalidInput, UnknownName


def check_name(
    parameter: str, what: str, given: Any, known: Collection[str], first: Sequence[str] = ()
) -> None:
    """Refuse anything but a known name.

    Examples
    --------
    >>> check_name("data", "data set", "mushrom", ["magic", "mushroom"])
    Traceback (most recent call last):
    ...
    hybandit.errors.UnknownName: no data set is called 'mushrom'; did you mean 'mushroom'?
    >>> check_name("data", "data set", 5, ["magic", "mushroom"])
    Traceback (most recent call last):
    ...
    hybandit.errors.InvalidInput: 'data' must be one of magic, mushroom; got 5
    """
    if not isinstance(given, str):
        raise InvalidInput(parameter, f"one of {', '.join(sorted(known))}", given)
    if given not in known:
        raise UnknownName(f"no {what} is called {given!r}{suggestion(given, known, first)}")


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
