"""A policy that has learned a log, stored with the encoder of its contexts."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from hybandit.datasets import Log, StreamedLog, arm_rows
from hybandit.errors import DataFileError, HybanditError, InvalidInput, ModelFileError
from hybandit.evaluation.progressive import Tick, teach
from hybandit.experiments.log_players import item_policy_of, policy_of
from hybandit.experiments.specs import PolicySpec
from hybandit.features import Encoder
from hybandit.policies import (
    ArmPolicy,
    Decision,
    ItemPolicy,
    find_policy,
    load,
    named_settings,
)
from hybandit.policies.base.files import notes_of
from hybandit.state import Floats


@dataclass(frozen=True)
class TrainedModel:
    """A trained policy that decides on rows of a table.

    The kinds, categories and scales of columns that were fitted on the log are kept with the
    policy, so that training and live use cannot differ.

    Examples
    --------
    >>> from hybandit.datasets import open_log
    >>> frame = pd.DataFrame(
    ...     {"age": [20, 60, 30, 70], "shown": ["a", "a", "b", "b"], "paid": [0, 1, 1, 0]}
    ... )
    >>> frame = pd.concat([frame] * 25)
    >>> model = TrainedModel.learned(PolicySpec("lin-ucb"), open_log(frame, "shown", "paid"))
    >>> [decision.name for decision in model.decide(pd.DataFrame({"age": [25, 65]}))]
    ['b', 'a']
    """

    policy: ArmPolicy
    encoder: Encoder
    arm_features: str | None = None

    @classmethod
    def learned(
        cls,
        spec: PolicySpec,
        log: StreamedLog,
        *,
        seed: int = 0,
        tick: Tick | None = None,
    ) -> TrainedModel:
        """A new policy after every event of the log, in order."""
        named = PolicySpec(spec.name, {**spec.settings, "arms": list(log.names)})
        policy = policy_of(named, *log.sizes, seed)
        teach(policy, log, tick=tick)
        return cls(policy, log.reading.encoder, log.arm_features)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write everything to one .npz file, which `hybandit.load` reads too."""
        notes = {"encoder": self.encoder.as_json(), "arm_features": self.arm_features}
        self.policy.save(path, notes=notes)

    @classmethod
    def load(cls, path: str | os.PathLike[str], kind: str | None = None) -> TrainedModel:
        """A model as `save` wrote it; `kind` names its policy if that is one's own."""
        wanted = None if kind is None else find_policy(named_settings(kind, "policy")[0])
        policy, notes = load(path), notes_of(Path(path))
        if wanted not in (None, type(policy)):
            raise InvalidInput("policy", f"that of {path}, {policy.name}", kind)
        if isinstance(policy, ItemPolicy):
            raise ModelFileError(
                f"{path} holds {policy.name}, a policy of items: files can be decided on for arms; "
                "hybandit.load reads this one in Python"
            )
        if not isinstance(policy, ArmPolicy) or "encoder" not in notes:
            raise ModelFileError(
                f"{path} does not say how rows become contexts: files of 'hybandit train' do"
            )
        return cls(policy, Encoder.from_json(notes["encoder"]), notes.get("arm_features"))

    @property
    def arms(self) -> list[str]:
        """The names of the arms."""
        return list(self.policy.arms or map(str, range(self.policy.n_arms)))

    def contexts(self, rows: pd.DataFrame) -> Floats:
        """The contexts of rows with the columns of the log."""
        if self.arm_features is None:
            return self.encoder.transform(rows)
        wide, _ = arm_rows(rows, self.arm_features, self.arms)
        return self.encoder.transform(wide).reshape(len(rows), len(self.arms), -1)

    def decide(self, rows: pd.DataFrame) -> Iterator[Decision]:
        """A decision for each row; nothing is learned, and all rows are checked first."""
        if rows.empty:
            raise InvalidInput("rows", "at least one", 0)
        return map(self.policy.decide, self.contexts(rows.reset_index(drop=True)))

    def answer(self, line: str, number: int = 1) -> dict[str, object]:
        """A decision for a row that is a JSON object, as JSON; `number` is its line, for errors."""
        try:
            (decision,) = self.decide(pd.DataFrame([json.loads(line)]))
        except (ValueError, TypeError, HybanditError) as error:
            raise DataFileError(f"line {number} of standard input: {error}") from error
        return {
            "arm": self.arms[decision.arm],
            "probability": decision.probability,
            "probabilities": dict(zip(self.arms, decision.probabilities.tolist(), strict=True)),
        }


def trained(
    spec: PolicySpec,
    log: Log,
    *,
    seed: int = 0,
    tick: Tick | None = None,
) -> TrainedModel | ItemPolicy:
    """What can be saved after every event of a log: of a file that was read, or of items."""
    if isinstance(log, StreamedLog):
        return TrainedModel.learned(spec, log, seed=seed, tick=tick)
    policy = item_policy_of(spec, *log.sizes, seed)
    teach(policy, log, tick=tick)
    return policy
