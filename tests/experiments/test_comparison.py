import pytest

from hybandit.errors import DataFileError, InvalidInput, UnknownName
from hybandit.experiments import Run
from hybandit.experiments.comparison import Comparison
from hybandit.experiments.experiment import Effort


def test_the_best_stands_first_and_others_are_told_against_it_at_equal_seeds():
    comparison, scale = Comparison.of("digits", "ucb,lin-ucb,lin-ts"), Effort(runs=2)
    regrets = {"ucb": (30.0, 20.0), "lin-ucb": (10.0, 12.0), "lin-ts": (11.0, 14.0)}
    results = {
        task.key: Run(100, 1.0, regret, 0.5, at=[1, 100], rewards=[0.0, 1.0], regrets=[1.0, regret])
        for cell in comparison.cells(scale)
        for task, regret in zip(cell.tasks, regrets[cell.policy.name], strict=True)
    }
    section = comparison.section(comparison.findings(scale, results))
    (table,) = section.tables
    assert [row[0] for row in table.rows] == ["lin-ucb", "lin-ts", "ucb"]
    assert [row[1].mean for row in table.rows] == [11.0, 12.5, 25.0]
    assert [row[2] and row[2].mean for row in table.rows] == [None, 1.5, 14.0]
    assert table.rows[0][3] == 200.0
    lines = section.figures[0].panels[section.title]
    assert [line.y[-1] for line in lines] == [11.0, 12.5, 25.0]


def test_what_cannot_be_compared_is_refused(tmp_path):
    with pytest.raises(UnknownName, match="did you mean 'mushroom'"):
        Comparison.of("mushrom")
    with pytest.raises(InvalidInput, match="reproduce network"):
        Comparison.of("ca-astroph")
    with pytest.raises(DataFileError, match="no file"):
        Comparison.of(str(tmp_path / "missing.csv"))


def section_of(comparison, regrets, scale, rounds=100):
    results = {
        task.key: Run(rounds, 1.0, regret, 0.5, at=[1, rounds], rewards=[0.0, 1.0],
                      regrets=[1.0, regret])
        for cell in comparison.cells(scale)
        for task, regret in zip(cell.tasks, regrets[cell.policy.name], strict=True)
    }  # fmt: skip
    return comparison.section(comparison.findings(scale, results))


def test_the_verdict_says_who_won_by_how_much_and_how_sure():
    comparison, scale = Comparison.of("digits", "ucb,lin-ucb"), Effort(runs=3)
    regrets = {"ucb": (30.0, 31.0, 32.0), "lin-ucb": (10.0, 12.0, 11.0)}
    verdict = section_of(comparison, regrets, scale).verdict
    assert verdict.startswith("lin-ucb has the least regret, 11.0 ± 1.0 in 100 rounds; ucb, the")
    assert "20.0 more [17.5, 22.5]. Regret is the number of wrong guesses." in verdict
    alone = Comparison.of("digits", "ucb")
    assert "no other policy was played" in section_of(alone, regrets, scale).verdict
    once = section_of(comparison, {"ucb": (30.0,), "lin-ucb": (10.0,)}, Effort(runs=1)).verdict
    assert "before ucb with 30; one run may be luck" in once


def test_what_to_watch_out_for_of_an_own_table(tmp_path):
    path = tmp_path / "mine.csv"
    rows = "".join(f"{20 + row % 40},{'no' if row % 10 else 'yes'}\n" for row in range(400))
    path.write_text(f"age,buys\n{rows}1,2,3\n")
    comparison = Comparison.of(str(path), "ucb", options={"label": "buys"})
    section = section_of(comparison, {"ucb": (12.0,)}, Effort(runs=1))
    guess, set_aside, luck = section.watch
    assert guess.startswith("always choosing 'no', the most frequent class, costs about 10")
    assert set_aside == "1 row was set aside, see set-aside.csv"
    assert "runs=5" in luck
    assert "plays 100 of 400 rows (seed 0)" in section.about
    assert section.details[0].title == "What was read from mine.csv"
    clear = section_of(comparison, {"ucb": (2.0, 3.0)}, Effort(runs=2))
    assert clear.watch == [set_aside]
