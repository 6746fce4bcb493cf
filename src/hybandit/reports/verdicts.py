"""What reproduces and what does not: every printed number beside ours."""

from __future__ import annotations

from hybandit.experiments import Run
from hybandit.experiments.definitions.regret import DATA
from hybandit.experiments.experiment import Experiment
from hybandit.reports.numbers import Spread
from hybandit.reports.page import Section
from hybandit.reports.sections.common import published, spread
from hybandit.reports.sections.settings import best_setting
from hybandit.reports.tables import TableView

WHY = {
    "regret": "The baselines are held against their rows on the ordinal encoding, which is "
    "theirs, LNUCB-TA on the standard one, the nearest; the paper names none, and tunes every "
    "baseline on the runs it reports. LinUCB and LinTS have a line for each of two settings; "
    "kernel and neural ones run the setting picked on other seeds, trained by our schedule.",
    "news": "The paper prints one number for each model, without a spread.",
    "parameters": "LinTS, k-NN UCB and k-NN KL-UCB leave details open in the paper; ours are in "
    "their documentation. With the paper's cap of 5 on k, at least five of ten arms are unknown "
    "among the neighbours, score infinity and are played: k-NN UCB as defined is then near chance.",
    "enhanced": "The paper gives no formula for the enhanced models; ours are our own.",
    "not compared": "The second article matching table (2,500 to 7,500 steps) cannot come from "
    "this log by replay: it holds about 1,000 matches. Run times are of other machines. Figures "
    "without printed numbers (network, stability, run time) are shown in their sections. Runs of "
    "fewer rounds (--quick) are held against nothing; runs of fewer seeds are, as they are.",
}


def verdicts(experiments: list[Experiment], results: dict[str, Run]) -> Section:
    """A line for every printed number that the store can be held against."""
    lines: list[list[str]] = []
    for experiment in experiments:
        if experiment.id in COLLECTORS and experiment.comparable:
            lines += COLLECTORS[experiment.id](experiment, results)
    agreed = sum(line[-1] == "yes" for line in lines)
    table = TableView(
        "verdicts",
        f"{agreed} of {len(lines)} comparisons with printed numbers agree",
        ["experiment", "number", "published", "ours", "reproduces"],
        lines,
        note="Yes: within 5 % of the printed number or two of its standard deviations; where "
        "none is printed, two of ours, if that is at most a quarter of the mean.",
        left=2,
    )
    shown = {experiment.id for experiment in experiments} | {"not compared"}
    notes = [f"{name}: {text}" for name, text in WHY.items() if name in shown]
    tasks = {task.key for experiment in experiments for task in experiment.tasks}
    about = "Built from the store. A no is a finding, not an error of the page."
    if missing := len(tasks - results.keys()):
        about = f"NOT FINISHED: {missing:,} of {len(tasks):,} runs are still missing. {about}"
    title = "What reproduces and what does not"
    return Section("verdicts", title, about, [table], notes=notes)


def _regret(experiment: Experiment, results: dict[str, Run]) -> list[list[str]]:
    lines = []
    rows = {
        "LinUCB": ("LinUCB, alpha 1", "LinUCB, alpha 0.1"),
        "LinTS": ("LinTS, v 1", "LinTS, v sqrt(0.1)"),
        **{model: (model,) for model in published()["regret"] if not model.startswith("Lin")},
    }
    for model, candidates in rows.items():
        for title in DATA:
            standard = title == "MNIST" or model == "LNUCB-TA"
            column = f"{title}, {'standard' if standard else 'ordinal'}"
            mean, sd = published()["regret"][model][title]
            for row in candidates:
                ours = spread(experiment, results, row, column, "regret")
                if ours:
                    lines.append(_line("regret", f"{row}: {column}", Spread(mean, sd, 20), ours))
    return lines


def _news(experiment: Experiment, results: dict[str, Run]) -> list[list[str]]:
    lines = []
    for model, alphas in published()["news"].items():
        for alpha, (reward, _) in alphas.items():
            row = f"{model}, {alpha}"
            ours = spread(experiment, results, row, "arm, raw", "reward")
            if ours:
                lines.append(_line("news", f"{row}: clicks", Spread(reward, 0.0, 1), ours))
    return lines


def _settings(experiment: Experiment, results: dict[str, Run]) -> list[list[str]]:
    lines = []
    for model, (_, reward) in published()[experiment.id].items():
        found = best_setting(experiment, results, model)
        if found:
            name = f"{model}: best clicks"
            lines.append(_line(experiment.id, name, Spread(reward, 0.0, 1), found.spread))
    return lines


COLLECTORS = {"regret": _regret, "news": _news, "parameters": _settings, "enhanced": _settings}


def _line(experiment: str, name: str, printed: Spread, ours: Spread) -> list[str]:
    gap = abs(ours.mean - printed.mean)
    near = gap <= 0.05 * abs(printed.mean) or gap <= 2.0 * printed.sd
    if not printed.sd:
        # One printed run: it may be any of ours, unless ours are all over the place.
        near = near or (gap <= 2.0 * ours.sd and ours.sd <= 0.25 * abs(ours.mean))
    shown = str(printed) if printed.sd else f"{printed.mean:,.0f}"
    return [experiment, name, shown, str(ours), "yes" if near else "no"]
