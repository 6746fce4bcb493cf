import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot

import hybandit
from hybandit.errors import InvalidInput
from hybandit.reports.figures import COLOURS


@pytest.fixture(autouse=True)
def without_windows():
    before = mpl.get_backend()
    mpl.use("agg")
    yield
    pyplot.close("all")
    mpl.use(before)


def people(count=300):
    generator = np.random.default_rng(0)
    age = generator.integers(18, 90, count)
    return pd.DataFrame({"age": age, "<b>": np.where(age > 50, "yes", "no")})


@pytest.fixture(scope="module")
def found():
    return hybandit.compare(people(), "<b>", ["ucb", "lnucb-ta", hybandit.LinUCB], runs=2)


def test_the_table_has_the_best_first_and_differences_to_it(found):
    table = found.table
    means = found.runs.groupby("policy")["regret"].mean()
    assert table["regret"].is_monotonic_increasing
    assert table["regret"].tolist() == means[table["policy"]].tolist()
    assert table["more"].isna().tolist() == [True, False, False]
    assert table["more"].iloc[2] == pytest.approx(means["ucb"] - means.min())
    assert (table["low"] <= table["high"]).iloc[1:].all()


def test_curves_end_where_runs_do(found):
    last = found.curves.groupby(["policy", "run"], sort=False).last().reset_index()
    runs = found.runs
    assert last["policy"].tolist() == runs["policy"].tolist()
    for ends, totals in (("round", "rounds"), ("regret", "regret"), ("reward", "reward")):
        assert last[ends].tolist() == runs[totals].tolist()


def test_a_figure_has_a_line_for_each_policy_in_house_style(found):
    before = dict(mpl.rcParams)
    axes = found.plot()
    assert len(axes.lines) == 3
    labels = dict(zip((text.get_text() for text in axes.texts), axes.lines, strict=True))
    assert labels["lnucb-ta"].get_color() == COLOURS[1]
    assert axes.get_ylabel().startswith("cumulative regret")
    assert axes.figure.number in pyplot.get_fignums()
    assert dict(mpl.rcParams) == before


def test_a_figure_leaves_a_notebook_as_it_found_it(found, monkeypatch):
    # As the backend of notebooks does when the first figure starts it: later ones rely on it.
    made = pyplot.figure

    def starting(**options):
        mpl.interactive(True)
        return made(**options)

    monkeypatch.setattr(pyplot, "figure", starting)
    try:
        found.plot()
        assert mpl.is_interactive()
    finally:
        mpl.interactive(False)


def test_its_report_is_that_of_the_command(found, tmp_path):
    page = found.report(tmp_path / "out")
    text = page.read_text()
    assert found.verdict in text
    assert "6 runs by hybandit" in text
    assert (tmp_path / "out" / "regret-curves.png").exists()
    assert "What was read from" in text


def test_it_is_short_as_text_and_escaped_in_a_notebook(found):
    best = found.table["policy"].iloc[0]
    assert repr(found).startswith(f"ComparisonResult(3 policies, 2 runs each; best: {best}, regret")
    html = found._repr_html_()
    assert found.verdict.split(";")[0] in html
    assert html.count("<tr>") == 4
    assert "\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}" in html, "numbers may break"
    assert "<b>" not in found.reading.to_html()


def test_equal_policies_are_refused_and_settings_tell_others_apart():
    with pytest.raises(InvalidInput, match="'policies' must be all different; got ucb twice"):
        hybandit.compare(people(), "<b>", ["ucb", hybandit.UCB], runs=1)
    pair = [hybandit.LinUCB(2, 2, alpha=alpha, seed=0) for alpha in (0.5, 0.1)]
    found = hybandit.compare(people(), "<b>", pair, runs=1)
    assert set(found.table["policy"]) == {"lin-ucb:alpha=0.5", "lin-ucb:alpha=0.1"}


@pytest.fixture(scope="module")
def judged():
    generator = np.random.default_rng(0)
    log = people().drop(columns="<b>").assign(shown=generator.choice(["<tea>", "beer"], 300))
    log["clicked"] = (log["age"] > 50) == (log["shown"] == "beer")
    with pytest.warns(hybandit.EvaluationWarning, match="weights are too large"):
        return hybandit.evaluate(
            log.assign(p=0.5), ["lin-ucb", "always:<tea>"], arm="shown", reward="clicked",
            propensity="p", estimators=["ips", "snips"],
        )  # fmt: skip


def test_an_evaluation_has_its_course_and_draws_the_best_estimator(judged):
    ends = judged.curves.groupby(["policy", "estimator"], sort=False)["value"].last()
    assert ends.tolist() == pytest.approx(judged.table["value"].tolist())
    assert judged.trusted == "snips"
    axes = judged.plot()
    assert [line.get_ydata()[-1] for line in axes.lines] == pytest.approx(
        judged.table.loc[judged.table["estimator"] == "snips", "value"].tolist()
    )


def test_an_evaluation_is_short_as_text_and_escaped_in_a_notebook(judged):
    assert repr(judged).startswith("EvaluationResult(2 policies; best: lin-ucb, value 0.9")
    html = judged._repr_html_()
    assert "always:&lt;tea&gt;" in html
    assert "<tea>" not in html
    assert "Watch out: " in html
