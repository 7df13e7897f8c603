"""One simulation, step by step.

workspace        what one thread writes
simulation       the loop: descend, visit a leaf, back up
expansion        leaves become nodes, edges come into play
backup           rewards from the leaf to the root
outcomes         chance nodes: which outcome happens, what the node is worth
transpositions   a simulation that comes to a node of another path
waves            many leaves evaluated together
"""
