"""The loop's policy as it is used: late rewards, new actions, and tastes that change."""
