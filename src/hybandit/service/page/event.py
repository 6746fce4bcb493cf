"""What the page tells of one decision."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from hybandit.loop import Explanation
from hybandit.loop.verbs.parts import Parts
from hybandit.service.page.view import moment, percent

MOMENT = re.compile(r"\d{4}-\d\d-\d\dT[\d:]+\+00:00")


def reason(told: Explanation, parts: Parts) -> str:
    """Why this action was shown, in sentences."""
    chance = percent(told.probability)
    if told.probability >= 1.0:
        return "Nothing else could be shown."
    if told.action == parts.preferred:
        return f"It was the model's favourite, and had a chance of {chance}."
    best = next(each for each in parts.candidates if each.action == parts.preferred)
    why = "It was shown to learn more about it"
    if told.action == parts.baseline:
        why = "It is the baseline, shown now and then to compare with"
    return (
        f"{why}: its chance was {chance}. "
        f"The favourite was {best.action}, with {percent(best.probability)}."
    )


def outcome(told: Explanation) -> str:
    """Whether it was learned, or why not, in a sentence."""
    text = MOMENT.sub(lambda found: moment(datetime.fromisoformat(found[0])), told.why)
    then = ": it is learned then" if MOMENT.search(told.why) else ""
    return f"{text[:1].upper()}{text[1:]}{then}."


def feature(value: Any) -> str:
    """The value of a feature: text as it is, all else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def features(known: Mapping[str, Any]) -> str:
    """All features of an action, in a line."""
    return ", ".join(f"{name}: {feature(value)}" for name, value in known.items())


FILTERS = {each.__name__: each for each in (reason, outcome, feature, features)}
