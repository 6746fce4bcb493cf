"""How much of the past a memory keeps."""

from __future__ import annotations

import re
from dataclasses import dataclass

from hybandit.errors import InvalidInput

RULE = "window(M) or reservoir(M), M a whole number of at least 1"
WRITTEN = re.compile(r"(window|reservoir)\(([1-9][0-9]{0,17})\)")


def window(entries: int) -> str:
    """The setting ``memory=window(M)``: of each arm, the last M observations.

    Examples
    --------
    >>> import hybandit
    >>> hybandit.LNUCBTA(3, 2, memory=hybandit.window(5000)).memory
    'window(5000)'
    """
    return Limit.read(f"window({entries})").text


def reservoir(entries: int) -> str:
    """The setting ``memory=reservoir(M)``: of each arm, M observations, all equally likely.

    Examples
    --------
    >>> reservoir(5000)
    'reservoir(5000)'
    """
    return Limit.read(f"reservoir({entries})").text


@dataclass(frozen=True)
class Limit:
    """At most `entries` of each arm: its last (``window``) or any (``reservoir``).

    Examples
    --------
    >>> Limit.read("window(100)")
    Limit(kind='window', entries=100)
    """

    kind: str
    entries: int

    @classmethod
    def of(cls, memory: str | None) -> Limit | None:
        """The limit that the setting `memory` gives."""
        return None if memory is None else cls.read(memory)

    @classmethod
    def read(cls, text: str) -> Limit:
        """Read the form that settings, files and the command line use."""
        found = WRITTEN.fullmatch(text)
        if found is None:
            raise InvalidInput("memory", RULE, text)
        return cls(found[1], int(found[2]))

    @property
    def text(self) -> str:
        return f"{self.kind}({self.entries})"
