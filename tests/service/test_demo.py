"""The demo: the race with a clock of the test's, and the command."""

import re
import subprocess
import sys
import urllib.request

import numpy as np
import pytest
from clocked_loop import ClockedLoop

from benchmarks.demo import played, written
from hybandit.features import HashingEncoder
from hybandit.features.records import canonical
from hybandit.service.demo.race import BY_ITEM, FIXED, FOR_ALL, LOOP, NAMES, Race

VISITORS = 240


@pytest.fixture(scope="module")
def race(tmp_path_factory):
    """A race that has been run, and its loop's events and status."""
    race = Race(VISITORS, 100.0, seed=0)
    ClockedLoop.time = 1.7e9
    with ClockedLoop(tmp_path_factory.mktemp("demo") / "shop.db", **race.settings()) as loop:
        scenes = {race.scene}
        while race.done < VISITORS:
            race.visit(loop, ClockedLoop.time)
            ClockedLoop.time += 0.01
            scenes.add(race.scene)
        for _ in range(40):
            ClockedLoop.time += 0.1
            race.arrive(loop, ClockedLoop.time)
        loop.wait_for(VISITORS)
        yield race, loop.events(), loop.status(), scenes


def test_everybody_meets_the_same_visitors_with_the_same_luck(race):
    race, events, status, _ = race
    assert list(events.action.map(NAMES.index)) != list(race.world.offers[:, 0])
    for number, name in enumerate(events.action):
        place = race.world.offers[number].tolist().index(NAMES.index(name))
        clicked = race.world.luck[number] < race.world.chances[number, place]
        assert race.clicks[LOOP][number] == clicked == events.reward[number]
    best = race.world.luck < race.world.chances[:, 0]
    assert np.array_equal(race.clicks[FIXED], best)
    assert status.learned == VISITORS
    assert status.late == 0


def test_the_loop_is_told_what_its_rivals_are_told():
    """Else a rival would be ahead by what somebody had worked out for it by hand."""
    world = Race(300, 100.0, seed=0).world
    visitors = encoded(64, map(world.visitor, range(len(world))))
    articles = encoded(32, map(world.article, range(len(world.items))))
    for own, told in ((visitors, world.contexts), (articles, world.items)):
        weights = np.linalg.lstsq(own, told)[0]
        assert own @ weights == pytest.approx(told, abs=0.01)


def encoded(width, records):
    """Records as a loop encodes them that has learned them."""
    encoder, texts = HashingEncoder(width), [canonical("told", each) for each in records]
    for text in texts:
        encoder.learn(text)
    return encoder.encode([encoder.read(text) for text in texts])


def test_the_newcomer_comes_after_a_third_and_the_page_says_so(race):
    race, events, _, scenes = race
    offered = events.actions.map(lambda actions: NAMES[-1] in actions)
    assert list(offered) == [number >= VISITORS // 3 for number in range(VISITORS)]
    assert len(scenes) == 4


def test_leads_are_paired_differences(race):
    race = race[0]
    own, *others = race.leads
    assert [each.player for each in race.leads] == [LOOP, FIXED, BY_ITEM, FOR_ALL]
    for lead in others:
        apart = race.clicks[LOOP] - race.clicks[lead.player]
        assert lead.lead == pytest.approx(apart.mean())
        half = 1.96 * apart.std(ddof=1) / np.sqrt(VISITORS)
        assert (lead.low, lead.high) == pytest.approx((lead.lead - half, lead.lead + half))
        assert own.share - lead.share == pytest.approx(lead.lead)


def test_the_benchmark_plays_it_and_tells_it():
    run = played(120, seed=3)
    assert run["truth"] in ("better", "worse")
    assert "| 3 |" in written([run])


@pytest.mark.slow
def test_the_command_serves_a_page_and_ends_by_itself():
    command = [sys.executable, "-m", "hybandit", "demo", "--seconds", "3", "--rate", "20"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        first = process.stdout.readline()
        address = re.search(r"http://127\.0\.0\.1:\d+/loops/shop", first)[0]
        page = urllib.request.urlopen(address, timeout=30).read().decode()
        rest = process.stdout.read()
    assert process.returncode == 0
    assert "of 60 visitors" in page
    assert "Cannot tell yet whether the loop is better" in rest
    assert "baseline, the best single article: " in rest
