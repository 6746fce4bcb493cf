import pytest

from hybandit.errors import UnknownName
from hybandit.experiments.specs import PolicySpec
from hybandit.paper.players.grids import FROZEN, GRIDS, grid, tuned
from hybandit.policies import make_policy


@pytest.mark.parametrize("policy", GRIDS, ids=str)
def test_a_grid_is_of_real_settings_and_all_differ(policy):
    specs = grid(policy)
    assert len({spec.label for spec in specs}) == len(specs)
    for spec in specs:
        make_policy(spec.name, 2, 3, **spec.settings)


def test_the_grids_are_the_papers():
    def values(name, setting, **fixed):
        return sorted({spec.settings[setting] for spec in grid(PolicySpec(name, fixed))})

    assert values("neural-ts", "lam") == [1e-3, 1e-2, 1e-1, 1.0]
    assert values("neural-ts", "nu") == [1e-5, 1e-4, 1e-3, 1e-2, 1e-1]
    assert values("kernel-ts", "nu", **FROZEN) == [0.01, 0.1, 1.0]
    # Not the paper's: a rival that learns on gets more to choose from.
    assert values("kernel-ucb", "lam") == [0.1, 1.0]
    assert values("kernel-ucb", "max_points") == [500, 1000]
    assert values("neural-epsilon-greedy", "epsilon") == [0.01, 0.05, 0.1]
    assert FROZEN == {"lam": 1.0, "max_points": 1000, "beyond": "ignore"}
    assert len(grid(PolicySpec("neural-ts"))) == 20
    with pytest.raises(UnknownName, match="neural-tss"):
        grid(PolicySpec("neural-tss"))


def test_what_was_not_searched_has_no_tuned_settings():
    kernel = PolicySpec("kernel-ucb")
    assert set(tuned("magic", "ordinal", kernel)) == {"nu", "lam", "max_points"}
    assert tuned("magic", "ordinal", PolicySpec("lin-ucb")) is None
    assert tuned("digits", "ordinal", kernel) is None
