"""Policies of one's own that do what they must not are told what, and what to do instead."""

import re

import numpy as np
import pytest

from hybandit.errors import PolicyError
from hybandit.policies import ContextualPolicy, ItemPolicy
from hybandit.policies.base import registry
from hybandit.testing import CHECKS, ITEM_CHECKS, check_policy


class Items(ItemPolicy):
    """The largest sum of features; without a name it is among no tests of all."""

    def _values(self, context, items, ids):
        return items.sum(axis=1)

    def _learn(self, context, item, name, reward):
        return reward


class ClipsContext(Items):
    def _values(self, context, items, ids):
        return items @ np.clip(context, -5, 5, out=context)[:2]


class CentresItems(Items):
    def _values(self, context, items, ids):
        items -= items.mean(axis=0)
        return items.sum(axis=1)


class ScalesItem(Items):
    def _learn(self, context, item, name, reward):
        item *= reward
        return reward


class KeepsItem(Items):
    _arrays = ("_last",)

    def _start(self):
        self._last = np.zeros(self.n_item)

    def _learn(self, context, item, name, reward):
        self._last = item
        return reward


class Arms(ContextualPolicy):
    def _scores(self, contexts, allowed, exact):
        return np.zeros(self._n_live)


class ClipsArms(Arms):
    def _scores(self, contexts, allowed, exact):
        np.clip(contexts, -5, 5, out=contexts)
        return super()._scores(contexts, allowed, exact)


class ScalesArms(Arms):
    def _learn(self, contexts, arm, reward):
        contexts /= 2.0


class Draws(Items):
    def _values(self, context, items, ids):
        return self._generator.random(len(items))


class DrawsElsewhere(Items):
    def _values(self, context, items, ids):
        return np.random.default_rng().random(len(items))


class Remembers(Items):
    def _start(self):
        self._means = {}

    def _values(self, context, items, ids):
        return np.array([self._means.get(each, 0.0) for each in ids or range(len(items))])

    def _learn(self, context, item, name, reward):
        self._means[name] = reward
        return reward


class Overflows(Items):
    def _values(self, context, items, ids):
        with np.errstate(all="ignore"):
            return np.square(items).sum(axis=1) ** 2 * 0.0


class Raises(Items):
    def _learn(self, context, item, name, reward):
        raise ZeroDivisionError("of its own")


@pytest.fixture
def named(monkeypatch):
    """Gives a class its name, for as long as the test lasts: what is saved needs one."""

    def name(kind):
        monkeypatch.setattr(kind, "name", kind.__name__.lower())
        monkeypatch.setitem(registry._policies, kind.name, kind)

    return name


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        (ClipsContext, "ClipsContext changes the 'context' that `choose` was handed"),
        (CentresItems, "CentresItems changes the 'items' that `choose` was handed"),
        (ScalesItem, "ScalesItem changes the 'item' that `learn` was handed"),
        (KeepsItem, "KeepsItem keeps an array that it was handed"),
        (ClipsArms, "ClipsArms changes the 'context' that `choose` was handed"),
        (ScalesArms, "ScalesArms changes the 'context' that `learn` was handed"),
        (Draws, "Draws._values must not draw at random, .* use the setting `explore`"),
        (DrawsElsewhere, "DrawsElsewhere._values must not draw at random"),
    ],
)
def test_a_policy_with_bad_manners_is_told(kind, told, named):
    named(kind)
    with pytest.raises(AssertionError, match=told):
        check_policy(kind)


@pytest.mark.parametrize("kind", [Items, Arms])
def test_those_without_them_conform(kind, named):
    named(kind)
    check_policy(kind)


def test_what_is_remembered_in_a_dict_has_a_better_place(named):
    named(Remembers)
    with pytest.raises(AssertionError, match=r"A dict or a list is not saved; .*ItemTable"):
        check_policy(Remembers)


def test_scores_that_are_no_numbers_are_told_with_what_was_sent(named):
    named(Overflows)
    with pytest.raises(PolicyError, match=r"got nan for candidate .; it was sent .* as .e\+"):
        check_policy(Overflows)


def test_an_error_of_ones_own_is_told_with_the_check_and_the_line():
    told = r"Raises._learn failed in the check .*: ZeroDivisionError: of its own \(test_manners.py"
    with pytest.raises(PolicyError, match=told) as caught:
        check_policy(Raises)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


@pytest.mark.parametrize(
    ("check", "kind", "told"),
    [
        (CHECKS[-1], Items, "Items is a policy of items: its checks are .*.ITEM_CHECKS"),
        (ITEM_CHECKS[-1], Arms, "Arms is a policy of arms: its checks are .*testing.CHECKS"),
    ],
)
def test_checks_of_the_other_kind_are_refused(check, kind, told):
    with pytest.raises(PolicyError, match=told):
        check(kind)
    assert re.fullmatch("[a-z_]+", check.__name__), "a parametrised test shows its name"
