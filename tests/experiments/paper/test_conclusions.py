"""Sentences of the first page turn round with the numbers they are made from."""

import pytest
from made_up import findings

from hybandit.experiments.experiment import Scale
from hybandit.experiments.paper import EXPERIMENTS
from hybandit.experiments.paper.drift import FORGETFUL
from hybandit.experiments.paper.drift import LIN_UCB as DRIFT_LIN_UCB
from hybandit.experiments.paper.drift import PAPERS as DRIFT_PAPERS
from hybandit.experiments.paper.fresh import COMPARISONS, FIRST_SEED, decided
from hybandit.experiments.paper.headline import LIN_UCB, NEURAL, OURS, PAPERS
from hybandit.experiments.paper.network import ATTENTION, GREEDY, MODELS
from hybandit.experiments.paper.network import PAPERS as PROBER
from hybandit.experiments.paper.news import ARM, HELD, SHARED

THREE = Scale(runs=3)


def sentences(name, reward, **options):
    experiment, found = findings(name, reward, **options)
    return [each.text for each in experiment.conclusions(found)]


def notes(name, reward, **options):
    experiment, found = findings(name, reward, **options)
    return experiment.section(found).notes


def claims(name, reward, **options):
    experiment, found = findings(name, reward, **options)
    return {each.claim: (each.found, each.holds) for each in experiment.claims(found)}


def favouring(row, more, other=500.0):
    """Rewards a little apart by seed; one row has so much more."""
    return lambda cell, seed: other + seed + (more if cell.row == row else 0.0)


@pytest.mark.parametrize(("more", "word"), [(40.0, "less"), (-40.0, "more")])
def test_regret_of_ours_against_the_papers(more, word):
    first, _ = sentences("regret", favouring(OURS, more))
    standard, online = first.split("without look-ahead (online encoding)")
    for title in ("Adult", "Magic", "Mushroom"):
        for part in (standard, online):
            assert f"40 {word} [40, 40; more than chance] on {title}" in part
    assert f"40 {word} [40, 40; more than chance] on MNIST" in standard
    beaten = "a rival has less than StackedHybrid on Adult ("
    assert (beaten in first) == (more < 0.0)
    assert ("no rival has less than StackedHybrid on any" in first) == (more > 0.0)


@pytest.mark.parametrize(("more", "holds"), [(40.0, False), (-40.0, True)])
def test_the_papers_claim_is_held_against_its_own_rivals(more, holds):
    """StackedHybrid, which has the least regret here, is none of the paper's."""
    gains = {OURS: 90.0, PAPERS: 9.0, NEURAL[2]: more}
    found, held = claims("regret", lambda cell, seed: 500.0 + seed + gains.get(cell.row, 0.0))[
        "LNUCB-TA has the least regret on every data set (here: all on one encoding)"
    ]
    assert held == holds
    assert ("Adult (NeuralUCB)" in found) != holds
    assert "StackedHybrid" not in found


def test_a_rival_that_may_be_ahead_by_chance_is_named_as_such():
    lucky = lambda cell, seed: 500.0 + (9.0 * (-1) ** seed + 2.0) * (cell.row == NEURAL[3])  # noqa: E731
    text = sentences("regret", lucky)[0]
    assert "on Adult (NeuralTS, which may be chance); Magic" in text


@pytest.mark.parametrize(("reward", "word"), [(-600.0, "less"), (-700.0, "more")])
def test_linucb_on_the_encoding_of_the_papers_row(reward, word):
    text = sentences("regret", lambda cell, seed: reward if cell.row == LIN_UCB else 0.0)[1]
    assert f"LinUCB alone has {1000 - reward:,.0f} ± 0, {word} than LNUCB-TA's" in text
    assert "1,673 on Adult beside LinUCB's 2,098" in text


def test_only_rivals_with_less_regret_are_named():
    text = sentences("regret", favouring(NEURAL[3], 30.0))[0]
    assert "a rival has less than StackedHybrid on Adult (NeuralTS); Magic (NeuralTS)" in text


@pytest.mark.parametrize(("more", "ahead"), [(40.0, True), (-40.0, False)])
def test_fresh_counts_who_is_ahead_beyond_chance(more, ahead):
    text = sentences("fresh", favouring(OURS, more), scale=THREE)[0]
    counts = (COMPARISONS, 0) if ahead else (0, COMPARISONS)
    assert f"ahead of a rival in {counts[0]} of {COMPARISONS} comparisons" in text
    assert f"and behind in {counts[1]}" in text
    assert f"40 {'less' if ahead else 'more'} [40, 40; more than chance] on Solar flares" in text


def test_a_difference_that_may_be_chance_is_neither_ahead_nor_behind():
    noise = (0.0, 30.0, 10.0)
    reward = lambda cell, seed: 500 + (20 + noise[seed - 5000] if cell.row == OURS else 0)  # noqa: E731
    found = findings("fresh", reward, scale=THREE)[1]
    assert decided(found, "ahead") == decided(found, "behind") == []


