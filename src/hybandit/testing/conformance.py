"""Checks that every policy must pass, whoever wrote it.

Each check takes the policy's class, and settings if these are to differ from the defaults, and
raises AssertionError with what went wrong.

>>> from hybandit import UCB
>>> check_policy(UCB)
>>> check_policy(UCB, rho=0.5)
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from copy import copy, deepcopy
from typing import Any

import numpy as np

from hybandit.errors import InvalidInput, PolicyError
from hybandit.policies import ArmPolicy, ItemPolicy, Policy
from hybandit.state import Floats
from hybandit.testing.assertions import (
    Check,
    assert_same,
    assert_true,
    check_of,
    frequent_switches,
    refused,
    reloaded,
    snapshot,
)
from hybandit.testing.drivers import (
    ARMS,
    FEATURES,
    driver_of,
    play,
    random_contexts,
    random_rewards,
)
from hybandit.testing.manners import the_callers_data_stay_as_they_are, values_are_not_drawn


def check_policy(policy: type[Policy], **settings: Any) -> None:
    """Run all checks on a policy class."""
    for check in ITEM_CHECKS if issubclass(policy, ItemPolicy) else CHECKS:
        check(policy, **settings)


# What every policy must do


def same_seed_means_same_choices(policy: type[Policy], **settings: Any) -> None:
    driver = driver_of(policy)
    first, second = driver.new(policy, 3, settings), driver.new(policy, 3, settings)
    assert play(first, 60) == play(second, 60), "two equal seeds chose differently"
    assert_same(snapshot(first), snapshot(second), "two equal seeds ended differently")


def saving_changes_nothing(policy: type[Policy], **settings: Any) -> None:
    driver = driver_of(policy)
    played, stayed = driver.new(policy, 4, settings), driver.new(policy, 4, settings)
    play(played, 40)
    play(stayed, 40)
    driver.disturb(played)
    driver.disturb(stayed)
    loaded = reloaded(played)
    assert type(loaded) is policy, f"loading gave a {type(loaded).__name__}"
    assert repr(loaded) == repr(stayed), "loading changed the settings"
    assert_same(snapshot(loaded), snapshot(stayed), "loading changed the state")
    assert play(loaded, 30, start=40) == play(stayed, 30, start=40), (
        "a loaded policy differs: is all of its state in _arrays and _children? A dict or a list "
        "is not saved; for numbers of each item there is hybandit.estimators.ItemTable"
    )
    assert_same(snapshot(loaded), snapshot(stayed), "a loaded policy learned differently")


def refused_input_changes_nothing(policy: type[Policy], **settings: Any) -> None:
    driver = driver_of(policy)
    instance = driver.new(policy, 5, settings)
    play(instance, 20)
    calls = driver.bad_calls(instance)
    before = snapshot(instance)
    for number, call in enumerate(calls):
        try:
            call()
        except InvalidInput:
            pass
        else:
            raise AssertionError(f"bad call number {number} was not refused: {call}")
        assert_same(snapshot(instance), before, f"refused call {number} changed the state")


def long_runs_stay_finite(policy: type[Policy], **settings: Any) -> None:
    driver = driver_of(policy)
    instance = driver.new(policy, 8, settings)
    generator = np.random.default_rng(8)
    sizes = 10.0 ** generator.uniform(-120, 100, size=400)
    limit = 1.0 if not instance.rewards.holds(2.0) else 1e100
    for number, size in enumerate(sizes):
        question = driver.extreme(size, generator)
        try:
            chosen = instance.choose(**question)
            instance.learn(**driver.lesson(question, chosen), reward=min(size, limit))
            if number % 50 == 0:
                decision = instance.decide(**question)
                assert not np.isnan(decision.scores).any(), "a score is not a number"
                assert abs(decision.probabilities.sum() - 1.0) < 1e-9
        except PolicyError as error:
            sent = f"features as large as {size:.0e}, after others from 1e-120 to 1e+100"
            raise PolicyError(f"{error}; it was sent {sent}") from error
    for name, array in instance.state().items():
        assert np.isfinite(array).all(), f"{name} is not finite after extreme contexts"
    loaded = reloaded(instance)
    assert_same(snapshot(loaded), snapshot(instance), "extreme contexts cannot be loaded again")


def many_equal_one_by_one(policy: type[Policy], **settings: Any) -> None:
    driver = driver_of(policy)
    one, many = driver.new(policy, 9, settings), driver.new(policy, 9, settings)
    questions, rewards = driver.questions(50), random_rewards(50)
    lessons = [
        driver.lesson(question, number % min(driver.candidates(question), ARMS))
        for number, question in enumerate(questions)
    ]
    for lesson, reward in zip(lessons, rewards, strict=True):
        one.learn(**lesson, reward=reward)
    many.learn_many(**driver.lessons(lessons), rewards=rewards)
    assert_same(snapshot(one), snapshot(many), "learn_many differs from learn")
    questions = driver.questions(50, 2)
    together = driver.together(questions)
    single = [one.choose(**question) for question in questions]
    assert many.choose_many(**together).tolist() == single, "choose_many differs from choose"
    assert_same(snapshot(one), snapshot(many), "choose_many leaves another state than choose")
    scores = many.score_many(**together)
    assert len(scores) == len(questions), "score_many has not one answer for each"


def decisions_tell_the_truth(policy: type[Policy], **settings: Any) -> None:
    driver = driver_of(policy)
    for explore in (0.0, 0.3):
        instance = driver.new(policy, 10, {"explore": explore, **settings})
        question = driver.questions(1, 4)[0]
        for rounds in (0, 60):
            play(instance, rounds)
            assert_true(instance, question)


def threads_decide_as_one_does(policy: type[Policy], **settings: Any) -> None:
    driver = driver_of(policy)
    instance = driver.new(policy, 11, settings)
    play(instance, 30)
    questions = driver.questions(8, 5)
    before = snapshot(instance)
    alone = [instance.decide(**question).scores for question in questions]
    drawing = snapshot(instance)[1] != before[1]
    count = len(questions)

    def decide(start: int) -> list[Floats]:
        turns = [questions[(start + step) % count] for step in range(count)]
        return [instance.decide(**turn).scores for turn in turns]

    with frequent_switches(), ThreadPoolExecutor(4) as pool:
        seen = list(pool.map(decide, range(count)))
    assert_same((snapshot(instance)[0], None), (before[0], None), "deciding changed the state")
    for start, scores in enumerate(seen):
        for step, found in enumerate(scores):
            expected = alone[(start + step) % count]
            assert drawing or np.array_equal(found, expected), (
                "threads at once see other scores than one alone"
            )


def a_refused_restore_changes_nothing(policy: type[Policy], **settings: Any) -> None:
    driver = driver_of(policy)
    instance, other = driver.new(policy, 13, settings), driver.new(policy, 14, settings)
    play(instance, 30)
    play(other, 50)
    before, arrays = snapshot(instance), snapshot(other)[0]
    wrong: list[Any] = [None, [], {1: 2}, dict.fromkeys(arrays, None)]
    for name in arrays:
        wrong.append({path: arrays[path] for path in arrays if path != name})
        wrong.append({**arrays, name: arrays[name].tolist()})
    for given in wrong:
        with refused():
            instance.restore(given)
        assert_same(snapshot(instance), before, "a refused restore changed the state")
    instance.restore(arrays)
    assert_same((snapshot(instance)[0], None), (arrays, None), "restoring changed the state")
    play(instance, 10)


def copies_share_nothing(policy: type[Policy], **settings: Any) -> None:
    driver = driver_of(policy)
    for make_copy in (copy, deepcopy):
        instance = driver.new(policy, 12, settings)
        play(instance, 30)
        before = snapshot(instance)
        twin = make_copy(instance)
        assert_same(snapshot(twin), before, "a copy differs")
        play(twin, 30, start=40)
        driver.disturb(twin)
        assert_same(snapshot(instance), before, "a copy that learns changes the original")
        play(instance, 30, start=40)
        driver.disturb(instance)
        assert_same(snapshot(instance), snapshot(twin), "a copy goes on differently")


# What policies of arms must do


def one_context_for_all_equals_one_each(policy: type[ArmPolicy], **settings: Any) -> None:
    driver = driver_of(policy)
    shared, each = driver.new(policy, 6, settings), driver.new(policy, 6, settings)
    for x, reward in zip(random_contexts(60, FEATURES), random_rewards(60), strict=True):
        rows = np.tile(x, (ARMS, 1))
        arm = shared.choose(x)
        assert arm == each.choose(rows), "equal rows for every arm are not one shared context"
        shared.learn(x, arm, reward)
        each.learn(rows, arm, reward)


def probabilities_are_those_of_decide(policy: type[ArmPolicy], **settings: Any) -> None:
    instance = driver_of(policy).new(policy, 13, settings)
    for x, reward in zip(random_contexts(60, FEATURES), random_rewards(60), strict=True):
        found, told = instance.probabilities(x), instance.decide(x)
        assert np.array_equal(found, told.probabilities), "probabilities and decide tell others"
        instance.learn(x, told.arm, reward)


def arms_come_and_go(policy: type[ArmPolicy], **settings: Any) -> None:
    driver = driver_of(policy)
    instance = driver.new(policy, 7, settings)
    play(instance, 30)
    assert instance.add_arm() == ARMS, "the new arm is not the next number"
    assert instance.n_arms == ARMS + 1, "n_arms does not count the new arm"
    only_new = np.arange(ARMS + 1) == ARMS
    x = random_contexts(1, FEATURES)[0]
    chosen = instance.choose(x, eligible=only_new)
    assert chosen == ARMS, "the new arm cannot be chosen: does every part follow it?"
    instance.learn(x, ARMS, 1.0)
    instance.retire_arm(0)
    assert not instance.active[0]
    assert instance.active[1:].all()
    assert 0 not in play(instance, 60), "a retired arm was chosen"
    assert instance.decide(x).probabilities[0] == 0.0
    for arm in range(1, ARMS):
        instance.retire_arm(arm)
    assert play(instance, 5) == [ARMS] * 5
    with refused():
        instance.retire_arm(ARMS)


def retiring_frees_the_arm(policy: type[ArmPolicy], **settings: Any) -> None:
    driver = driver_of(policy)
    instance = driver.new(policy, 18, settings)
    contexts = random_contexts(2 * ARMS, FEATURES)
    for number, x in enumerate(contexts):
        instance.learn(x, number % ARMS, 0.5)

    def size() -> int:
        return sum(array.nbytes for array in instance.state().values())

    before = size()
    for _ in range(3):
        added = instance.add_arm()
        instance.learn_many(contexts[:3], [added] * 3, [1.0, 0.0, 1.0])
        instance.retire_arm(added)
    assert size() == before, "a retired arm leaves state: does every part follow it?"
    instance.retire_arm(1)
    loaded = reloaded(instance)
    x = np.arange(instance.n_arms * FEATURES).reshape(-1, FEATURES) / 10.0
    mask = np.arange(instance.n_arms) != 0
    ours, theirs = (each.decide(x, eligible=mask) for each in (instance, loaded))
    assert ours.arm == theirs.arm, "a loaded policy decides otherwise"
    assert len(ours.probabilities) == instance.n_arms, "probabilities are not by number"
    assert not ours.probabilities[~instance.active].any(), "a retired arm may be chosen"
    assert play(instance, 20) == play(loaded, 20), "loading changes what follows"
    assert_same(snapshot(instance), snapshot(loaded), "loading changes what is learned")


def late_rewards_are_only_counted(policy: type[ArmPolicy], **settings: Any) -> None:
    driver = driver_of(policy)
    told, untold = driver.new(policy, 17, settings), driver.new(policy, 17, settings)
    x = random_contexts(1, FEATURES)[0]
    for instance in (told, untold):
        play(instance, 30)
        instance.retire_arm(1)
    told.learn(x, 1, 1.0)
    told.learn_many([x, x, x], [1, 0, 1], [0.0, 1.0, 1.0])
    untold.learn(x, 0, 1.0)
    assert (told.late_rewards, untold.late_rewards) == (3, 0), "late rewards are not counted"
    assert reloaded(told).late_rewards == 3, "the count is not saved"
    assert play(told, 30) == play(untold, 30), "a late reward was learned"


def masks_limit_the_choice(policy: type[ArmPolicy], **settings: Any) -> None:
    driver = driver_of(policy)
    one, many = driver.new(policy, 15, settings), driver.new(policy, 15, settings)
    for each in (one, many):
        play(each, 50)
    shared = random_contexts(50, FEATURES, 2)
    masks = np.random.default_rng(1).random((50, ARMS)) < 0.7
    masks[:, 2] = True
    for batch in (shared, np.repeat(random_contexts(50, FEATURES, 3)[:, None], ARMS, axis=1)):
        for eligible in (None, masks[0], masks):
            each = np.broadcast_to(True if eligible is None else eligible, (50, ARMS))
            single = [one.choose(x, eligible=mask) for x, mask in zip(batch, each, strict=True)]
            assert each[np.arange(50), single].all(), "an arm that is not eligible was chosen"
            assert many.choose_many(batch, eligible=eligible).tolist() == single
    assert_same(snapshot(one), snapshot(many), "choose_many differs from choose")
    assert_true(one, {"context": shared[0], "eligible": np.arange(ARMS) != 1})


def names_stand_for_numbers(policy: type[ArmPolicy], **settings: Any) -> None:
    driver = driver_of(policy)
    names = [f"arm {number}" for number in range(ARMS)]
    named = driver.new(policy, 16, {"arms": names, **settings})
    numbered = driver.new(policy, 16, settings)
    for x, reward in zip(random_contexts(40, FEATURES), random_rewards(40), strict=True):
        decision = named.decide(x, eligible=names[1:])
        assert decision.name == names[decision.arm], "a decision tells another arm's name"
        assert decision.arm == numbered.choose(x, eligible=np.arange(ARMS) > 0)
        named.learn(x, decision.name, reward)
        numbered.learn(x, decision.arm, reward)
    assert named.add_arm("new") == numbered.add_arm()
    named.retire_arm(names[2])
    numbered.retire_arm(2)
    assert_same(snapshot(named), snapshot(numbered), "names make a difference")
    for wrong in ("arm 2", "unknown", 2):
        with refused():
            named.retire_arm(wrong)
    with refused():
        named.add_arm("arm 1")
    with refused():
        driver.new(policy, 16, {"n_arms": ARMS + 1, "arms": names, **settings})
    loaded = reloaded(named)
    assert loaded.decide(x, eligible=["new"]).name == "new", "names are not saved"


# What policies of items must do


def items_come_and_go(policy: type[ItemPolicy], **settings: Any) -> None:
    driver = driver_of(policy)
    instance = driver.new(policy, 7, {"max_items": 5, **settings})
    play(instance, 60)
    question = driver.questions(1, 6)[0]
    decision = instance.decide(**question)
    order = decision.order.tolist()
    count = driver.candidates(question)
    assert sorted(order) == list(range(count)), "the order is not one of all candidates"
    assert order[0] == decision.index, "the order does not begin with the chosen one"
    rest = decision.scores[order[1:]]
    assert (rest[:-1] >= rest[1:]).all(), "the others are not by falling score"
    item, features = question["ids"][0], question["items"][:1].repeat(2, axis=0)
    instance.forget_item(item)
    scores = instance.decide(question["context"], features, ids=[item, "never seen"]).scores
    assert scores[0] == scores[1], "a forgotten item is not as one never seen"


def items_are_known_once_learned(policy: type[ItemPolicy], **settings: Any) -> None:
    driver = driver_of(policy)
    instance = driver.new(policy, 19, {"max_items": 5, **settings})
    assert not instance.known(["never seen"]).any(), "an id that was never learned is known"
    lesson = driver.lesson(driver.questions(1)[0], 0)
    for number in range(7):
        instance.learn(**{**lesson, "id": number}, reward=1.0)
    for each in (instance, reloaded(instance)):
        known = each.known([*range(7), "never seen"]).tolist()
        assert known[6], "the id learned last is not known"
        assert not known[7], "an id that was never learned is known"
        assert sum(known) == each.remembered <= 5, "not as many items are known as remembered"
    instance.forget_item(6)
    assert not instance.known([6]).any(), "a forgotten item is known"


def _checks(kind: type[Policy], *checks: Check) -> tuple[Check, ...]:
    return tuple(map(check_of(kind), checks))


SHARED = _checks(
    Policy,
    same_seed_means_same_choices,
    saving_changes_nothing,
    refused_input_changes_nothing,
    the_callers_data_stay_as_they_are,
    long_runs_stay_finite,
    many_equal_one_by_one,
    decisions_tell_the_truth,
    threads_decide_as_one_does,
    a_refused_restore_changes_nothing,
    copies_share_nothing,
)
CHECKS = SHARED + _checks(
    ArmPolicy,
    one_context_for_all_equals_one_each,
    probabilities_are_those_of_decide,
    arms_come_and_go,
    retiring_frees_the_arm,
    late_rewards_are_only_counted,
    masks_limit_the_choice,
    names_stand_for_numbers,
)
ITEM_CHECKS = (
    *_checks(ItemPolicy, values_are_not_drawn),
    *SHARED,
    *_checks(ItemPolicy, items_come_and_go, items_are_known_once_learned),
)
