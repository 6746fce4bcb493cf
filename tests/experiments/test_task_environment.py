"""What every environment of a task says of itself."""

from dataclasses import dataclass
from typing import ClassVar

from hybandit.datasets import find_dataset
from hybandit.experiments.task_environment import TaskEnvironment


@dataclass(frozen=True)
class Made(TaskEnvironment):
    rounds: int = 5
    data: str | None = None

    results_version: ClassVar[int] = 1

    @property
    def dataset_name(self):
        return self.data

    @property
    def size(self):
        return self.rounds, 1

    def run(self, policy, seed):
        raise AssertionError("not played here")


def test_without_data_the_settings_are_the_identity():
    assert Made().identity() == {"rounds": 5, "data": None}
    assert Made().datasets == ()


def test_data_are_known_by_their_checksum():
    digits = find_dataset("digits")
    assert Made(data="digits").datasets == (digits,)
    told = {"rounds": 5, "data": "digits", "content": digits.checksum}
    assert Made(data="digits").identity() == told
