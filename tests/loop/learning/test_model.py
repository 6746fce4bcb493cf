import random
from dataclasses import replace

import numpy as np
import pytest

from hybandit.errors import InvalidInput, ModelFileError
from hybandit.loop.learning.model import LoopModel
from hybandit.loop.learning.names import MOST
from hybandit.loop.policy import MOST_ITEMS
from hybandit.loop.settings import checked
from hybandit.loop.storage.contract import LEARN, Entry
from hybandit.policies import ItemPolicy, find_policy, policy_names

SETTINGS = checked({})[0]


FEATURES = pytest.mark.parametrize("features", ["{}", '{"x":"%s"}'])


def entry(number, features="{}"):
    name, reward = f"a{number % 2}", float(number % 2)
    context = f'{{"age":{number},"town":"t{number % 3}"}}'
    features = features.replace("%s", name)
    return Entry(number, LEARN, 1.0, None, context, name, features, reward)


@FEATURES
def test_learning_moves_scales_and_model_and_ranking_neither(features):
    model = LoopModel(SETTINGS)
    for number in range(1, 30):
        model.learn(entry(number, features))
    before = {name: array.copy() for name, array in model.state().items()}
    assert before["contexts/counts"].sum() == 29
    offered = [features.replace("%s", name) for name in ("a0", "a1")]
    offer = '{"age":900,"new":1}', ["a0", "a1"], offered
    chances = model.probabilities(*offer)
    assert chances.tolist() == [0.0, 1.0]
    assert all(np.array_equal(model.probabilities(*offer), chances) for _ in range(20))
    for name, array in model.state().items():
        assert np.array_equal(array, before[name])


@FEATURES
def test_state_goes_out_and_in(features):
    model, other = (LoopModel(SETTINGS) for _ in range(2))
    for number in range(1, 30):
        model.learn(entry(number, features))
    other.restore({name: array.copy() for name, array in model.state().items()})
    for each in (model, other):
        each.learn(entry(30, features))
    for name, array in model.state().items():
        assert np.array_equal(array, other.state()[name])


def learned(*actions, times=40, policy="default"):
    """Actions as name, features, reward."""
    model = LoopModel(SETTINGS, policy)
    for number in range(times):
        for name, features, reward in actions:
            model.learn(Entry(number, LEARN, 1.0, None, "{}", name, features, reward))
    return model


def test_of_items_that_come_for_ever_only_those_learned_last_are_remembered():
    model = LoopModel(SETTINGS)
    assert model.items.policy.max_items == MOST_ITEMS
    few = LoopModel(SETTINGS, "item-hybrid:max_items=20")
    sizes = []
    for number in range(100):
        features = f'{{"x":"article {number}"}}'
        few.learn(Entry(number, LEARN, 1.0, None, "{}", f"article {number}", features, 1.0))
        sizes.append(sum(array.nbytes for name, array in few.state().items() if "table" in name))
    assert few.items.policy.remembered == 20
    assert max(sizes[25:]) < 1.05 * sizes[25]


def test_names_among_items_are_items():
    items = ("good", '{"x":"a"}', 1.0), ("bad", '{"x":"b"}', 0.0)
    model = learned(*items, ("plain", "{}", 0.5))
    assert model.names.known() == ["plain"]
    names, features = ["plain", "bad", "good"], ["{}", '{"x":"b"}', '{"x":"a"}']
    assert model.probabilities("{}", names, features).tolist() == [0.0, 0.0, 1.0]
    assert model.probabilities("{}", names[:2], features[:2]).tolist() == [1.0, 0.0]


def test_names_alone_cost_no_learning_of_items():
    model = learned(("a", "{}", 0.0), ("b", "{}", 1.0))
    assert model.items.learned[0] == 0
    assert model.probabilities("{}", ["a", "b"], ["{}", "{}"]).tolist() == [0.0, 1.0]


def test_nothing_known_is_all_alike():
    model = LoopModel(SETTINGS)
    for features in (["{}"] * 3, ["{}", "{}", '{"x":1}']):
        assert model.probabilities("{}", ["a", "b", "c"], features).tolist() == [1 / 3] * 3


def test_more_names_than_arms_are_items():
    names = [f"a{number}" for number in range(MOST + 3)]
    model = learned(*((name, "{}", float(name == names[-1])) for name in names), times=4)
    assert model.names.known() == names[:MOST]
    assert model.probabilities("{}", names, ["{}"] * len(names)).argmax() == len(names) - 1


# Which actions had a positive probability in each round, as the default decides where newcomers
# are not bounded: a letter for each set of the four that were offered.
RECORDED = [
    (1.0, 6, {}, "oknciecddachebhhhadhdahadahbbdahddaabahbhahbd"
     "hdaadbbdbdhdbaahhbbbbdhbhdddahdddabahbahbbahb"),
    (0.0, 9, {}, "okmijeabdadhaaadddahdahddhbabdhbhahabdabbbdbb"
     "bhddhhhbahaabhdhhhababhhdbdbhdbadhbadahahhaha"),
    (0.6, 7, {}, "oogolbgfbhnfbaejddhbhaahhddhdabdbhadabbhddbhb"
     "bdhdbdddbbdadadhhhbabdbhbdhadbahdbddbbahdbbdb"),
    (1.0, 80, {}, "ookooohnooooooodoogkladnhhacbnoangeofomdiicoe"
     "giicmbhbdnkeenaagmmieibjlmkfhaaebefaghbhbgdab"),
    (1.0, 5, {"forget": 0.95, "memory": "window(5)"},
     "ommjlaabbabadhabdadbbddhdabhddahbabaddddhdhba"
     "daaabdabdhhabdbbhbabadaadbbaadahbbhaaahbdahbb"),
]  # fmt: skip


