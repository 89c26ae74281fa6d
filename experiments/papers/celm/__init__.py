"""Zhu, Miao and Qing, Constrained Extreme Learning Machines (2015): numbers, sentences and analyses of this paper."""
