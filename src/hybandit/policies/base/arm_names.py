"""Arms as callers write them: by number or, where they have names, by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hybandit.errors import InvalidInput
from hybandit.names import suggestion
from hybandit.state import Flags
from hybandit.validation import checks
from hybandit.validation.settings import Rule, is_whole


def names() -> Rule:
    def holds(value: Any) -> bool:
        listed = isinstance(value, list) and all(isinstance(each, str) for each in value)
        return listed and 0 < len(set(value)) == len(value)

    return Rule("names, no two alike", holds)


class ArmNames:
    """The numbers of the arms by their names, which may be none; refuses what is no arm."""

    def __init__(self, names: Sequence[str] | None) -> None:
        self.named = names is not None
        self.numbers = {name: number for number, name in enumerate(names or ())}

    def arm(self, given: Any, n_arms: int) -> int:
        """The number of an arm."""
        if type(given) is int:
            number: int = given
        elif self.named and isinstance(given, str):
            number = self._number_of("arm", given)
        else:
            number = int(given) if is_whole(given) else -1
        if not 0 <= number < n_arms:
            raise InvalidInput("arm", f"a whole number from 0 to {n_arms - 1}", given)
        return number

    def mask(self, eligible: Any, n_arms: int) -> Flags:
        """Which arms may be chosen, by number."""
        listed = checks.texts(eligible) if self.named else None
        if listed is None:
            return checks.mask("eligible", eligible, n_arms)
        mask = np.zeros(n_arms, bool)
        mask[[self._number_of("eligible", name) for name in listed]] = True
        return mask

    def check_new(self, name: Any) -> None:
        """Refuse a name for a new arm that is taken, missing or not wanted."""
        if not self.named:
            if name is not None:
                raise InvalidInput("name", "left out, as these arms have no names", name)
        elif not isinstance(name, str) or name in self.numbers:
            raise InvalidInput("name", "a text that is no arm's name yet", name)

    def _number_of(self, parameter: str, name: str) -> int:
        if name not in self.numbers:
            raise InvalidInput(parameter, f"an arm's name{suggestion(name, self.numbers)}", name)
        return self.numbers[name]
