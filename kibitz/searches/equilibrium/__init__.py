"""Equilibria of small games of hidden information: the whole game is unfolded, and every player's strategy is a table over what he may know.

unfolding   every way a game can go, and what its players know there
strategy    strategies: what they are worth, the best reply to them, how much it wins
regrets     kernels of counterfactual regret minimisation, one for all its forms
solving     runs of it that can be watched, stopped, saved and gone on with
cfr         a player that plays the strategy found
"""
