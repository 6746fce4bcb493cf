from hybandit.experiments.experiment import Effort
from hybandit.paper.experiments import EXPERIMENTS
from hybandit.paper.experiments.fresh import COMPARISONS, DATA
from hybandit.policies import ArmPolicy, find_policy, policy_names


def test_every_policy_with_fixed_arms_plays_on_every_data_set():
    """Other test files may register policies of their own."""
    ours = {
        name for name in policy_names(ArmPolicy)
        if find_policy(name).__module__.startswith("hybandit.")
    }  # fmt: skip
    cells = EXPERIMENTS["fresh"].cells(Effort())
    for title in DATA:
        assert {cell.policy.name for cell in cells if cell.column == title} == ours


def test_intervals_are_corrected_for_every_comparison():
    cells = EXPERIMENTS["fresh"].cells(Effort())
    assert len(cells) - len(DATA) == COMPARISONS
