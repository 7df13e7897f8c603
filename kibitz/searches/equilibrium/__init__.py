"""Equilibria of small games of hidden information: the whole game tree is unfolded, and a strategy is a table over information sets.

unfolding   the whole game tree and its information sets
strategy    values of strategies, best replies, exploitability
regrets     kernels of counterfactual regret minimisation, one for all its forms
solving     runs of it that can be watched, stopped, saved and resumed
cfr         a player that plays the strategy found
"""
