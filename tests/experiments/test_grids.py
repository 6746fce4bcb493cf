import pytest

from hybandit.errors import UnknownName
from hybandit.experiments.grids import PAPER, grid, tuned
from hybandit.policies import make_policy


@pytest.mark.parametrize("policy", PAPER)
def test_a_grid_is_of_real_settings_and_all_differ(policy):
    specs = grid(policy)
    assert len({spec.label for spec in specs}) == len(specs)
    for spec in specs:
        make_policy(spec.name, 2, 3, **spec.settings)


def test_the_neural_grid_is_the_papers():
    assert len(grid("neural-ts")) == 20
    with pytest.raises(UnknownName, match="neural-tss"):
        grid("neural-tss")


def test_what_was_not_searched_has_no_tuned_settings():
    assert tuned("magic", "ordinal", "kernel-ucb") == {"nu": 1.0}
    assert tuned("magic", "ordinal", "lin-ucb") is None
    assert tuned("digits", "ordinal", "kernel-ucb") is None
