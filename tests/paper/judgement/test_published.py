"""The printed numbers, each against the paper's source where that is at hand."""

import os
import re
from pathlib import Path

import pytest

from hybandit.paper.experiments.parameters import MODELS, row_of, shown
from hybandit.paper.judgement.published import contradictions, gains, published

NAMES = {"LinThompson": "LinTS", "Epsilon Greedy": "EpsilonGreedy"}


def sources():
    given = os.environ.get("HYBANDIT_PAPER")
    data = Path(os.environ.get("HYBANDIT_DATA", "."))
    folders = [Path(given)] if given else [data.parent / "paper"]
    return [*folders, Path(__file__).parents[3] / "shared/paper"]


@pytest.fixture(scope="module")
def paper():
    found = [folder / "LNUCB-TA.tex" for folder in sources()]
    for source in found:
        if source.is_file():
            return source.read_text()
    pytest.skip("set HYBANDIT_PAPER to the folder with LNUCB-TA.tex to check the printed numbers")


def numbers(text):
    return [float(each) for each in re.findall(r"-?\d+\.\d+|-?\d+", text)]


def rows(paper, start, columns):
    """The cells of a table's body, by its head's first words."""
    begin = paper.index(start)
    lines = paper[paper.index(r"\midrule", begin) : paper.index(r"\bottomrule", begin)].splitlines()
    cells = [re.sub(r"\\midrule|\\\\|\\textbf", "", line).split("&") for line in lines]
    return [[each.strip() for each in row] for row in cells if len(row) == columns]


def named(cell):
    plain = re.sub(r"[{}$]", "", cell)
    return NAMES.get(plain, plain)


def test_regrets(paper):
    found = rows(paper, r"\textbf{Model} & \textbf{Adult}", 5)
    assert len(found) == len(published()["regret"]) == 9
    for row, (model, by_data) in zip(found, published()["regret"].items(), strict=True):
        for entry, (data, printed) in zip(row[1:], by_data.items(), strict=True):
            mean, sd, share = numbers(entry)
            assert [mean, sd] == printed, f"{model} on {data}"
            # What is said to follow from the two does.
            assert share == pytest.approx(100 * sd / mean, abs=0.03)


def test_news(paper):
    found = rows(paper, r"Model            & Exploration Rate", 6)
    printed = [
        [named_model, float(rate), *values, published()["news deviations"][named_model]]
        for named_model, by_rate in published()["news"].items()
        for rate, values in by_rate.items()
    ]
    assert [[named(row[0]), *(numbers(cell)[0] for cell in row[1:])] for row in found] == [
        [name, rate, clicks, mean, seconds, sd] for name, rate, clicks, mean, seconds, sd in printed
    ]


def test_deviations_of_the_news_table_are_those_over_the_rates():
    from statistics import stdev

    for model, by_rate in published()["news"].items():
        found = stdev(mean for _, mean, _ in by_rate.values())
        assert found == pytest.approx(published()["news deviations"][model], abs=0.0051)


def test_mean_rewards_follow_from_clicks():
    lines = [each[:2] for by_rate in published()["news"].values() for each in by_rate.values()]
    for table in ("parameters", "enhanced"):
        lines += [[each["clicks"], each["mean"]] for each in published()[table].values()]
    for clicks, mean in lines:
        assert mean == pytest.approx(clicks / 800, abs=0.0051)


def test_gains_follow_from_clicks_but_for_four():
    found = list(gains().values())
    assert len(found) == 14
    from_clicks = {each.printed for each in found if each.follows == "from clicks"}
    assert from_clicks == {276.5, 124.11, 572.32, 259.09, 123.08, -38.38, 64.29, -26.69}
    other = {each.printed for each in found if each.follows == "from the news table's clicks"}
    assert other == {327.27, 176.47}
    apart = {each.printed: each.from_clicks for each in found if not each.follows}
    assert apart == pytest.approx(
        {262.98: 262.0192, 23.87: 23.8487, 28.91: 28.9384, -16.08: -16.0691}, abs=1e-4
    )


