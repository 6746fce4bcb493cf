import pytest

from hybandit.errors import DataFileError, InvalidInput, UnknownName
from hybandit.experiments.comparison import comparison
from hybandit.experiments.worlds import run_task


def test_every_policy_gets_the_same_seeds():
    experiment = comparison("digits", "ucb,lin-ucb:alpha=0.1", runs=3, seed=5)
    assert experiment.rows == ["ucb", "lin-ucb:alpha=0.1"]
    assert {tuple(task.seed for task in cell.tasks) for cell in experiment.cells} == {(5, 6, 7)}


def test_an_own_file_is_another_experiment_once_it_is_edited(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("age,town,buys\n20,Ulm,no\n40,Bonn,yes\n")
    first = comparison(str(path), "ucb", runs=1).tasks[0]
    path.write_text("age,town,buys\n20,Ulm,no\n41,Bonn,yes\n")
    second = comparison(str(path), "ucb", runs=1).tasks[0]
    assert first.key != second.key
    assert run_task(second).rounds == 2


def test_what_cannot_be_compared_is_refused(tmp_path):
    with pytest.raises(UnknownName, match="did you mean 'mushroom'"):
        comparison("mushrom")
    with pytest.raises(InvalidInput, match="reproduce network"):
        comparison("ca-astroph")
    with pytest.raises(DataFileError, match="no file"):
        comparison(str(tmp_path / "missing.csv"))
    with pytest.raises(InvalidInput, match="runs"):
        comparison(runs=0)
