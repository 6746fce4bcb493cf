import json

import numpy as np

from hybandit.policies.base.decision import Decision, ItemDecision


def test_a_decision_on_arms_is_ready_for_json():
    decision = Decision(1, np.array([0.25, 0.75, 0.0]), np.array([0.0, np.inf, -np.inf]), "abc")
    assert decision.probability == 0.75
    assert json.loads(json.dumps(decision.to_dict(), allow_nan=False)) == {
        "arm": 1,
        "name": "b",
        "probability": 0.75,
        "probabilities": [0.25, 0.75, 0.0],
        "scores": [0.0, None, None],
    }


def test_a_decision_among_items_is_ready_for_json():
    decision = ItemDecision(
        1, np.array([0.25, 0.75]), np.array([0.0, 1.0]), np.array([1, 0], np.int64)
    )
    assert decision.probability == 0.75
    assert json.loads(json.dumps(decision.to_dict(), allow_nan=False)) == {
        "index": 1,
        "probability": 0.75,
        "probabilities": [0.25, 0.75],
        "scores": [0.0, 1.0],
        "order": [1, 0],
    }
