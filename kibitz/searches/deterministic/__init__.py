"""Searches of two-player games without chance.

minimax        every position, in three forms
alphabeta      a window; a recursive form for reading, a loop for use
negascout      null windows for all but the first move
scout          TEST and SCOUT, as in the paper
mtdf           null windows alone
selective      pruning and extending by judgement
stages         what selective tests at a node before any move
probcut        the numbers that predict deep values
realization    depth by the probability of moves
"""
