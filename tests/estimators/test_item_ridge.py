import numpy as np

from hybandit.estimators.item_ridge import ItemRidge


def test_values_and_widths_are_those_of_the_plain_ridge():
    generator = np.random.default_rng(0)
    part = ItemRidge(3, 2, np.random.default_rng(1), reg=2.0, max_items=100)
    learned, targets = [], []
    for _ in range(50):
        context, items = generator.normal(size=3), generator.normal(size=(4, 2))
        z = part.features.of(context, items)
        gram = 2.0 * np.eye(z.shape[1]) + sum(np.outer(each, each) for each in learned)
        moment = sum(
            (t * each for t, each in zip(targets, learned, strict=True)), np.zeros(len(gram))
        )
        widths = np.sqrt(np.einsum("ij,ij->i", z, np.linalg.solve(gram, z.T).T))
        expected = z @ np.linalg.solve(gram, moment)
        rates = np.array([0.0, 1.0, 0.5, 2.0])
        np.testing.assert_allclose(
            part.upper(context, items, None, rates), expected + rates * widths, atol=1e-9
        )
        target = generator.normal()
        learned.append(part.features.of(context, items[:1])[0])
        targets.append(target)
        part.learn(context, items[0], None, reward=7.0, target=target)


def test_the_table_counts_rewards_not_targets():
    part = ItemRidge(1, 1, np.random.default_rng(0), reg=1.0, max_items=2)
    for reward in (1.0, 3.0):
        part.learn(np.ones(1), np.ones(1), "a", reward=reward, target=0.0)
    row = part.table.row("a")
    assert part.table.counts[row] == 2.0
    assert part.table.totals[row] == 4.0
    assert part.upper(np.ones(1), np.ones((1, 1)), ["a"], np.zeros(1)) == 0.0
