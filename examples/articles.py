"""A news site that learns which article to show whom, with the loop in one SQLite file.

    python examples/articles.py [--days N] [--visitors N]

Three processes share the file: the site ranks, the click collector sends rewards that come
late, the learner learns. Every day old articles leave and new ones come. In the middle the
learner is killed, and another takes over; nothing is lost. Takes less than a minute.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import signal
import tempfile
import time
from pathlib import Path

import hybandit

TOPICS = ["sport", "politics", "film", "science"]
ARTICLES_A_DAY = 8


def visitor(chance):
    """Somebody with a favourite topic, which the site sees only through age and town."""
    favourite = chance.randrange(len(TOPICS))
    seen = {"age": 20 + 12 * favourite + chance.gauss(0, 4), "town": chance.choice(["Ulm", "Bonn"])}
    return favourite, seen


def articles(day):
    """Today's articles: their features are all that is known of them in the morning."""
    return {
        f"day {day}, article {number}": {"topic": TOPICS[number % 4], "words": 200 + 50 * number}
        for number in range(ARTICLES_A_DAY)
    }


def click_rate(favourite, features):
    return 0.6 if features["topic"] == TOPICS[favourite] else 0.1


def site(file, clicks, days, visitors):
    """Shows an article to every visitor."""
    chance = random.Random(1)
    with hybandit.Loop(file, learn=False) as loop:
        for day in range(days):
            today = articles(day)
            for _ in range(visitors):
                favourite, seen = visitor(chance)
                decision = loop.rank(seen, today)
                clicked = chance.random() < click_rate(favourite, today[decision.action])
                clicks.put((decision.event, clicked))
    clicks.put(None)


def collector(file, clicks):
    """Clicks arrive late and out of order."""
    chance, waiting = random.Random(2), []
    with hybandit.Loop(file, learn=False) as loop:
        for click in iter(clicks.get, None):
            waiting.append(click)
            if len(waiting) > 20:
                event, clicked = waiting.pop(chance.randrange(20))
                loop.reward(event, float(clicked))
        for event, clicked in waiting:
            loop.reward(event, float(clicked))


def learner(file):
    with hybandit.Loop(file) as loop:
        while True:
            loop.wait_for()
            time.sleep(0.1)


def main():
    parser = argparse.ArgumentParser(description="A news site with a loop.")
    parser.add_argument("--days", type=int, default=5)
    parser.add_argument("--visitors", type=int, default=200, help="a day")
    arguments = parser.parse_args()
    start = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "articles.db"
        hybandit.Loop(file, wait=None).close()  # the collector tells of every visitor
        clicks = start.Queue()
        learning = start.Process(target=learner, args=(file,))
        serving = start.Process(
            target=site, args=(file, clicks, arguments.days, arguments.visitors)
        )
        collecting = start.Process(target=collector, args=(file, clicks))
        for process in (learning, serving, collecting):
            process.start()
        with hybandit.Loop(file, learn=False) as loop:
            while loop.version < arguments.days * arguments.visitors // 2:
                time.sleep(0.1)
        os.kill(learning.pid, signal.SIGKILL)
        learning.join()
        print("The learner was killed; another takes over.")
        with hybandit.Loop(file) as loop:
            serving.join()
            collecting.join()
            loop.wait_for()
            tell(loop, arguments)


def tell(loop, arguments):
    """Every decision has its reward, every reward is learned, and the days get better."""
    table, status = loop.events(), loop.status()
    day = table["action"].str.extract(r"day (\d+)")[0].astype(int)
    for number, rewards in table.groupby(day)["reward"]:
        print(f"day {number}: {rewards.mean():.0%} clicked, of articles new that morning")
    shown = arguments.days * arguments.visitors
    print(f"{status.events} shown, {status.rewards} told, {status.learned} learned, of {shown}")
    if status.baseline.mean is not None:
        print(f"the first article alone would have had {status.baseline.mean:.0%}")
    assert (status.events, status.rewards, status.learned) == (shown, shown, shown)


if __name__ == "__main__":
    main()
