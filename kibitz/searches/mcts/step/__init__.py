"""One simulation, step by step.

workspace        the data of one thread
simulation       the loop: descend, visit a leaf, back up
expansion        leaves become nodes, edges come into play
backup           rewards from the leaf to the root
outcomes         chance nodes: which outcome happens, what the node is worth
transpositions   joining the node of another path
waves            many leaves evaluated together
"""
