import pytest

from hybandit.errors import UnknownName
from hybandit.experiments import Run, Store
from hybandit.experiments.experiment import Effort
from hybandit.experiments.requests import note_request, read_request, tasks_of
from hybandit.paper.experiments import EXPERIMENTS
from hybandit.paper.reproduce import Reproduce

QUICK = Effort(quick=True)


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "results.sqlite")


def test_a_request_is_read_as_it_was_noted(store):
    request = Reproduce.of(["theory", "news"], QUICK)
    note_request(store, request, "folder")
    again, folder = read_request(store)
    assert folder == "folder"
    assert [task.key for task in tasks_of(again)] == [task.key for task in tasks_of(request)]


def test_experiments_asked_for_at_the_same_scale_add_up(store):
    note_request(store, Reproduce.of(["theory"], QUICK), "reproduce")
    assert Reproduce.of(["news"], QUICK).with_former(store).names == ("news", "theory")
    assert Reproduce.of(["news"], Effort()).with_former(store).names == ("news",)


def test_no_name_is_all_and_an_unknown_one_is_refused():
    assert list(Reproduce.of([], QUICK).names) == list(EXPERIMENTS)
    with pytest.raises(UnknownName, match="did you mean 'regret'"):
        Reproduce.of(["regrets"], QUICK)


def results_of(name, every=1):
    tasks = EXPERIMENTS[name].tasks(QUICK)[::every]
    run = Run(800, 1.0, 1.0, 1.0, at=[1, 800], rewards=[0.5, 1.0], regrets=[0.5, 1.0])
    return {task.key: run for task in tasks}


def test_experiments_without_results_have_no_section():
    found = Reproduce.of(["news", "drift"], QUICK).sections(results_of("drift"))
    assert [section.id for section in found] == ["conclusions", "drift", "verdicts"]


def test_where_nothing_has_run_there_is_nothing_to_tell():
    assert Reproduce.of(["news", "drift"], QUICK).sections({}) == []


def test_an_unfinished_store_says_so():
    request = Reproduce.of(["news"], QUICK)
    assert "NOT FINISHED" in request.sections(results_of("news", every=5))[0].about
    assert "NOT FINISHED" not in request.sections(results_of("news"))[0].about
