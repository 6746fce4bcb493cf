"""The titles of the noise benchmark: what the runs say, whatever was hoped for."""

import pytest

from benchmarks.noise.__main__ import Bench, beside_old


class Played(Bench):
    """Runs that were played: the new form has so much more regret than the old one."""

    def __init__(self, tmp_path, more):
        super().__init__("", tmp_path / "runs.jsonl", seeds=4)
        self.more = more

    def runs(self, world, *, old=False, seeds=None):
        added = 0.0 if old else self.more
        return {seed: {"regret": 40.0 + added + 0.3 * (-1) ** (seed + old) + seed}
                for seed in range(seeds)}  # fmt: skip


@pytest.mark.parametrize(
    ("more", "told"),
    [(2.5, "a loss beyond chance"), (-2.5, "a gain beyond chance"),
     (0.2, "no difference beyond chance")],
)  # fmt: skip
def test_a_loss_is_called_a_loss(tmp_path, more, told):
    bench = Played(tmp_path, more)
    beside_old(bench, "news raw", 4)
    (table,) = bench.tables
    assert table.title == f"Regret, 4 seeds: {told}"