def test_fresh_seeds_are_new_and_the_intervals_wide():
    experiment, found = findings("fresh", lambda cell, seed: seed % 7, scale=THREE)
    assert {task.seed for task in experiment.tasks(THREE)} == set(range(FIRST_SEED, 5_003))
    differences = experiment.section(found).tables[1]
    assert f"corrected for {COMPARISONS} comparisons (Bonferroni)" in differences.note


@pytest.mark.parametrize(("clicks", "side"), [(600.0, "152 fewer"), (800.0, "48 more")])
def test_clicks_of_lnucb_ta_beside_the_printed(clicks, side):
    def reward(cell, seed):
        if cell.column == SHARED:
            return 700.0 if cell.row.name == "StackedHybrid" else 650.0
        return clicks if cell.row.name == "LNUCB-TA" else 500.0

    (first,) = sentences("news", reward)
    _, second = notes("news", reward)
    assert f"{side} than the 752 printed" in first
    assert "StackedHybrid earns 50 more [50, 50; more than chance] than it" in first
    word = "100 more [100" if clicks == 600.0 else "300 more [300"
    assert (
        f"prints 192 clicks, earns 500.0 ± 0.0 where distance costs nothing; LNUCB-TA earns {word}"
        in second
    )


def test_news_claims_hold_only_where_lnucb_ta_leads():
    leading = claims("news", lambda cell, seed: 700.0 if cell.row.name == "LNUCB-TA" else 500.0)
    assert [holds for _, holds in leading.values()] == [True, True]
    other = claims(
        "news",
        lambda cell, seed: 700.0 if HELD in str(cell.row) and cell.row.alpha == 1.0 else 500.0,
    )
    (told, holds), (shares, throughout) = other.values()
    assert "k-NN UCB at 1" in told
    assert not holds
    assert not throughout
    assert shares.startswith("ahead at 50%")


@pytest.mark.parametrize(("more", "told"), [(50.0, "50 more"), (-50.0, "50 less")])
def test_the_best_rival_at_its_best_setting(more, told):
    text = sentences("parameters", favouring("LNUCB-TA", more))[0]
    assert f"LNUCB-TA's are {told} [50, 50; more than chance]." in text
    assert "the best of the 10 others" in text


@pytest.mark.parametrize(("running", "fixed"), [(1, 7), (7, 1)])
def test_the_place_of_lnucb_ta_among_probers(running, fixed):
    def reward(cell, seed):
        own = 1 if (running == 1) == (cell.column == "running scale") else -1
        return 100 + (own * 50 if cell.row == PROBER else MODELS.index(cell.row))

    text = sentences("network", reward)[0]
    assert f"number {running} of 7 by a running scale" in text
    assert f"number {fixed} of 7 by a fixed scale" in text
    holds = [holds for _, holds in claims("network", reward).values()]
    assert holds == [running == 1, True, fixed == 1, True]
    turned = claims("network", lambda cell, seed: 9 if cell.row == GREEDY else 1)
    assert [each[1] for name, each in turned.items() if "attention" in name] == [False, False]
    assert ATTENTION != GREEDY


@pytest.mark.parametrize(("own", "word"), [(0.5, "less"), (2.0, "more")])
def test_run_time_of_lnucb_ta_over_the_plain_sum(own, word):
    seconds = lambda cell, seed: own if cell.row.name == "LNUCB-TA" else 1.0  # noqa: E731
    (text,) = notes("scalability", lambda cell, seed: 1.0, seconds=seconds)
    assert f"takes {word} time than (Lin+k-NN)-UCB, {own:.2f} times as much" in text
    assert "the paper prints 0.03" in text
    ((_, holds),) = claims("scalability", lambda cell, seed: 1.0, seconds=seconds).values()
    assert holds == (own < 1.0)


@pytest.mark.parametrize(("more", "word"), [(40.0, "less"), (-40.0, "more")])
def test_regret_after_an_abrupt_change(more, word):
    def reward(cell, seed):
        extra = {DRIFT_PAPERS: more, FORGETFUL[DRIFT_PAPERS]: 3 * more}
        return 500.0 + seed + extra.get(cell.row, 0.0)

    text = sentences("drift", reward)[0]
    assert f"ends with 40 {word} [40, 40; more than chance] regret than LinUCB" in text
    assert f"forgetting ends it with 80 {word} [80" in text
    ((found, holds),) = claims("drift", reward).values()
    assert holds == (more > 0.0)
    assert str(DRIFT_LIN_UCB) in found


