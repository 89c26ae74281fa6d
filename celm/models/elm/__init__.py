"""The extreme learning machine: how its weights are drawn, the estimators, curves over node counts."""
