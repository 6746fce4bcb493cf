"""The estimators beside those of obp, in an environment of its own.

obp asks for torch, which its estimators do not need: it is installed without its
dependencies, and finds an empty torch. Run by `pytest -m slow tests/evaluation`.
"""

import json
import subprocess

import numpy as np
import pytest
from evaluation.logs import known_log

from benchmarks.peers.venvs import python_of, run
from hybandit import evaluation

NEEDED = [
    "numpy", "scipy", "scikit-learn", "pandas", "matplotlib", "seaborn", "pyyaml", "tqdm",
    "mypy_extensions",
]  # fmt: skip
EMPTY = """
class Anything(type):
    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return cls


class Stub(metaclass=Anything):
    pass


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return Stub
"""
SCRIPT = """
import json, sys
import numpy as np
from obp import ope

log = dict(np.load(sys.argv[1]))
rows = np.arange(len(log["arms"]))
plain = dict(
    reward=log["rewards"], action=log["arms"], position=np.zeros(len(rows), int),
    pscore=log["propensities"][rows, log["arms"]],
)
modelled = dict(plain, estimated_rewards_by_reg_model=log["predictions"][:, :, None])
target, sure = log["target"][:, :, None], log["sure"][:, :, None]
found = {
    "replay": ope.ReplayMethod().estimate_policy_value(action_dist=sure, **plain),
    "ips": ope.InverseProbabilityWeighting().estimate_policy_value(action_dist=target, **plain),
    "snips": ope.SelfNormalizedInverseProbabilityWeighting().estimate_policy_value(
        action_dist=target, **plain
    ),
    "direct": ope.DirectMethod().estimate_policy_value(action_dist=target, **modelled),
    "doubly_robust": ope.DoublyRobust().estimate_policy_value(action_dist=target, **modelled),
    "switch_doubly_robust": ope.SwitchDoublyRobust(tau=2.0).estimate_policy_value(
        action_dist=target, **modelled
    ),
}
print(json.dumps({name: float(value) for name, value in found.items()}))
"""


@pytest.fixture(scope="module")
def obp(tmp_path_factory):
    folder = tmp_path_factory.mktemp("obp")
    python = python_of("obp", folder, NEEDED)
    run([str(python), "-m", "pip", "install", "--quiet", "--no-deps", "obp"])
    (folder / "stub" / "torch").mkdir(parents=True)
    for name in ("__init__", "nn", "optim"):
        (folder / "stub" / "torch" / f"{name}.py").write_text(EMPTY)
    (folder / "script.py").write_text(SCRIPT)

    def estimates(**log):
        np.savez(folder / "log.npz", **log)
        answer = subprocess.run(
            [str(python), str(folder / "script.py"), str(folder / "log.npz")],
            check=True, capture_output=True, text=True, env={"PYTHONPATH": str(folder / "stub")},
        )  # fmt: skip
        return json.loads(answer.stdout.splitlines()[-1])

    return estimates


@pytest.mark.slow
def test_values_equal_those_of_obp(obp):
    log = known_log(2000, seed=5)
    predictions = np.clip(log.means + 0.1, 0.0, 1.0)
    sure = np.eye(4)[log.target.argmax(axis=1)]
    theirs = obp(
        arms=log.arms, rewards=log.rewards, propensities=log.propensities, target=log.target,
        sure=sure, predictions=predictions,
    )  # fmt: skip
    rows = np.arange(2000)
    columns = log.rewards, log.propensities[rows, log.arms], log.target[rows, log.arms]
    terms = evaluation.model_terms(log.arms, log.target, predictions)
    ours = {
        "replay": evaluation.replay(log.rewards, sure[rows, log.arms] == 1.0),
        "ips": evaluation.ips(*columns),
        "snips": evaluation.snips(*columns),
        "direct": evaluation.direct(log.rewards, terms[1]),
        "doubly_robust": evaluation.doubly_robust(*columns, *terms),
        "switch_doubly_robust": evaluation.switch_doubly_robust(*columns, *terms, threshold=2.0),
    }
    assert {name: each.value for name, each in ours.items()} == pytest.approx(theirs, rel=1e-9)