@pytest.mark.parametrize(("plain", "names", "settings", "recorded"), RECORDED)
def test_the_default_decides_as_recorded(plain, names, settings, recorded):
    chance = random.Random(names)
    model, told = LoopModel(SETTINGS | settings), ""
    for number in range(1, len(recorded) + 1):
        context = f'{{"age":{chance.randrange(18, 80)},"town":"t{chance.randrange(4)}"}}'
        offer = chance.sample(range(names), 4)
        texts = ["{}"] * 4
        if chance.random() >= plain:
            texts = [f'{{"kind":"k{place % 3}","size":{place}}}' for place in offer]
        chances = model.probabilities(context, [f"n{place}" for place in offer], texts, 1.0)
        told += "abcdefghijklmno"[int((chances > 0) @ (1, 2, 4, 8)) - 1]
        chosen = chance.randrange(4)
        reward = float(chance.random() < 0.2 + 0.6 * (offer[chosen] % 3 == number % 2))
        name = f"n{offer[chosen]}"
        model.learn(Entry(number, LEARN, 1.0, None, context, name, texts[chosen], reward))
    assert told == recorded


def test_a_policy_of_items_values_plain_names_too():
    model = learned(("a", "{}", 0.0), ("b", "{}", 1.0), policy="item-lin-ucb:alpha=0.1")
    assert model.names is None
    assert model.probabilities("{}", ["a", "b"], ["{}", "{}"]).tolist() == [0.0, 1.0]


def test_a_policy_of_arms_refuses_features_and_tells_the_remedy():
    model = learned(("a", "{}", 0.0), ("b", "{}", 1.0), policy="lin-ucb")
    told = r"'actions' must be names without features, .* policy='item-hybrid'.* got \{\"x\":1\}"
    with pytest.raises(InvalidInput, match=told):
        model.probabilities("{}", ["a", "b"], ["{}", '{"x":1}'])
    assert model.explained("{}", "{}", "a") == [("context", "constant", 0, 1.0)]


@pytest.mark.parametrize(
    ("policy", "entry", "told"),
    [
        ("lin-ucb", {"features": '{"x":1}'}, "names without features"),
        ("beta-thompson", {"reward": 2.0}, "takes a number from 0 to 1; got 2.0"),
    ],
)
def test_what_a_policy_cannot_learn_as_it_is(policy, entry, told):
    model = LoopModel(SETTINGS, policy)
    entry = replace(Entry(1, LEARN, 1.0, None, "{}", "a", "{}", 1.0), **entry)
    with pytest.raises(InvalidInput, match=told):
        model.check(entry)
    # It was closed while the loop was switched: learned as well as can be.
    model.learn(entry)
    assert model.names.known() == ["a"]


@pytest.mark.parametrize("policy", sorted(policy_names()))
def test_every_policy_ranks_without_a_trace_and_is_restored_bit_for_bit(policy):
    features = '{"x":"%s"}' if issubclass(find_policy(policy), ItemPolicy) else "{}"
    settings = SETTINGS | {"context_width": 6, "action_width": 4, "policy": policy}
    model, quiet, other = (LoopModel(settings) for _ in range(3))
    offered = [features.replace("%s", name) for name in ("a0", "a1", "new")]
    offer = '{"age":20,"town":"t1"}', ["a0", "a1", "new"], offered
    for number in range(1, 25):
        chances = model.probabilities(*offer)
        assert chances.sum() == pytest.approx(1.0)
        assert np.array_equal(model.probabilities(*offer), chances)
        for each in (model, quiet) if number < 15 else (model, quiet, other):
            each.learn(entry(number, features))
        if number == 14:
            other.restore({name: array.copy() for name, array in quiet.state().items()})
    for each in (quiet, other):
        assert np.array_equal(each.probabilities(*offer), model.probabilities(*offer))
        for name, array in model.state().items():
            assert array.tobytes() == each.state()[name].tobytes(), name


@pytest.mark.parametrize(
    "extremes", [(-1.0, 1e300), pytest.param((-1e300, 1e150), marks=pytest.mark.slow)]
)
def test_a_model_with_any_array_changed_is_refused_or_stays_finite(extremes):
    settings = SETTINGS | {"context_width": 4, "action_width": 3, "memory": "window(9)"}
    model = LoopModel(settings)
    for number in range(40):
        features = f'{{"y":{number % 4}}}' if number % 2 else "{}"
        context, name = f'{{"x":{number % 5}}}', "abc"[number % 3]
        model.learn(Entry(number, LEARN, 1.0, None, context, name, features, float(number % 2)))
    arrays = {name: array.copy() for name, array in model.state().items()}
    for name, array in arrays.items():
        for value in extremes if array.dtype.kind == "f" else (-1, 2**53):
            if array.dtype == np.uint8 or not array.size or (array.dtype == bool and value > 1):
                continue
            tried = LoopModel(settings)
            try:
                tried.restore({**arrays, name: np.full_like(array, value)})
            except ModelFileError:
                continue
            tried.try_out()
