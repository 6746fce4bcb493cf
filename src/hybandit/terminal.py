"""Text on a terminal: what others have written is shown, never obeyed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

# All control characters but tab and line end: the old ones, DEL and the later ones, and those
# that turn the direction of writing around.
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def visible(text: str) -> str:
    r"""A text in which control characters, such as those of escape codes, are spelled out.

    Examples
    --------
    >>> visible("tea\x1b[2J")
    'tea\\x1b[2J'
    """
    return _CONTROLS.sub(lambda found: ascii(found[0])[1:-1], text)


def terminal(**options: Any) -> Console:
    """A console of rich on which control characters inside of texts are spelled out."""
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.segment import Segment

    class Terminal(Console):
        def render(
            self, renderable: RenderableType, options: ConsoleOptions | None = None
        ) -> Iterable[Segment]:
            for text, style, control in super().render(renderable, options):
                yield Segment(text if control else visible(text), style, control)

    return Terminal(**options)
