import pytest

from hybandit.datasets import Dataset
from hybandit.errors import DataFileError, StoreError
from hybandit.experiments import EnvironmentSpec, PolicySpec, Task
from hybandit.experiments.comparison import Comparison
from hybandit.experiments.experiment import Effort
from hybandit.experiments.requests import (
    ComparisonRequest,
    note_request,
    read_request,
    tasks_of,
    without_missing_data,
)


def test_a_request_is_read_as_it_was_noted(store):
    request = ComparisonRequest(Comparison.of("digits", "ucb"), Effort(3, 1))
    note_request(store, request, "folder")
    again, folder = read_request(store)
    assert folder == "folder"
    assert [task.key for task in tasks_of(again)] == [task.key for task in tasks_of(request)]


def test_a_store_without_a_request_says_so(store):
    with pytest.raises(StoreError, match="does not say"):
        read_request(store)


def test_cells_are_built_once():
    comparison = Comparison.of("digits", "ucb,lin-ucb")
    assert comparison.cells(Effort(3, 1)) is comparison.cells(Effort(3, 1))
    assert comparison.cells(Effort(2, 1)) is not comparison.cells(Effort(3, 1))
    assert len(comparison.tasks(Effort(2, 1))) == 4


def test_tasks_without_their_data_are_left_out_and_the_data_named(monkeypatch):
    def missing(self):
        if self.name == "adult":
            raise DataFileError("adult is not here")

    monkeypatch.setattr(Dataset, "fetch", missing)
    tables = [EnvironmentSpec("classification", {"data": name}) for name in ("adult", "magic")]
    worlds = [*tables, EnvironmentSpec("synthetic", {"kind": "linear"})]
    ready, wrong = without_missing_data(Task(world, PolicySpec("ucb"), 0) for world in worlds)
    assert wrong == {"adult": "adult is not here"}
    assert [task.environment for task in ready] == worlds[1:]
