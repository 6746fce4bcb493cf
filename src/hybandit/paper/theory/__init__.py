"""The paper's theorems made executable: its bounds, and checks that can fail."""

from hybandit.paper.theory.bounds import attention_rate, attention_slope, beta, regret_bound

__all__ = ["attention_rate", "attention_slope", "beta", "regret_bound"]
