"""Threads at once: whatever anyone sees must be what some serial order gives."""

import copy
import pickle
import signal
import sys
import tempfile
import threading
import time

import numpy as np
import pytest

import hybandit

LONG = 120.0
ARMS, FEATURES, ROUNDS = 4, 6, 150
MAKERS = {
    "lin-ucb": lambda: hybandit.LinUCB(ARMS, FEATURES, ties="first", seed=0),
    "lnucb-ta": lambda: hybandit.LNUCBTA(ARMS, FEATURES, ties="first", seed=0),
    "stacked-hybrid": lambda: hybandit.StackedHybrid(ARMS, FEATURES, ties="first", seed=0),
}


@pytest.fixture(autouse=True)
def _switch_often():
    """Let threads change places wherever they can, not every 5 ms."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def contexts(count, seed=0):
    return np.random.default_rng(seed).normal(size=(count, FEATURES))


def rewards(count):
    return np.random.default_rng(1).random(count).tolist()


def run(*targets):
    """All at once; what one of them raises is raised here."""
    raised = []

    def guarded(target):
        try:
            target()
        except BaseException as error:
            raised.append(error)

    threads = [threading.Thread(target=guarded, args=(each,), daemon=True) for each in targets]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LONG)
        assert not thread.is_alive(), "a thread waits for ever"
    if raised:
        raise raised[0]


def repickled(policy):
    return pickle.loads(pickle.dumps(policy))


def reloaded(policy):
    with tempfile.TemporaryDirectory() as folder:
        policy.save(f"{folder}/policy.npz")
        return hybandit.load(f"{folder}/policy.npz")


class Life:
    """A fixed life of a policy, step by step: learning, and arms that come and go."""

    def __init__(self, policy):
        self.policy = policy
        self.begun = self.ended = 0

    def step(self, number):
        self.begun = number + 1
        if number % 50 == 20:
            self.policy.add_arm()
        elif number % 50 == 40:
            self.policy.retire_arm(number // 50)
        else:
            x = contexts(ROUNDS)[number]
            arms = np.flatnonzero(self.policy.active)
            self.policy.learn(x, int(arms[number % len(arms)]), rewards(ROUNDS)[number])
        self.ended = number + 1

    def live(self, observed):
        """All steps; those after the middle once another thread has observed something."""
        end = time.monotonic() + LONG / 2
        for number in range(ROUNDS):
            while number == ROUNDS // 2 and not observed and time.monotonic() < end:
                time.sleep(1e-3)
            self.step(number)


def seen(policy, queries):
    return [policy.decide(x).scores.tolist() for x in queries]


def serial_answers(name, queries):
    """What one thread alone sees before the first step and after each of them."""
    life = Life(MAKERS[name]())
    answers = [seen(life.policy, queries)]
    for number in range(ROUNDS):
        life.step(number)
        answers.append(seen(life.policy, queries))
    return answers


@pytest.mark.parametrize("name", ["lin-ucb", "stacked-hybrid"])
def test_every_decision_is_that_of_some_moment_between_its_begin_and_end(name):
    queries = contexts(3, seed=2)
    expected = serial_answers(name, queries)
    life = Life(MAKERS[name]())
    observed = []

    def watch():
        turn = 0
        while life.ended < ROUNDS:
            query = turn % len(queries)
            first = life.ended
            decision = life.policy.decide(queries[query])
            observed.append((query, first, life.begun, decision.scores.tolist()))
            turn += 1

    def pick():
        while life.ended < ROUNDS:
            first = life.ended
            arm = life.policy.choose(queries[0])
            best = [int(np.argmax(expected[at][0])) for at in range(first, life.begun + 1)]
            assert arm in best

    def batch():
        while life.ended < ROUNDS:
            first = life.ended
            arms = life.policy.choose_many(queries).tolist()
            moments = [expected[at] for at in range(first, life.begun + 1)]
            assert arms in [[int(np.argmax(row)) for row in moment] for moment in moments]

    run(lambda: life.live(observed), watch, watch, pick, batch)
    assert observed
    for query, first, last, scores in observed:
        assert scores in [expected[moment][query] for moment in range(first, last + 1)]
    assert seen(life.policy, queries) == expected[-1]


@pytest.mark.parametrize("name", ["lin-ucb", "lnucb-ta"])
def test_several_may_learn_at_once_and_every_reward_counts(name):
    policy = MAKERS[name]()
    xs, values = contexts(ROUNDS), rewards(ROUNDS)

    def learn(arm):
        for x, reward in zip(xs, values, strict=True):
            policy.learn(x, arm, reward)

    run(*[lambda arm=arm: learn(arm) for arm in range(ARMS)])
    assert policy.statistics.counts.tolist() == [ROUNDS] * ARMS
    assert policy.statistics.means == pytest.approx(np.full(ARMS, np.mean(values)))


def test_no_draw_is_used_twice():
    """Three threads that draw get the draws of one, each once."""
    policy = hybandit.LinTS(1, FEATURES, seed=3)
    serial = hybandit.LinTS(1, FEATURES, seed=3)
    x = contexts(1)[0]
    drawn = []
    run(*[lambda: drawn.extend(policy.decide(x).scores[0] for _ in range(100))] * 3)
    assert sorted(drawn) == sorted(serial.decide(x).scores[0] for _ in range(300))


def test_a_refused_call_gives_the_lock_back():
    policy = MAKERS["lin-ucb"]()
    with pytest.raises(hybandit.InvalidInput):
        policy.choose([1.0])
    with pytest.raises(hybandit.InvalidInput):
        policy.learn([1.0], 0, 1.0)
    run(lambda: policy.learn(contexts(1)[0], 0, 1.0))


def test_a_verb_may_be_called_within_a_verb():
    class Nested(hybandit.LinUCB):
        def _learn(self, contexts, arm, reward):
            assert self.decide(contexts[0]).probabilities[self.choose(contexts[0])] > 0.0
            super()._learn(contexts, arm, reward)

    policy = Nested(ARMS, FEATURES, seed=0)
    run(lambda: policy.learn(contexts(1)[0], 0, 1.0))
    assert policy.statistics.counts.sum() == 1


def test_an_interrupted_call_gives_the_lock_back():
    class Interrupted(hybandit.LinUCB):
        def _scores(self, contexts, allowed, exact):
            raise KeyboardInterrupt

    policy = Interrupted(ARMS, FEATURES, seed=0)
    with pytest.raises(KeyboardInterrupt):
        policy.choose(contexts(1)[0])
    run(lambda: policy.learn(contexts(1)[0], 0, 1.0))


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a timer that sends signals")
def test_ctrl_c_at_any_moment_leaves_the_policy_open_for_others():
    """A signal every 100 µs while the main thread chooses: the lock is never left taken."""
    policy, x = MAKERS["lin-ucb"](), contexts(1)[0]

    def interrupt(number, frame):
        raise KeyboardInterrupt

    policy.choose(x)
    before = signal.signal(signal.SIGALRM, interrupt)
    interrupted = 0
    try:
        while interrupted < 200:
            try:
                signal.setitimer(signal.ITIMER_REAL, 1e-4)
                while True:
                    policy.choose(x)
            except KeyboardInterrupt:
                interrupted += 1
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
    run(lambda: policy.learn(x, 0, 1.0))


@pytest.mark.parametrize("twin_of", [copy.copy, copy.deepcopy, repickled, reloaded])
def test_a_copy_under_load_is_the_policy_of_one_moment(twin_of):
    queries = contexts(3, seed=2)
    expected = serial_answers("stacked-hybrid", queries)
    life = Life(MAKERS["stacked-hybrid"]())
    found = []

    def take_copies():
        while life.ended < ROUNDS:
            first = life.ended
            twin = twin_of(life.policy)
            found.append((first, life.begun, twin))

    run(lambda: life.live(found), take_copies)
    assert found
    for first, last, twin in found:
        assert seen(twin, queries) in expected[first : last + 1]
