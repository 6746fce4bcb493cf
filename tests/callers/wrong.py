"""What a user writes by mistake: both type checkers must refuse each marked line."""

import hybandit
from hybandit import LNUCBTA, UCB, ItemHybrid, StackedHybrid


def mistakes() -> None:
    print(hybandit.LNUCBTAA)  # wrong
    print(hybandit.annotations)  # wrong
    print(hybandit.import_module)  # wrong
    LNUCBTA(3, 4, alhpa=1)  # wrong
    LNUCBTA(3, 4, 1.0)  # wrong
    LNUCBTA(3, 4, alpha="1")  # wrong
    UCB(3, 4)  # wrong
    StackedHybrid(arms=3, n_features=4)  # wrong
    StackedHybrid(3, 4, explore="gap")  # wrong
    ItemHybrid(3, 4, n_arms=2)  # wrong
    StackedHybrid(n_arms=3, n_features=4, k_min=2)  # wrong
    LNUCBTA(3, 4).chose([1.0] * 4)  # wrong
    arm: str = LNUCBTA(3, 4).choose([1.0] * 4)  # wrong
    ItemHybrid(3, 4).choose([1.0] * 3)  # wrong
    print(arm)