def test_ablation_tells_means_and_spreads_of_the_right_models():
    means = {"a": 300.0, "b": 400.0, "c": 500.0, "d": 600.0}

    def reward(cell, seed):
        letter = cell.row[0]
        wide = {"a": 100.0, "b": 10.0, "c": 200.0, "d": 1.0}[letter]
        return means[letter] + (wide if cell.column[1] < 0.3 else -wide)

    (text,) = notes("ablation", reward)
    assert "spread over rates from 0.11 to 0.01" in text
    assert "mean reward from 0.30 to 0.50" in text
    ((found, holds),) = claims("ablation", reward).values()
    assert holds
    assert found.startswith("highest mean: d (0.60); steadiest: d (0.001)")
    experiment, kept = findings("ablation", reward)
    numbers = {each.number: round(each.ours.mean, 3) for each in experiment.verdicts(kept)}
    assert numbers["a: LinUCB: mean"] == 0.3
    assert numbers["d: LNUCB-TA: median"] == 0.6


def test_best_settings_are_words_that_the_runs_may_leave_open():
    def reward(cell, seed):
        return 500.0 + (1 + seed) * (cell.policy.settings.get("alpha") == 10.0)

    experiment, found = findings("parameters", reward)
    words = {each.what: each for each in experiment.words(found)}
    assert words["LinUCB: best setting"].ours == "10"
    assert words["LinUCB: best setting"].outcome == "not reproduced"
    assert words["LNUCB-TA: best setting"].outcome == "cannot tell"
    assert words["BetaThompson: best setting"].ours == "1, 1"


def test_gains_in_percent_are_of_the_papers_model_over_the_rival():
    experiment, found = findings("parameters", favouring("LNUCB-TA", 500.0))
    gains = {each.number: each for each in experiment.verdicts(found) if "gain" in each.number}
    assert len(gains) == 8
    assert gains["LNUCB-TA's gain over UCB, in %"].ours.mean == pytest.approx(100.0, abs=0.2)
    assert {each.follows for each in gains.values()} == {"from clicks"}
    experiment, found = findings("enhanced", favouring("EnhancedLinTS", 250.0))
    numbers = {each.number: each.ours.mean for each in experiment.verdicts(found)}
    assert numbers["EnhancedLinTS: gain over LinTS, in %"] == pytest.approx(50.0, abs=0.2)
    assert numbers["EnhancedLinTS: more than LNUCB-TA, in %"] == pytest.approx(50.0, abs=0.2)


def test_the_news_lines_are_clicks_means_ratios_and_deviations():
    def reward(cell, seed):
        return 400.0 + {0.1: 0.0, 1.0: 100.0, 10.0: 200.0}.get(cell.row.alpha, 0.0)

    seconds = lambda cell, seed: 3.0 if cell.row.name == "LNUCB-TA" else 2.0  # noqa: E731
    experiment, found = findings("news", reward, seconds=seconds)
    lines = {each.number: each for each in experiment.verdicts(found)}
    assert len(lines) == 12 + 12 + 9 + 4
    assert lines["LNUCB-TA, 1: run time over (Lin+k-NN)-UCB's"].ours.mean == 1.5
    assert lines["LNUCB-TA, 1: run time over (Lin+k-NN)-UCB's"].published.mean == pytest.approx(
        0.4005, abs=1e-4
    )
    assert lines["LinUCB: sd of the mean reward over rates"].ours.mean == pytest.approx(0.1)
    assert lines["k-NN UCB, own past, phi 0, 10: clicks"].published.mean == 260
    assert not any("all past" in number for number in lines)
    assert ARM.contexts == "arm"


def test_scalability_holds_ratios_and_says_what_there_are_no_data_for():
    experiment, found = findings("scalability", lambda cell, seed: 1.0)
    outcomes = [each.outcome for each in experiment.verdicts(found)]
    assert outcomes.count("no data") == 36
    assert len(outcomes) == 36 + 27


def test_stability_is_a_range():
    steady = claims("stability", lambda cell, seed: 500.0)
    assert [holds for _, holds in steady.values()] == [True]
    wide = claims("stability", lambda cell, seed: 500.0 + 100.0 * (cell.column.value == 1.0))
    ((found, holds),) = wide.values()
    assert not holds
    assert found == "means from 0.50 to 0.60, 17% apart"


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_without_runs_nothing_is_concluded(name):
    experiment = EXPERIMENTS[name]
    empty = experiment.findings(THREE, {})
    assert not experiment.conclusions(empty)
    assert not experiment.claims(empty)
    assert not experiment.words(empty)
    assert all(each.outcome == "no data" for each in experiment.verdicts(empty))


@pytest.mark.parametrize(("more", "word"), [(40.0, "less"), (-40.0, "more")])
def test_what_the_fast_schedule_costs_and_saves(more, word):
    def reward(cell, seed):
        return 500.0 + seed + more * (cell.row.variant == "fast")

    seconds = lambda cell, seed: 1.0 if cell.row.variant == "fast" else 50.0  # noqa: E731
    experiment, found = findings("schedules", reward, seconds=seconds)
    first, second = experiment.section(found).notes
    told = f"40 {word} [40, 40; more than chance] regret in 0.02 of the time on Magic"
    assert first.startswith(f"NeuralUCB, fast against published: {told}")
    assert told in second
