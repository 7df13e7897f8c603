"""Pictures of what a search visited.

search_tree          `kb.tree`: the tree of a search, as text, picture and data
trace_tree           a trace as a tree: all visits of one node in one place
tree_excerpt         the part of it that is shown
tree_svg             its picture
simulation_tree      the tree of a Monte Carlo search, with its last simulation
simulation_excerpt   the part of it that is shown
simulation_svg       its picture in four frames
proof_tree           the tree of a proof-number search, with its numbers
outline              trees as text
words                values, windows and visits in few characters
pseudocode           the algorithms in a few lines each
display              how trees show themselves in terminals and notebooks
"""