def test_the_paper_contradicts_itself_in_these_places():
    assert [tuple(each) for each in contradictions()] == [
        ("clicks of k-NN UCB at 10", "260, table of news", "272, table of parameters"),
        ("clicks of LNUCB-TA at 1", "752, table of news", "753, table of parameters"),
        (
            "LinUCB's mean reward over rates",
            "0.45 ± 0.30, from the table of news",
            "0.37 ± 0.32, ablation",
        ),
        (
            "next best on Adult",
            "NeuralUCB with 2,061.8, table of regrets",
            "KernelUCB with 2,080.1, the text about it",
        ),
        *(
            (f"gain of {pair}, in %", f"{from_clicks}, from printed clicks", f"{said}, as printed")
            for pair, from_clicks, said in [
                ("LNUCB-TA over EpsilonGreedy", 262.02, 262.98),
                ("LNUCB-TA over k-NN KL-UCB", 23.85, 23.87),
                ("LNUCB-TA over LinUCB", 28.94, 28.91),
                ("EnhancedBetaThompson over LNUCB-TA", -16.07, -16.08),
            ]
        ),
    ]


def test_linthompsonucb_has_attributes_and_no_number(paper):
    lines = [line for line in paper.splitlines() if "LinThompsonUCB" in line]
    assert [line for line in lines if "&" in line and re.search(r"\d", line)] == []


def test_kernel_ucb_is_called_the_next_best_on_adult(paper):
    assert "next best-performing model, Kernel UCB" in paper


def test_parameters(paper):
    found = rows(paper, r"\textbf{Model} & \textbf{Param.} & \textbf{Vals.}", 7)
    assert [named(row[0]) for row in found] == list(published()["parameters"])
    for row, (model, printed) in zip(found, published()["parameters"].items(), strict=True):
        assert row[3].strip("()") == printed["setting"]
        assert [float(row[4]), float(row[5])] == [printed["mean"], printed["clicks"]], model
        assert (None if row[6] == "N/A" else float(row[6])) == printed["gain"]
        tested = [shown(policy) for policy in MODELS[row_of(model)]]
        values = re.findall(r"\(([^)]*)\)", row[2]) or row[2].split(", ")
        assert tested == values, f"the settings of {model}"


def test_enhanced(paper):
    found = rows(paper, r"\textbf{Model} & \textbf{Best Param.} & \textbf{BMR}", 6)
    assert len(found) == len(published()["enhanced"]) == 3
    for row, printed in zip(found, published()["enhanced"].values(), strict=True):
        assert row[1].strip("()") == printed["setting"]
        expected = [printed[key] for key in ("mean", "clicks", "over base", "to LNUCB-TA")]
        assert [float(cell) for cell in row[2:]] == expected


def test_ablation(paper):
    text = paper[paper.index(r"\subsection{Ablation Study}") :][:2500]
    a, b, c, d = published()["ablation"].values()
    assert f"standard deviation from {a['sd']} (Model (a)) to {b['sd']}" in text
    assert f"average mean rewards from {a['mean']} to {c['mean']}" in text
    assert f"mean reward ({d['mean']:.2f}) and median reward ({d['median']})" in text


def test_attributes(paper):
    found = rows(paper, "Algorithm         & Linear Modeling", 5)
    plain = [[re.sub(r"[{}]", "", cell) for cell in row] for row in found]
    assert {named(row[0]): row[1:] for row in plain} == published()["attributes"]


def test_matching(paper):
    found = rows(paper, r"$\alpha/\rho$ & Steps", 10)
    assert len(found) == 9
    for row in found:
        rate, steps, *values = (numbers(cell)[0] for cell in row)
        printed = [
            number
            for by_rate in published()["matching"].values()
            for number in by_rate[f"{rate:g}"][f"{steps:g}"]
        ]
        assert values == printed
