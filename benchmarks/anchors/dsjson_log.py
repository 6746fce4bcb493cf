"""Lets Vowpal Wabbit decide, learn and log, and read its log: `dsjson_log.py OUT EVENTS`.

Run by `benchmarks.dsjson` in the environment of vowpalwabbit. Prints its count of events and its
IPS estimate of the reward of the first action as JSON.
"""

import json
import random
import sys

import vowpalwabbit

TOPICS = ["sport", "politics", "music", "science"]
PAYS = {"sport": 0.6, "politics": 0.2, "music": 0.4, "science": 0.3}


def decided(vw, context, actions):
    """The probabilities by which vw's policy chooses."""
    text = json.dumps({**context, "_multi": actions})
    examples = vw.parse(text)
    found = vw.predict(examples)
    vw.finish_example(examples)
    return [max(chance, 0.0) / sum(found) for chance in found]


def write(path, events):
    generator = random.Random(0)
    vw = vowpalwabbit.Workspace("--cb_explore_adf --epsilon 0.3 --json -q :: --quiet")
    with open(path, "w") as file:
        for number in range(events):
            menu = generator.sample(TOPICS, generator.choice([2, 3, 4]))
            context = {"User": {"age": generator.randint(18, 80), "town": generator.choice("abc")}}
            actions = [{"Article": {"topic": topic}} for topic in menu]
            chances = decided(vw, context, actions)
            choice = generator.choices(range(len(menu)), chances)[0]
            reward = float(generator.random() < PAYS[menu[choice]])
            order = [choice, *(place for place in range(len(menu)) if place != choice)]
            event = {
                "_label_cost": -reward,
                "_label_probability": chances[choice],
                "_label_Action": choice + 1,
                "_labelIndex": choice,
                "o": [{"v": reward, "EventId": str(number)}],
                "Timestamp": "2024-01-01T00:00:00.0000000Z",
                "Version": "1",
                "EventId": str(number),
                "a": [place + 1 for place in order],
                "c": {**context, "_multi": actions},
                "p": [chances[place] for place in order],
                "VWState": {"m": "m"},
            }
            label = {key: event[key] for key in event if key.startswith("_label")}
            examples = vw.parse(json.dumps({**label, **context, "_multi": actions}))
            vw.learn(examples)
            vw.finish_example(examples)
            file.write(json.dumps(event) + "\n")
    vw.finish()


def main():
    path, events = sys.argv[1], int(sys.argv[2])
    write(path, events)
    vw = vowpalwabbit.Workspace(f"--cb_adf --cb_type ips --dsjson -t -d {path} --quiet")
    found = {"events": int(vw.get_weighted_examples()), "ips": -vw.get_sum_loss() / events}
    vw.finish()
    print(json.dumps(found))


if __name__ == "__main__":
    main()
